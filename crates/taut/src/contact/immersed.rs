//! What of a solid lies below a plane: volume and centroid, and area, centroid and second moments of the cut.
//!
//! Polyhedra triangle by triangle: with an apex p in the plane, the cut itself adds nothing to the sum of tetrahedra p a b c, and the pieces
//! of its edge make its own moments. Solids of revolution (cylinder, capsule) by slices across their axis, each a segment of a disk in
//! closed form, summed by Gauss's rule between the places where the plane leaves the side; the substitution y = m + w sin s takes
//! the roots at both ends out of the integrand, so that 16 points give it to rounding or nearly so.

use super::convex::{Convex, Core};
use crate::math::so3::outer;
use glam::{DMat3, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};

/// What lies below a plane, in the frame of the solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Immersed {
    /// m^3.
    pub volume: f64,
    /// First moment of the volume, m^4.
    pub moment: DVec3,
    /// Of the cut, m^2.
    pub area: f64,
    /// First moment of the cut, m^3.
    pub area_moment: DVec3,
    /// Second moments of the cut about the origin, integral of x x^T, m^4.
    pub second: DMat3,
}

impl Default for Immersed {
    /// Nothing. The default of a matrix is the identity.
    fn default() -> Self {
        let (moment, area_moment, second) = (DVec3::ZERO, DVec3::ZERO, DMat3::ZERO);
        Immersed { volume: 0.0, moment, area: 0.0, area_moment, second }
    }
}

/// The part of a solid where n.x < d.
pub(crate) fn below(solid: &Convex, n: DVec3, d: f64) -> Immersed {
    match solid.core {
        Core::Point => ball(solid.skin, n, d),
        Core::Segment(half) => revolution(half, solid.skin, true, n, d),
        Core::Cylinder(half, radius) => revolution(half, radius, false, n, d),
        Core::Polyhedron => polyhedron(solid, n, d),
    }
}

/// Of a radius.
pub(crate) fn ball_volume(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius * radius * radius
}

/// Volume of all of a solid, m^3, and its first moment, m^4.
pub(crate) fn whole(solid: &Convex) -> (f64, DVec3) {
    match solid.core {
        Core::Point => (ball_volume(solid.skin), DVec3::ZERO),
        Core::Segment(l) => (2.0 * PI * solid.skin * solid.skin * l + ball_volume(solid.skin), DVec3::ZERO),
        Core::Cylinder(h, r) => (2.0 * PI * r * r * h, DVec3::ZERO),
        Core::Polyhedron => {
            let (mut volume, mut moment) = (0.0, DVec3::ZERO);
            for f in &solid.faces {
                let ring = &solid.loops[f.start as usize..f.end as usize];
                for k in 1..ring.len().saturating_sub(1) {
                    let [a, b, c] = [ring[0], ring[k], ring[k + 1]].map(|c| solid.corners[c as usize]);
                    let part = a.dot(b.cross(c)) / 6.0;
                    volume += part;
                    moment += 0.25 * part * (a + b + c);
                }
            }
            (volume, moment)
        }
    }
}

/// Of a ball about the origin.
pub(crate) fn ball(r: f64, n: DVec3, d: f64) -> Immersed {
    let t = (d + r).clamp(0.0, 2.0 * r);
    let volume = PI * t * t * (3.0 * r - t) / 3.0;
    // The first moment of a cap is -pi (r^2 - d^2)^2/4 along n.
    let a2 = (t * (2.0 * r - t)).max(0.0);
    let area = PI * a2;
    let across = DMat3::IDENTITY - outer(n, n);
    let at = d.clamp(-r, r) * n;
    Immersed {
        volume,
        moment: -0.25 * PI * a2 * a2 * n,
        area,
        area_moment: area * at,
        second: across * (0.25 * area * a2) + outer(at, at) * area,
    }
}

fn polyhedron(solid: &Convex, n: DVec3, d: f64) -> Immersed {
    let apex = d * n;
    let mut sum = Immersed::default();
    for f in &solid.faces {
        let ring = &solid.loops[f.start as usize..f.end as usize];
        for k in 1..ring.len().saturating_sub(1) {
            let corners = [ring[0], ring[k], ring[k + 1]].map(|c| solid.corners[c as usize] - apex);
            clipped(corners, n, &mut sum);
        }
    }
    // From the apex to the origin.
    let Immersed { volume, moment, area, area_moment, second } = sum;
    Immersed {
        volume,
        moment: moment + volume * apex,
        area,
        area_moment: area_moment + area * apex,
        second: second + outer(apex, area_moment) + outer(area_moment, apex) + outer(apex, apex) * area,
    }
}

/// Adds what of a triangle, given from the apex, lies below, and the piece of the edge of the cut on it.
fn clipped(corners: [DVec3; 3], n: DVec3, sum: &mut Immersed) {
    let height = corners.map(|c| n.dot(c));
    let mut kept = [DVec3::ZERO; 4];
    let (mut count, mut leaves, mut enters) = (0, None, None);
    for k in 0..3 {
        let (a, b, ha, hb) = (corners[k], corners[(k + 1) % 3], height[k], height[(k + 1) % 3]);
        if ha < 0.0 {
            kept[count] = a;
            count += 1;
        }
        if (ha < 0.0) != (hb < 0.0) {
            let cut = a + (b - a) * (ha / (ha - hb));
            kept[count] = cut;
            count += 1;
            if ha < 0.0 {
                leaves = Some(cut);
            } else {
                enters = Some(cut);
            }
        }
    }
    for k in 1..count.max(1) - 1 {
        let [a, b, c] = [kept[0], kept[k], kept[k + 1]];
        let volume = a.dot(b.cross(c)) / 6.0;
        sum.volume += volume;
        sum.moment += 0.25 * volume * (a + b + c);
    }
    // The edge of the cut goes round it counter-clockwise, seen from above: against the sense in which the face goes along it.
    if let (Some(from), Some(to)) = (enters, leaves) {
        let area = 0.5 * n.dot(from.cross(to));
        sum.area += area;
        sum.area_moment += area / 3.0 * (from + to);
        sum.second += (outer(from, from) + outer(to, to) + outer(from + to, from + to)) * (area / 12.0);
    }
}

/// A piece of the axis with the square of the radius as a polynomial of y.
struct Piece {
    from: f64,
    to: f64,
    square: [f64; 3],
}

/// Of a capsule or a cylinder about the y axis.
fn revolution(half: f64, r: f64, capped: bool, n: DVec3, d: f64) -> Immersed {
    // In the plane of the axis and the normal: n = nr e + ny y with nr >= 0.
    let (ny, side) = (n.y, DVec3::new(n.x, 0.0, n.z));
    let nr = side.length();
    let e = if nr > 0.0 { side / nr } else { DVec3::X };
    let side = Piece { from: -half, to: half, square: [r * r, 0.0, 0.0] };
    let cap = |c: f64, from: f64, to: f64| Piece { from, to, square: [r * r - c * c, 2.0 * c, -1.0] };
    let caps = [cap(-half, -half - r, -half), cap(half, half, half + r)];
    let mut flat = Flat::default();
    for p in std::iter::once(&side).chain(if capped { &caps[..] } else { &[] }) {
        slices(p, (nr, ny, d), &mut flat);
        cut(p, (nr, ny, d), &mut flat);
    }
    let z = e.cross(DVec3::Y);
    let at = |x: f64, y: f64| x * e + y * DVec3::Y;
    let [xx, xy, yy, zz] = flat.second;
    let frame = DMat3::from_cols(e, DVec3::Y, z);
    let local = DMat3::from_cols(DVec3::new(xx, xy, 0.0), DVec3::new(xy, yy, 0.0), DVec3::new(0.0, 0.0, zz));
    Immersed {
        volume: flat.volume,
        moment: at(flat.moment[0], flat.moment[1]),
        area: flat.area,
        area_moment: at(flat.area_moment[0], flat.area_moment[1]),
        second: frame * local * frame.transpose(),
    }
}

/// Sums in the coordinates x along e and y along the axis.
#[derive(Default)]
struct Flat {
    volume: f64,
    moment: [f64; 2],
    area: f64,
    area_moment: [f64; 2],
    /// Of x x, x y, y y, z z.
    second: [f64; 4],
}

fn at(square: &[f64; 3], y: f64) -> f64 {
    (square[0] + y * (square[1] + y * square[2])).max(0.0)
}

/// Slices across the axis: of each the part x < c, c = (d - ny y)/nr.
fn slices(p: &Piece, (nr, ny, d): (f64, f64, f64), sum: &mut Flat) {
    let nr2 = nr * nr;
    // Where the plane leaves the side: (d - ny y)^2 = nr^2 rho^2.
    let edges = roots(ny * ny - nr2 * p.square[2], -2.0 * d * ny - nr2 * p.square[1], d * d - nr2 * p.square[0]);
    let mut from = p.from;
    for to in edges.into_iter().flatten().filter(|y| *y > p.from && *y < p.to).chain([p.to]) {
        gauss(from, to, |y, w| {
            let rho2 = at(&p.square, y);
            let line = d - ny * y;
            let (area, first) = if line * line >= nr2 * rho2 {
                (if line > 0.0 { PI * rho2 } else { 0.0 }, 0.0)
            } else {
                let rho = rho2.sqrt();
                let kappa = line / (nr * rho);
                let s = (1.0 - kappa * kappa).sqrt();
                (rho2 * (PI - libm::acos(kappa) + kappa * s), -2.0 / 3.0 * rho2 * rho * s * s * s)
            };
            sum.volume += w * area;
            sum.moment[0] += w * first;
            sum.moment[1] += w * y * area;
        });
        from = to;
    }
}

/// The cut along its line in the plane of axis and normal: x = d nr + t ny, y = d ny - t nr, with chords of half length s.
fn cut(p: &Piece, (nr, ny, d): (f64, f64, f64), sum: &mut Flat) {
    let [q0, q1, q2] = p.square;
    let y0 = d * ny;
    // s^2 = rho^2(y) - x^2 as a polynomial of t.
    let a = q2 * nr * nr - ny * ny;
    let b = -q1 * nr - 2.0 * q2 * y0 * nr - 2.0 * d * nr * ny;
    let c = q0 + q1 * y0 + q2 * y0 * y0 - d * d * nr * nr;
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    if nr > 0.0 {
        (low, high) = ((y0 - p.to) / nr, (y0 - p.from) / nr);
    } else if !(p.from..p.to).contains(&y0) {
        return;
    }
    match roots(a, b, c) {
        [Some(t0), Some(t1)] => (low, high) = (low.max(t0), high.min(t1)),
        // No chord at all, or on all of it (a plane along the side).
        _ if c > 0.0 && a == 0.0 && b == 0.0 => {}
        _ => return,
    }
    if !(low < high) || !low.is_finite() || !high.is_finite() {
        return;
    }
    gauss(low, high, |t, w| {
        let (x, y) = (d * nr + t * ny, y0 - t * nr);
        let s2 = (c + t * (b + t * a)).max(0.0);
        let s = s2.sqrt();
        let area = 2.0 * w * s;
        sum.area += area;
        sum.area_moment[0] += area * x;
        sum.area_moment[1] += area * y;
        for (sum, part) in sum.second.iter_mut().zip([x * x, x * y, y * y, s2 / 3.0]) {
            *sum += area * part;
        }
    });
}

/// Real roots of a y^2 + b y + c, the smaller first; none where it is constant.
fn roots(a: f64, b: f64, c: f64) -> [Option<f64>; 2] {
    let scale = a.abs().max(b.abs());
    if scale == 0.0 {
        return [None, None];
    }
    if a == 0.0 {
        return [Some(-c / b), None];
    }
    let square = b * b - 4.0 * a * c;
    // A double root may have lost its sign to rounding.
    if square < -1e-12 * (b * b).max((a * c).abs()) {
        return [None, None];
    }
    let q = -0.5 * (b + square.max(0.0).sqrt().copysign(b));
    let (one, two) = (q / a, if q == 0.0 { q / a } else { c / q });
    [Some(one.min(two)), Some(one.max(two))]
}

/// Gauss's rule of 16 points, for the half with positive places.
const PLACES: [f64; 8] = [
    0.095_012_509_837_637_44,
    0.281_603_550_779_258_9,
    0.458_016_777_657_227_4,
    0.617_876_244_402_643_7,
    0.755_404_408_355_003,
    0.865_631_202_387_831_7,
    0.944_575_023_073_232_6,
    0.989_400_934_991_649_9,
];
const WEIGHTS: [f64; 8] = [
    0.189_450_610_455_068_5,
    0.182_603_415_044_923_6,
    0.169_156_519_395_002_54,
    0.149_595_988_816_576_73,
    0.124_628_971_255_533_87,
    0.095_158_511_682_492_79,
    0.062_253_523_938_647_89,
    0.027_152_459_411_754_095,
];

/// Hands places and weights of an integral over y to `add`.
fn gauss(from: f64, to: f64, mut add: impl FnMut(f64, f64)) {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    for (x, w) in PLACES.iter().zip(WEIGHTS) {
        for angle in [-x * FRAC_PI_2, x * FRAC_PI_2] {
            add(middle + half * libm::sin(angle), w * FRAC_PI_2 * half * libm::cos(angle));
        }
    }
}

/// Areas that a flow along x, y and z sees, m^2, and the fourth moments by which turning about them is braked, m^5: the projected
/// area times the cube of its distance from the axis.
pub(crate) fn shown(solid: &Convex) -> (DVec3, DVec3) {
    // Of two plates of half width a whose points are up to b from the axis: 2 a integral |y|^3.
    let plate = |a: f64, b: f64| a * b * b * b * b;
    match solid.core {
        Core::Point => (DVec3::splat(PI * solid.skin * solid.skin), DVec3::ZERO),
        Core::Segment(l) => {
            let r = solid.skin;
            let wide = 4.0 * l * r + PI * r * r;
            let turns = plate(r, l + r);
            (DVec3::new(wide, PI * r * r, wide), DVec3::new(turns, 0.0, turns))
        }
        Core::Cylinder(h, r) => {
            let turns = plate(r, h) + plate(h.min(r), r);
            (DVec3::new(4.0 * h * r, PI * r * r, 4.0 * h * r), DVec3::new(turns, 0.0, turns))
        }
        Core::Polyhedron => {
            let (mut areas, mut low, mut high) = (DVec3::ZERO, DVec3::INFINITY, DVec3::NEG_INFINITY);
            for c in &solid.corners {
                (low, high) = (low.min(*c), high.max(*c));
            }
            for f in &solid.faces {
                let ring = &solid.loops[f.start as usize..f.end as usize];
                for k in 1..ring.len().saturating_sub(1) {
                    let [a, b, c] = [ring[0], ring[k], ring[k + 1]].map(|c| solid.corners[c as usize]);
                    areas += 0.25 * (b - a).cross(c - a).abs();
                }
            }
            let h = 0.5 * (high - low);
            let turns = |a: f64, b: f64, c: f64| plate(a, b) + plate(a, c);
            (areas, DVec3::new(turns(h.x, h.y, h.z), turns(h.y, h.x, h.z), turns(h.z, h.x, h.y)))
        }
    }
}

/// Of an upright prism that stands on `bottom` along y: small angles, with the ends of the hull level.
pub(crate) fn prism(bottom: DVec3, height: f64, area: f64, moments: [f64; 2], n: DVec3, d: f64) -> Immersed {
    // Where the plane meets its axis; lying on its side it is taken as if it stood on the lower end.
    let up = if n.y.abs() > 1e-3 { n.y } else { 1e-3f64.copysign(n.y) };
    let draught = (d - n.dot(bottom)) / up;
    let (wet, from) = if up > 0.0 {
        (draught.clamp(0.0, height), 0.0)
    } else {
        let wet = (height - draught).clamp(0.0, height);
        (wet, height - wet)
    };
    let volume = area * wet;
    let middle = bottom + (from + 0.5 * wet) * DVec3::Y;
    let pierces = wet > 0.0 && wet < height;
    // The plane over the area: y = draught - (n.x x + n.z z)/n.y, so the first moments of the volume are -I n/n.y.
    let tilt = if pierces { DVec3::new(-n.x * moments[1], 0.0, -n.z * moments[0]) / up.abs() } else { DVec3::ZERO };
    let cut = if pierces { area } else { 0.0 };
    let at = bottom + draught.clamp(0.0, height) * DVec3::Y;
    let own = DMat3::from_diagonal(DVec3::new(moments[1], 0.0, moments[0])) * if pierces { 1.0 } else { 0.0 };
    Immersed {
        volume,
        moment: volume * middle + tilt,
        area: cut,
        area_moment: cut * at,
        second: own + outer(at, at) * cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::shape::Shape;
    use std::f64::consts::TAU;

    fn solid(shape: Shape) -> Convex {
        Convex::new(&shape).expect("the shape is convex")
    }

    /// The same solid of revolution as a polyhedron of many sides with the same cross-sections.
    fn faceted(profile: &[(f64, f64)], sides: usize) -> Convex {
        let turn = TAU / sides as f64;
        let wider = (turn / libm::sin(turn)).sqrt();
        let ring = |&(y, r): &(f64, f64)| {
            (0..sides).map(move |k| {
                let a = turn * k as f64;
                DVec3::new(wider * r * libm::cos(a), y, wider * r * libm::sin(a))
            })
        };
        solid(Shape::ConvexHull { points: profile.iter().flat_map(ring).collect() })
    }

    fn normals() -> [DVec3; 6] {
        [
            DVec3::Y,
            DVec3::NEG_Y,
            DVec3::X,
            DVec3::new(0.3, 0.9, -0.2).normalize(),
            DVec3::new(-0.9, 0.05, 0.4).normalize(),
            DVec3::new(1e-9, -1.0, 1e-9).normalize(),
        ]
    }

    fn near(a: &Immersed, b: &Immersed, part: f64, size: f64) {
        let pairs = [
            (a.volume, b.volume, size.powi(3)),
            ((a.moment - b.moment).length(), 0.0, size.powi(4)),
            (a.area, b.area, size.powi(2)),
            ((a.area_moment - b.area_moment).length(), 0.0, size.powi(3)),
        ];
        for (x, y, unit) in pairs {
            assert!((x - y).abs() < part * unit, "{a:?} against {b:?}");
        }
        let second = (a.second - b.second).to_cols_array().iter().fold(0.0f64, |m, x| m.max(x.abs()));
        assert!(second < part * size.powi(4), "{a:?} against {b:?}");
    }

    #[test]
    fn cylinders_and_capsules_agree_with_polyhedra_of_many_sides() {
        let sides = 256;
        let cylinder = solid(Shape::cylinder(0.7, 0.4));
        let drum = faceted(&[(-0.7, 0.4), (0.7, 0.4)], sides);
        let capsule = solid(Shape::capsule(0.5, 0.3));
        let rings = 128;
        let cap = |k: usize| FRAC_PI_2 * (k as f64 / rings as f64);
        let mut profile: Vec<(f64, f64)> =
            (1..=rings).map(|k| (-0.5 - 0.3 * libm::cos(cap(k)), 0.3 * libm::sin(cap(k)))).collect();
        profile.extend((1..=rings).rev().map(|k| (0.5 + 0.3 * libm::cos(cap(k)), 0.3 * libm::sin(cap(k)))));
        let pill = faceted(&profile, 96);
        for n in normals() {
            for d in [-0.6, -0.25, 0.0, 0.1, 0.45, 0.69] {
                near(&below(&cylinder, n, d), &below(&drum, n, d), 1e-3, 1.0);
                near(&below(&capsule, n, d), &below(&pill, n, d), 2e-3, 1.0);
            }
        }
    }

    /// The cut is the derivative of what lies below: of the volume by the level, and of the first moment.
    #[test]
    fn the_cut_is_the_derivative_of_the_volume() {
        let hull = vec![DVec3::ZERO, DVec3::X, 0.8 * DVec3::Y, DVec3::new(0.2, 0.3, 1.0), DVec3::new(0.9, 0.7, 0.5)];
        let solids = [
            Shape::ball(0.5),
            Shape::cuboid(DVec3::new(0.5, 0.3, 0.4)),
            Shape::cylinder(0.5, 0.3),
            Shape::capsule(0.4, 0.2),
            Shape::ConvexHull { points: hull },
        ];
        for shape in solids.map(solid) {
            for n in normals() {
                for d in [-0.31, -0.12, 0.07, 0.22] {
                    let e = 1e-5;
                    let (a, b, at) = (below(&shape, n, d - e), below(&shape, n, d + e), below(&shape, n, d));
                    let area = (b.volume - a.volume) / (2.0 * e);
                    let moment = (b.moment - a.moment) / (2.0 * e);
                    assert!((area - at.area).abs() < 1e-5, "{n} {d}: {area} and {}", at.area);
                    assert!((moment - at.area_moment).length() < 1e-5, "{n} {d}: {moment} and {}", at.area_moment);
                }
            }
        }
    }

    #[test]
    fn a_box_and_a_ball_half_under_water_are_as_in_the_book() {
        let half = DVec3::new(0.5, 0.3, 0.4);
        let b = below(&solid(Shape::cuboid(half)), DVec3::Y, 0.0);
        assert!((b.volume - 0.24).abs() < 1e-15 && (b.area - 0.8).abs() < 1e-15);
        assert!((b.moment - DVec3::new(0.0, -0.15 * 0.24, 0.0)).length() < 1e-15);
        assert!(
            (b.second.x_axis.x - 0.8 / 12.0).abs() < 1e-15 && (b.second.z_axis.z - 0.64 * 0.8 / 12.0).abs() < 1e-15
        );
        let b = below(&solid(Shape::ball(0.5)), DVec3::Y, 0.0);
        assert!((b.volume - PI / 12.0).abs() < 1e-15 && (b.moment.y / b.volume + 0.1875).abs() < 1e-15);
        let cylinder = below(&solid(Shape::cylinder(0.7, 0.4)), DVec3::Y, 0.2);
        assert!((cylinder.volume - 0.9 * PI * 0.16).abs() < 1e-12);
        assert!((cylinder.area - PI * 0.16).abs() < 1e-12 && (cylinder.second.x_axis.x - PI * 0.0064).abs() < 1e-12);
    }
}
