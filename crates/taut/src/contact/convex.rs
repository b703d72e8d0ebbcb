//! Convex solids as the narrow phase sees them: a core (point, piece of the y axis, cylinder or polyhedron) with a round skin.
//!
//! ```text
//! support of the core along d:   argmax over its points x of d.x
//! gap of two cores along n:      min over b of n.x - max over a of n.x    (n from a to b)
//! ```

use super::parry;
use super::polygon::Polygon;
use super::shape::Shape;
use crate::error::Result;
use crate::tuning::T;
use glam::DVec3;

/// Corners of the polygon that stands for a cylinder's cap.
const CAP: usize = 8;
/// Rotation by 45 degrees, once per corner.
const TURN: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The core of a convex solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Core {
    Point,
    /// Half its length, along y.
    Segment(f64),
    /// Half height along y, radius.
    Cylinder(f64, f64),
    Polyhedron,
}

/// A face of a polyhedron: outward unit normal and its corners, `loops[start..end]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub normal: DVec3,
    pub start: u32,
    pub end: u32,
}

/// A convex solid.
#[derive(Clone, Debug)]
pub(crate) struct Convex {
    pub core: Core,
    /// Thickness of the skin around the core, m.
    pub skin: f64,
    /// Corners of a polyhedron.
    pub corners: Vec<DVec3>,
    pub faces: Vec<Face>,
    pub loops: Vec<u32>,
    /// Directions of its edges, none twice.
    pub edges: Vec<DVec3>,
    /// Half of its smallest width, m; zero for a triangle.
    pub thickness: f64,
    /// Farthest point of the core from the origin, m.
    pub arm: f64,
    /// A ball inside: centre and radius, m.
    pub inside: (DVec3, f64),
    /// Half edges, if it is a box.
    half: Option<DVec3>,
}

impl Convex {
    fn round(core: Core, skin: f64, arm: f64, thickness: f64) -> Self {
        let none = || (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (corners, faces, loops, edges) = none();
        Convex {
            core,
            skin,
            corners,
            faces,
            loops,
            edges,
            thickness,
            arm,
            inside: (DVec3::ZERO, thickness),
            half: None,
        }
    }

    /// A valid convex shape.
    pub fn new(shape: &Shape) -> Result<Self> {
        Ok(match shape {
            Shape::Ball { radius } => Convex::round(Core::Point, *radius, 0.0, *radius),
            Shape::Capsule { half_length, radius } if *half_length == 0.0 => {
                Convex::round(Core::Point, *radius, 0.0, *radius)
            }
            Shape::Capsule { half_length, radius } => {
                let mut c = Convex::round(Core::Segment(*half_length), *radius, *half_length, *radius);
                c.edges.push(DVec3::Y);
                c
            }
            Shape::Cylinder { half_height: h, radius: r } => {
                let mut c = Convex::round(Core::Cylinder(*h, *r), 0.0, (h * h + r * r).sqrt(), h.min(*r));
                c.faces = [DVec3::Y, DVec3::NEG_Y].map(|normal| Face { normal, start: 0, end: 0 }).to_vec();
                c
            }
            Shape::Cuboid { half } => Convex::cuboid(*half),
            Shape::ConvexHull { points } => {
                let (corners, faces, loops) = parry::hull(points)?;
                Convex::polyhedron(corners, faces, loops)
            }
            // Validated before: no other shape is convex.
            _ => Convex::round(Core::Point, 0.0, 0.0, 0.0),
        })
    }

    fn cuboid(half: DVec3) -> Self {
        // Corner 4 x + 2 y + z, a set bit on the positive side.
        let sign = |i: u32, bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
        let corners = (0..8).map(|i| half * DVec3::new(sign(i, 4), sign(i, 2), sign(i, 1))).collect();
        let loops = vec![0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3];
        let normals = [DVec3::NEG_X, DVec3::X, DVec3::NEG_Y, DVec3::Y, DVec3::NEG_Z, DVec3::Z];
        let faces = (0..6).map(|k| Face { normal: normals[k as usize], start: 4 * k, end: 4 * k + 4 }).collect();
        Convex { half: Some(half), ..Convex::polyhedron(corners, faces, loops) }
    }

    fn polyhedron(corners: Vec<DVec3>, faces: Vec<Face>, loops: Vec<u32>) -> Self {
        let mut c = Convex::round(Core::Polyhedron, 0.0, 0.0, 0.0);
        (c.corners, c.faces, c.loops) = (corners, faces, loops);
        c.arm = c.corners.iter().fold(0.0, |m, p| p.length().max(m));
        for f in &c.faces {
            let ring = &c.loops[f.start as usize..f.end as usize];
            for k in 0..ring.len() {
                let (a, b) = (c.corners[ring[k] as usize], c.corners[ring[(k + 1) % ring.len()] as usize]);
                let e = (b - a).normalize();
                if c.edges.iter().all(|d| d.dot(e).abs() < 1.0 - 1e-9) {
                    c.edges.push(e);
                }
            }
        }
        let center = c.corners.iter().fold(DVec3::ZERO, |s, p| s + *p) / c.corners.len().max(1) as f64;
        let depth = |f: &Face| f.normal.dot(c.corners[c.loops[f.start as usize] as usize] - center);
        c.inside = (center, c.faces.iter().fold(f64::INFINITY, |m, f| depth(f).min(m)).max(0.0));
        let width = |n: DVec3| c.support(n).dot(n) + c.support(-n).dot(-n);
        c.thickness = 0.5 * c.faces.iter().fold(f64::INFINITY, |m, f| width(f.normal).min(m));
        c
    }

    /// The faces cut into triangles.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut out = Vec::new();
        for f in &self.faces {
            let ring = &self.loops[f.start as usize..f.end as usize];
            out.extend((1..ring.len().saturating_sub(1)).map(|k| [ring[0], ring[k], ring[k + 1]]));
        }
        out
    }

    /// The ball inside, about its own origin, a little smaller: flat contacts do not need it.
    pub fn inner_ball(&self) -> Self {
        let radius = T.contact.inner * self.inside.1;
        Convex::round(Core::Point, radius, 0.0, radius)
    }

    /// A triangle to be filled in by [`Convex::set_triangle`].
    pub fn triangle() -> Self {
        let mut c = Convex::round(Core::Polyhedron, 0.0, 0.0, 0.0);
        c.loops = vec![0, 1, 2, 0, 2, 1];
        c
    }

    /// Becomes a ball, in place.
    pub fn set_ball(&mut self, radius: f64) {
        self.core = Core::Point;
        (self.skin, self.thickness, self.arm, self.inside) = (radius, radius, 0.0, (DVec3::ZERO, radius));
    }

    /// Becomes a capsule along y, in place.
    pub fn set_bar(&mut self, half: f64, radius: f64) {
        self.core = Core::Segment(half);
        (self.skin, self.thickness, self.arm) = (radius, radius, half);
    }

    /// A bar to be filled in by [`Convex::set_bar`] or [`Convex::set_ball`].
    pub fn bar() -> Self {
        Convex::round(Core::Segment(0.0), 0.0, 0.0, 0.0)
    }

    /// Becomes another triangle, in place.
    pub fn set_triangle(&mut self, [a, b, c]: [DVec3; 3]) {
        self.corners.clear();
        self.corners.extend([a, b, c]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        self.faces.clear();
        self.faces.push(Face { normal, start: 0, end: 3 });
        self.faces.push(Face { normal: -normal, start: 3, end: 6 });
        self.edges.clear();
        self.edges.extend([b - a, c - b, a - c].map(DVec3::normalize_or_zero));
        self.arm = a.length().max(b.length()).max(c.length());
    }

    /// Number of the corner farthest along `d`; the first of equals.
    fn farthest(&self, d: DVec3) -> usize {
        let mut best = (f64::NEG_INFINITY, 0);
        for (k, c) in self.corners.iter().enumerate() {
            let x = c.dot(d);
            if x > best.0 {
                best = (x, k);
            }
        }
        best.1
    }

    /// A point of the core farthest along `d`.
    pub fn support(&self, d: DVec3) -> DVec3 {
        match self.core {
            Core::Point => DVec3::ZERO,
            Core::Segment(half) => DVec3::Y * half.copysign(d.y),
            Core::Cylinder(half, radius) => {
                let rim = radial(d).map_or(DVec3::ZERO, |r| r * radius);
                rim + DVec3::Y * half.copysign(d.y)
            }
            Core::Polyhedron => match self.half {
                Some(half) => half.copysign(d),
                None => self.corners[self.farthest(d)],
            },
        }
    }

    /// Half extents of the core along its axes, if it is a box; points and pieces of lines are boxes without thickness.
    pub fn half_extents(&self) -> Option<DVec3> {
        match self.core {
            Core::Point => Some(DVec3::ZERO),
            Core::Segment(half) => Some(DVec3::Y * half),
            Core::Cylinder(..) => None,
            Core::Polyhedron => self.half,
        }
    }

    /// The face, edge or corner of the core that looks along the unit vector `d`.
    pub fn feature(&self, d: DVec3, out: &mut Polygon) {
        out.clear();
        match self.core {
            Core::Point => out.push(DVec3::ZERO, 0),
            Core::Segment(half) => {
                out.push(DVec3::Y * -half, 0);
                out.push(DVec3::Y * half, 1);
            }
            Core::Cylinder(half, radius) => cylinder_feature(half, radius, d, out),
            Core::Polyhedron => {
                let mut best = (f64::NEG_INFINITY, 0);
                for (k, f) in self.faces.iter().enumerate() {
                    let x = f.normal.dot(d);
                    if x > best.0 {
                        best = (x, k);
                    }
                }
                let Some(face) = self.faces.get(best.1) else { return };
                for &v in &self.loops[face.start as usize..face.end as usize] {
                    out.push(self.corners[v as usize], v);
                }
                (out.normal, out.face) = (face.normal, best.1 as u32);
            }
        }
    }

    /// Points of the core that may rest on a plane with the outward normal `-d`: no lower one is left out.
    pub fn lowest(&self, d: DVec3, out: &mut Polygon) {
        if self.core != Core::Polyhedron {
            return self.feature(d, out);
        }
        out.clear();
        for (k, &c) in self.corners.iter().enumerate() {
            out.push(c, k as u32);
        }
        out.normal = d;
    }

    /// The edge of the core that is farthest along `d`, to within `slack`; twice the same point if there is none.
    pub fn edge_toward(&self, d: DVec3, slack: f64) -> (DVec3, DVec3) {
        let first = self.support(d);
        if let Core::Segment(half) = self.core {
            return if (half * d.y).abs() <= slack { (DVec3::Y * -half, DVec3::Y * half) } else { (first, first) };
        }
        let far = |c: &&DVec3| c.dot(d) >= first.dot(d) - slack;
        let other = self.corners.iter().filter(far).map(|c| (c.distance_squared(first), *c));
        let (_, second) = other.fold((0.0, first), |best, x| if x.0 > best.0 { x } else { best });
        (first, second)
    }
}

/// The unit vector across y; none along y.
fn radial(d: DVec3) -> Option<DVec3> {
    let r = DVec3::new(d.x, 0.0, d.z);
    let length = r.length();
    (length > 0.0).then(|| r / length)
}

/// A line of the side, or a polygon in the cap with a corner at its lowest point.
fn cylinder_feature(half: f64, radius: f64, d: DVec3, out: &mut Polygon) {
    let tilt = DVec3::new(d.x, 0.0, d.z).length();
    if d.y.abs() < 0.5 {
        let rim = radial(d).unwrap_or(DVec3::X) * radius;
        out.push(rim - DVec3::Y * half, 0);
        out.push(rim + DVec3::Y * half, 1);
        return;
    }
    let y = half.copysign(d.y);
    let mut r = radial(d).filter(|_| tilt > T.manifold.standing).unwrap_or(DVec3::X) * radius;
    out.normal = DVec3::Y.copysign(DVec3::splat(d.y)) * DVec3::Y;
    out.face = 1 + u32::from(d.y > 0.0);
    for k in 0..CAP {
        out.push(DVec3::new(r.x, y, r.z), (k + CAP * out.face as usize) as u32);
        // Counter-clockwise seen from outside.
        let s = TURN.copysign(d.y);
        r = DVec3::new(TURN * r.x + s * r.z, 0.0, TURN * r.z - s * r.x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> Vec<Convex> {
        [
            Shape::cuboid(DVec3::new(0.1, 0.2, 0.3)),
            Shape::cylinder(0.4, 0.2),
            Shape::ConvexHull { points: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::splat(0.2)] },
        ]
        .iter()
        .map(|s| Convex::new(s).unwrap())
        .collect()
    }

    #[test]
    fn faces_are_counter_clockwise_and_lie_in_their_planes() {
        for c in shapes() {
            for d in [DVec3::X, DVec3::Y, DVec3::NEG_Y, DVec3::NEG_Z, DVec3::new(0.3, 0.9, 0.2).normalize()] {
                let mut p = Polygon::default();
                c.feature(d, &mut p);
                if p.points.len() < 3 {
                    continue;
                }
                let n = (p.points[1] - p.points[0]).cross(p.points[2] - p.points[1]).normalize();
                assert!((n - p.normal).length() < 1e-12, "{:?} {d}: {n} {}", c.core, p.normal);
                for x in &p.points {
                    assert!((*x - p.points[0]).dot(n).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn thickness_and_arm_of_known_shapes() {
        let [b, c, h] = <[Convex; 3]>::try_from(shapes()).unwrap();
        assert!((b.thickness - 0.1).abs() < 1e-15 && (b.arm - 0.14_f64.sqrt()).abs() < 1e-15 && b.edges.len() == 3);
        assert!((c.thickness - 0.2).abs() < 1e-15 && (c.arm - 0.2_f64.sqrt()).abs() < 1e-15);
        // A corner tetrahedron: the point inside is gone, 6 edges, height over the slanted face 1 / sqrt(3).
        assert_eq!((h.corners.len(), h.faces.len(), h.edges.len()), (4, 4, 6));
        assert!((h.thickness - 0.5 / 3.0_f64.sqrt()).abs() < 1e-12);
        assert!((b.inside.1 - 0.1).abs() < 1e-15 && (c.inside.1 - 0.2).abs() < 1e-15);
        assert!(
            (h.inside.0 - DVec3::splat(0.25)).length() < 1e-12 && (h.inside.1 - 0.25 / 3.0_f64.sqrt()).abs() < 1e-12
        );
    }
}
