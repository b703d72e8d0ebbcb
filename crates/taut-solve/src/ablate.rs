//! Chosen numbers scaled for a study, without a build for each: `TAUT_TUNING="passes.jump=0.5,sleep.slow=2"` halves one and doubles
//! the other. Only with the feature `ablate`; no other build reads the environment.

use std::sync::LazyLock;

static FACTORS: LazyLock<Vec<(String, f64)>> = LazyLock::new(|| {
    let text = std::env::var("TAUT_TUNING").unwrap_or_default();
    let one = |part: &str| {
        let (name, factor) = part.split_once('=')?;
        Some((name.trim().to_string(), factor.trim().parse().ok()?))
    };
    let parts = text.split(',').filter(|part| !part.trim().is_empty());
    parts.map(|part| one(part).unwrap_or_else(|| panic!("TAUT_TUNING: {part}: expected name=factor"))).collect()
});

/// Names that were scaled.
pub fn scaled() -> impl Iterator<Item = &'static str> {
    FACTORS.iter().map(|(name, _)| name.as_str())
}

/// A number, or several, that can be scaled.
pub trait Scale {
    /// Multiplies by the factor; whole numbers are rounded.
    fn scale(&mut self, factor: f64);
}

impl Scale for f64 {
    fn scale(&mut self, factor: f64) {
        *self *= factor;
    }
}

impl Scale for usize {
    fn scale(&mut self, factor: f64) {
        *self = (*self as f64 * factor).round() as usize;
    }
}

impl Scale for u32 {
    fn scale(&mut self, factor: f64) {
        *self = (*self as f64 * factor).round() as u32;
    }
}

impl Scale for u64 {
    fn scale(&mut self, factor: f64) {
        *self = (*self as f64 * factor).round() as u64;
    }
}

impl<V: Scale, const N: usize> Scale for [V; N] {
    fn scale(&mut self, factor: f64) {
        self.iter_mut().for_each(|v| v.scale(factor));
    }
}

/// Multiplies a value by the factor that the study gives to its name.
pub fn scale(name: &str, value: &mut impl Scale) {
    FACTORS.iter().filter(|(n, _)| n == name).for_each(|(_, factor)| value.scale(*factor));
}
