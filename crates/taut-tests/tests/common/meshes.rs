//! Small meshes.

use taut::Vec3;
use taut::soft::{Cell, Mesh};

/// A bar of bricks from the origin along x, y and z, m.
pub fn bar(size: Vec3, cells: [usize; 3]) -> Mesh {
    let [nx, ny, nz] = cells;
    let at = |i: usize, j: usize, k: usize| ((i * (ny + 1) + j) * (nz + 1) + k) as u32;
    let mut mesh = Mesh::default();
    for i in 0..=nx {
        for j in 0..=ny {
            for k in 0..=nz {
                let part = Vec3::new(i as f64 / nx as f64, j as f64 / ny as f64, k as f64 / nz as f64);
                mesh.nodes.push(size * part);
            }
        }
    }
    for i in 0..nx {
        for j in 0..ny {
            for k in 0..nz {
                let c = |a: usize, b: usize, d: usize| at(i + a, j + b, k + d);
                mesh.cells.push(Cell::hex8([
                    c(0, 0, 0),
                    c(1, 0, 0),
                    c(1, 1, 0),
                    c(0, 1, 0),
                    c(0, 0, 1),
                    c(1, 0, 1),
                    c(1, 1, 1),
                    c(0, 1, 1),
                ]));
            }
        }
    }
    mesh
}

/// A sheet of triangles in the plane of x and z with alternating diagonals, from the origin.
#[allow(dead_code)]
pub fn sheet(width: f64, length: f64, cells: [usize; 2]) -> Mesh {
    let [nx, nz] = cells;
    let at = |i: usize, k: usize| (i * (nz + 1) + k) as u32;
    let mut mesh = Mesh::default();
    for i in 0..=nx {
        for k in 0..=nz {
            mesh.nodes.push(Vec3::new(width * i as f64 / nx as f64, 0.0, length * k as f64 / nz as f64));
        }
    }
    for i in 0..nx {
        for k in 0..nz {
            let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            let halves = if (i + k) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            mesh.cells.extend(halves.map(Cell::tri3));
        }
    }
    mesh
}

/// A ball about the origin: a cube of bricks, n along each edge, mapped to it.
#[allow(dead_code)]
pub fn ball(radius: f64, n: usize) -> Mesh {
    let mut mesh = bar(Vec3::splat(2.0), [n; 3]);
    for x in &mut mesh.nodes {
        let p = *x - Vec3::ONE;
        let most = p.abs().max_element();
        *x = if most > 0.0 { p.normalize() * (most * radius) } else { p };
    }
    mesh
}
