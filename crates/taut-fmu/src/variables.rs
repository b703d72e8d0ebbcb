//! The variables of an FMU.

use crate::recipe::Made;
use taut::{BodyId, Drive, JointId, Motion, MotorId, RopeId, WinchId, World};
use taut_scenes::freedom_unit;

/// Of which type a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Real,
    /// True or false; kept as 1 or 0.
    Boolean,
    /// Text.
    Text,
}

impl Kind {
    /// In a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Real => "real",
            Kind::Boolean => "boolean",
            Kind::Text => "text",
        }
    }
}

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The time.
    Time,
    /// Set before the end of initialisation.
    Parameter,
    /// Set at any time.
    Input,
    /// What the scene does.
    Output,
    /// The same, not to be connected.
    Local,
}

impl Role {
    /// In a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Role::Time => "time",
            Role::Parameter => "parameter",
            Role::Input => "input",
            Role::Output => "output",
            Role::Local => "local",
        }
    }
}

/// A variable. Its value reference is its place in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Such as `motor.slew.set_rate`.
    pub name: String,
    /// Its type.
    pub kind: Kind,
    /// What it is for.
    pub role: Role,
    /// Of a number; empty for none.
    pub unit: String,
    /// For the user.
    pub description: String,
    /// What parameters and inputs are at first.
    pub start: f64,
}

/// Where a value comes from, or goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    Time,
    /// The internal step, s.
    Step,
    /// One of the three numbers.
    Gravity(usize),
    Mass(BodyId),
    /// What a motor is told.
    Target(MotorId),
    Rate(MotorId),
    /// Whether it is, and the sign by which it counts.
    Driven(MotorId, f64),
    /// A winch by its hinge.
    Speed(WinchId),
    Hauls(JointId),
    PayOut(RopeId),
    /// One of the three numbers.
    Force(BodyId, usize),
    Torque(BodyId, usize),
    /// A column of the signals.
    Signal(usize),
    /// A number of the report.
    Report(usize),
    Hash,
}

/// Names, units and meanings of the numbers of a report.
pub(crate) const REPORT: [(&str, &str, &str); 10] = [
    ("energy.kinetic", "J", "energy of motion"),
    ("energy.gravity", "J", "energy of height"),
    ("energy.elastic", "J", "energy of springs and soft joints"),
    ("energy.total", "J", "sum of the energies"),
    ("energy.imbalance", "J", "what the ledger of the last step does not account for"),
    ("gap.max", "m", "largest opening of a rigid joint"),
    ("gap.sum", "m", "sum of the openings of all rigid joints"),
    ("gap.angle", "rad", "largest angular error of a rigid joint"),
    ("gap.overrun", "m", "largest excess of rigid ropes and limits of length"),
    ("gap.penetration", "m", "deepest penetration of rigid contacts at the start of the last step"),
];

const AXES: [&str; 3] = ["x", "y", "z"];

/// The list in the making.
#[derive(Default)]
pub(crate) struct List {
    pub variables: Vec<Variable>,
    pub what: Vec<What>,
}

impl List {
    /// All variables of a scene with a step, s.
    pub fn of(made: &Made, dt: f64) -> List {
        let mut list = List::default();
        let world = &made.scene.world;
        list.add(What::Time, Role::Time, "time", "s", "Simulation time", 0.0);
        list.parameters(made, dt);
        list.motors(made);
        for (name, id) in made.signals.ropes() {
            let description = "Rate at which the rope is paid out at its end; negative: hauled in";
            list.add(What::PayOut(id), Role::Input, &format!("rope.{name}.pay_out"), "m/s", description, 0.0);
        }
        for (name, id) in made.signals.bodies_with().filter(|(_, id)| is_free(world, *id)) {
            for k in 0..3 {
                let of = |what: &str| format!("body.{name}.{what}_{}", AXES[k]);
                let description = "External force at the centre of mass, along an axis of the world";
                list.add(What::Force(id, k), Role::Input, &of("force"), "N", description, 0.0);
            }
            if world.body(id).is_ok_and(|b| b.motion() == Motion::Particle) {
                continue;
            }
            for k in 0..3 {
                let of = |what: &str| format!("body.{name}.{what}_{}", AXES[k]);
                let description = "External torque, about an axis of the world";
                list.add(What::Torque(id, k), Role::Input, &of("torque"), "N m", description, 0.0);
            }
        }
        for (k, column) in made.signals.names().iter().enumerate() {
            let (name, unit) = match column.strip_suffix(']').and_then(|c| c.rsplit_once(" [")) {
                Some((name, unit)) => (name, if unit == "-" { "" } else { unit }),
                None => (column.as_str(), ""),
            };
            list.add(What::Signal(k), Role::Output, name, unit, "", 0.0);
        }
        for (k, (name, unit, description)) in REPORT.iter().enumerate() {
            list.add(What::Report(k), Role::Output, name, unit, description, 0.0);
        }
        list.add(What::Hash, Role::Local, "state.hash", "", "Hash of the state: equal runs have equal ones", 0.0);
        list
    }

    fn parameters(&mut self, made: &Made, dt: f64) {
        let world = &made.scene.world;
        let description = "Longest internal step; communication steps that are multiples of it are divided into it";
        self.add(What::Step, Role::Parameter, "settings.dt", "s", description, dt);
        for (k, axis) in AXES.into_iter().enumerate() {
            let (name, now) = (format!("settings.gravity_{axis}"), world.options().gravity[k]);
            self.add(What::Gravity(k), Role::Parameter, &name, "m/s^2", "Acceleration of gravity", now);
        }
        for (name, id) in made.signals.bodies_with().filter(|(_, id)| is_free(world, *id)) {
            let mass = world.body(id).map_or(0.0, |b| b.mass());
            let description = "Mass; the inertia goes with it";
            self.add(What::Mass(id), Role::Parameter, &format!("body.{name}.mass"), "kg", description, mass);
        }
    }

    fn motors(&mut self, made: &Made) {
        let (world, drive) = (&made.scene.world, made.scene.drive.as_ref());
        let told = |id: MotorId| world.motor(id).ok().and_then(|m| m.command());
        // What nobody else drives, and is told something, is told it through its inputs.
        let own = |id: MotorId| f64::from(told(id).is_some() && drive.is_none_or(|d| !d.drives(id)));
        for (name, id, sign) in made.signals.motors() {
            let Ok(motor) = world.motor(id) else { continue };
            let of = |what: &str| format!("motor.{name}.{what}");
            let driven = "Whether the inputs of the motor rule; else the scene does";
            if let Some((_, winch)) = made.winches.iter().find(|(_, w)| w.hinge == id.joint()) {
                let of = |what: &str| format!("winch.{name}.{what}");
                let speed = told(id).map_or(0.0, |c| c.rate * winch.radius * winds(world, *winch));
                let description = "Speed at which the winch hauls its rope in; negative: pays out";
                self.add(What::Speed(*winch), Role::Input, &of("set_speed"), "m/s", description, speed);
                self.add(What::Hauls(winch.hinge), Role::Input, &of("driven"), "", driven, 0.0);
                continue;
            }
            let unit = freedom_unit(motor.freedom());
            let now = told(id).map_or([0.0; 2], |c| [sign * c.target, sign * c.rate]);
            if matches!(motor.drive(), Drive::Servo { stiffness, .. } if stiffness > 0.0) {
                let description = "Where the servo goes to";
                self.add(What::Target(id), Role::Input, &of("set_target"), unit, description, now[0]);
            }
            let description = "Rate that the motor keeps";
            self.add(What::Rate(id), Role::Input, &of("set_rate"), &format!("{unit}/s"), description, now[1]);
            self.add(What::Driven(id, sign), Role::Input, &of("driven"), "", driven, own(id));
        }
    }

    fn add(&mut self, what: What, role: Role, name: &str, unit: &str, description: &str, start: f64) {
        let kind = match what {
            What::Driven(..) | What::Hauls(_) => Kind::Boolean,
            What::Hash => Kind::Text,
            _ => Kind::Real,
        };
        let (mut name, description) = (name.to_owned(), description.to_owned());
        // Names of an FMU are unique; a scene may have two things of one name.
        while self.variables.iter().any(|v| v.name == name) {
            name.push('\'');
        }
        self.variables.push(Variable { name, kind, role, unit: unit.to_owned(), description, start });
        self.what.push(what);
    }
}

/// Which way the motor of a winch turns when it hauls, +1 or -1.
fn winds(world: &World, winch: WinchId) -> f64 {
    world.winch_rate(winch, winch.radius).unwrap_or(1.0)
}

fn is_free(world: &World, id: BodyId) -> bool {
    world.body(id).is_ok_and(|b| matches!(b.motion(), Motion::Dynamic | Motion::Particle))
}
