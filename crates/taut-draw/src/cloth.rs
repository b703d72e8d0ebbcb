//! Cloth: particles tied to each other in meshes of four (or three) threads are a surface.

use std::collections::{BTreeMap, BTreeSet};
use taut::{BodyId, Motion, Result};
use taut_scenes::Scene;

/// Threads that meet at each particle.
type Graph = BTreeMap<usize, BTreeSet<usize>>;

/// Triples of body numbers: the triangles of all cloth of a scene.
pub(crate) fn surface(scene: &Scene, number: &impl Fn(BodyId) -> usize) -> Result<Vec<usize>> {
    let world = &scene.world;
    let mut graph = Graph::new();
    let mut fixed = BTreeSet::new();
    let mut tie = |i: BodyId, j: BodyId| -> Result<()> {
        let kinds = [world.body(i)?.motion(), world.body(j)?.motion()];
        // Threads are between particles; what holds them may stand still.
        if !kinds.contains(&Motion::Particle) || kinds.iter().any(|m| matches!(m, Motion::Dynamic | Motion::Kinematic))
        {
            return Ok(());
        }
        let (a, b) = (number(i), number(j));
        graph.entry(a).or_default().insert(b);
        graph.entry(b).or_default().insert(a);
        fixed.extend([(kinds[0], a), (kinds[1], b)].into_iter().filter(|(m, _)| *m == Motion::Fixed).map(|(_, k)| k));
        Ok(())
    };
    if scene.edges.is_empty() {
        for v in world.joints() {
            if v.kind() == "distance" {
                tie(v.bodies().0, v.bodies().1)?;
            }
        }
    } else {
        for &(i, j, _) in &scene.edges {
            tie(i, j)?;
        }
    }
    Ok(triangles(&graph, &fixed))
}

/// Meshes of the graph as triangles. Neighbours that both stand still count as tied where a mesh lacks just that.
fn triangles(graph: &Graph, fixed: &BTreeSet<usize>) -> Vec<usize> {
    let mut quads = BTreeSet::new();
    for (&a, around) in graph {
        for &b in around.iter().filter(|&&b| b > a) {
            // a - b is one thread of the mesh; the opposite one is d - c.
            for &c in graph[&b].iter().filter(|&&c| c != a) {
                for &d in around.iter().filter(|&&d| d != b && d != c) {
                    let closed = graph[&c].contains(&d) || (fixed.contains(&c) && fixed.contains(&d));
                    let diagonal = graph[&a].contains(&c) || graph[&b].contains(&d);
                    if closed && !diagonal {
                        quads.insert(ordered([a, b, c, d]));
                    }
                }
            }
        }
    }
    let mut out = Vec::with_capacity(6 * quads.len());
    for [a, b, c, d] in quads {
        out.extend([a, b, c, a, c, d]);
    }
    for (&a, around) in graph {
        for &b in around.iter().filter(|&&b| b > a) {
            out.extend(around.iter().filter(|&&c| c > b && graph[&b].contains(&c)).flat_map(|&c| [a, b, c]));
        }
    }
    out
}

/// The same loop, from its smallest number on towards the smaller neighbour.
fn ordered(mut q: [usize; 4]) -> [usize; 4] {
    let first = (0..4).min_by_key(|&k| q[k]).unwrap_or(0);
    q.rotate_left(first);
    if q[3] < q[1] {
        q.swap(1, 3);
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_scenes::find;

    #[test]
    fn a_square_of_cloth_is_whole() {
        let (scene, _) = find("cloth").unwrap().with(&[("side", "5")]).unwrap();
        let ids: Vec<BodyId> = scene.world.bodies().map(|b| b.id()).collect();
        let s = surface(&scene, &|b| ids.binary_search(&b).unwrap()).unwrap();
        // Two triangles for each of 4 x 4 meshes, of the held row too.
        assert_eq!(s.len(), 4 * 4 * 2 * 3);
    }

    #[test]
    fn a_string_is_no_cloth() {
        let (scene, _) = find("particle-cable").unwrap().with(&[]).unwrap();
        let ids: Vec<BodyId> = scene.world.bodies().map(|b| b.id()).collect();
        assert!(surface(&scene, &|b| ids.binary_search(&b).unwrap()).unwrap().is_empty());
    }
}
