//! Tournier 2015 Fig. 6: a square with fibres pulled on all sides, and creatures of several materials that fall on the ground.

use super::Figure;
use super::made::{Made, Table, Verdict};
use super::task::{Stop, Task};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, ORANGE, Panel};
use taut::{Vec3, World};
use taut_scenes::find;

pub const FIGURE: Figure = Figure {
    name: "tournier-fig6",
    source: "Tournier 2015 Fig. 6",
    title: "a square with fibres at 25 deg under 10 N on each node of its sides; creatures of clay, flesh and frames after a fall",
    caption: "Left: the square of 10 x 10 quadrilaterals at rest (grey) and when it has settled (blue). Right: nodes of three creatures \
              that fall by 1 m, at the start (grey) and after 4 s (orange), seen from the front. The paper prints pictures and no numbers.",
    make,
};

const RULE: &str = "reproduced when the square settles with its smaller stretch within 2 deg of the fibres, the creatures come to rest no deeper \
                    than 1 mm in the ground without a rise of the energy, and only clay keeps a plastic strain of more than 1 %; better when the \
                    stretches of the square are those of a static solution to 0.1 %";

/// Stretches of the static solution in the middle of the square.
const STATIC: [f64; 2] = [1.2834, 2.3145];

fn make(task: &Task) -> Result<Made, Stop> {
    let mut table = Table::new(&["what", "quantity", "value", "unit"]);
    let (square, settled) = square(task)?;
    let (stretches, angle) = settled;
    for (name, value, unit) in
        [("smaller stretch", stretches[0], ""), ("larger stretch", stretches[1], ""), ("its angle", angle, "deg")]
    {
        table.add(["square".into(), name.into(), value.into(), unit.into()]);
    }
    let mut panels = vec![square];
    let mut calm = true;
    for kind in task.pick(&["clay", "flesh", "frames"][..], &["flesh"][..]) {
        let fallen = creature(task, kind)?;
        for (name, value, unit) in [
            ("lowest node", fallen.low, "m"),
            ("energy rise of the scale", fallen.rise, ""),
            ("largest plastic strain", fallen.plastic, ""),
            ("median time of a step", fallen.us, "us"),
        ] {
            table.add([(*kind).into(), name.into(), value.into(), unit.into()]);
        }
        calm &= fallen.low > 0.009 && fallen.rise < 1e-3 && (fallen.plastic > 0.01) == (*kind == "clay");
        panels.push(fallen.panel);
    }
    let why = format!(
        "square: stretches {:.4} and {:.4}, the smaller at {angle:.1} deg; creatures {}",
        stretches[0],
        stretches[1],
        if calm { "rest as asked" } else { "do not rest as asked" }
    );
    let near = (0..2).all(|k| (stretches[k] - STATIC[k]).abs() < 1e-3 * STATIC[k]);
    let verdict = Verdict::new(RULE, calm && (angle - 25.0).abs() < 2.0, near, why);
    Ok(Made { size: (1300, 460), columns: panels.len(), panels, table, verdict })
}

/// Lines of the square, and its stretches in the middle with the angle of the smaller, deg.
fn square(task: &Task) -> Result<(Panel, ([f64; 2], f64)), Stop> {
    let (mut scene, _) = find("anisotropic-quads")?.with(&[])?;
    let start = lines(&scene.world)?;
    let steps = task.pick(3000, 2000);
    task.expect(steps);
    for _ in 0..steps {
        scene.step(0.02)?;
        task.tick(1)?;
    }
    let view = scene.world.deformable(scene.world.find_deformable("square")?)?;
    let settled = taut_scenes::soft::principal(&view, Vec3::new(0.5, 0.5, 0.0), 0.06)?;
    let mut curves = vec![];
    for (list, colour, name) in [(start, DARK, "at rest"), (lines(&scene.world)?, BLUE, "under 10 N")] {
        curves
            .extend(list.into_iter().enumerate().map(|(k, l)| Curve::line(if k == 0 { name } else { "" }, colour, l)));
    }
    Ok((panel("square with fibres at 25 deg", curves), settled))
}

fn panel(title: &str, curves: Vec<Curve>) -> Panel {
    let all = || curves.iter().flat_map(|c| &c.points);
    let (x, y) = (Axis::around("x [m]", all().map(|p| p.0)), Axis::around("y [m]", all().map(|p| p.1)));
    Panel { equal: true, ..Panel::new(title, x, y, curves) }
}

/// Rows and columns of the square.
fn lines(world: &World) -> Result<Vec<Vec<(f64, f64)>>, Stop> {
    let view = world.deformable(world.find_deformable("square")?)?;
    let x: Vec<(f64, f64)> = view.positions().map(|p| (p.x, p.y)).collect();
    let n = (x.len() as f64).sqrt().round() as usize;
    let rows = (0..n).map(|j| (0..n).map(|i| x[i + n * j]).collect());
    let columns = (0..n).map(|i| (0..n).map(|j| x[i + n * j]).collect());
    Ok(rows.chain(columns).collect())
}

/// A creature after its fall.
struct Fallen {
    panel: Panel,
    low: f64,
    rise: f64,
    plastic: f64,
    us: f64,
}

fn creature(task: &Task, kind: &str) -> Result<Fallen, Stop> {
    let (mut scene, _) = find("creatures")?.with(&[("which", kind)])?;
    let nodes = |w: &World| -> Result<Vec<(f64, f64)>, Stop> {
        let view = w.deformable(w.find_deformable(kind)?)?;
        Ok(taut_scenes::soft::vertices(&view).into_iter().map(|p| (p.x, p.y)).collect())
    };
    let start = nodes(&scene.world)?;
    task.expect(1);
    let o = taut_scenes::run(&mut scene, 0.01, 4.0, |_| !crate::interrupt::pressed())?;
    task.tick(1)?;
    let end = nodes(&scene.world)?;
    let view = scene.world.deformable(scene.world.find_deformable(kind)?)?;
    Ok(Fallen {
        low: end.iter().map(|p| p.1).fold(f64::INFINITY, f64::min),
        rise: o.energy_max_rise,
        plastic: view.outputs().map(|o| o.plastic_strain).fold(0.0, f64::max),
        us: o.us_per_step,
        panel: panel(kind, vec![Curve::cloud("start", DARK, start), Curve::cloud("after 4 s", ORANGE, end)]),
    })
}
