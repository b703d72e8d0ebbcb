//! The name that was probably meant.

/// The candidate nearest to a mistyped name, if one is near: at most one typing error per three letters. Else the shortest that has the
/// name in it, of three letters and more.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (name, letters) = (name.to_lowercase(), name.chars().count());
    let all: Vec<&str> = candidates.into_iter().collect();
    let ranked = all.iter().map(|c| (distance(&name, &c.to_lowercase()), *c));
    let near = ranked.filter(|(d, _)| *d <= letters.div_ceil(3)).min_by_key(|(d, _)| *d).map(|(_, c)| c);
    let within = all.iter().filter(|c| letters >= 3 && c.to_lowercase().contains(&name)).min_by_key(|c| c.len());
    near.or(within.copied())
}

/// Letters to insert, delete, replace or swap with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut d = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d = d.min(rows[i - 2][j - 2] + 1);
            }
            row.push(d);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
