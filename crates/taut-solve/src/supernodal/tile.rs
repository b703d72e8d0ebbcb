//! Products of panels in tiles that stay in registers.
//!
//! A tile is four rows by four columns of U^T D^-1 U. Its sums run over the pivots in groups of four, whatever the width of the machine's
//! vectors: `((a0 b0 + a1 b1) + (a2 b2 + a3 b3))` per group, then the pivots that are left one by one.

/// Rows and columns of a tile.
pub(super) const SIDE: usize = 4;
/// Pivots that are summed at once.
const GROUP: usize = 4 * SIDE;

/// Columns with those that fill the last tile.
pub(super) fn padded(columns: usize) -> usize {
    columns.next_multiple_of(SIDE)
}

/// Copies columns of the row of pivot `k` of `depth`, four by four with the pivots one after another: once times `scale`, once as they are.
/// Columns that are not there are zero.
#[inline(always)]
pub(super) fn pack(k: usize, depth: usize, scale: f64, row: &[f64], scaled: &mut [f64], plain: &mut [f64]) {
    let (whole, rest) = row.as_chunks::<SIDE>();
    let mut at = k * SIDE;
    for from in whole {
        let (scaled, plain) = (&mut scaled[at..at + SIDE], &mut plain[at..at + SIDE]);
        for c in 0..SIDE {
            (scaled[c], plain[c]) = (scale * from[c], from[c]);
        }
        at += depth * SIDE;
    }
    if !rest.is_empty() {
        for c in 0..SIDE {
            let u = rest.get(c).copied().unwrap_or(0.0);
            (scaled[at + c], plain[at + c]) = (scale * u, u);
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
