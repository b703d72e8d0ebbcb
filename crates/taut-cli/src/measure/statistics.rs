//! Medians, and how sure they are.

/// The middle value, or the mean of the two in the middle; NaN of nothing.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]),
    }
}

/// Standard deviation of normal noise over its median absolute deviation: 1 / (inverse normal distribution at 3/4).
const DEVIATION: f64 = 1.4826;
/// Standard error of the median of n normal values, times sqrt(n), over their standard deviation: sqrt(pi / 2).
const OF_MEDIAN: f64 = 1.2533;
/// Standard errors in the spread: noise stays within with 95 %.
const ERRORS: f64 = 2.0;

/// How costs b compare with the costs a that were measured beside them.
pub struct Ratio {
    /// Median of b/a over the pairs.
    pub median: f64,
    /// Twice its standard error; none is known from one pair, which gives 0.
    pub spread: f64,
}

impl Ratio {
    /// Of pairs.
    pub fn new(a: &[f64], b: &[f64]) -> Self {
        let ratios: Vec<f64> = a.iter().zip(b).map(|(a, b)| b / a).collect();
        let middle = median(&ratios);
        let off: Vec<f64> = ratios.iter().map(|r| (r - middle).abs()).collect();
        let spread = ERRORS * OF_MEDIAN * DEVIATION * median(&off) / (ratios.len() as f64).sqrt();
        Ratio { median: middle, spread }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!((median(&[3.0, 1.0, 2.0]), median(&[4.0, 1.0, 2.0, 3.0])), (2.0, 2.5));
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn a_ratio_is_that_of_the_pairs_and_its_spread_shrinks_with_their_number() {
        // The machine becomes twice as slow in mid run; B takes 10 % more throughout.
        let a = [1.0, 1.0, 2.0, 2.0, 2.0];
        let r = Ratio::new(&a, &a.map(|t| 1.1 * t));
        assert!((r.median - 1.1).abs() < 1e-12 && r.spread < 1e-12);
        let noisy = |n: usize| {
            let b: Vec<f64> = (0..n).map(|k| [0.9, 1.0, 1.1][k % 3]).collect();
            Ratio::new(&vec![1.0; n], &b).spread
        };
        assert!(noisy(3) > 0.0 && (noisy(3) / noisy(12) - 2.0).abs() < 1e-9, "{} {}", noisy(3), noisy(12));
    }
}
