//! What named joints, motors, ropes, springs and deformables and followed bodies do, as columns of the table of a run. What
//! joints, ropes and springs carry are load cells.

use crate::file::Followed;
use crate::joint_meter::{counting, freedom_unit, freedom_word, has_tension, opening};
use crate::scene::Scene;
use crate::suggest::nearest;
use std::collections::BTreeSet;
use taut::{
    BodyId, DeformableId, Force, ForceId, Freedom, JointId, JointRef, MotorId, MotorRef, RopeId, RopeRef, World,
};

/// One thing whose numbers are columns.
#[derive(Clone, Debug)]
enum Source {
    Joint {
        id: JointId,
        sign: f64,
        tension: bool,
    },
    /// With where it is and how fast, unless the joint has columns of that.
    Motor {
        id: MotorId,
        sign: f64,
        moves: bool,
    },
    /// A spring: what it pulls with.
    Spring(ForceId),
    /// A body, and whether what water and wind do to it is told.
    Body(BodyId, bool),
    /// The wind.
    Wind,
    Deformable(DeformableId),
    Node(DeformableId, usize),
    /// Over guides, with the number of its spans.
    Rope(RopeId, usize),
}

/// Columns of things.
#[derive(Debug, Default)]
pub struct Signals {
    names: Vec<String>,
    /// Each with the number of its columns.
    sources: Vec<(Source, usize)>,
}

/// Which signals are wanted: none, all, or those of some names.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// None.
    None,
    /// Those of all that has a name, and of the bodies that are followed.
    All,
    /// Those of these names.
    Some(Vec<String>),
}

impl Wanted {
    /// From a list of names, which stands for all when it is empty.
    pub fn of(given: Option<&[String]>) -> Self {
        let Some(given) = given else { return Wanted::None };
        let words = given.iter().map(|w| w.trim().to_owned()).filter(|w| !w.is_empty());
        let list: Vec<String> = words.collect();
        if list.is_empty() { Wanted::All } else { Wanted::Some(list) }
    }
}

impl Signals {
    /// The columns that are wanted of a scene. `follow` is what it follows; a scene file (`from_file`) counts the angles of universal joints
    /// the other way than the engine. A name that nothing has is refused.
    pub fn new(scene: &Scene, from_file: bool, follow: &[Followed], wanted: &Wanted) -> Result<Self, String> {
        let world = &scene.world;
        let mut out = Signals::default();
        let known = Known::of(world);
        match wanted {
            Wanted::None => {}
            Wanted::All => {
                world.joints().filter(|j| !j.name().is_empty()).for_each(|j| out.joint(&j, from_file));
                // A joint that has no name has no columns.
                known.motors.iter().for_each(|(name, id)| out.motor(world, name, *id, from_file));
                world.ropes().filter(|r| !r.name().is_empty()).for_each(|r| out.rope(&r));
                out.bodies(world, follow);
                springs(world).for_each(|(id, name)| out.spring(id, name));
                out.wind(world);
                let named = world.deformables().filter(|d| !d.name().is_empty());
                named.for_each(|d| out.deformable(d.id(), d.name()));
            }
            Wanted::Some(names) => {
                for name in names {
                    if !out.named(world, from_file, &known, name) {
                        return Err(known.refuse(name));
                    }
                }
            }
        }
        Ok(out)
    }

    /// Adds what has a name: a joint with its motor, a motor, a body.
    fn named(&mut self, world: &World, from_file: bool, known: &Known, name: &str) -> bool {
        let before = self.sources.len();
        for j in world.joints().filter(|j| j.name() == name) {
            self.joint(&j, from_file);
        }
        for (_, id) in known.motors.iter().filter(|(n, _)| n == name) {
            self.motor(world, name, *id, from_file);
        }
        for b in world.bodies().filter(|b| b.name() == name) {
            self.body(world, b.id(), name);
        }
        springs(world).filter(|s| s.1 == name).for_each(|(id, name)| self.spring(id, name));
        if name == "wind" {
            self.wind(world);
        }
        world.ropes().filter(|r| r.name() == name).for_each(|r| self.rope(&r));
        world.deformables().filter(|d| d.name() == name).for_each(|d| self.deformable(d.id(), name));
        if self.sources.len() == before
            && let Some(node) = crate::soft::node(world, name)
        {
            self.body(world, node, name);
        }
        if self.sources.len() == before {
            self.node(world, name);
        }
        self.sources.len() > before || known.names.contains(name)
    }

    /// Whether a body has columns.
    pub fn has_body(&self, id: BodyId) -> bool {
        self.sources.iter().any(|(s, _)| matches!(s, Source::Body(b, _) if *b == id))
    }

    /// Whether the position and rate of a motor are among the columns of its joint.
    fn has_freedom(&self, j: &JointRef<'_>, freedom: Freedom) -> bool {
        let here = |s: &Source| matches!(s, Source::Joint { id, .. } if *id == j.id());
        j.freedoms().contains(&freedom) && self.sources.iter().any(|(s, _)| here(s))
    }

    /// Adds columns, each thing once.
    fn add(&mut self, source: Source, columns: Vec<String>) {
        if self.sources.iter().any(|(s, _)| s.is_of(&source)) {
            return;
        }
        self.sources.push((source, columns.len()));
        self.names.extend(columns);
    }

    fn joint(&mut self, j: &JointRef<'_>, from_file: bool) {
        let of = |what: &str, unit: &str| format!("joint.{}.{what} [{unit}]", j.name());
        let mut columns = vec![of("force", "N"), of("torque", "N m"), of("gap", "m")];
        let tension = has_tension(j);
        if tension {
            columns.push(of("tension", "N"));
        }
        for f in j.freedoms() {
            let (word, unit) = (freedom_word(*f), freedom_unit(*f));
            columns.extend([of(&format!("{word}.q"), unit), of(&format!("{word}.rate"), &format!("{unit}/s"))]);
        }
        self.add(Source::Joint { id: j.id(), sign: counting(j, from_file), tension }, columns);
    }

    fn motor(&mut self, world: &World, name: &str, id: MotorId, from_file: bool) {
        let (Ok(m), Ok(j)) = (world.motor(id), world.joint(id.joint())) else { return };
        let unit = freedom_unit(m.freedom());
        let force = if unit == "m" { "N" } else { "N m" };
        let of = |what: &str, unit: &str| format!("motor.{name}.{what} [{unit}]");
        let (rate, moves) = (format!("{unit}/s"), !self.has_freedom(&j, m.freedom()));
        let mut columns = vec![of("effort", force)];
        if moves {
            columns.extend([of("position", unit), of("rate", &rate)]);
        }
        columns.extend([of("target", unit), of("target_rate", &rate)]);
        let sign = if matches!(m.freedom(), Freedom::Lean(..)) { counting(&j, from_file) } else { 1.0 };
        self.add(Source::Motor { id, sign, moves }, columns);
    }

    fn spring(&mut self, id: ForceId, name: &str) {
        self.add(Source::Spring(id), vec![format!("spring.{name}.force [N]")]);
    }

    fn wind(&mut self, world: &World) {
        if world.wind().is_some() {
            self.add(Source::Wind, ["vx", "vy", "vz"].map(|c| format!("wind.{c} [m/s]")).to_vec());
        }
    }

    fn body(&mut self, world: &World, id: BodyId, name: &str) {
        let of = |what: &str, unit: &str| format!("body.{name}.{what}{unit}");
        let mut columns: Vec<String> = ["x", "y", "z"].iter().map(|c| of(c, " [m]")).collect();
        columns.extend(["qx", "qy", "qz", "qw"].iter().map(|c| of(c, "")));
        columns.extend(["vx", "vy", "vz"].iter().map(|c| of(c, " [m/s]")));
        columns.extend(["wx", "wy", "wz"].iter().map(|c| of(c, " [rad/s]")));
        let wet = world.water().is_some() || world.wind().is_some();
        if wet {
            columns.extend([of("immersed", " [m^3]"), of("buoyancy", " [N]"), of("drag", " [N]"), of("depth", " [m]")]);
        }
        self.add(Source::Body(id, wet), columns);
    }

    fn rope(&mut self, r: &RopeRef<'_>) {
        let of = |what: &str, unit: &str| format!("rope.{}.{what} [{unit}]", r.name());
        let spans = r.span_count();
        let mut columns: Vec<String> = (0..spans).map(|k| of(&format!("span{k}.tension"), "N")).collect();
        columns.extend((1..spans).map(|k| of(&format!("guide{k}.wrap"), "rad")));
        columns.extend([of("length", "m"), of("paid_out", "m"), of("slack", "m")]);
        if r.torsion().is_some() {
            columns.extend([of("twist", "rad"), of("torque", "N m")]);
        }
        self.add(Source::Rope(r.id(), spans), columns);
    }

    fn deformable(&mut self, id: DeformableId, name: &str) {
        let of = |what: &str, unit: &str| format!("deformable.{name}.{what} [{unit}]");
        let mut columns: Vec<String> = ["tip_x", "tip_y", "tip_z"].iter().map(|c| of(c, "m")).collect();
        columns.extend([of("energy", "J"), of("volume", "m^3"), of("stress", "Pa"), of("strain", "-")]);
        self.add(Source::Deformable(id), columns);
    }

    /// A node by `name[7]`, where it is no body of its own: held, bound or mapped.
    fn node(&mut self, world: &World, name: &str) {
        let Some((of, number)) = name.strip_suffix(']').and_then(|n| n.rsplit_once('[')) else { return };
        let (Ok(id), Ok(k)) = (world.find_deformable(of), number.parse::<usize>()) else { return };
        if world.deformable(id).is_ok_and(|d| d.is_bound(k).unwrap_or(false)) {
            let of = |what: &str, unit: &str| format!("node.{name}.{what} [{unit}]");
            let places = ["x", "y", "z"].iter().map(|c| of(c, "m"));
            self.add(Source::Node(id, k), places.chain(["vx", "vy", "vz"].iter().map(|c| of(c, "m/s"))).collect());
        }
    }

    /// The bodies that the scene follows.
    fn bodies(&mut self, world: &World, follow: &[Followed]) {
        for f in follow {
            let &Followed::Body(id) = f else { continue };
            let name = world.body(id).map_or(String::new(), |b| b.name().to_owned());
            self.body(world, id, if name.is_empty() { "followed" } else { &name });
        }
    }

    /// What has columns, such as `rope.hoist`, each with its columns without that.
    pub fn things(&self) -> Vec<(String, Vec<String>)> {
        let mut names = self.names.iter();
        let mut out = Vec::new();
        for (_, count) in &self.sources {
            let columns: Vec<&String> = names.by_ref().take(*count).collect();
            // All columns of one thing begin alike; a name may have dots of its own.
            let first = columns.first().map_or("", |c| c.as_str());
            let alike = |n: usize| columns.iter().all(|c| c.get(..n) == first.get(..n));
            let mut dots = first.match_indices('.').map(|(at, _)| at).filter(|&at| alike(at + 1));
            let cut = dots.next_back().unwrap_or(0);
            let rest = columns.iter().map(|c| c[cut..].trim_start_matches('.').to_owned()).collect();
            out.push((first[..cut].to_owned(), rest));
        }
        out
    }

    /// The motors that have columns, by name, each with the sign by which its columns count.
    pub fn motors(&self) -> impl Iterator<Item = (String, MotorId, f64)> {
        let motor = |(name, source): (String, &Source)| match source {
            Source::Motor { id, sign, .. } => Some((name.split_once('.')?.1.to_owned(), *id, *sign)),
            _ => None,
        };
        self.sourced().filter_map(motor)
    }

    /// The ropes over guides that have columns, by name.
    pub fn ropes(&self) -> impl Iterator<Item = (String, RopeId)> {
        self.sourced().filter_map(|(name, source)| match source {
            Source::Rope(id, _) => Some((name.split_once('.')?.1.to_owned(), *id)),
            _ => None,
        })
    }

    /// The bodies that have columns, by name.
    pub fn bodies_with(&self) -> impl Iterator<Item = (String, BodyId)> {
        self.sourced().filter_map(|(name, source)| match source {
            Source::Body(id, _) => Some((name.split_once('.')?.1.to_owned(), *id)),
            _ => None,
        })
    }

    /// What has columns, such as `rope.hoist`, with what that is.
    fn sourced(&self) -> impl Iterator<Item = (String, &Source)> {
        self.things().into_iter().map(|t| t.0).zip(self.sources.iter().map(|s| &s.0))
    }

    /// Names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Their values now; nothing for what is gone.
    pub fn values(&self, world: &World, out: &mut Vec<Option<f64>>) {
        for (source, count) in &self.sources {
            let before = out.len();
            source.values(world, out);
            out.resize(before + count, None);
        }
    }
}

impl Source {
    /// Whether both are of the same thing.
    fn is_of(&self, other: &Source) -> bool {
        match (self, other) {
            (Source::Joint { id: a, .. }, Source::Joint { id: b, .. }) => a == b,
            (Source::Motor { id: a, .. }, Source::Motor { id: b, .. }) => a == b,
            (Source::Spring(a), Source::Spring(b)) => a == b,
            (Source::Body(a, _), Source::Body(b, _)) => a == b,
            (Source::Wind, Source::Wind) => true,
            (Source::Deformable(a), Source::Deformable(b)) => a == b,
            (Source::Node(a, j), Source::Node(b, k)) => (a, j) == (b, k),
            (Source::Rope(a, _), Source::Rope(b, _)) => a == b,
            _ => false,
        }
    }

    fn values(&self, world: &World, out: &mut Vec<Option<f64>>) {
        match *self {
            Source::Joint { id, sign, tension } => {
                let Ok(j) = world.joint(id) else { return };
                let reaction = j.reaction();
                out.extend([reaction.force.length(), reaction.torque.length(), opening(&j)].map(Some));
                out.extend(tension.then(|| Some(j.tension())));
                out.extend(j.coordinates().flat_map(|(_, q, rate)| [Some(sign * q), Some(sign * rate)]));
            }
            Source::Motor { id, sign, moves } => {
                let Ok(m) = world.motor(id) else { return };
                let told = m.command();
                out.push(Some(sign * m.effort()));
                if moves {
                    out.extend([m.position(), m.rate()].map(|x| Some(sign * x)));
                }
                out.extend([told.map(|c| sign * c.target), told.map(|c| sign * c.rate)]);
            }
            Source::Deformable(id) => {
                let Ok(d) = world.deformable(id) else { return };
                let tip = crate::soft::tip(&d).and_then(|(k, _)| d.position(k).ok());
                out.extend(tip.map_or([None; 3], |p| p.to_array().map(Some)));
                out.extend([d.energy(), d.volume(), d.extremes().0, d.largest_strain()].map(Some));
            }
            Source::Node(id, k) => {
                let Ok(d) = world.deformable(id) else { return };
                let (Ok(x), Ok(v)) = (d.position(k), d.velocity(k)) else { return };
                out.extend(x.to_array().into_iter().chain(v.to_array()).map(Some));
            }
            Source::Rope(id, spans) => {
                let Ok(r) = world.rope(id) else { return };
                // Guides that came or went since have no columns.
                let fixed = |list: &mut dyn Iterator<Item = f64>, count: usize| -> Vec<Option<f64>> {
                    list.map(Some).chain(std::iter::repeat(None)).take(count).collect()
                };
                out.extend(fixed(&mut r.tensions(), spans));
                out.extend(fixed(&mut r.wraps(), spans - 1));
                out.extend([r.length(), r.paid_out(), (-r.excess()).max(0.0)].map(Some));
                if r.torsion().is_some() {
                    out.extend([r.twist(), r.torque()].map(Some));
                }
            }
            Source::Spring(id) => {
                let Ok(f) = world.force_view(id) else { return };
                // Positive where it pulls its ends together.
                out.push(Some(f.force.dot((f.other - f.point).normalize_or_zero())));
            }
            Source::Wind => out.extend(world.wind_now().to_array().map(Some)),
            Source::Body(id, wet) => {
                let Ok(b) = world.body(id) else { return };
                let (p, q) = (b.position().to_array(), b.rotation().to_array());
                let (v, w) = (b.velocity().to_array(), b.angular_velocity().to_array());
                out.extend(p.into_iter().chain(q).chain(v).chain(w).map(Some));
                if let (true, Ok(a)) = (wet, world.afloat(id)) {
                    out.extend([a.volume, a.buoyancy.length(), a.drag.length()].map(Some));
                    out.push(world.water_at(b.position()).map(|w| w.depth));
                }
            }
        }
    }
}

/// Springs with a name.
fn springs(world: &World) -> impl Iterator<Item = (ForceId, &str)> {
    let spring = |id: &ForceId| matches!(world.force(*id), Ok(Force::Spring(_)));
    let named = world.forces().filter(spring).filter_map(|id| Some((id, world.force_name(id).ok()?)));
    named.filter(|(_, name)| !name.is_empty())
}

/// Names of motors, with those that joints lend to their only motor; and all names.
struct Known {
    motors: Vec<(String, MotorId)>,
    names: BTreeSet<String>,
}

impl Known {
    fn of(world: &World) -> Self {
        let of = |m: MotorRef<'_>| {
            let joint = world.joint(m.id().joint()).map_or("", |j| j.name());
            let only = world.motors().filter(|o| o.id().joint() == m.id().joint()).count() == 1;
            let name = if m.name().is_empty() && only { joint } else { m.name() };
            (!name.is_empty()).then(|| (name.to_owned(), m.id()))
        };
        let motors: Vec<(String, MotorId)> = world.motors().filter_map(of).collect();
        let mut names: BTreeSet<String> = motors.iter().map(|m| m.0.clone()).collect();
        names.extend(world.joints().map(|j| j.name().to_owned()).chain(world.bodies().map(|b| b.name().to_owned())));
        names.extend(world.deformables().map(|d| d.name().to_owned()));
        names.extend(world.ropes().map(|r| r.name().to_owned()).chain(springs(world).map(|s| s.1.to_owned())));
        names.extend(world.wind().map(|_| "wind".to_owned()));
        names.remove("");
        Known { motors, names }
    }

    fn refuse(&self, name: &str) -> String {
        let hint = nearest(name, self.names.iter().map(String::as_str))
            .map_or(String::new(), |n| format!("; did you mean {n}?"));
        format!("{name}: expected the name of a joint, motor, rope, body, spring or deformable of the scene{hint}")
    }
}
