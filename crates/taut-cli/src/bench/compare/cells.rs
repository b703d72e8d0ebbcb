//! The scenes that are compared: small ones of `taut bench scaling`, `islands`, `peers` and `reduced`.

/// A scene with its parameters and options.
pub struct Cell {
    /// Name on the command line.
    pub name: &'static str,
    /// Scene of the library.
    pub scene: &'static str,
    /// Its parameters.
    pub set: &'static [&'static str],
    /// Options of `taut run`.
    pub options: &'static [&'static str],
    /// Length of a step, s.
    pub dt: f64,
    /// Steps of a run: about 0.1 s of an optimised build, and enough that their median is steady.
    pub steps: u32,
    /// Whether it only runs when it is named: it takes long, or is much like another one.
    pub large: bool,
}

impl Cell {
    /// Arguments of `taut` for a run of so many steps.
    pub fn arguments(&self, steps: u32) -> Vec<String> {
        let mut out = vec!["run".to_string(), self.scene.into(), "--json".into(), "--quiet".into()];
        out.extend(["--dt".into(), self.dt.to_string(), "--time".into(), (self.dt * f64::from(steps)).to_string()]);
        out.extend(self.set.iter().flat_map(|s| ["--set".to_string(), s.to_string()]));
        out.extend(self.options.iter().map(|o| o.to_string()));
        out
    }
}

/// A frame of games and pictures, s.
const FRAME: f64 = 1.0 / 60.0;

const fn cell(
    name: &'static str,
    (scene, set): (&'static str, &'static [&'static str]),
    options: &'static [&'static str],
    (dt, steps): (f64, u32),
) -> Cell {
    Cell { name, scene, set, options, dt, steps, large: false }
}

const fn large(
    name: &'static str,
    (scene, set): (&'static str, &'static [&'static str]),
    (dt, steps): (f64, u32),
) -> Cell {
    Cell { large: true, ..cell(name, (scene, set), &[], (dt, steps)) }
}

/// The chain of `taut bench reduced`: released from the horizontal, a load as heavy as a link.
const LIGHT: (&str, &[&str]) = ("chain", &["joint=hinge", "links=100", "ratio=1", "kick=0"]);

/// Ten links that fall from the horizontal, a load as heavy as one at their end.
const BALLS: (&str, &[&str]) = ("chain", &["links=10", "ratio=1", "kick=0"]);
const HINGES: (&str, &[&str]) = ("chain", &["joint=hinge", "links=10", "ratio=1", "kick=0"]);

/// Every cell. Those of RedMax's step run for the first second only, which is stable.
pub const CELLS: [Cell; 24] = [
    cell("chain-10", ("chain", &["links=10", "start=angle"]), &[], (0.01, 1000)),
    cell("chain-100", ("chain", &["links=100", "start=angle"]), &[], (0.01, 300)),
    cell("chain-1000", ("chain", &["links=1000", "start=angle"]), &[], (0.01, 40)),
    cell("tree", ("tree", &["forks=5", "load=1000"]), &[], (0.01, 100)),
    cell("ladder", ("ladder", &["cells=100"]), &[], (0.01, 60)),
    cell("net", ("net", &["columns=10", "rows=10", "start=hanging"]), &[], (0.01, 40)),
    cell("cloth", ("cloth", &["side=10"]), &[], (0.01, 100)),
    cell("ragdolls", ("ragdolls", &["ragdolls=20"]), &[], (FRAME, 60)),
    cell("stack", ("box-stack", &[]), &[], (FRAME, 120)),
    cell("pile", ("ragdoll-pile", &["ragdolls=3"]), &[], (FRAME, 90)),
    cell("reduced-chain", LIGHT, &["--coordinates", "reduced"], (0.01, 100)),
    cell("redmax-chain", LIGHT, &["--coordinates", "reduced", "--stabiliser", "none"], (0.01, 100)),
    cell("articulated-chain", LIGHT, &["--coordinates", "reduced", "--solver", "articulated"], (0.01, 100)),
    cell(
        "bridge",
        ("bridge", &["kind=sim", "links=48"]),
        &["--coordinates", "reduced", "--solver", "articulated"],
        (0.01, 100),
    ),
    cell("umbrella", ("umbrella", &["n=4"]), &["--coordinates", "reduced", "--solver", "articulated"], (0.01, 60)),
    large("ball-10", BALLS, (0.005, 1000)),
    large("ball-10-frame", BALLS, (FRAME, 1000)),
    large("hinge-10", HINGES, (0.005, 1000)),
    large("hinge-10-frame", HINGES, (FRAME, 1000)),
    large("tree-6", ("tree", &["forks=6", "load=1000"]), (0.01, 60)),
    large("mixed-tree-6", ("tree", &["joint=mixed", "forks=6", "load=1000"]), (0.01, 60)),
    large("ladder-300", ("ladder", &["cells=300"]), (0.01, 60)),
    large("cloth-40", ("cloth", &["side=40"]), (0.01, 20)),
    large("net-100", ("net", &["columns=100", "rows=100", "start=hanging"]), (0.01, 5)),
];
