//! Values into their places: the base matrix, and the stiffness that a Newton step adds to it.

use super::Matrix;
use super::layout::Layout;

/// K into the blocks of a layout, with the mobility of the rows that close loops.
pub(super) fn base_matrix(m: &Matrix<'_>, l: &Layout, diag: &mut [f64], off: &mut [f64], reference: &mut [f64]) {
    let mut at = 0;
    for (block, &d) in m.dims.iter().enumerate() {
        let to = l.pattern.diag[l.position[block]];
        diag[to..to + d * d].copy_from_slice(&m.diag[at..at + d * d]);
        at += d * d;
    }
    off.fill(0.0);
    for (c, place) in m.couplings.iter().zip(&l.couplings) {
        let (da, db) = (m.dims[c.a], m.dims[c.b]);
        let (from, to) = (&m.off[c.at..c.at + da * db], &mut off[place.at..place.at + da * db]);
        if place.first_is_pivot {
            to.copy_from_slice(from);
        } else {
            for r in 0..da {
                for q in 0..db {
                    to[q * da + r] = from[r * db + q];
                }
            }
        }
    }
    mobility(m, l, diag, reference);
}

/// About J A^-1 J^T of each row that closes a loop, from the diagonal of the node blocks in `diag`.
pub(super) fn mobility(m: &Matrix<'_>, l: &Layout, diag: &[f64], reference: &mut [f64]) {
    reference.fill(0.0);
    if l.loops.is_empty() {
        return;
    }
    for c in m.couplings {
        let (row, node, swap) = if m.is_row[c.a] { (c.a, c.b, false) } else { (c.b, c.a, true) };
        if l.loops.binary_search(&row).is_err() {
            continue;
        }
        let (dr, dn) = (m.dims[row], m.dims[node]);
        let at = l.pattern.diag[l.position[node]];
        for r in 0..dr {
            for q in 0..dn {
                let j = m.off[c.at + if swap { q * dr + r } else { r * dn + q }];
                reference[l.x(row) + r] += j * j / diag[at + q * dn + q];
            }
        }
    }
}

/// target += Ja^T H Jb for blocks of the widths da, db; rows of J are 12 apart.
#[inline(always)]
pub(super) fn add_form(h: &[f64; 9], rows: usize, ja: &[f64], da: usize, jb: &[f64], db: usize, target: &mut [f64]) {
    let target = &mut target[..da * db];
    for r in 0..rows {
        let mut hj = [0.0; 6];
        for q in 0..rows {
            let s = h[3 * r + q];
            for c in 0..db {
                hj[c] += s * jb[12 * q + c];
            }
        }
        for a in 0..da {
            let s = ja[12 * r + a];
            let out = &mut target[a * db..(a + 1) * db];
            for c in 0..db {
                out[c] += s * hj[c];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_the_product_of_its_factors() {
        let j: Vec<f64> = (0..36).map(|k| ((k * 5) % 7) as f64 - 3.0).collect();
        let h = [2.0, 0.5, 0.0, -1.0, 3.0, 0.25, 0.0, 1.0, 4.0];
        let mut out = vec![0.0; 18];
        add_form(&h, 3, &j, 6, &j[6..], 3, &mut out);
        for a in 0..6 {
            for c in 0..3 {
                let mut expected = 0.0;
                for r in 0..3 {
                    for q in 0..3 {
                        expected += j[12 * r + a] * h[3 * r + q] * j[12 * q + 6 + c];
                    }
                }
                assert!((out[a * 3 + c] - expected).abs() < 1e-12);
            }
        }
    }
}
