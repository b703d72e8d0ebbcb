//! The scenes that grow.

/// Scenes that differ in their size only.
pub struct Kind {
    /// Name on the command line.
    pub name: &'static str,
    /// One line: what it is.
    pub what: &'static str,
    /// Scene of the library.
    pub scene: &'static str,
    /// Parameters that take the size.
    pub sized: &'static [&'static str],
    /// Other parameters.
    pub fixed: &'static [(&'static str, &'static str)],
    /// Sizes of the full run.
    pub sizes: &'static [usize],
    /// Sizes of the quick run.
    pub quick: &'static [usize],
    /// Sizes whose stages are shown: full and quick run.
    pub profile: Option<(usize, usize)>,
    /// Whether the cost should be linear: a tree, or loops that stay narrow.
    pub linear: bool,
}

/// All kinds.
pub const KINDS: [Kind; 5] = [
    Kind {
        name: "chain",
        what: "chain of ball joints with a load of 1,000 links, swinging from an angle; n = links",
        scene: "chain",
        sized: &["links"],
        fixed: &[("ratio", "1000"), ("start", "angle")],
        sizes: &[100, 1000, 10_000, 100_000],
        quick: &[100, 1000],
        profile: Some((1000, 1000)),
        linear: true,
    },
    Kind {
        name: "tree",
        what: "random tree that forks in two after every five links, loads of 10 to 1,000 kg at its ends, falling; n = forks in a row",
        scene: "tree",
        sized: &["forks"],
        fixed: &[("load", "1000")],
        sizes: &[3, 6, 9, 12],
        quick: &[3, 6],
        profile: None,
        linear: true,
    },
    Kind {
        name: "ladder",
        what: "rope ladder, a closed loop per cell, with a heavy last rung, swinging; n = rungs",
        scene: "ladder",
        sized: &["cells"],
        fixed: &[],
        sizes: &[30, 300, 3000, 30_000],
        quick: &[30, 300],
        profile: Some((300, 300)),
        linear: true,
    },
    Kind {
        name: "net",
        what: "net of rigid bodies, each joined to its four neighbours by ball joints, hanging from its top row; n = bodies along a side",
        scene: "net",
        sized: &["columns", "rows"],
        fixed: &[("start", "hanging")],
        sizes: &[10, 20, 30, 50, 100],
        quick: &[5, 10, 15],
        profile: Some((30, 15)),
        linear: false,
    },
    Kind {
        name: "cloth",
        what: "inextensible cloth of particles and rods with two heavy corners, falling from the horizontal; n = particles along a side",
        scene: "cloth",
        sized: &["side"],
        fixed: &[],
        sizes: &[10, 20, 30, 40],
        quick: &[5, 10, 15],
        profile: None,
        linear: false,
    },
];
