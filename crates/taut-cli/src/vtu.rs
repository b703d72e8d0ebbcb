//! `--vtu`: a run as series of VTK files: bodies as they are drawn, joints with what they carry, lines with their tension, deformables with
//! displacements and stresses.

use std::path::{Path, PathBuf};
use taut::soft::{Cell, CellKind, Mesh};
use taut::{DeformableId, DeformableRef, Mat3, Pose, Quat, Vec3, World};
use taut_draw::{Drawing, Moment};
use taut_fleet::table::quoted;
use taut_mesh::Field;
use taut_scenes::Scene;

/// Files per second of simulated time, at most.
const FPS: f64 = 60.0;

/// A series in the making, or none.
pub struct Series(Option<Open>);

struct Open {
    folder: PathBuf,
    drawing: Drawing,
    /// Names of the series: those of the deformables, and of all else.
    softs: Vec<(DeformableId, String)>,
    others: Vec<&'static str>,
    /// Time, s, and name of each file, by series: deformables first.
    files: Vec<Vec<(f64, String)>>,
    due: f64,
    failure: Option<String>,
}

/// The series beside those of the deformables.
const BODIES: &str = "bodies";
const JOINTS: &str = "joints";
const LINES: &str = "lines";

impl Series {
    /// Into a folder, which is made where it is not there.
    pub fn new(folder: Option<&Path>, scene: &Scene) -> Result<Self, String> {
        let Some(folder) = folder else { return Ok(Series(None)) };
        let drawing = Drawing::of(scene).map_err(|e| format!("--vtu: {e}"))?;
        let softs = scene.world.deformables().enumerate().map(|(k, d)| (d.id(), file_name(k, d.name())));
        let softs: Vec<(DeformableId, String)> = softs.collect();
        let lines = drawing.rods.len() + drawing.ropes.len();
        let there = [
            (BODIES, drawing.bodies.iter().any(|b| b.parts.iter().any(|p| !p.ground))),
            (JOINTS, !drawing.joints.is_empty()),
            (LINES, lines > 0),
        ];
        let others: Vec<&'static str> = there.into_iter().filter(|t| t.1).map(|t| t.0).collect();
        std::fs::create_dir_all(folder).map_err(|e| format!("--vtu = {}: {e}", folder.display()))?;
        let files = vec![Vec::new(); softs.len() + others.len()];
        let mut open = Open { folder: folder.to_owned(), drawing, softs, others, files, due: 0.0, failure: None };
        open.names().and_then(|()| open.keep(&scene.world)).map_err(|e| format!("--vtu: {e}"))?;
        Ok(Series(Some(open)))
    }

    /// Looks at the world after a step.
    pub fn see(&mut self, world: &World) {
        if let Some(open) = self.0.as_mut().filter(|o| o.failure.is_none())
            && world.time() >= open.due * (1.0 - 1e-6)
        {
            open.failure = open.keep(world).err();
        }
    }

    /// Writes the lists of the files.
    pub fn finish(self) -> Result<(), String> {
        let Some(open) = self.0 else { return Ok(()) };
        if let Some(why) = open.failure {
            return Err(format!("--vtu: {why}"));
        }
        let names = open.softs.iter().map(|s| s.1.as_str()).chain(open.others.iter().copied());
        for (name, files) in names.zip(&open.files) {
            let list: Vec<(f64, &str)> = files.iter().map(|(t, f)| (*t, f.as_str())).collect();
            let path = open.folder.join(format!("{name}.pvd"));
            std::fs::write(&path, taut_mesh::write_pvd(&list))
                .map_err(|e| format!("--vtu: {}: {e}", path.display()))?;
        }
        Ok(())
    }
}

impl Open {
    /// What the numbers of bodies, joints and ropes mean.
    fn names(&self) -> Result<(), String> {
        let d = &self.drawing;
        let bodies = d.bodies.iter().map(|b| ("body", b.motion, &b.name));
        let joints = d.joints.iter().map(|j| ("joint", j.kind, &j.name));
        let (bodies, joints) = (bodies.enumerate(), joints.enumerate());
        let ropes = d.ropes.iter().map(|r| ("rope", "rope", &r.name)).enumerate();
        let line =
            |(k, (what, kind, name)): (usize, (&str, &str, &String))| format!("{what},{k},{kind},{}\n", quoted(name));
        let text: String = bodies.chain(joints).chain(ropes).map(line).collect();
        let path = self.folder.join("names.csv");
        std::fs::write(&path, format!("what,number,kind,name\n{text}")).map_err(|e| format!("{}: {e}", path.display()))
    }

    fn keep(&mut self, world: &World) -> Result<(), String> {
        self.due = world.time() + 1.0 / FPS;
        for (k, files) in self.files.iter_mut().enumerate() {
            let (name, text) = match self.softs.get(k) {
                // A deformable that is gone leaves its series where it is.
                Some((id, name)) => match world.deformable(*id) {
                    Ok(d) => (name.as_str(), text(&d)),
                    Err(_) => continue,
                },
                None => match self.others[k - self.softs.len()] {
                    BODIES => (BODIES, bodies(world, &self.drawing)),
                    JOINTS => (JOINTS, joints(world, &self.drawing)),
                    name => (name, lines(&Moment::new(world, &self.drawing))),
                },
            };
            let file = format!("{name}.{:05}.vtu", files.len());
            let text = text.map_err(|e| e.to_string())?;
            std::fs::write(self.folder.join(&file), text).map_err(|e| format!("{file}: {e}"))?;
            files.push((world.time(), file));
        }
        Ok(())
    }
}

/// The bodies as they are drawn, without half spaces. Every point has the velocity of the body there.
fn bodies(world: &World, drawing: &Drawing) -> Result<String, taut_mesh::Error> {
    let mut mesh = Mesh::default();
    let (mut velocity, mut number, mut mass, mut turn) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (k, body) in drawing.bodies.iter().enumerate() {
        let Some(b) = drawing.body(k).and_then(|id| world.body(id).ok()) else { continue };
        for part in body.parts.iter().filter(|p| !p.ground) {
            let look = &drawing.meshes[part.mesh];
            let local = Pose { pos: Vec3::from_array(part.pos), rot: Quat::from_array(part.rot) };
            let first = mesh.nodes.len() as u32;
            for p in &look.positions {
                let at = b.pose().to_world(local.to_world(Vec3::from_array(p.map(f64::from))));
                velocity.push(b.velocity() + b.angular_velocity().cross(at - b.position()));
                mesh.nodes.push(at);
            }
            for t in look.indices.chunks_exact(3) {
                let corners: Vec<u32> = t.iter().map(|n| first + n).collect();
                mesh.cells.extend(Cell::new(CellKind::Tri3, &corners));
                number.push(k as f64);
                mass.push(body.mass);
                turn.push(b.angular_velocity());
            }
        }
    }
    let cells =
        [Field::scalars("body", &number), Field::scalars("mass", &mass), Field::vectors("angular velocity", &turn)];
    taut_mesh::write_vtu(&mesh, &[Field::vectors("velocity", &velocity)], &cells)
}

/// The points of the joints, with what they carry on their first body.
fn joints(world: &World, drawing: &Drawing) -> Result<String, taut_mesh::Error> {
    let (mut points, mut number, mut force, mut torque, mut gap) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for k in 0..drawing.joints.len() {
        let Some(j) = drawing.joint(k).and_then(|id| world.joint(id).ok()) else { continue };
        let carried = j.reaction();
        points.push(j.points().0);
        number.push(k as f64);
        force.push(carried.force);
        torque.push(carried.torque);
        gap.push(taut_scenes::opening(&j));
    }
    let fields = [
        Field::scalars("joint", &number),
        Field::vectors("force", &force),
        Field::vectors("torque", &torque),
        Field::scalars("gap", &gap),
    ];
    taut_mesh::write_vtu_points(&points, &fields)
}

/// Links of cables, rods, springs and ropes, straight piece by straight piece, with their tension. Pieces of ropes over guides have the number
/// of their rope, others -1.
fn lines(moment: &Moment<'_>) -> Result<String, taut_mesh::Error> {
    let mut mesh = Mesh::default();
    let (mut tension, mut rope) = (Vec::new(), Vec::new());
    let mut piece = |at: &[f64], number: f64| {
        let first = mesh.nodes.len() as u32;
        mesh.nodes.extend(at[..6].chunks_exact(3).map(Vec3::from_slice));
        tension.push(at[6]);
        rope.push(number);
        mesh.cells.extend(Cell::new(CellKind::Bar2, &[first, first + 1]));
    };
    // What is gone has both ends at the origin.
    let rods = moment.rods();
    rods.chunks_exact(7).filter(|at| at[..6].iter().any(|x| *x != 0.0)).for_each(|at| piece(at, -1.0));
    moment.ropes().chunks_exact(9).for_each(|at| piece(at, at[7]));
    taut_mesh::write_vtu(&mesh, &[], &[Field::scalars("tension", &tension), Field::scalars("rope", &rope)])
}

/// One deformable now.
fn text(d: &DeformableRef<'_>) -> Result<String, taut_mesh::Error> {
    let elements = d.elements();
    let empty = Mesh::default();
    let mesh = elements.mesh().unwrap_or(&empty);
    let now: Vec<Vec3> = d.positions().collect();
    let moved: Vec<Vec3> = now.iter().zip(&mesh.nodes).map(|(x, rest)| *x - *rest).collect();
    // Means over the points of each element, which may stand for several cells.
    let count = mesh.cells.len();
    let (mut stress, mut mises, mut volume, mut plastic) =
        (vec![Mat3::ZERO; count], vec![0.0; count], vec![1.0; count], vec![0.0; count]);
    for e in (0..elements.len()).filter(|&e| elements.points(e) > 0) {
        let share = 1.0 / elements.points(e) as f64;
        let (mut s, mut m, mut j, mut p) = (Mat3::ZERO, 0.0, 0.0, 0.0);
        for o in (0..elements.points(e)).filter_map(|q| d.output(e, q).ok()) {
            s += share * o.cauchy;
            m += share * o.von_mises;
            j += share * o.j;
            p += share * o.plastic_strain;
        }
        for &c in elements.cells(e) {
            let c = c as usize;
            (stress[c], mises[c], volume[c], plastic[c]) = (s, m, j, p);
        }
    }
    let mesh = Mesh { nodes: now, cells: mesh.cells.clone() };
    let nodes = [Field::vectors("displacement", &moved), Field::scalars("von Mises stress", &d.stress())];
    let cells = [
        Field::tensors("Cauchy stress", &stress),
        Field::scalars("von Mises stress of the cell", &mises),
        Field::scalars("volume over that at rest", &volume),
        Field::scalars("plastic strain", &plastic),
    ];
    taut_mesh::write_vtu(&mesh, if moved.is_empty() { &[] } else { &nodes }, if count == 0 { &[] } else { &cells })
}

/// A name of letters, digits and dashes that no other deformable has.
fn file_name(k: usize, name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    if plain.is_empty() { format!("deformable-{k}") } else { format!("{plain}-{k}") }
}
