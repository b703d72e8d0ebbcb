//! The scenes and their sizes.

use taut::Result;
use taut_scenes::Scene;

/// A scene of the thesis, from small to large.
pub struct Case {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// Scene of the library.
    pub scene: &'static str,
    /// Parameters that stay.
    pub fixed: &'static [(&'static str, &'static str)],
    /// The parameter that grows, and its values.
    pub sized: &'static str,
    pub sizes: &'static [usize],
    pub quick: &'static [usize],
    /// Degrees of freedom of a size.
    pub dofs: fn(usize) -> usize,
    /// Exponents that the thesis found for PCG and for its sparse direct solver.
    pub thesis: Option<[f64; 2]>,
    /// Largest exponent of time that `Auto` may have; none where it is compared with the best of its paths.
    pub exponent: Option<f64>,
    /// Most iterations per right-hand side of PCG at every size; none where they only have to grow less than the scene.
    pub iterations: Option<f64>,
}

impl Case {
    /// The scene of a size.
    pub fn scene(&self, size: usize) -> Result<Scene> {
        let n = size.to_string();
        let given: Vec<(&str, &str)> = self.fixed.iter().copied().chain([(self.sized, n.as_str())]).collect();
        Ok(taut_scenes::find(self.scene)?.with(&given)?.0)
    }
}

const LINKS: &[usize] = &[10, 20, 40, 80, 160, 320, 640, 1280, 2000];
const THIRDS: &[usize] = &[6, 12, 24, 48, 96, 192, 384, 700];
const RODS: &[usize] = &[2, 4, 8, 16, 32, 64, 90];
const LEVELS: &[usize] = &[2, 3, 4, 5, 6, 7, 8, 9, 10];

fn tree(levels: usize) -> usize {
    3 * ((1 << levels) - 1)
}

/// Bridges with three chains of `size` links each.
pub const fn flexible(
    name: &'static str,
    what: &'static str,
    fixed: &'static [(&'static str, &'static str)],
    thesis: Option<[f64; 2]>,
) -> Case {
    let dofs = |n| 3 * n;
    Case {
        name,
        what,
        scene: "bridge",
        fixed,
        sized: "links",
        sizes: THIRDS,
        quick: &[6, 24, 48],
        dofs,
        thesis,
        exponent: Some(1.05),
        iterations: Some(9.0),
    }
}

/// Every scene.
pub const CASES: [Case; 7] = [
    Case {
        name: "rigid",
        what: "the bridge with fixed towers",
        scene: "bridge",
        fixed: &[("kind", "rigid")],
        sized: "links",
        sizes: LINKS,
        quick: &[10, 80, 160],
        dofs: |n| n,
        thesis: Some([0.94, 2.74]),
        exponent: Some(1.05),
        iterations: Some(1.0),
    },
    flexible("flexible", "the bridge with flexible towers", &[("kind", "sim")], Some([1.00, 2.39])),
    flexible("car", "the same with a car", &[("kind", "sim"), ("load", "car")], None),
    flexible(
        "heavy",
        "the stiffer set with a car of 500 times the weight",
        &[("kind", "video"), ("load", "heavy")],
        Some([1.21, 2.47]),
    ),
    Case {
        name: "umbrella",
        what: "the umbrella, 16 loop rows",
        scene: "umbrella",
        fixed: &[],
        sized: "n",
        sizes: RODS,
        quick: &[2, 4, 8],
        dofs: |n| 1 + 16 * n + 16 * (n / 2),
        thesis: Some([1.38, 2.35]),
        exponent: Some(1.05),
        iterations: None,
    },
    Case {
        name: "tree",
        what: "the tree with springs between siblings",
        scene: "tree-springs",
        fixed: &[],
        sized: "levels",
        sizes: LEVELS,
        quick: &[2, 5, 6],
        dofs: tree,
        thesis: None,
        exponent: Some(1.1),
        iterations: None,
    },
    Case {
        name: "alternate",
        what: "the tree with springs between neighbouring leaves",
        scene: "tree-springs-alternate",
        fixed: &[],
        sized: "levels",
        sizes: LEVELS,
        quick: &[2, 5, 6],
        dofs: tree,
        thesis: None,
        exponent: None,
        iterations: None,
    },
];
