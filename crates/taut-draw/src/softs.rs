//! Deformables: their surfaces as triangles over their nodes, what carries each node, and the stress there.

use crate::drawing::Soft;
use taut::{BodyId, Result, World};

/// All deformables of a world.
pub(crate) fn of(world: &World, number: &impl Fn(BodyId) -> usize) -> Result<Vec<Soft>> {
    let mut out = Vec::new();
    for d in world.deformables() {
        let elements = d.elements();
        let triangles: Vec<u32> = elements.surface().iter().flatten().copied().collect();
        // Edges of the cells on the surface, without the diagonals of quadrilaterals.
        let edges = elements.mesh().map_or_else(Vec::new, |mesh| mesh.surface_edges());
        let bars = elements.bars().iter().copied();
        let mut carriers = Vec::with_capacity(d.node_count());
        let mut weights = Vec::with_capacity(d.node_count());
        for k in 0..d.node_count() {
            let ties = d.carriers(k)?;
            carriers.push(ties.iter().filter_map(|t| t.body).map(number).collect());
            weights.push(ties.iter().map(|t| t.weight).collect());
        }
        out.push(Soft {
            name: d.name().to_owned(),
            nodes: d.node_count(),
            triangles,
            edges: edges.into_iter().chain(bars).flatten().collect(),
            carriers,
            weights,
        });
    }
    Ok(out)
}
