//! What deformables are measured by.

use super::DeformableRef;
use crate::error::Result;
use crate::ids::ColliderId;
use crate::model::soft::{Carrier, Tie};
use taut_elements::CellKind;

impl<'a> DeformableRef<'a> {
    /// What carries node `k`, with weights that add up to 1 and the points in the frames of the bodies, m: its own particle, the body it is
    /// bound to, or those it is mapped to.
    pub fn carriers(&self, k: usize) -> Result<Vec<Tie>> {
        self.at(k)?;
        let tie = |c: Carrier| Tie { body: Some(c.body), weight: c.weight, point: Some(c.point) };
        Ok(self.entry.carriers(k).map(tie).collect())
    }

    /// The collider that stands for its skin, if it has one.
    pub fn skin_collider(&self) -> Option<ColliderId> {
        self.entry.skin.as_ref().map(|(_, id)| *id)
    }

    /// Von Mises stress at each node, Pa: the mean over the points of the elements around it, or of the control points that carry it.
    pub fn stress(&self) -> Vec<f64> {
        let elements = &self.entry.elements;
        let mut sums = vec![(0.0, 0.0); self.entry.nodes.len()];
        for e in 0..elements.len() {
            let count = elements.points(e);
            let mean =
                (0..count).map(|q| self.output(e, q).map_or(0.0, |o| o.von_mises)).sum::<f64>() / count.max(1) as f64;
            let weight = if count == 0 { 0.0 } else { elements.volume(e) };
            for &n in elements.nodes(e) {
                let (sum, of) = &mut sums[n as usize];
                *sum += weight * mean;
                *of += weight;
            }
        }
        let mut out: Vec<f64> = sums.into_iter().map(|(sum, of)| if of > 0.0 { sum / of } else { 0.0 }).collect();
        for n in elements.controls()..out.len() {
            let mean: f64 = elements.carried(n).iter().map(|&(k, part)| part * out[k as usize]).sum();
            out[n] = mean.max(0.0);
        }
        out
    }

    /// Largest von Mises stress of all points, Pa, and smallest volume over that at rest.
    pub fn extremes(&self) -> (f64, f64) {
        self.outputs()
            .fold((0.0, f64::INFINITY), |(most, least), o| (f64::max(most, o.von_mises), f64::min(least, o.j)))
    }

    /// Largest stretch or compression of any point along any direction, less that at rest, -.
    pub fn largest_strain(&self) -> f64 {
        let along = |o: taut_elements::Output| {
            let s = o.stretches.to_array();
            // Sheets and bars have fewer directions, and zeros for the others.
            s.into_iter().filter(|s| *s != 0.0).map(|s| (s - 1.0).abs()).fold(0.0, f64::max)
        };
        self.outputs().map(along).fold(0.0, f64::max)
    }

    /// Volume of its cells now, m^3; of sheets with their thickness at rest, of bars with their cross section.
    pub fn volume(&self) -> f64 {
        let elements = &self.entry.elements;
        let material = elements.material();
        let Some(mesh) = elements.mesh() else {
            return (0..elements.len()).map(|e| elements.volume(e) * self.output(e, 0).map_or(1.0, |o| o.j)).sum();
        };
        let now = taut_elements::Mesh { nodes: self.positions().collect(), cells: mesh.cells.clone() };
        let across = |kind: CellKind| [material.area, material.thickness, 1.0][kind.dimension() - 1];
        (0..now.cells.len()).map(|c| now.volume(c) * across(now.cells[c].kind())).sum()
    }
}
