//! Eigenvalues of a dense symmetric matrix, for condition numbers: Householder's tridiagonal form, then QL with Wilkinson's shift.

/// Largest over smallest magnitude of the eigenvalues of a symmetric matrix of `n` rows, row-major; infinite when it is singular, `None`
/// when the iteration does not end (a matrix that is not finite).
pub fn condition(n: usize, matrix: &[f64]) -> Option<f64> {
    let values = eigenvalues(n, matrix.to_vec())?;
    let (low, high) = values.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(v.abs()), h.max(v.abs())));
    Some(high / low)
}

/// All eigenvalues, in no order.
fn eigenvalues(n: usize, mut a: Vec<f64>) -> Option<Vec<f64>> {
    let (mut d, mut e) = tridiagonal(n, &mut a);
    // What is below the rounding of the largest entries is noise: stiff systems never get rid of it.
    let noise = f64::EPSILON * d.iter().chain(&e).fold(0.0_f64, |m, x| m.max(x.abs()));
    for l in 0..n {
        let mut rounds = 0;
        loop {
            let m = (l..n.saturating_sub(1)).find(|&m| e[m].abs() <= noise).unwrap_or(n - 1);
            if m == l {
                break;
            }
            rounds += 1;
            if rounds > 60 {
                return None;
            }
            chase(&mut d, &mut e, l, m);
        }
    }
    Some(d)
}

/// Diagonal and the entries beside it of the tridiagonal matrix with the same eigenvalues.
fn tridiagonal(n: usize, a: &mut [f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut d, mut e) = (vec![0.0; n], vec![0.0; n]);
    let (mut v, mut w) = (vec![0.0; n], vec![0.0; n]);
    for k in 0..n {
        d[k] = a[k * n + k];
        if k + 1 >= n {
            break;
        }
        // The reflection that clears column k below its subdiagonal.
        let below = k + 1..n;
        let norm = below.clone().map(|r| a[r * n + k] * a[r * n + k]).sum::<f64>().sqrt();
        let first = a[(k + 1) * n + k];
        let target = if first > 0.0 { -norm } else { norm };
        e[k] = target;
        for r in below.clone() {
            v[r] = a[r * n + k];
        }
        v[k + 1] -= target;
        let vv: f64 = below.clone().map(|r| v[r] * v[r]).sum();
        if vv == 0.0 {
            continue;
        }
        // A <- A - v w^T - w v^T on the rest.
        for r in below.clone() {
            w[r] = 2.0 / vv * below.clone().map(|c| a[r * n + c] * v[c]).sum::<f64>();
        }
        let half = below.clone().map(|r| v[r] * w[r]).sum::<f64>() / vv;
        for r in below.clone() {
            w[r] -= half * v[r];
        }
        for r in below.clone() {
            for c in below.clone() {
                a[r * n + c] -= v[r] * w[c] + w[r] * v[c];
            }
        }
    }
    (d, e)
}

/// One implicit QL sweep over the block from l to m.
fn chase(d: &mut [f64], e: &mut [f64], l: usize, m: usize) {
    let mut g = (d[l + 1] - d[l]) / (2.0 * e[l]);
    let r = g.hypot(1.0);
    g = d[m] - d[l] + e[l] / (g + r.copysign(g));
    let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
    for i in (l..m).rev() {
        let (f, b) = (s * e[i], c * e[i]);
        let r = f.hypot(g);
        e[i + 1] = r;
        if r == 0.0 {
            d[i + 1] -= p;
            e[m] = 0.0;
            return;
        }
        (s, c) = (f / r, g / r);
        g = d[i + 1] - p;
        let r = (d[i] - g) * s + 2.0 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_of_a_known_matrix() {
        // The second difference of n points: 2 - 2 cos(k pi/(n + 1)), turned by a reflection so that it is full.
        let n = 12;
        let u: Vec<f64> = (0..n).map(|k| (k as f64 + 1.0).sin()).collect();
        let uu: f64 = u.iter().map(|x| x * x).sum();
        let at = |r: usize, c: usize| {
            if r == c {
                2.0
            } else if r.abs_diff(c) == 1 {
                -1.0
            } else {
                0.0
            }
        };
        let q = |r: usize, c: usize| f64::from(u8::from(r == c)) - 2.0 * u[r] * u[c] / uu;
        let full = |r: usize, c: usize| -> f64 {
            (0..n).map(|i| (0..n).map(|j| q(r, i) * at(i, j) * q(j, c)).sum::<f64>()).sum()
        };
        let matrix: Vec<f64> = (0..n * n).map(|k| full(k / n, k % n)).collect();
        let mut found = eigenvalues(n, matrix.clone()).unwrap();
        found.sort_by(f64::total_cmp);
        for (k, v) in found.iter().enumerate() {
            let expected = 2.0 - 2.0 * (std::f64::consts::PI * (k + 1) as f64 / (n + 1) as f64).cos();
            assert!((v - expected).abs() < 1e-13, "{v} {expected}");
        }
        let ratio = found[n - 1] / found[0];
        assert!((condition(n, &matrix).unwrap() / ratio - 1.0).abs() < 1e-9);
    }

    #[test]
    fn signs_do_not_matter_and_bad_numbers_end() {
        assert_eq!(condition(2, &[2.0, 0.0, 0.0, -8.0]), Some(4.0));
        assert_eq!(condition(1, &[3.0]), Some(1.0));
        assert_eq!(condition(3, &[f64::NAN; 9]), None);
    }
}
