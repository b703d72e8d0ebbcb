//! Lines through points.

/// Least-squares line through some points: slope, and the part of the variance that it explains.
pub fn line(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let (mx, my) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let sum = |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|p| f(p.0 - mx, p.1 - my)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    (xx > 0.0).then(|| (xy / xx, if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 }))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_line_is_found() {
        let (slope, explained) = super::line(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]).unwrap();
        assert!((slope - 2.0).abs() < 1e-12 && (explained - 1.0).abs() < 1e-12);
        assert!(super::line(&[(1.0, 1.0), (1.0, 2.0)]).is_none());
    }
}
