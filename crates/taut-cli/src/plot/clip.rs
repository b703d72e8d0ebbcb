//! Cuts curves to their panel and into pieces that can be drawn.

use super::axis::Axis;

/// The parts of a curve inside the panel, as pieces of at most about `longest` points without sharp turns: a thick line is filled as one polygon, which loses the
/// parts where it runs over itself.
pub fn pieces(points: &[(f64, f64)], x: &Axis, y: &Axis, longest: usize) -> Vec<Vec<(f64, f64)>> {
    let mut out: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut piece: Vec<(f64, f64)> = Vec::new();
    let place = |p: (f64, f64)| (x.place(p.0), y.place(p.1));
    for w in points.windows(2) {
        let Some((a, b)) = inside(place(w[0]), place(w[1])) else {
            out.push(std::mem::take(&mut piece));
            continue;
        };
        let joined = piece.last() == Some(&a);
        let turns = piece.len() >= 2 && {
            let before = piece[piece.len() - 2];
            (a.0 - before.0) * (b.0 - a.0) + (a.1 - before.1) * (b.1 - a.1) < 0.0
        };
        if !joined || turns || piece.len() > longest {
            out.push(std::mem::take(&mut piece));
            piece.push(a);
        }
        piece.push(b);
    }
    out.push(piece);
    out.retain(|p| p.len() > 1);
    out.iter().map(|p| p.iter().map(|q| (x.value(q.0), y.value(q.1))).collect()).collect()
}

type Point = (f64, f64);

/// The part of a line between two places that lies in the unit square (Liang and Barsky).
fn inside(a: Point, b: Point) -> Option<(Point, Point)> {
    if ![a.0, a.1, b.0, b.1].iter().all(|v| v.is_finite()) {
        return None;
    }
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for (p, q) in [(-dx, a.0), (dx, 1.0 - a.0), (-dy, a.1), (dy, 1.0 - a.1)] {
        if p == 0.0 {
            // Rounding may put a point of the edge a little outside.
            if q < -1e-9 {
                return None;
            }
        } else if p < 0.0 {
            from = from.max(q / p);
        } else {
            to = to.min(q / p);
        }
    }
    let at = |t: f64| (a.0 + t * dx, a.1 + t * dy);
    (from <= to).then(|| (if from > 0.0 { at(from) } else { a }, if to < 1.0 { at(to) } else { b }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_end_at_the_panel() {
        let axis = Axis::linear("", 0.0..1.0);
        let cut = pieces(&[(0.5, 0.5), (0.5, 1.5), (0.6, 1.5), (0.6, 0.5)], &axis, &axis, 20);
        assert_eq!(cut, [vec![(0.5, 0.5), (0.5, 1.0)], vec![(0.6, 1.0), (0.6, 0.5)]]);
        assert!(pieces(&[(0.0, 2.0), (1.0, 3.0)], &axis, &axis, 20).is_empty());
        assert!(pieces(&[(0.0, f64::NAN), (1.0, 0.5)], &axis, &axis, 20).is_empty());
    }
}
