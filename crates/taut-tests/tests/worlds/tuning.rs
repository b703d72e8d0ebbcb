//! The page of the chosen numbers lists every one of them, with its value and its unit.

/// Names with their values and units, as a source says them.
fn chosen(source: &str) -> Vec<(String, String, String)> {
    let (mut group, mut out) = (String::new(), Vec::new());
    for line in source.lines().map(str::trim).filter(|l| !l.starts_with("//")) {
        if let Some((name, rest)) = line.split_once(": ") {
            let is_group = rest.ends_with('{') && rest.chars().next().is_some_and(char::is_uppercase);
            if is_group && name.chars().all(|c| c.is_lowercase() || c == '_') {
                group = name.to_owned();
            } else if let Some((_, value)) = rest.split_once(" = ")
                && let Some((value, unit)) = value.trim_end_matches(';').rsplit_once(", ")
                && unit.starts_with('"')
            {
                out.push((format!("{group}.{name}"), value.to_owned(), unit.trim_matches('"').to_owned()));
            }
        }
    }
    out
}

/// A value as numbers: one, a quotient, or several in brackets.
fn numbers(value: &str) -> Vec<f64> {
    let one = |x: &str| -> f64 {
        let (a, b) = x.split_once('/').unwrap_or((x, "1"));
        let number = |x: &str| x.trim().replace('_', "").parse::<f64>().unwrap_or_else(|e| panic!("'{value}': {e}"));
        number(a) / number(b)
    };
    value.trim_matches(['[', ']']).split(',').map(one).collect()
}

#[test]
fn the_page_lists_every_number_with_its_value_and_unit() {
    let page = include_str!("../../../../docs/tuning.md");
    let listed: Vec<Vec<&str>> = page
        .lines()
        .filter(|l| l.starts_with("| `"))
        .map(|l| l.trim_matches('|').split('|').map(|c| c.trim().trim_matches('`')).collect())
        .collect();
    let sources = [
        include_str!("../../../taut/src/tuning.rs"),
        include_str!("../../../taut-solve/src/tuning.rs"),
        include_str!("../../../taut-redmax/src/tuning.rs"),
    ];
    let all: Vec<_> = sources.iter().flat_map(|s| chosen(s)).collect();
    assert!(all.len() > 180 && all.iter().any(|(n, _, _)| n == "soft.kept"), "{}", all.len());
    let mut missing = Vec::new();
    for (name, value, unit) in &all {
        let lines: Vec<_> = listed.iter().filter(|l| l[0] == name).collect();
        match lines[..] {
            [line] => {
                let (a, b) = (numbers(line[1]), numbers(value));
                let same = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 1e-3 * b.abs());
                assert!(same && line[2] == unit, "{name}: {value} {unit}, and {line:?}");
            }
            _ => missing.push(format!("{name} = {value} {unit}, listed {} times", lines.len())),
        }
    }
    assert!(missing.is_empty(), "docs/tuning.md: {missing:#?}");
    for line in &listed {
        assert!(all.iter().any(|(n, _, _)| n == line[0]), "there is no {}", line[0]);
    }
}
