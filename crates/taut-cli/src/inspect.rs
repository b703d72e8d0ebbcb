//! `taut inspect`: what a scene is made of: masses, freedoms, mass matrix.

use crate::format::number;
use crate::load::{Loaded, load_with};
use crate::models::Models;
use crate::output;
use serde_json::{Value, json};
use taut::control::Dynamics;
use taut::{Mat3, Motion, World};

/// Arguments of `taut inspect`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A scene of the library (see `taut list`), a scene file, or a model (.urdf, .xml).
    #[arg(value_name = "SCENE|FILE")]
    scene: String,
    /// Print one JSON object, in SI units, by rows and along the axes of the world: bodies with mass, centre, inertia and Jacobian
    /// (velocity of the centre, then angular velocity, by the rates of the freedoms), freedoms, mass matrix, acceleration from here.
    #[arg(long)]
    json: bool,
    /// Print the mass matrix, and the acceleration that gravity and springs give from rest.
    #[arg(long)]
    mass_matrix: bool,
    /// Set a parameter of the scene, or a place of a file, such as bodies.load.mass; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = taut_scenes::choices::assignment)]
    set: Vec<(String, String)>,
    #[command(flatten)]
    models: Models,
}

const EXAMPLES: &str = "Examples:
  taut inspect robot.urdf
  taut inspect humanoid.xml --mass-matrix
  taut inspect crane --json

Freedoms are those of `World::dynamics`, in the order of its mass matrix.";

/// Prints what a scene is made of.
pub fn inspect(args: &Args) -> Result<u8, String> {
    let loaded = load_with(&args.scene, &args.set, &args.models)?;
    let dynamics = loaded.scene.world.dynamics().map_err(|e| e.to_string())?;
    let text = if args.json { object(&loaded, &dynamics)? } else { table(&loaded, &dynamics, args.mass_matrix)? };
    output::print(&text)?;
    Ok(0)
}

/// Inertia of a body along the axes of the world, kg m^2.
fn inertia(world: &World, id: taut::BodyId) -> Result<Mat3, String> {
    let body = world.body(id).map_err(|e| e.to_string())?;
    let turn = Mat3::from_quat(body.pose().rot);
    Ok(turn * body.inertia() * turn.transpose())
}

fn accelerations(dynamics: &Dynamics) -> Result<Vec<f64>, String> {
    dynamics.forward(&vec![0.0; dynamics.dofs().len()]).map_err(|e| e.to_string())
}

fn object(loaded: &Loaded, dynamics: &Dynamics) -> Result<String, String> {
    let world = &loaded.scene.world;
    let mut bodies = Vec::new();
    for b in world.bodies().filter(|b| b.motion() == Motion::Dynamic || b.motion() == Motion::Particle) {
        let rows = inertia(world, b.id())?.transpose().to_cols_array_2d();
        let (pos, rot) = (b.pose().pos.to_array(), b.pose().rot.to_array());
        let jacobian = dynamics.jacobian(b.id(), b.pose().pos).map_err(|e| e.to_string())?;
        let jacobian: Vec<&[f64]> = (0..jacobian.rows()).map(|k| jacobian.row(k)).collect();
        bodies.push(json!({
            "name": b.name(),
            "mass": b.mass(),
            "center": pos,
            "rotation": rot,
            "inertia": rows,
            "jacobian": jacobian,
        }));
    }
    let name = |id: Option<taut::JointId>| id.and_then(|id| world.joint(id).ok()).map(|j| j.name().to_owned());
    let freedoms: Vec<Value> = dynamics
        .dofs()
        .iter()
        .enumerate()
        .map(|(k, d)| {
            let body = world.body(d.body).map(|b| b.name().to_owned()).unwrap_or_default();
            json!({ "joint": name(d.joint), "body": body, "name": d.name, "unit": d.unit.to_string(), "position": dynamics.position(k) })
        })
        .collect();
    let m = dynamics.mass_matrix();
    let rows: Vec<&[f64]> = (0..m.rows()).map(|k| m.row(k)).collect();
    let out = json!({
        "name": loaded.name,
        "gravity": world.options().gravity.to_array(),
        "dt": loaded.dt,
        "bodies": bodies,
        "freedoms": freedoms,
        "mass_matrix": rows,
        "loops": dynamics.loop_rows().count(),
        "acceleration": accelerations(dynamics)?,
    });
    serde_json::to_string_pretty(&out).map(|t| t + "\n").map_err(|e| e.to_string())
}

fn many(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

fn table(loaded: &Loaded, dynamics: &Dynamics, matrix: bool) -> Result<String, String> {
    let world = &loaded.scene.world;
    let mut out = String::new();
    let moving: Vec<_> = world.bodies().filter(|b| matches!(b.motion(), Motion::Dynamic | Motion::Particle)).collect();
    let mass: f64 = moving.iter().map(|b| b.mass()).sum();
    out += &format!(
        "{}: {} of {} kg, {}\n\n",
        loaded.name,
        many(moving.len(), "body", "bodies"),
        number(mass),
        many(world.joints().count(), "joint", "joints")
    );
    out += &format!("{:<32} {:>12}   centre of mass [m]\n", "body", "mass [kg]");
    for b in &moving {
        let p = b.pose().pos;
        out +=
            &format!("{:<32} {:>12}   {} {} {}\n", b.name(), number(b.mass()), number(p.x), number(p.y), number(p.z));
    }
    out += &format!("\n{:>4} {:<32} {:<32} freedom\n", "", "joint", "body");
    for (k, d) in dynamics.dofs().iter().enumerate() {
        let joint = d.joint.and_then(|id| world.joint(id).ok()).map_or(String::new(), |j| j.name().to_owned());
        let body = world.body(d.body).map(|b| b.name().to_owned()).unwrap_or_default();
        out += &format!("{k:>4} {joint:<32} {body:<32} {} [{}]\n", d.name, d.unit);
    }
    let rows = dynamics.loop_rows().count();
    if rows > 0 {
        out += &format!("\n{rows} rows of loops and couplings\n");
    }
    if matrix {
        let m = dynamics.mass_matrix();
        out += "\nmass matrix [kg, kg m, kg m^2]\n";
        for k in 0..m.rows() {
            let row: Vec<String> = m.row(k).iter().map(|x| format!("{x:>12.5e}")).collect();
            out += &(row.join(" ") + "\n");
        }
        out += "\nacceleration from here [m/s^2, rad/s^2]\n";
        let a: Vec<String> = accelerations(dynamics)?.iter().map(|x| format!("{x:>12.5e}")).collect();
        out += &(a.join(" ") + "\n");
    }
    Ok(out)
}
