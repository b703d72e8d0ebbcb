//! Affine frames: meshless bodies with few unknowns.
//!
//! A frame moves the material around it affinely and shares it with other frames by weights w_i
//! that sum to 1. Its affine motion is held by four control points of equal mass:
//!
//! ```text
//! x(X) = sum_i w_i(X) sum_k lambda_k(X) x_ik,   x_ik = c_i + L_i p_k,  p = (1,1,1) (1,-1,-1) (-1,1,-1) (-1,-1,1)
//! lambda_k(X) = (1 + p_k . L_i^-1 (X - c_i))/4,   L_i L_i^T = integral of w_i (X - c_i)(X - c_i)^T/integral of w_i
//! ```
//! All unknowns are then positions of particles, and a mass of a quarter of the region's on each of
//! them has the mass, centre and inertia of the region. Weights that vary make transverse stretches
//! that the material would give way to: the deviations of the gradients from the mean of a cell are
//! scaled by sqrt(E/(la + 2 mu)).
//!
//! (Gilles et al. 2011, frame-based elastic models; the control points in place of a matrix are of
//! this engine.)

use super::Gradients;
use crate::build::{local_lame, patch_modulus};
use crate::elements::{Block, Elements, MAX_NODES, Options, Point};
use crate::error::{Error, InputError};
use crate::material::Material;
use crate::svd::Eigen;
use glam::{DMat3, DVec3};

/// The regular tetrahedron: sum p p^T = 4 I.
const CORNERS: [DVec3; 4] =
    [DVec3::new(1.0, 1.0, 1.0), DVec3::new(1.0, -1.0, -1.0), DVec3::new(-1.0, 1.0, -1.0), DVec3::new(-1.0, -1.0, 1.0)];
/// Second moments below this against the largest are those of a plane.
const PLANE: f64 = 1e-9;
/// How exactly weights must sum to 1.
const SUM: f64 = 1e-6;

/// Samples of the material that the same frames move.
///
/// ```
/// use glam::DVec3;
/// use taut_elements::{Elements, FrameCell, Material};
/// let cells = FrameCell::along(DVec3::ZERO, DVec3::X, 3, [0.1, 0.1]).unwrap();
/// let beam = Elements::frames(&cells, &Material::new(1000.0, 1e6, 0.3)).unwrap();
/// assert_eq!((beam.len(), beam.rest().len(), beam.nodes(0).len()), (2, 12, 8));
/// assert!((beam.masses().iter().sum::<f64>() - 10.0).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FrameCell {
    /// Indices of the frames, at most eight; control points of frame i are the nodes 4 i ... 4 i + 3.
    pub frames: Vec<u32>,
    /// Samples of the material.
    pub points: Vec<FramePoint>,
}

/// A sample of the material.
///
/// ```
/// use taut_elements::FrameCell;
/// let cells = FrameCell::along(glam::DVec3::ZERO, glam::DVec3::X, 2, [0.1, 0.1]).unwrap();
/// let point = &cells[0].points[0];
/// assert!((point.weights[0] + point.weights[1] - 1.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FramePoint {
    /// Position at rest, m.
    pub position: DVec3,
    /// Volume it stands for, m^3.
    pub volume: f64,
    /// Weights of the cell's frames there; they sum to 1.
    pub weights: Vec<f64>,
    /// Gradients of the weights, 1/m; they sum to 0.
    pub gradients: Vec<DVec3>,
}

/// Region of a frame.
struct Region {
    volume: f64,
    centre: DVec3,
    /// L and its inverse; both symmetric.
    map: DMat3,
    inverse: DMat3,
}

impl Elements {
    /// Elements of affine frames, one per cell. The nodes are control points: [`Elements::rest`]
    /// has their positions.
    ///
    /// # Errors
    /// Weights that do not sum to 1, samples in a plane, more than eight frames in a cell, or a
    /// material that is none.
    pub fn frames(cells: &[FrameCell], material: &Material) -> Result<Self, Error> {
        Elements::frames_with(cells, material, &Options::default())
    }

    /// The same with options; groups are not used, a cell is a group.
    ///
    /// # Errors
    /// As [`Elements::frames`].
    pub fn frames_with(cells: &[FrameCell], material: &Material, options: &Options) -> Result<Self, Error> {
        material.check()?;
        cells.iter().try_for_each(FrameCell::check)?;
        let mut elements = Elements::empty(material, options.volume, &[3])?;
        (elements.framed, elements.options) = (cells.to_vec(), options.clone());
        let regions = regions(cells)?;
        for region in &regions {
            elements.rest.extend(CORNERS.map(|p| region.centre + region.map * p));
            elements.masses.extend([0.25 * material.density * region.volume; 4]);
        }
        let patch = patch_modulus(material, options.volume);
        let alpha = match options.gradients {
            Gradients::Plain => 1.0,
            Gradients::Uniform(alpha) => alpha,
            Gradients::Scaled | Gradients::Paired => {
                // With a patch it is the law of the points that resists: the patch sees the mean only.
                let la = if patch.is_some() { local_lame(material) } else { material.lame() };
                (material.young / (la + 2.0 * material.shear_modulus())).sqrt()
            }
        };
        for (c, cell) in cells.iter().enumerate() {
            elements.add_frames(c as u32, cell, &regions, alpha, patch);
        }
        elements.floor_masses();
        Ok(elements)
    }

    fn add_frames(&mut self, c: u32, cell: &FrameCell, regions: &[Region], alpha: f64, patch: Option<(f64, bool)>) {
        let axes = self.material.law.axes();
        let count = 4 * cell.frames.len();
        let first = self.points.len();
        let start = self.gradients.len();
        for point in &cell.points {
            let from = self.gradients.len();
            let fibre = self.fibre_direction(&axes, 3);
            for (k, &i) in cell.frames.iter().enumerate() {
                let region = &regions[i as usize];
                let natural = region.inverse * (point.position - region.centre);
                for p in CORNERS {
                    let lambda = 0.25 * (1.0 + p.dot(natural));
                    let slope = region.inverse * p * 0.25;
                    let g = point.gradients[k] * lambda + slope * point.weights[k];
                    self.gradients.push(axes.transpose() * g);
                }
            }
            self.local.extend((0..count).map(|a| a as u8));
            self.points.push(Point { weight: point.volume, gradients: from..self.gradients.len(), fibre });
        }
        let volume = cell.points.iter().fold(0.0, |v, p| v + p.volume);
        scale(&mut self.gradients[start..], count, cell, volume, alpha);
        let nodes: Vec<u32> = cell.frames.iter().flat_map(|&i| (0..4).map(move |k| 4 * i + k)).collect();
        let (kappa, rows) = patch.unwrap_or((0.0, false));
        let (nodes, cells, points) = (self.list_nodes(&nodes), self.list_cells(&[c]), first..self.points.len());
        self.blocks.push(Block { nodes, cells, points, dimension: 3, volume, kappa, free: 0.0, rows, bending: None });
    }

    /// Coordinates of a point at rest in the control points of a frame: lambda_k, which sum to 1.
    pub fn frame_coordinates(&self, frame: usize, at: DVec3) -> [f64; 4] {
        let x = &self.rest[4 * frame..4 * frame + 4];
        let edges = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        let l = edges.inverse() * (at - x[0]);
        [1.0 - l.x - l.y - l.z, l.x, l.y, l.z]
    }
}

/// Deviations from the mean over the cell times alpha.
fn scale(gradients: &mut [DVec3], count: usize, cell: &FrameCell, volume: f64, alpha: f64) {
    for a in 0..count {
        let mut mean = DVec3::ZERO;
        for (q, point) in cell.points.iter().enumerate() {
            mean += gradients[q * count + a] * (point.volume / volume);
        }
        for q in 0..cell.points.len() {
            let g = &mut gradients[q * count + a];
            *g = mean + (*g - mean) * alpha;
        }
    }
}

/// Mass, centre and second moment of every frame's share.
fn regions(cells: &[FrameCell]) -> Result<Vec<Region>, InputError> {
    let count = cells.iter().flat_map(|cell| &cell.frames).fold(0, |n, &i| n.max(i as usize + 1));
    let shares = || {
        let points = cells.iter().flat_map(|cell| cell.points.iter().map(move |p| (cell, p)));
        points
            .flat_map(|(cell, p)| cell.frames.iter().zip(&p.weights).map(move |(&i, w)| (i as usize, w * p.volume, p)))
    };
    let mut sums = vec![(0.0, DVec3::ZERO); count];
    for (i, v, p) in shares() {
        sums[i].0 += v;
        sums[i].1 += p.position * v;
    }
    let centres: Vec<DVec3> = sums.iter().map(|s| s.1 / s.0).collect();
    let mut moments = vec![DMat3::ZERO; count];
    for (i, v, p) in shares() {
        let d = p.position - centres[i];
        moments[i] += DMat3::from_cols(d * d.x, d * d.y, d * d.z) * (v / sums[i].0);
    }
    let region = |i: usize| {
        let eigen = Eigen::new(moments[i]);
        let (least, most) = (eigen.d.min_element(), eigen.d.max_element());
        if !(sums[i].0 > 0.0 && least > PLANE * most) {
            return Err(InputError::new("frame", i as f64, "samples around every frame that are not in one plane"));
        }
        let root = DVec3::new(eigen.d.x.sqrt(), eigen.d.y.sqrt(), eigen.d.z.sqrt());
        let (map, inverse) = (eigen.compose(root), eigen.compose(root.recip()));
        Ok(Region { volume: sums[i].0, centre: centres[i], map, inverse })
    };
    (0..count).map(region).collect()
}

/// Frames that reach a point, their weights before they are divided by their sum, and the gradients of those, 1/m.
struct Reach {
    frames: Vec<u32>,
    raw: Vec<f64>,
    slopes: Vec<DVec3>,
}

/// (1 - d^2/r^2)^2 of all frames within the radius.
fn reach(centres: &[DVec3], radius: f64, position: DVec3) -> Result<Reach, InputError> {
    let mut out = Reach { frames: Vec::new(), raw: Vec::new(), slopes: Vec::new() };
    for (i, &centre) in centres.iter().enumerate() {
        let d = position - centre;
        let left = 1.0 - d.length_squared() / (radius * radius);
        if left > 0.0 {
            out.frames.push(i as u32);
            out.raw.push(left * left);
            out.slopes.push(d * (-4.0 * left / (radius * radius)));
        }
    }
    if out.frames.is_empty() || 4 * out.frames.len() > MAX_NODES {
        return Err(InputError::new("radius", radius, "one to eight frames within the radius of each sample, m"));
    }
    Ok(out)
}

/// Frames that reach a point, and their weights, which sum to 1.
pub(crate) fn weights(centres: &[DVec3], radius: f64, position: DVec3) -> Result<Vec<(u32, f64)>, InputError> {
    let Reach { frames, raw, .. } = reach(centres, radius, position)?;
    let sum: f64 = raw.iter().sum();
    Ok(frames.into_iter().zip(raw.iter().map(|w| w / sum)).collect())
}

impl FrameCell {
    fn check(&self) -> Result<(), InputError> {
        let n = self.frames.len();
        if n == 0 || 4 * n > MAX_NODES {
            return Err(InputError::new("frames", n as f64, "one to eight frames in a cell"));
        }
        if let Some(i) = (0..n).find(|&i| self.frames[..i].contains(&self.frames[i])) {
            return Err(InputError::new("frames", f64::from(self.frames[i]), "each frame once in a cell"));
        }
        for p in &self.points {
            InputError::above("volume", p.volume, 0.0, "a finite positive volume, m^3")?;
            if !p.position.is_finite() {
                return Err(InputError::new("position", f64::NAN, "finite coordinates, m"));
            }
            let sum: f64 = p.weights.iter().sum();
            if p.weights.len() != n || p.gradients.len() != n || !((sum - 1.0).abs() < SUM) {
                return Err(InputError::new("weights", sum, "a weight and a gradient for each frame, sum 1"));
            }
            let slope = p.gradients.iter().fold(DVec3::ZERO, |s, &g| s + g).length();
            let size = p.gradients.iter().fold(0.0, |s, g| s + g.length());
            if !(slope <= SUM * size) {
                return Err(InputError::new("gradients", slope, "gradients of the weights that sum to 0, 1/m"));
            }
        }
        Ok(())
    }

    /// A straight bar of rectangular section (m): `count` frames from one end to the other, weights
    /// that fall to zero at the next frame, 3 x 2 x 2 samples between two frames.
    ///
    /// # Errors
    /// Fewer than two frames, no length or no section.
    pub fn along(from: DVec3, to: DVec3, count: usize, section: [f64; 2]) -> Result<Vec<FrameCell>, InputError> {
        let length = (to - from).length();
        InputError::above("count", count as f64, 1.0, "at least two frames")?;
        InputError::above("length", length, 0.0, "a finite positive length, m")?;
        InputError::above("section", section[0].min(section[1]), 0.0, "a positive width and height, m")?;
        let x = (to - from) / length;
        let up = if x.z.abs() < 0.9 { DVec3::Z } else { DVec3::Y };
        let y = up.cross(x).normalize();
        let z = x.cross(y);
        let dx = length / (count - 1) as f64;
        let outer = 0.6f64.sqrt();
        let third = 1.0 / 3f64.sqrt();
        let mut cells = Vec::new();
        for c in 0..count - 1 {
            let mut cell = FrameCell { frames: vec![c as u32, c as u32 + 1], points: Vec::new() };
            for (a, wa) in [(-outer, 5.0 / 9.0), (0.0, 8.0 / 9.0), (outer, 5.0 / 9.0)] {
                for (b, d) in [(-third, -third), (-third, third), (third, -third), (third, third)] {
                    let s = 0.5 * (a + 1.0);
                    cell.points.push(FramePoint {
                        position: from
                            + x * (dx * (c as f64 + s))
                            + (y * (b * section[0]) + z * (d * section[1])) * 0.5,
                        volume: wa * dx * section[0] * section[1] / 8.0,
                        weights: vec![1.0 - s, s],
                        gradients: vec![-x / dx, x / dx],
                    });
                }
            }
            cells.push(cell);
        }
        Ok(cells)
    }

    /// Frames at `centres` that reach as far as `radius` (m), over samples (position in m, volume
    /// in m^3) of any shape: weights (1 - d^2/r^2)^2 over their sum. Samples with the same frames
    /// make a cell.
    ///
    /// # Errors
    /// A sample that no frame or more than eight frames reach.
    pub fn around(centres: &[DVec3], radius: f64, samples: &[(DVec3, f64)]) -> Result<Vec<FrameCell>, InputError> {
        InputError::above("radius", radius, 0.0, "a finite positive radius, m")?;
        let mut found: Vec<(Vec<u32>, FramePoint)> = Vec::new();
        for &(position, volume) in samples {
            let Reach { frames, raw, slopes } = reach(centres, radius, position)?;
            let sum: f64 = raw.iter().sum();
            let slope = slopes.iter().fold(DVec3::ZERO, |s, &g| s + g);
            let gradients = raw.iter().zip(&slopes).map(|(w, &g)| (g - slope * (w / sum)) / sum).collect();
            let weights = raw.iter().map(|w| w / sum).collect();
            found.push((frames, FramePoint { position, volume, weights, gradients }));
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let cells = found.chunk_by(|a, b| a.0 == b.0);
        Ok(cells
            .map(|c| FrameCell { frames: c[0].0.clone(), points: c.iter().map(|p| p.1.clone()).collect() })
            .collect())
    }
}
