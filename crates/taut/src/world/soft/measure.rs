//! What deformables are measured by, and the activation of their fibres.

use super::DeformableRef;
use crate::elastic::memory;
use crate::error::{Error, Result};
use crate::ids::DeformableId;
use crate::model::soft::{Carrier, Tie};
use crate::world::World;
use glam::DVec3;
use taut_elements::{CellKind, MAX_NODES, Output};

impl World {
    /// How strongly the active fibres of a deformable pull from now on, 0 to 1.
    pub fn set_activation(&mut self, id: DeformableId, activation: f64) -> Result<()> {
        if !(0.0..=1.0).contains(&activation) {
            return Err(Error::input("activation", activation, "0 to 1"));
        }
        let entry = self.model.deformable(id)?;
        if entry.elements.material().fibre.is_none() && activation > 0.0 {
            return Err(Error::input("activation", activation, "0 for a material without fibres"));
        }
        let (first, nodes) = (entry.state.0, entry.free().collect::<Vec<_>>());
        if self.state.soft[first] != activation {
            self.state.soft[first] = activation;
            for node in nodes {
                self.wake(node)?;
            }
        }
        Ok(())
    }
}

impl<'a> DeformableRef<'a> {
    /// How strongly its fibres pull, 0 to 1.
    pub fn activation(&self) -> f64 {
        self.world.state.soft[self.entry.state.0]
    }

    /// What carries node `k`, with weights that add up to 1 and the points in the frames of the bodies, m: its own particle, the body it is
    /// bound to, or those it is mapped to.
    pub fn carriers(&self, k: usize) -> Result<Vec<Tie>> {
        self.at(k)?;
        let tie = |c: Carrier| Tie { body: Some(c.body), weight: c.weight, point: Some(c.point) };
        Ok(self.entry.carriers(k).map(tie).collect())
    }

    /// Strain and stress at a point of element `e`; its points are numbered from 0 ([`taut_elements::Elements::points`]).
    pub fn output(&self, e: usize, point: usize) -> Output {
        let (input, memory) = memory(self.entry, &self.world.state.soft);
        let mut x = [DVec3::ZERO; MAX_NODES];
        let n = self.gather(e, &mut x);
        self.entry.elements.output(e, point, &x[..n], memory, input)
    }

    /// Von Mises stress at each node, Pa: the mean over the points of the elements around it.
    pub fn stress(&self) -> Vec<f64> {
        let elements = &self.entry.elements;
        let mut sums = vec![(0.0, 0.0); self.entry.nodes.len()];
        for e in 0..elements.len() {
            let count = elements.points(e);
            let mean = (0..count).map(|q| self.output(e, q).von_mises).sum::<f64>() / count.max(1) as f64;
            let weight = if count == 0 { 0.0 } else { elements.volume(e) };
            for &n in elements.nodes(e) {
                let (sum, of) = &mut sums[n as usize];
                *sum += weight * mean;
                *of += weight;
            }
        }
        sums.into_iter().map(|(sum, of)| if of > 0.0 { sum / of } else { 0.0 }).collect()
    }

    /// Largest von Mises stress of all points, Pa, and smallest volume over that at rest.
    pub fn extremes(&self) -> (f64, f64) {
        let elements = &self.entry.elements;
        let points = (0..elements.len()).flat_map(|e| (0..elements.points(e)).map(move |q| (e, q)));
        points
            .map(|(e, q)| self.output(e, q))
            .fold((0.0, f64::INFINITY), |(most, least), o| (f64::max(most, o.von_mises), f64::min(least, o.j)))
    }

    /// Volume of its cells now, m^3; of sheets with their thickness at rest, of bars with their cross section.
    pub fn volume(&self) -> f64 {
        let elements = &self.entry.elements;
        let material = elements.material();
        let Some(mesh) = elements.mesh() else {
            return (0..elements.len()).map(|e| elements.volume(e) * self.output(e, 0).j).sum();
        };
        let now = taut_elements::Mesh { nodes: self.positions().collect(), cells: mesh.cells.clone() };
        let across = |kind: CellKind| [material.area, material.thickness, 1.0][kind.dimension() - 1];
        (0..now.cells.len()).map(|c| now.volume(c) * across(now.cells[c].kind())).sum()
    }
}
