//! Tournier 2015 Fig. 1, 7 and 8: bow, trampoline and knee, and steps per second beside the paper's.

use super::Figure;
use super::made::{Made, Table, Verdict};
use super::task::{Stop, Task};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, ORANGE, Panel};
use taut::World;
use taut_scenes::find;

pub const FIGURE: Figure = Figure {
    name: "tournier-fig8",
    source: "Tournier 2015 Fig. 8",
    title: "a bow of elements with a string of rigid links shoots an arrow; a ball on a trampoline; the Lachman test of a knee; steps per second",
    caption: "Left: limb and string of the bow when drawn (grey) and when the arrow has left (blue), step 0.005 s. Middle: speed of the arrow. \
              Right: height of a ball of 60 kg on the trampoline, step 0.01 s. The table has the rates of the paper (Xeon at 2.4 GHz) beside those \
              measured here, by the median time of a step. Last: how far the tibia comes forward when it is pulled by 134 N from 1 s on, with all \
              ligaments and without the anterior one; the paper has pictures of it.",
    make,
};

const RULE: &str = "reproduced when the arrow leaves with 39 m/s or more at the paper's step of 0.005 s and the ball rebounds twice without a rise of the \
                    energy, and the tibia comes 3 to 6 mm forward with all ligaments and 5 mm more without the anterior one; better when the scenes run at least as many steps per second as in the paper";

/// Steps per second of the paper: bow, trampoline, knee.
const PAPER: [(&str, f64); 3] = [("bow", 85.0), ("trampoline", 35.0), ("knee", 11.0)];

fn make(task: &Task) -> Result<Made, Stop> {
    task.expect(4);
    let (mut scene, _) = find("bow")?.with(&[])?;
    let drawn = outline(&scene.world)?;
    let mut speed = vec![(0.0, 0.0)];
    let mut left = None;
    let bow = taut_scenes::run_with(&mut scene, 0.005, 0.06, |w, s| {
        speed.push((1e3 * s.report.time, s.velocity.x));
        if left.is_none() && s.report.time > 0.03 {
            left = outline(w).ok();
        }
        !crate::interrupt::pressed()
    })?;
    task.tick(1)?;
    let arrow = speed.last().map_or(0.0, |p| p.1);
    let (mut scene, _) = find("trampoline")?.with(&[])?;
    let mut height = Vec::new();
    let ball = taut_scenes::run(&mut scene, 0.01, task.pick(6.0, 3.0), |s| {
        height.push((s.report.time, s.position.y));
        !crate::interrupt::pressed()
    })?;
    task.tick(1)?;
    let (mut knees, mut shifts, mut rate) = (Vec::new(), [0.0; 2], f64::INFINITY);
    for (k, anterior) in ["intact", "cut"].into_iter().enumerate() {
        let (line, moved, own) = knee(anterior)?;
        task.tick(1)?;
        knees.push(line);
        shifts[k] = moved;
        rate = rate.min(own);
    }
    let rates = [Some(1e6 / bow.us_per_step), Some(1e6 / ball.us_per_step), Some(rate)];
    let mut table = Table::new(&["scene", "paper_steps_per_s", "here_steps_per_s", "quantity", "value", "unit"]);
    let peak = |from: f64| height.iter().filter(|p| p.0 > from).map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
    let (first, low) = (peak(1.0), height.iter().map(|p| p.1).fold(f64::INFINITY, f64::min));
    let values = [
        ("speed of the arrow", Some(arrow), "m/s"),
        ("first rebound", Some(first), "m"),
        ("shift of the tibia", Some(shifts[0]), "mm"),
    ];
    for (((name, paper), rate), (what, value, unit)) in PAPER.into_iter().zip(rates).zip(values) {
        table.add([name.into(), paper.into(), rate.into(), what.into(), value.into(), unit.into()]);
    }
    table.add([
        "knee".into(),
        None.into(),
        None.into(),
        "the same without the ligament".into(),
        shifts[1].into(),
        "mm".into(),
    ]);
    let fast = rates.iter().zip(PAPER).filter_map(|(r, p)| r.map(|r| r >= p.1)).all(|x| x);
    let why = format!(
        "arrow {arrow:.1} m/s, ball lowest at {low:.3} m, rebounds to {first:.3} m, energy rise {:.1e}; tibia {:.1} and {:.1} mm; {:.0}, {:.0} and {:.0} steps a second, paper 85, 35 \
         and 11",
        ball.energy_max_rise,
        shifts[0],
        shifts[1],
        rates[0].unwrap_or(0.0),
        rates[1].unwrap_or(0.0),
        rates[2].unwrap_or(0.0)
    );
    let reproduced = arrow >= 39.0 && bow.stable && ball.stable && first > 1.0 && ball.energy_max_rise < 0.01;
    let reproduced = reproduced && (3.0..=6.0).contains(&shifts[0]) && shifts[1] - shifts[0] >= 5.0;
    let verdict = Verdict::new(RULE, reproduced, fast, why);
    let shapes = [(drawn, DARK, "drawn"), (left.unwrap_or_default(), BLUE, "arrow gone")];
    let curves: Vec<Curve> = shapes
        .into_iter()
        .flat_map(|(list, colour, name)| {
            let named = |(k, l)| Curve::line(if k == 0 { name } else { "" }, colour, l);
            list.into_iter().enumerate().map(named).collect::<Vec<_>>()
        })
        .collect();
    let all = || curves.iter().flat_map(|c| &c.points);
    let (x, y) = (Axis::around("x [m]", all().map(|p| p.0)), Axis::around("y [m]", all().map(|p| p.1)));
    let shape = Panel { equal: true, ..Panel::new("bow", x, y, curves) };
    let panels = vec![
        shape,
        over("speed of the arrow", "t [ms]", "v [m/s]", speed, ORANGE),
        over("ball on the trampoline", "t [s]", "height [m]", height, BLUE),
        lachman(knees),
    ];
    Ok(Made { size: (1700, 460), columns: 4, panels, table, verdict })
}

fn over(title: &str, x: &str, y: &str, points: Vec<(f64, f64)>, colour: plotters::style::RGBColor) -> Panel {
    let (h, v) = (Axis::around(x, points.iter().map(|p| p.0)), Axis::around(y, points.iter().map(|p| p.1)));
    Panel::new(title, h, v, vec![Curve::line("", colour, points)])
}

/// Points of a line.
type Line = Vec<(f64, f64)>;

/// Middle line of the limb, and the string.
fn outline(world: &World) -> Result<Vec<Line>, Stop> {
    let view = world.deformable(world.find_deformable("limb")?)?;
    let rest = view.elements().rest();
    let mut limb: Vec<(f64, (f64, f64))> = Vec::new();
    for k in (0..rest.len()).filter(|&k| rest[k].x == 0.0 && rest[k].z == 0.0) {
        let p = view.position(k)?;
        limb.push((rest[k].y, (p.x, p.y)));
    }
    limb.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut string: Line = Vec::new();
    for name in std::iter::once("lower tie".to_owned())
        .chain((1..10).map(|k| format!("string {k}")))
        .chain(std::iter::once("upper tie".to_owned()))
    {
        let p = world.body(world.find_body(&name)?)?.position();
        string.push((p.x, p.y));
    }
    Ok(vec![limb.into_iter().map(|l| l.1).collect(), string])
}

/// Time and forward shift of the tibia, mm, how far it came from where it had settled, and steps per second.
fn knee(anterior: &str) -> Result<(Line, f64, f64), Stop> {
    let (mut scene, _) = find("knee")?.with(&[("anterior", anterior)])?;
    let mut line: Line = Vec::new();
    let o = taut_scenes::run_with(&mut scene, 0.01, 3.0, |w, s| {
        line.push((s.report.time, 1e3 * taut_scenes::soft::shift_of_knee(w).unwrap_or(f64::NAN)));
        !crate::interrupt::pressed()
    })?;
    let settled = line.iter().rev().find(|p| p.0 < 1.0).map_or(0.0, |p| p.1);
    let moved = line.last().map_or(f64::NAN, |p| p.1 - settled);
    Ok((line, moved, 1e6 / o.us_per_step))
}

fn lachman(lines: Vec<Line>) -> Panel {
    let all = || lines.iter().flatten();
    let (x, y) = (Axis::around("t [s]", all().map(|p| p.0)), Axis::around("shift [mm]", all().map(|p| p.1)));
    let curves = lines.into_iter().zip([(BLUE, "all ligaments"), (ORANGE, "anterior one cut")]);
    Panel::new("tibia", x, y, curves.map(|(l, (colour, name))| Curve::line(name, colour, l)).collect())
}
