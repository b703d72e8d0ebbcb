//! Triangles of shapes, with normals: round ones in as many pieces as look round.

use taut::{Pose, Result, Shape, Vec3, shapes::Facets, shapes::Solid};

/// Pieces around a circle, and from pole to pole.
const AROUND: usize = 24;
const ALONG: usize = 12;
/// Sides of a round bar.
const BAR: usize = 8;

/// A surface for drawing: corners with normals, three indices per triangle, counter-clockwise from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Corners, m.
    pub positions: Vec<[f32; 3]>,
    /// Unit vectors out of the surface, one per corner.
    pub normals: Vec<[f32; 3]>,
    /// Corners of the triangles.
    pub indices: Vec<u32>,
}

fn plain(v: Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

impl Mesh {
    /// Of a shape; a half space is a square of the half width `reach` (m), a compound has none of its own.
    pub fn of_shape(shape: &Shape, reach: f64) -> Result<Self> {
        Ok(match shape {
            Shape::Ball { radius } => Mesh::capsule(0.0, *radius),
            Shape::Cuboid { half } => Mesh::cuboid(*half),
            Shape::Capsule { half_length, radius } => Mesh::capsule(*half_length, *radius),
            Shape::Cylinder { half_height, radius } => Mesh::cylinder(*half_height, *radius),
            Shape::HalfSpace { normal } => Mesh::square(*normal, reach),
            other => other.facets()?.map(|f| Mesh::flat(&f)).unwrap_or_default(),
        })
    }

    /// Of a solid.
    pub fn of_solid(solid: &Solid) -> Self {
        match *solid {
            Solid::Ball { radius } => Mesh::capsule(0.0, radius),
            Solid::Cuboid { half } => Mesh::cuboid(half),
            Solid::Capsule { half_length, radius } => Mesh::capsule(half_length, radius),
            Solid::Cylinder { half_height, radius } => Mesh::cylinder(half_height, radius),
        }
    }

    fn corner(&mut self, at: Vec3, normal: Vec3) -> u32 {
        self.positions.push(plain(at));
        self.normals.push(plain(normal));
        self.positions.len() as u32 - 1
    }

    /// Adds another mesh where it is put.
    pub(crate) fn append(&mut self, other: &Mesh, at: &Pose) {
        let (first, real) = (self.positions.len() as u32, |v: &[f32; 3]| Vec3::from_array(v.map(f64::from)));
        for (p, n) in other.positions.iter().zip(&other.normals) {
            self.corner(at.to_world(real(p)), at.rot * real(n));
        }
        self.indices.extend(other.indices.iter().map(|k| first + k));
    }

    /// A line of radius and height turned about the y axis; what is solid lies to its left.
    pub(crate) fn revolve(&mut self, line: &[[f64; 2]]) {
        for p in line.windows(2) {
            let [[r, y], [s, z]] = [p[0], p[1]];
            let n = Vec3::new(z - y, r - s, 0.0).normalize_or_zero();
            self.bands(&[[Vec3::new(r, y, 0.0), n], [Vec3::new(s, z, 0.0), n]]);
        }
    }

    /// A triangle that looks to one side.
    fn triangle(&mut self, corners: [Vec3; 3], n: Vec3) {
        let [a, b, c] = corners;
        let turned = (b - a).cross(c - a).dot(n) < 0.0;
        let [a, b, c] = corners.map(|p| self.corner(p, n));
        self.indices.extend(if turned { [a, c, b] } else { [a, b, c] });
    }

    /// A convex outline in the x-z plane from one height to another.
    pub(crate) fn prism(&mut self, outline: &[Vec3], low: f64, high: f64) {
        let middle = outline.iter().copied().sum::<Vec3>() / outline.len() as f64;
        for (k, &a) in outline.iter().enumerate() {
            let b = outline[(k + 1) % outline.len()];
            for (y, n) in [(low, -Vec3::Y), (high, Vec3::Y)] {
                self.triangle([middle, a, b].map(|p| p + y * Vec3::Y), n);
            }
            let out = (b - a).cross(Vec3::Y).normalize_or_zero();
            let out = if out.dot(a - middle) < 0.0 { -out } else { out };
            let [a0, b0, a1, b1] = [(a, low), (b, low), (a, high), (b, high)].map(|(p, y)| p + y * Vec3::Y);
            self.triangle([a0, b0, b1], out);
            self.triangle([a0, b1, a1], out);
        }
    }

    /// A round bar along points of a plane across a direction, with flat ends.
    pub(crate) fn tube(&mut self, line: &[Vec3], across: Vec3, radius: f64) {
        let last = line.len() - 1;
        let along = |k: usize| (line[(k + 1).min(last)] - line[k.saturating_sub(1)]).normalize_or_zero();
        let out = |k: usize, j: usize| {
            let a = std::f64::consts::TAU * (j % BAR) as f64 / BAR as f64;
            libm::cos(a) * across + libm::sin(a) * along(k).cross(across)
        };
        let first = self.positions.len() as u32;
        for (k, &p) in line.iter().enumerate() {
            for j in 0..=BAR {
                let n = out(k, j);
                self.corner(p + radius * n, n);
            }
        }
        let width = BAR as u32 + 1;
        for row in 0..last as u32 {
            for j in 0..BAR as u32 {
                let a = first + row * width + j;
                self.indices.extend([a, a + 1, a + width, a + 1, a + width + 1, a + width]);
            }
        }
        for (k, n) in [(0, -along(0)), (last, along(last))] {
            for j in 0..BAR {
                self.triangle([line[k], line[k] + radius * out(k, j), line[k] + radius * out(k, j + 1)], n);
            }
        }
    }

    /// Triangles with a normal each.
    fn flat(f: &Facets) -> Self {
        let mut out = Mesh::default();
        for t in &f.triangles {
            let [a, b, c] = t.map(|k| f.corners[k as usize]);
            let n = (b - a).cross(c - a).normalize_or_zero();
            let corners = [a, b, c].map(|p| out.corner(p, n));
            out.indices.extend(corners);
        }
        out
    }

    fn quad(&mut self, [a, b, c, d]: [Vec3; 4]) {
        let n = (b - a).cross(d - a).normalize_or_zero();
        let [a, b, c, d] = [a, b, c, d].map(|p| self.corner(p, n));
        self.indices.extend([a, b, c, a, c, d]);
    }

    pub(crate) fn cuboid(half: Vec3) -> Self {
        let mut out = Mesh::default();
        for axis in 0..3 {
            let unit = |k: usize| [Vec3::X, Vec3::Y, Vec3::Z][(axis + k) % 3];
            let (u, v, n) = (unit(1) * half, unit(2) * half, unit(0) * half);
            out.quad([n - u - v, n + u - v, n + u + v, n - u + v]);
            out.quad([-n - u - v, -n - u + v, -n + u + v, -n + u - v]);
        }
        out
    }

    fn square(normal: Vec3, reach: f64) -> Self {
        let n = normal.normalize_or(Vec3::Y);
        let u = n.any_orthonormal_vector();
        let v = n.cross(u);
        let mut out = Mesh::default();
        out.quad([-u - v, u - v, u + v, -u + v].map(|p| p * reach));
        out
    }

    /// A point of the unit circle in the x-z plane.
    fn ring(k: usize) -> Vec3 {
        let a = std::f64::consts::TAU * (k % AROUND) as f64 / AROUND as f64;
        Vec3::new(libm::sin(a), 0.0, libm::cos(a))
    }

    /// Rows of corners about the y axis, joined into bands.
    fn bands(&mut self, rows: &[[Vec3; 2]]) {
        // Each row: (radius, height, -) and its normal's (radial, up, -).
        let first = self.positions.len() as u32;
        for [at, n] in rows {
            for k in 0..=AROUND {
                let r = Mesh::ring(k);
                self.corner(r * at.x + Vec3::Y * at.y, r * n.x + Vec3::Y * n.y);
            }
        }
        let width = AROUND as u32 + 1;
        for row in 0..rows.len() as u32 - 1 {
            for k in 0..AROUND as u32 {
                let a = first + row * width + k;
                self.indices.extend([a, a + 1, a + width, a + 1, a + width + 1, a + width]);
            }
        }
    }

    pub(crate) fn cylinder(half_height: f64, radius: f64) -> Self {
        let at = |r: f64, y: f64| Vec3::new(r, y, 0.0);
        let mut out = Mesh::default();
        let (low, high) = (-half_height, half_height);
        out.bands(&[[at(0.0, low), -Vec3::Y], [at(radius, low), -Vec3::Y]]);
        out.bands(&[[at(radius, low), Vec3::X], [at(radius, high), Vec3::X]]);
        out.bands(&[[at(radius, high), Vec3::Y], [at(0.0, high), Vec3::Y]]);
        out
    }

    fn capsule(half_length: f64, radius: f64) -> Self {
        let half = ALONG / 2;
        let row = |k: usize, shift: f64| {
            let a = std::f64::consts::PI * (k as f64 / ALONG as f64 - 0.5);
            let n = Vec3::new(libm::cos(a), libm::sin(a), 0.0);
            [radius * n + shift * Vec3::Y, n]
        };
        let low = (0..=half).map(|k| row(k, -half_length));
        let high = (half..=ALONG).map(|k| row(k, half_length));
        let mut out = Mesh::default();
        out.bands(&low.chain(high).collect::<Vec<_>>());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume inside the triangles, and whether all normals look the way the triangles do.
    fn volume(m: &Mesh) -> f64 {
        let at = |k: u32| Vec3::from_array(m.positions[k as usize].map(f64::from));
        let mut sum = 0.0;
        for t in m.indices.chunks_exact(3) {
            let [a, b, c] = [t[0], t[1], t[2]].map(at);
            sum += a.dot(b.cross(c)) / 6.0;
            let out = (b - a).cross(c - a);
            for &k in t {
                let n = Vec3::from_array(m.normals[k as usize].map(f64::from));
                assert!((n.length() - 1.0).abs() < 1e-5);
                assert!(out.length() < 1e-9 || n.dot(out) > 0.0, "normal {n} of a triangle that looks to {out}");
            }
        }
        sum
    }

    #[test]
    fn fittings_are_closed_and_look_outwards() {
        let pi = std::f64::consts::PI;
        let (r, h) = (0.5, 0.05);
        let mut ring = Mesh::default();
        ring.revolve(&[[r - h, -h], [r + h, -h], [r + h, h], [r - h, h], [r - h, -h]]);
        let expected = 2.0 * h * pi * ((r + h) * (r + h) - (r - h) * (r - h));
        assert!((volume(&ring) / expected - 1.0).abs() < 0.02, "{} for {expected}", volume(&ring));
        let mut plate = Mesh::default();
        let outline = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(x, z)| Vec3::new(x, 0.0, z));
        plate.prism(&outline, 1.0, 1.5);
        assert!((volume(&plate) - 1.0).abs() < 1e-6);
        let mut bar = Mesh::default();
        bar.tube(&[Vec3::ZERO, Vec3::X, 2.0 * Vec3::X], Vec3::Y, 0.1);
        assert!((volume(&bar) / (2.0 * pi * 0.01) - 0.9).abs() < 0.01, "{}", volume(&bar));
        for m in [
            crate::fittings::sheave(0.3, 0.01),
            crate::fittings::drum(0.3, 0.01, 0.4),
            crate::fittings::ring(0.02),
            crate::fittings::block(0.3, 0.1, 0.5),
        ] {
            assert!(volume(&m) > 0.0);
        }
    }

    #[test]
    fn surfaces_hold_their_volume() {
        let pi = std::f64::consts::PI;
        let near = |shape: Shape, expected: f64| {
            let is = volume(&Mesh::of_shape(&shape, 1.0).unwrap());
            // Inscribed: a little less.
            assert!(is <= expected * 1.000001 && is > 0.94 * expected, "{}: {is} for {expected}", shape.name());
        };
        near(Shape::cuboid(Vec3::new(0.5, 1.0, 1.5)), 6.0);
        near(Shape::ball(2.0), 4.0 / 3.0 * pi * 8.0);
        near(Shape::cylinder(1.5, 0.5), pi * 0.75);
        near(Shape::capsule(1.5, 0.5), pi * 0.75 + pi / 6.0);
        let tetra = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        near(Shape::ConvexHull { points: tetra }, 1.0 / 6.0);
    }

    #[test]
    fn solids_are_their_shapes() {
        let m = Mesh::of_solid(&Solid::Cylinder { half_height: 1.0, radius: 0.2 });
        assert_eq!(m, Mesh::of_shape(&Shape::cylinder(1.0, 0.2), 1.0).unwrap());
        let ground = Mesh::of_shape(&Shape::ground(), 50.0).unwrap();
        assert!(ground.positions.iter().all(|p| p[1] == 0.0) && ground.normals[0] == [0.0, 1.0, 0.0]);
    }
}
