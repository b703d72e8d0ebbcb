//! Mass, centre of mass and inertia of rigid bodies (SI units).
//!
//! ```text
//! cuboid 2a x 2b x 2c  m = 8 rho a b c                  I_x = m (b^2 + c^2) / 3, and cyclic
//! sphere               m = 4/3 pi rho r^3               I = 2/5 m r^2
//! cylinder, axis y     m = 2 pi rho r^2 h               I_y = m r^2 / 2,  I_x = I_z = m (r^2 / 4 + h^2 / 3)
//! capsule, axis y      cylinder m_c + two half balls of together m_s:
//!                      I_y = m_c r^2 / 2 + 2/5 m_s r^2
//!                      I_x = I_z = m_c (r^2 / 4 + h^2 / 3) + m_s (2/5 r^2 + 3/4 h r + h^2)
//! closed mesh          tetrahedra (o, a, b, c), d = a . (b x c), s = a + b + c, all from o:
//!                      V = sum d / 6,   V c = sum d s / 24
//!                      C = sum d (a a^T + b b^T + c c^T + s s^T) / 120 - V c c^T
//!                      I = rho (tr(C) 1 - C)            (o: middle of the bounding box)
//! ```
//!
//! h is the half height of the cylindrical part. A rigid body has principal moments with
//! 0 < I1 <= I2 <= I3 <= I1 + I2; they are found by cyclic Jacobi rotations.

use crate::error::Error;
use crate::tuning::T;
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// Mass properties of a rigid body.
///
/// A steel beam of 2 m x 0.1 m x 0.1 m: 156 kg, and m (l^2 + b^2)/12 about an axis across it.
/// ```
/// use taut::{MassProperties, Vec3};
/// let beam = MassProperties::cuboid(7800.0, Vec3::new(1.0, 0.05, 0.05))?;
/// assert!((beam.mass - 156.0).abs() < 1e-9);
/// assert!((beam.inertia.z_axis.z - 156.0 * (4.0 + 0.01) / 12.0).abs() < 1e-9);
/// // The same beam, weighed.
/// assert_eq!(beam.with_mass(150.0)?.mass, 150.0);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in the frame of the shape, m.
    pub center: DVec3,
    /// Inertia about the centre of mass along the axes of the shape, kg m^2.
    pub inertia: DMat3,
    /// The solid they were made from, about the centre of mass; none when only numbers were given. For pictures: it does not collide.
    pub solid: Option<Solid>,
}

/// A simple solid about its centre. Lengths in m.
///
/// What a body looks like is known where its mass was made from a solid.
/// ```
/// use taut::{Body, MassProperties, Vec3, World, shapes::Solid};
/// let mut world = World::new();
/// let ball = world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.2)?))?;
/// assert_eq!(world.body(ball)?.solid(), Some(Solid::Ball { radius: 0.2 }));
/// let engine = world.add(Body::dynamic(MassProperties::from_diagonal(300.0, Vec3::new(40.0, 50.0, 60.0))?))?;
/// assert_eq!(world.body(engine)?.solid(), None);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// A box.
    Cuboid {
        /// Half of its edges along x, y and z, m.
        half: DVec3,
    },
    /// A ball.
    Ball {
        /// Radius, m.
        radius: f64,
    },
    /// A cylinder along y with half a ball on either end.
    Capsule {
        /// Half the length of the cylinder, m.
        half_length: f64,
        /// Radius, m.
        radius: f64,
    },
    /// A cylinder along y.
    Cylinder {
        /// Half its height, m.
        half_height: f64,
        /// Radius, m.
        radius: f64,
    },
}

impl MassProperties {
    /// A body of `mass` (kg) and `inertia` (kg m^2, about the centre of mass), centred in its frame.
    pub fn new(mass: f64, inertia: DMat3) -> Result<Self, Error> {
        Self { mass, center: DVec3::ZERO, inertia, solid: None }.checked()
    }

    /// A body of `mass` (kg) with the principal moments `moments` (kg m^2) along its axes.
    pub fn from_diagonal(mass: f64, moments: DVec3) -> Result<Self, Error> {
        Self::new(mass, DMat3::from_diagonal(moments))
    }

    /// A solid box of `density` (kg/m^3) and `half_extents` (m).
    pub fn cuboid(density: f64, half_extents: DVec3) -> Result<Self, Error> {
        positive("density", density, "kg/m^3")?;
        let DVec3 { x, y, z } = half_extents;
        if !(half_extents.is_finite() && x > 0.0 && y > 0.0 && z > 0.0) {
            return Err(Error::input("half_extents", half_extents, "three finite lengths > 0 m"));
        }
        let mass = 8.0 * density * x * y * z;
        let moments = DVec3::new(y * y + z * z, z * z + x * x, x * x + y * y);
        Ok(Self::from_diagonal(mass, mass * moments / 3.0)?.shaped(Solid::Cuboid { half: half_extents }))
    }

    /// A solid ball of `density` (kg/m^3) and `radius` (m).
    pub fn sphere(density: f64, radius: f64) -> Result<Self, Error> {
        positive("density", density, "kg/m^3")?;
        positive("radius", radius, "m")?;
        let mass = ball(density, radius);
        Ok(Self::from_diagonal(mass, DVec3::splat(0.4 * mass * radius * radius))?.shaped(Solid::Ball { radius }))
    }

    /// A solid capsule along y of `density` (kg/m^3): a cylinder of `half_height` (m, may be 0)
    /// and `radius` (m) with half a ball on either end.
    pub fn capsule(density: f64, half_height: f64, radius: f64) -> Result<Self, Error> {
        positive("density", density, "kg/m^3")?;
        positive("radius", radius, "m")?;
        let h = half_height;
        if !(h.is_finite() && h >= 0.0) {
            return Err(Error::input("half_height", h, "a finite length >= 0 m"));
        }
        let rr = radius * radius;
        let (tube, caps) = (2.0 * PI * density * rr * h, ball(density, radius));
        let axial = tube * rr / 2.0 + 0.4 * caps * rr;
        let across = tube * (rr / 4.0 + h * h / 3.0) + caps * (0.4 * rr + 0.75 * h * radius + h * h);
        let made = Self::from_diagonal(tube + caps, DVec3::new(across, axial, across))?;
        Ok(made.shaped(Solid::Capsule { half_length: h, radius }))
    }

    /// A solid cylinder along y of `density` (kg/m^3), `half_height` (m) and `radius` (m).
    pub fn cylinder(density: f64, half_height: f64, radius: f64) -> Result<Self, Error> {
        positive("density", density, "kg/m^3")?;
        positive("half_height", half_height, "m")?;
        positive("radius", radius, "m")?;
        let rr = radius * radius;
        let mass = 2.0 * PI * density * rr * half_height;
        let across = mass * (rr / 4.0 + half_height * half_height / 3.0);
        let made = Self::from_diagonal(mass, DVec3::new(across, mass * rr / 2.0, across))?;
        Ok(made.shaped(Solid::Cylinder { half_height, radius }))
    }

    /// A solid of `density` (kg/m^3) bounded by a closed convex mesh: `vertices` (m) and
    /// `triangles` counter-clockwise seen from outside. A vertex may stand in front of a face by
    /// 1e-9 of the diagonal of the bounding box.
    pub fn convex_mesh(density: f64, vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, Error> {
        positive("density", density, "kg/m^3")?;
        if vertices.len() < 4 {
            return Err(Error::input("vertices", vertices.len(), "at least 4 vertices"));
        }
        if triangles.len() < 4 {
            return Err(Error::input("triangles", triangles.len(), "at least 4 triangles"));
        }
        if let Some((i, v)) = vertices.iter().enumerate().find(|(_, v)| !v.is_finite()) {
            return Err(Error::input(format!("vertices[{i}]"), v, "three finite coordinates in m"));
        }
        check_closed(vertices.len(), triangles)?;
        let body = Self::closed_mesh(density, vertices, triangles)?;
        let (origin, size) = around(vertices);
        let corners = |t: &[u32; 3]| t.map(|i| vertices[i as usize] - origin);
        let negligible = negligible(size);
        for (f, [a, b, c]) in triangles.iter().map(corners).enumerate() {
            let normal = (b - a).cross(c - a);
            let limit = T.input.inertia * size * normal.length() + negligible;
            let height = |v: &DVec3| normal.dot((*v - origin) - a);
            if let Some(i) = vertices.iter().position(|v| height(v) > limit) {
                let distance = height(&vertices[i]) / normal.length();
                let value = format!("{} is {distance} m in front of triangle {f}", vertices[i]);
                return Err(Error::input(format!("vertices[{i}]"), value, "a convex mesh"));
            }
        }
        Ok(body)
    }

    /// The same of any closed mesh, which is not checked but for its volume.
    pub(crate) fn closed_mesh(density: f64, vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, Error> {
        positive("density", density, "kg/m^3")?;
        let (origin, size) = around(vertices);
        let corners = |t: &[u32; 3]| t.map(|i| vertices[i as usize] - origin);

        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for [a, b, c] in triangles.iter().map(corners) {
            let d = a.dot(b.cross(c));
            let s = a + b + c;
            volume += d / 6.0;
            first += s * (d / 24.0);
            second += (outer(a) + outer(b) + outer(c) + outer(s)) * (d / 120.0);
        }
        let negligible = negligible(size);
        if volume < -negligible {
            let expected = "a volume > 0 m^3: the mesh is inside out, \
                            its triangles must be counter-clockwise from outside";
            return Err(Error::input("volume of the mesh", volume, expected));
        }
        if volume.is_nan() || volume <= negligible {
            return Err(Error::input(
                "volume of the mesh",
                volume,
                "a volume > 0 m^3: the mesh is flat or out of the range of f64",
            ));
        }
        let center = first / volume;
        let covariance = second - outer(center) * volume;
        let trace = covariance.x_axis.x + covariance.y_axis.y + covariance.z_axis.z;
        let inertia = (DMat3::from_diagonal(DVec3::splat(trace)) - covariance) * density;
        Self { mass: density * volume, center: origin + center, inertia, solid: None }.checked()
    }

    fn shaped(self, solid: Solid) -> Self {
        Self { solid: Some(solid), ..self }
    }

    /// The same distribution of matter with the total mass `mass` (kg).
    pub fn with_mass(self, mass: f64) -> Result<Self, Error> {
        positive("mass", mass, "kg")?;
        Self { mass, inertia: self.inertia * (mass / self.mass), ..self }.checked()
    }

    /// Checks that a rigid body can have these properties: finite and positive mass, finite centre,
    /// finite, symmetric and positive definite inertia, principal moments with I1 + I2 >= I3.
    pub fn validate(&self) -> Result<(), Error> {
        positive("mass", self.mass, "kg")?;
        if !self.center.is_finite() {
            return Err(Error::input("center", self.center, "three finite coordinates in m"));
        }
        let a = self.inertia;
        if !a.is_finite() {
            return Err(Error::input("inertia", a, "finite entries in kg m^2"));
        }
        let largest = a.to_cols_array().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        for (i, j) in PAIRS {
            // Column j holds the entries (i, j); halved against overflow.
            let (ij, ji) = (a.col(j)[i], a.col(i)[j]);
            if (0.5 * ij - 0.5 * ji).abs() > 0.5 * T.input.inertia * largest {
                let value = format!("{ij} at ({i}, {j}) and {ji} at ({j}, {i})");
                return Err(Error::input("inertia", value, "a symmetric matrix"));
            }
        }
        let [low, middle, high] = principal_moments(a);
        if low <= T.input.least_ratio * high {
            let value = format!("principal moments {low}, {middle}, {high} kg m^2");
            return Err(Error::input("inertia", value, "a positive definite matrix"));
        }
        if low + middle < high * (1.0 - T.input.inertia) {
            let value = format!("principal moments {low}, {middle}, {high} kg m^2");
            let expected = format!("I1 + I2 >= I3 (no distribution of mass has {low} + {middle} < {high})");
            return Err(Error::input("inertia", value, expected));
        }
        Ok(())
    }

    /// Validates, then makes the inertia exactly symmetric.
    fn checked(mut self) -> Result<Self, Error> {
        self.validate()?;
        self.inertia = symmetric_part(self.inertia);
        Ok(self)
    }
}

/// The index pairs above the diagonal.
const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

fn positive(name: &str, value: f64, unit: &str) -> Result<(), Error> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(Error::input(name, value, format!("a finite number > 0 {unit}")))
}

/// Middle and diagonal of the box around points, m.
fn around(vertices: &[DVec3]) -> (DVec3, f64) {
    let first = vertices.first().copied().unwrap_or_default();
    let low = vertices.iter().fold(first, |m, v| m.min(*v));
    let high = vertices.iter().fold(first, |m, v| m.max(*v));
    (low + 0.5 * (high - low), (high - low).length())
}

/// Volumes of meshes of a size below this are rounding, m^3.
fn negligible(size: f64) -> f64 {
    16.0 * f64::EPSILON * size * size * size
}

fn ball(density: f64, radius: f64) -> f64 {
    4.0 / 3.0 * PI * density * radius * radius * radius
}

/// v v^T.
fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// (a + a^T) / 2, exactly `a` when it is symmetric.
fn symmetric_part(a: DMat3) -> DMat3 {
    a * 0.5 + a.transpose() * 0.5
}

/// Eigenvalues of the symmetric part of a finite matrix, ascending, by cyclic Jacobi rotations.
fn principal_moments(inertia: DMat3) -> [f64; 3] {
    let cols = symmetric_part(inertia).to_cols_array_2d();
    let scale = cols.as_flattened().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if scale == 0.0 {
        return [0.0; 3];
    }
    let mut a = cols.map(|col| col.map(|v| v / scale));
    for _ in 0..16 {
        for (p, q) in PAIRS {
            if a[p][q] == 0.0 {
                continue;
            }
            // tan of the angle that annihilates a_pq, the smaller root of t^2 + 2 theta t - 1 = 0.
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let root = theta.abs() + (theta * theta + 1.0).sqrt();
            let t = if theta < 0.0 { -1.0 / root } else { 1.0 / root };
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            let r = 3 - p - q;
            let (pq, rp, rq) = (a[p][q], a[r][p], a[r][q]);
            a[p][p] -= t * pq;
            a[q][q] += t * pq;
            (a[p][q], a[q][p]) = (0.0, 0.0);
            (a[r][p], a[r][q]) = (c * rp - s * rq, s * rp + c * rq);
            (a[p][r], a[q][r]) = (a[r][p], a[r][q]);
        }
    }
    let mut moments = [a[0][0] * scale, a[1][1] * scale, a[2][2] * scale];
    moments.sort_by(f64::total_cmp);
    moments
}

/// Checks the indices, that every directed edge occurs once and so does its opposite, and that the
/// surface is in one piece: V - E + F = 2.
fn check_closed(vertices: usize, triangles: &[[u32; 3]]) -> Result<(), Error> {
    let name = |t: usize| format!("triangles[{t}]");
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for (t, &[a, b, c]) in triangles.iter().enumerate() {
        if let Some(i) = [a, b, c].into_iter().find(|i| *i as usize >= vertices) {
            return Err(Error::input(name(t), i, format!("vertex indices < {vertices}")));
        }
        if a == b || b == c || c == a {
            return Err(Error::input(name(t), format!("[{a}, {b}, {c}]"), "three different vertices"));
        }
        edges.extend([(a, b, t), (b, c, t), (c, a, t)]);
    }
    edges.sort_unstable();
    let mut used = 0;
    let mut previous = None;
    for &(a, b, t) in &edges {
        used += usize::from(previous.is_none_or(|(from, _)| from != a));
        if previous == Some((a, b)) {
            let expected = "a closed mesh: every directed edge once (here twice)";
            return Err(Error::input(name(t), format!("edge {a} -> {b}"), expected));
        }
        previous = Some((a, b));
        if edges.binary_search_by(|&(from, to, _)| (from, to).cmp(&(b, a))).is_err() {
            let expected = format!("a closed mesh: no triangle has the opposite edge {b} -> {a}");
            return Err(Error::input(name(t), format!("edge {a} -> {b}"), expected));
        }
    }
    if used + triangles.len() != edges.len() / 2 + 2 {
        let value = format!("{used} vertices - {} edges + {} faces", edges.len() / 2, triangles.len());
        return Err(Error::input("triangles", value, "one closed surface, V - E + F = 2"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(a: &MassProperties, b: &MassProperties, tolerance: f64) {
        let size = b.inertia.to_cols_array().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        assert!((a.mass - b.mass).abs() <= tolerance * b.mass, "{a:?} {b:?}");
        assert!((a.center - b.center).length() <= tolerance * (1.0 + b.center.length()), "{a:?} {b:?}");
        assert!(a.inertia.abs_diff_eq(b.inertia, tolerance * size), "{a:?} {b:?}");
        assert_eq!(a.inertia, a.inertia.transpose());
    }

    fn diagonal(mass: f64, x: f64, y: f64, z: f64) -> MassProperties {
        MassProperties::from_diagonal(mass, DVec3::new(x, y, z)).unwrap()
    }

    /// Box with faces counter-clockwise from outside; vertex index = 4 x + 2 y + z.
    fn box_mesh(half: DVec3) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let sign = |i: u32, bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
        let vertices = (0..8).map(|i| half * DVec3::new(sign(i, 4), sign(i, 2), sign(i, 1))).collect();
        let quads: [[u32; 4]; 6] = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
        (vertices, quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
    }

    /// Icosahedron refined `levels` times and projected to the unit sphere.
    fn icosphere(levels: usize) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let g = 0.5 + 1.25_f64.sqrt();
        let mut vertices = Vec::new();
        for (a, b) in [(-1.0, g), (1.0, g), (-1.0, -g), (1.0, -g)] {
            vertices.extend([DVec3::new(a, b, 0.0), DVec3::new(0.0, a, b), DVec3::new(b, 0.0, a)]);
        }
        vertices.iter_mut().for_each(|v| *v = v.normalize());
        // The faces are the triples at mutual edge length, turned outwards.
        let edge = (vertices[0] - vertices[3]).length();
        let near = |i: usize, j: usize| ((vertices[i] - vertices[j]).length() - edge).abs() < 1e-9;
        let mut triangles = Vec::new();
        for (i, j, k) in (0..12).flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |k| (i, j, k)))) {
            if near(i, j) && near(j, k) && near(k, i) {
                let outwards = vertices[i].dot(vertices[j].cross(vertices[k])) > 0.0;
                let (j, k) = if outwards { (j, k) } else { (k, j) };
                triangles.push([i as u32, j as u32, k as u32]);
            }
        }
        assert_eq!(triangles.len(), 20);
        for _ in 0..levels {
            let mut middles = std::collections::BTreeMap::new();
            let mut middle = |a: u32, b: u32| {
                *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                    vertices.len() as u32 - 1
                })
            };
            let split = |&[a, b, c]: &[u32; 3]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            };
            triangles = triangles.iter().flat_map(split).collect();
        }
        (vertices, triangles)
    }

    fn rotation() -> DMat3 {
        let q = glam::DQuat::from_xyzw(0.5, -0.1, 0.7, 0.5).normalize();
        DMat3::from_quat(q)
    }

    #[test]
    fn closed_forms() {
        let cuboid = MassProperties::cuboid(500.0, DVec3::new(0.5, 1.0, 1.5)).unwrap();
        // 1 m x 2 m x 3 m: m (y^2 + z^2) / 12 with full lengths.
        assert_close(&cuboid, &diagonal(3000.0, 3250.0, 2500.0, 1250.0), 1e-14);
        let m = 4.0 / 3.0 * PI * 8.0 * 7.0;
        let sphere = MassProperties::sphere(7.0, 2.0).unwrap();
        assert_close(&sphere, &diagonal(m, 1.6 * m, 1.6 * m, 1.6 * m), 1e-14);
        // Height 6, radius 2: m (3 r^2 + H^2) / 12 = 4 m.
        let m = PI * 4.0 * 6.0 * 7.0;
        let cylinder = MassProperties::cylinder(7.0, 3.0, 2.0).unwrap();
        assert_close(&cylinder, &diagonal(m, 4.0 * m, 2.0 * m, 4.0 * m), 1e-14);
        // Each half ball: 83/320 m r^2 about its own centre, which is 3/8 r beyond the cylinder.
        let caps = 4.0 / 3.0 * PI * 8.0 * 7.0;
        let across = 4.0 * m + caps * (83.0 / 320.0 * 4.0 + (3.0 + 0.75) * (3.0 + 0.75));
        let capsule = MassProperties::capsule(7.0, 3.0, 2.0).unwrap();
        assert_close(&capsule, &diagonal(m + caps, across, 2.0 * m + 1.6 * caps, across), 1e-14);
        assert_close(&MassProperties::capsule(7.0, 0.0, 2.0).unwrap(), &sphere, 1e-14);
    }

    #[test]
    fn box_mesh_equals_cuboid_moved_and_turned() {
        let half = DVec3::new(0.2, 0.5, 1.1);
        let (mut vertices, triangles) = box_mesh(half);
        let cuboid = MassProperties::cuboid(800.0, half).unwrap();
        assert_close(&MassProperties::convex_mesh(800.0, &vertices, &triangles).unwrap(), &cuboid, 1e-14);
        let (r, shift) = (rotation(), DVec3::new(1000.0, -300.0, 20.0));
        vertices.iter_mut().for_each(|v| *v = r * *v + shift);
        let moved = MassProperties::convex_mesh(800.0, &vertices, &triangles).unwrap();
        let expected = MassProperties { center: shift, inertia: r * cuboid.inertia * r.transpose(), ..cuboid };
        assert_close(&moved, &expected, 1e-11);
        assert!((moved.center - shift).length() < 1e-11);
    }

    #[test]
    fn tetrahedron_has_its_centroid() {
        let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let body = MassProperties::convex_mesh(6.0, &vertices, &triangles).unwrap();
        assert!((body.mass - 1.0).abs() < 1e-15 && (body.center - DVec3::splat(0.25)).length() < 1e-15);
        // Corner tetrahedron: I_xx = 3/40 m, I_xy = 1/80 m.
        let inertia = DMat3::from_diagonal(DVec3::splat(3.0 / 40.0 - 1.0 / 80.0))
            + DMat3::from_cols(DVec3::ONE, DVec3::ONE, DVec3::ONE) * (1.0 / 80.0);
        assert!(body.inertia.abs_diff_eq(inertia, 1e-15), "{}", body.inertia);
    }

    #[test]
    fn refined_mesh_converges_to_the_sphere() {
        let ball = MassProperties::sphere(3.0, 1.0).unwrap();
        let error = |levels| {
            let (vertices, triangles) = icosphere(levels);
            let body = MassProperties::convex_mesh(3.0, &vertices, &triangles).unwrap();
            assert!(body.center.length() < 1e-14);
            (1.0 - body.mass / ball.mass, 1.0 - body.inertia.x_axis.x / ball.inertia.x_axis.x)
        };
        let mut last = error(1);
        for levels in 2..=4 {
            let now = error(levels);
            // Second order: a quarter of the error for half the edge.
            assert!(now.0 > 0.0 && now.0 < 0.28 * last.0 && now.1 > 0.0 && now.1 < 0.28 * last.1);
            last = now;
        }
        assert!(last.1 < 0.004);
    }

    #[test]
    fn with_mass_rescales() {
        let body = MassProperties::cuboid(1.0, DVec3::ONE).unwrap().with_mass(4.0).unwrap();
        assert_close(&body, &MassProperties::cuboid(0.5, DVec3::ONE).unwrap(), 1e-15);
        body.validate().unwrap();
    }

    #[test]
    fn principal_moments_of_a_turned_matrix() {
        let r = rotation();
        for d in [DVec3::new(1.0, 2.0, 3.0), DVec3::new(1e-12, 1.0, 1.0), DVec3::splat(5e200)] {
            let [a, b, c] = principal_moments(r * DMat3::from_diagonal(d) * r.transpose());
            let slack = 1e-15 * 4.0 * d.z;
            assert!((a - d.x).abs() < slack && (b - d.y).abs() < slack && (c - d.z).abs() < slack, "{a} {b} {c}");
        }
        // Limits of the triangle inequality: a disk is allowed in any orientation.
        let disk = r * DMat3::from_diagonal(DVec3::new(1.0, 1.0, 2.0)) * r.transpose();
        MassProperties::new(1.0, disk).unwrap();
        let slight = DMat3::from_cols(DVec3::new(1.0, 1e-11, 0.0), DVec3::Y, DVec3::Z);
        let body = MassProperties::new(1.0, slight).unwrap();
        assert_eq!(body.inertia, body.inertia.transpose());
    }

    fn assert_rejected(result: Result<MassProperties, Error>, parts: &[&str]) {
        let message = result.unwrap_err().to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{message} lacks one of {parts:?}");
    }

    #[test]
    fn numbers_rejected() {
        type M = MassProperties;
        assert_rejected(M::from_diagonal(-2.5, DVec3::ONE), &["mass", "-2.5", "kg"]);
        assert_rejected(M::from_diagonal(f64::NAN, DVec3::ONE), &["mass", "NaN"]);
        assert_rejected(M::from_diagonal(1.0, DVec3::new(1.0, f64::INFINITY, 1.0)), &["inertia", "inf"]);
        assert_rejected(M::from_diagonal(1.0, DVec3::new(1.0, 1.0, -0.25)), &["inertia", "-0.25", "positive definite"]);
        assert_rejected(M::from_diagonal(1.0, DVec3::ZERO), &["inertia", "positive definite"]);
        assert_rejected(M::from_diagonal(1.0, DVec3::new(7.5, 1.5, 2.5)), &["inertia", "1.5 + 2.5 < 7.5"]);
        let skew = DMat3::from_cols(DVec3::new(1.0, 0.0, 0.125), DVec3::Y, DVec3::Z);
        assert_rejected(M::new(1.0, skew), &["inertia", "0.125 at (2, 0)", "symmetric"]);
        assert_rejected(M::sphere(0.0, 1.0), &["density", "0", "kg/m^3"]);
        assert_rejected(M::sphere(1.0, -0.75), &["radius", "-0.75"]);
        assert_rejected(M::sphere(1e300, 1e10), &["mass", "inf"]);
        assert_rejected(M::cuboid(-3.5, DVec3::ONE), &["density", "-3.5"]);
        assert_rejected(M::cuboid(1.0, DVec3::new(1.0, -4.5, 1.0)), &["half_extents", "-4.5"]);
        assert_rejected(M::capsule(f64::INFINITY, 1.0, 1.0), &["density", "inf"]);
        assert_rejected(M::capsule(1.0, -0.5, 1.0), &["half_height", "-0.5"]);
        assert_rejected(M::capsule(1.0, 1.0, f64::NAN), &["radius", "NaN"]);
        assert_rejected(M::cylinder(-1.5, 1.0, 1.0), &["density", "-1.5"]);
        assert_rejected(M::cylinder(1.0, 0.0, 1.0), &["half_height", "0"]);
        assert_rejected(M::cylinder(1.0, 1.0, -1.5), &["radius", "-1.5"]);
        let body = M::sphere(1.0, 1.0).unwrap();
        assert_rejected(body.with_mass(-8.5), &["mass", "-8.5"]);
        assert_rejected(M { mass: 0.0, ..body }.with_mass(1.0), &["inertia", "inf"]);
        let lost = M { center: DVec3::new(0.0, f64::NAN, 0.0), ..body };
        assert_rejected(lost.validate().map(|()| lost), &["center", "NaN"]);
    }

    #[test]
    fn meshes_rejected() {
        let mesh = |v: &[DVec3], t: &[[u32; 3]]| MassProperties::convex_mesh(1.0, v, t);
        let (vertices, triangles) = box_mesh(DVec3::ONE);
        assert_rejected(MassProperties::convex_mesh(-1.5, &vertices, &triangles), &["density", "-1.5"]);
        assert_rejected(mesh(&vertices[..3], &triangles), &["vertices", "3", "at least 4"]);
        assert_rejected(mesh(&vertices, &triangles[..3]), &["triangles", "3", "at least 4"]);
        assert_rejected(mesh(&vertices[..7], &triangles), &["triangles[2]", "7", "< 7"]);
        assert_rejected(mesh(&vertices, &triangles[1..]), &["triangles[", "edge", "closed"]);
        let mut bad = vertices.clone();
        bad[5].y = f64::NAN;
        assert_rejected(mesh(&bad, &triangles), &["vertices[5]", "NaN"]);
        let mut bad = triangles.clone();
        bad[4] = [2, 2, 1];
        assert_rejected(mesh(&vertices, &bad), &["triangles[4]", "[2, 2, 1]", "different"]);
        let mut bad = triangles.clone();
        bad[0].swap(0, 1);
        assert_rejected(mesh(&vertices, &bad), &["triangles[", "closed"]);
        let inside_out: Vec<_> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        assert_rejected(mesh(&vertices, &inside_out), &["volume", "-8", "inside out"]);
        let flat: Vec<_> = vertices.iter().map(|v| *v * DVec3::new(1.0, 0.0, 1.0)).collect();
        assert_rejected(mesh(&flat, &triangles), &["volume", "flat"]);
        let mut dented = vertices.clone();
        dented[7] = DVec3::splat(0.25);
        assert_rejected(mesh(&dented, &triangles), &["vertices[", "in front of triangle", "convex"]);
        let mut bulged = vertices.clone();
        bulged[7].x += 1e-12;
        mesh(&bulged, &triangles).unwrap();
        let twice: Vec<_> = vertices.iter().chain(&vertices).copied().collect();
        let both: Vec<_> = triangles.iter().copied().chain(triangles.iter().map(|t| t.map(|i| i + 8))).collect();
        assert_rejected(mesh(&twice, &both), &["triangles", "16 vertices", "one closed surface"]);
    }
}
