//! Ropes over guides: their way in short straight pieces, round their sheaves in arcs, on their drums in turns, where they are slack hanging
//! down; and how far free sheaves have turned.

use crate::drawing::Rope;
use crate::hang;
use std::f64::consts::TAU;
use taut::views::GuideView;
use taut::{Cut, JointId, Result, RopeEnd, RopeId, RopeRef, Vec3, World};

/// Radius of a rope in sizes of the scene, and the most of it in radii of its smallest sheave.
const THIN: f64 = 0.0022;
const STOUT: f64 = 0.08;
/// Pieces of an arc of less than a turn, of a turn, and of a span that hangs.
const ARC: usize = 16;
const TURN: usize = 20;
const SPAN: usize = 16;
/// Turns on a drum at the start: a real one keeps some when all is paid out.
const DEAD: f64 = 3.0;
/// Half the width of a drum between its flanges, in radii, where its body does not say.
pub(crate) const BARREL: f64 = 0.7;

/// A straight piece of a rope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Piece {
    pub ends: [Vec3; 2],
    /// N.
    pub tension: f64,
    /// Which rope of the drawing, and which of its spans; an arc has the tension of both its sides and the number of the one before.
    pub rope: usize,
    pub span: usize,
}

/// All ropes of a world of a size, m.
pub(crate) fn of(world: &World, size: f64) -> (Vec<Rope>, Vec<RopeId>) {
    let list = |r: RopeRef<'_>| {
        let round = r.guides().map(|g| g.radius).filter(|&x| x > 0.0);
        let radius = round.fold(THIN * size, |least, x| least.min(STOUT * x));
        (Rope { name: r.name().to_owned(), spans: r.span_count(), radius }, r.id())
    };
    world.ropes().map(list).unzip()
}

/// Where a cut passes through a piece that it crosses, m.
pub(crate) fn crossing([mut a, mut b]: [Vec3; 2], along: &Cut) -> Vec3 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (a + b);
        if along.crosses(a, middle) { b = middle } else { a = middle }
    }
    0.5 * (a + b)
}

/// Halvings that find a place on a piece to a millionth of its length.
const HALVINGS: usize = 20;
/// Cuts that are nearer to each other than this part of the rope are one.
const SAME: f64 = 1e-3;

/// Cuts a rope where its way is nearest to some points; at its ends it is let go. Of a rope with mass all comes off that hangs on it. Says how
/// many cuts there were.
pub(crate) fn cut(world: &mut World, id: RopeId, at: Vec<Vec3>) -> Result<usize> {
    let Ok(rope) = world.rope(id) else { return Ok(0) };
    let heavy = world.heavy_ropes().find(|(_, h)| h.rope() == Some(id)).map(|(id, _)| id);
    if let Some(heavy) = heavy.filter(|_| !at.is_empty()) {
        return world.cut_heavy_rope(heavy, f64::MIN_POSITIVE).map(|_| 1);
    }
    let (whole, mut count) = (rope.length(), 0);
    let mut lengths: Vec<f64> = at.into_iter().map(|p| rope.length_to(p)).collect();
    lengths.sort_by(f64::total_cmp);
    lengths.dedup_by(|b, a| (*b - *a) < SAME * whole);
    // From the end on: the part from the start keeps the handle.
    for &length in lengths.iter().rev() {
        if length < SAME * whole || length > (1.0 - SAME) * whole {
            world.release_rope(RopeEnd { rope: id, last: length > 0.5 * whole })?;
        } else {
            world.cut_rope(id, length)?;
        }
        count += 1;
    }
    Ok(count)
}

/// Cuts a joint: one of a rope with mass is cut as that rope, so that what is above goes on running; any other is taken out.
pub(crate) fn part(world: &mut World, id: JointId) -> Result<()> {
    let joint = world.joint(id)?;
    let (bodies, straight) = (joint.bodies(), matches!(joint.kind(), "rope" | "distance"));
    let found = world.heavy_ropes().find_map(|(heavy, rope)| {
        if let Some(k) = rope.links().iter().position(|&l| l == id) {
            let lengths: Vec<f64> = rope.lengths().collect();
            // In the middle of its piece, counted from the end.
            let below = lengths[k + 1..].iter().sum::<f64>() + 0.5 * lengths[k];
            return Some((heavy, rope.out() - below));
        }
        // Out of a locker the first particle hangs on a rope from the hawse.
        let hawse = rope.memory().hawse?.0;
        let first = *rope.nodes().first()?;
        let is_first = straight && (bodies == (hawse, first) || bodies == (first, hawse));
        is_first.then_some((heavy, f64::MIN_POSITIVE))
    });
    match found {
        Some((heavy, length)) => world.cut_heavy_rope(heavy, length).map(drop),
        None => world.remove(id),
    }
}

/// A point on the rim of a sheave at an angle, m.
fn rim(g: &GuideView, angle: f64, along: f64) -> Vec3 {
    let e = libm::cos(angle) * g.mark + libm::sin(angle) * g.axis.cross(g.mark);
    g.centre + g.radius * e + along * g.axis
}

/// Where the turns of a drum lie along its axis: from the middle to one flange, to the other, and so on.
fn to_and_fro(way: f64, half: f64) -> f64 {
    let phase = (way + half).rem_euclid(4.0 * half);
    if phase < 2.0 * half { phase - half } else { 3.0 * half - phase }
}

/// What a rope is drawn with.
pub(crate) struct Look<'a> {
    /// Its number in the drawing, and its radius, m.
    pub number: usize,
    pub radius: f64,
    /// Half widths of the drums at its start and end, m.
    pub drums: [f64; 2],
    /// As many pieces for a straight span as for one that hangs, so that their number does not change with time.
    pub even: bool,
    pub out: &'a mut Vec<Piece>,
}

impl Look<'_> {
    fn line(&mut self, points: &[Vec3], tension: f64, span: usize) {
        let (rope, out) = (self.number, &mut *self.out);
        out.extend(points.windows(2).map(|p| Piece { ends: [p[0], p[1]], tension, rope, span }));
    }

    /// An arc round a guide; turns beyond the first lie side by side.
    fn arc(&mut self, g: &GuideView, tension: f64, span: usize) {
        let [from, to] = g.angles;
        let turns = (to - from).abs() / TAU;
        let n = if turns < 1.0 { ARC } else { (turns * TURN as f64).ceil() as usize };
        let wide = if turns < 1.0 { 0.0 } else { 2.0 * self.radius * turns };
        let at = |k: usize| {
            let part = k as f64 / n as f64;
            rim(g, from + part * (to - from), wide * (part - 0.5))
        };
        let points: Vec<Vec3> = (0..=n).map(at).collect();
        self.line(&points, tension, span);
    }

    /// The turns on a drum, from where the rope leaves it: `back` is -1 at its start, +1 at its end.
    fn turns(&mut self, g: &GuideView, back: f64, half: f64, span: usize) {
        let side = if g.about { 1.0 } else { -1.0 };
        let angle = g.angles[0];
        // The mark goes round with the drum, so that the angle counts what it has hauled in.
        let wound = (DEAD - back * side * angle / TAU).clamp(1.0, 2.0 * half / self.radius + 1.0);
        let n = (wound * TURN as f64).ceil() as usize;
        let at = |k: usize| {
            let turns = k as f64 / TURN as f64;
            rim(g, angle + back * side * TAU * turns, to_and_fro(2.0 * self.radius * turns, half))
        };
        let points: Vec<Vec3> = (0..=n).map(at).collect();
        self.line(&points, 0.0, span);
    }
}

/// Puts the pieces of a rope into a list: spans and arcs from its start to its end, then what is wound on its drums.
pub(crate) fn pieces(world: &World, rope: &RopeRef<'_>, mut look: Look<'_>) {
    let up = -world.options().gravity.try_normalize().unwrap_or(-Vec3::Y);
    let guides: Vec<GuideView> = rope.guides().collect();
    let (tensions, slacks): (Vec<f64>, Vec<f64>) = (rope.tensions().collect(), rope.slacks());
    let ends: Vec<[Vec3; 2]> = rope.ends().collect();
    let last = guides.len() - 1;
    if ends.len() != last {
        // Two guides overlap: what there is of a way cannot be told apart.
        return;
    }
    for k in 0..last {
        if k > 0 && guides[k].radius > 0.0 {
            look.arc(&guides[k], 0.5 * (tensions[k - 1] + tensions[k]), k - 1);
        }
        let length = (ends[k][1] - ends[k][0]).length();
        let hangs = tensions[k] <= 0.0 && slacks[k] > 1e-6 * length;
        let (slack, n) = if hangs { (slacks[k], SPAN) } else { (0.0, if look.even { SPAN } else { 1 }) };
        let points = hang::points(ends[k], length + slack, up, n);
        look.line(&points, tensions[k], k);
    }
    if rope.is_closed() {
        // It goes on round the guide that it is opened at.
        if guides[0].radius > 0.0 {
            look.arc(&guides[0], 0.5 * (tensions[last - 1] + tensions[0]), last - 1);
        }
        return;
    }
    for (k, back, drum) in [(0, -1.0, 0), (last, 1.0, 1)] {
        if guides[k].radius > 0.0 {
            let half = look.drums[drum];
            look.turns(&guides[k], back, half, k.min(last - 1));
        }
    }
}

/// Turn of a free sheave from its body, rad: by the rope that has run over it.
pub(crate) fn turn(g: &GuideView) -> f64 {
    let side = if g.about { 1.0 } else { -1.0 };
    side * g.run / g.radius
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_go_to_and_fro_between_the_flanges() {
        let places: Vec<f64> = (0..9).map(|k| to_and_fro(f64::from(k), 2.0)).collect();
        assert_eq!(places, [0.0, 1.0, 2.0, 1.0, 0.0, -1.0, -2.0, -1.0, 0.0]);
    }
}
