//! Products of panels in tiles that stay in registers.
//!
//! A tile is four rows by four columns of U^T D^-1 U. Its sums run over the pivots in groups of four, whatever the width of the machine's
//! vectors: `((a0 b0 + a1 b1) + (a2 b2 + a3 b3))` per group, then the pivots that are left one by one.

/// Rows and columns of a tile.
pub(super) const SIDE: usize = 4;
/// Pivots that are summed at once.
const GROUP: usize = 4 * SIDE;

/// Values of a packed panel of this width with so many later scalars.
pub(super) fn packed(width: usize, later: usize) -> usize {
    2 * width * later.next_multiple_of(SIDE)
}

/// Copies the later columns of a panel, four by four with the pivots one after another: first divided by the pivots (whose inverses are
/// on the diagonal), then as they are. Columns that are not there are zero.
#[inline(always)]
pub(super) fn pack(own: &[f64], width: usize, later: usize, out: &mut [f64]) {
    let (row, half) = (width + later, width * later.next_multiple_of(SIDE));
    let (left, right) = out.split_at_mut(half);
    for p in 0..width {
        let (scale, from) = (own[p * row + p], &own[p * row + width..(p + 1) * row]);
        let tiles = left.chunks_exact_mut(width * SIDE).zip(right.chunks_exact_mut(width * SIDE));
        for ((left, right), from) in tiles.zip(from.chunks(SIDE)) {
            let (left, right) = (&mut left[p * SIDE..(p + 1) * SIDE], &mut right[p * SIDE..(p + 1) * SIDE]);
            for c in 0..SIDE {
                let u = from.get(c).copied().unwrap_or(0.0);
                (left[c], right[c]) = (scale * u, u);
            }
        }
    }
}

/// Sums over the pivots of a_r b_c.
#[inline(always)]
pub(super) fn product(a: &[f64], b: &[f64]) -> [[f64; SIDE]; SIDE] {
    let mut sums = [[0.0; SIDE]; SIDE];
    let ((a, a_left), (b, b_left)) = (a.as_chunks::<GROUP>(), b.as_chunks::<GROUP>());
    for (a, b) in a.iter().zip(b) {
        for r in 0..SIDE {
            for c in 0..SIDE {
                sums[r][c] += (a[r] * b[c] + a[4 + r] * b[4 + c]) + (a[8 + r] * b[8 + c] + a[12 + r] * b[12 + c]);
            }
        }
    }
    for (a, b) in a_left.as_chunks::<SIDE>().0.iter().zip(b_left.as_chunks::<SIDE>().0) {
        for r in 0..SIDE {
            for c in 0..SIDE {
                sums[r][c] += a[r] * b[c];
            }
        }
    }
    sums
}
