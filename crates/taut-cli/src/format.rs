//! Numbers for people.

/// A number with four significant digits and without useless zeros.
pub fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { format!("{x}") };
    }
    let digits = x.abs().log10().floor() as i32;
    if !(-4..=5).contains(&digits) {
        let text = format!("{x:.3e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", trim(mantissa));
    }
    trim(&format!("{x:.*}", (3 - digits).max(0) as usize))
}

fn trim(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text.into() }
}

/// The prefix that brings numbers of this size between 1 and 1000, and its factor.
pub fn prefix(size: f64) -> (&'static str, f64) {
    const PREFIXES: [(&str, f64); 9] = [
        ("T", 1e12),
        ("G", 1e9),
        ("M", 1e6),
        ("k", 1e3),
        ("", 1.0),
        ("m", 1e-3),
        ("µ", 1e-6),
        ("n", 1e-9),
        ("p", 1e-12),
    ];
    let size = size.abs();
    if size == 0.0 || !size.is_finite() {
        return ("", 1.0);
    }
    PREFIXES.into_iter().find(|(_, factor)| size >= 0.9995 * factor).unwrap_or(("p", 1e-12))
}

/// A number with its unit, prefixed: "12.3 mm".
pub fn si(x: f64, unit: &str) -> String {
    let (p, factor) = prefix(x);
    format!("{} {p}{unit}", number(x / factor))
}

/// A part of one as "12.3 %".
pub fn percent(x: f64) -> String {
    format!("{} %", number(100.0 * x))
}

/// A time step, as a fraction where it is one of a second.
pub fn step(dt: f64) -> String {
    let n = (1.0 / dt).round();
    if dt < 0.5 && dt == 1.0 / n && n % 10.0 == 0.0 && n % 100.0 != 0.0 { format!("1/{n}") } else { number(dt) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (x, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (-12.3456, "-12.35"),
            (0.016_666_67, "0.01667"),
            (1e9, "1e9"),
            (1.23456e-7, "1.235e-7"),
            (999_999.0, "999999"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(number(x), text);
        }
        assert_eq!(si(0.0123, "m"), "12.3 mm");
        assert_eq!(si(-4.56e7, "J"), "-45.6 MJ");
        assert_eq!(si(0.0, "J"), "0 J");
        assert_eq!(si(1e-30, "m"), "1e-18 pm");
        assert_eq!(percent(0.125), "12.5 %");
        assert_eq!((step(1.0 / 60.0), step(0.01), step(2.0)), ("1/60".into(), "0.01".into(), "2".into()));
    }
}
