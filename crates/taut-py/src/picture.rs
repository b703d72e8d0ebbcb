//! What a world looks like, for the viewer in `python/taut/_view.py`.

use crate::convert::{ToPy, table};
use crate::error::raise;
use crate::world::World;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use taut_draw::Moment;

/// The parts that a world is drawn with, as they were when it was made.
#[pyclass(frozen, name = "_Drawing", module = "taut")]
pub struct Drawing(taut_draw::Drawing);

fn wide(numbers: impl IntoIterator<Item = f32>) -> Vec<f64> {
    numbers.into_iter().map(f64::from).collect()
}

#[pymethods]
impl Drawing {
    #[new]
    fn new(world: &World) -> PyResult<Self> {
        let scene = world.0.lock()?;
        taut_draw::Drawing::of(&scene).map(Drawing).map_err(raise)
    }
    /// Meshes as pairs of corners, m, and triangles.
    #[getter]
    fn meshes(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let of =
            |m: &taut_draw::Mesh| Ok((table(py, wide(m.positions.iter().flatten().copied()), 3)?, m.indices.clone()));
        self.0.meshes.iter().map(of).collect::<PyResult<Vec<_>>>()?.to_py(py)
    }
    /// For each body its name, what moves it, and its parts: mesh, position (m), rotation, whether it is a half space.
    #[getter]
    fn bodies(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut out = Vec::new();
        for body in &self.0.bodies {
            let parts = body.parts.iter().filter(|p| !p.sensor && !body.link);
            let parts: Vec<_> = parts.map(|p| ((p.mesh, p.ground), (p.pos, p.rot))).collect();
            out.push((body.name.clone(), body.motion, parts));
        }
        out.to_py(py)
    }
    /// Radii of the straight pieces, m.
    #[getter]
    fn rods(&self) -> Vec<f64> {
        self.0.rods.iter().map(|r| r.radius).collect()
    }
    /// Triples of bodies that are the triangles of cloth, and triples of nodes of all deformables.
    #[getter]
    fn surfaces(&self) -> (Vec<usize>, Vec<usize>) {
        let mut first = 0;
        let mut nodes = Vec::new();
        for soft in &self.0.softs {
            nodes.extend(soft.triangles.iter().map(|&k| first + k as usize));
            first += soft.nodes;
        }
        (self.0.surface.clone(), nodes)
    }
    /// Corners of the box around everything, m.
    #[getter]
    fn bounds(&self) -> [[f64; 3]; 2] {
        self.0.bounds
    }
    /// The numbers of a world now: poses, rods, pieces of ropes, nodes of deformables.
    fn moment<'py>(&self, py: Python<'py>, world: &World) -> PyResult<Bound<'py, PyDict>> {
        let scene = world.0.lock()?;
        let now = Moment::new(&scene.world, &self.0);
        let out = PyDict::new(py);
        out.set_item("poses", table(py, wide(now.poses()), 7)?)?;
        out.set_item("rods", table(py, now.rods(), 7)?)?;
        out.set_item("ropes", table(py, now.ropes(), 9)?)?;
        out.set_item("nodes", table(py, wide(now.softs()), 3)?)?;
        Ok(out)
    }
}
