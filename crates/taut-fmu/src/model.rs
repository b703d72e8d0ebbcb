//! A scene with variables that runs in steps of communication.

use crate::journal::{Changes, Deed, Entry, Journal};
use crate::recipe::Recipe;
use crate::variables::{Kind, List, REPORT, Role, Variable, What};
use taut::{Command, MassProperties, Options, Result, StepReport, Vec3};
use taut_scenes::golden::fnv;
use taut_scenes::signals::Signals;
use taut_scenes::{Hand, Scene, Snapshot, Wish};

/// Part of a step by which a communication step may differ from a whole number of them, or a time from another.
const SLACK: f64 = 1e-6;
/// Most internal steps of one communication step: more is a mistake in its length.
const MOST_STEPS: f64 = 1e9;

/// A scene with variables.
#[derive(Debug)]
pub struct Model {
    scene: Scene,
    variables: Vec<Variable>,
    what: Vec<What>,
    signals: Signals,
    /// Of parameters and inputs, by variable.
    values: Vec<f64>,
    report: [f64; REPORT.len()],
    /// Time of the importer when the scene is at its start, s.
    begin: f64,
    /// Values of the signals now; none when they are not known.
    seen: Option<Vec<Option<f64>>>,
    token: String,
    /// What was done since it was made, and the values that this knows of.
    journal: Journal,
    noted: Vec<f64>,
    /// As it was made.
    new: Option<Box<Kept>>,
}

/// A model as it was.
#[derive(Clone, Debug)]
pub struct Kept {
    scene: Snapshot,
    values: Vec<f64>,
    journal: Journal,
    noted: Vec<f64>,
    report: [f64; REPORT.len()],
    begin: f64,
}

/// What a communication step came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Stepped {
    /// All of it was taken.
    Done,
    /// An event of the scene has ended the run, with these words.
    Stopped(String),
}

/// A run that did not come to the same again.
const DIFFERS: &str =
    "serialised state: the run from its start came to another state: expected one that repeats to the last bit";

const MAGIC: &[u8; 8] = b"TAUTFMU2";

impl Model {
    /// Builds the scene of a recipe; `file` is the text of the scene file, if it has one.
    ///
    /// # Errors
    ///
    /// In words, what is wrong with the recipe or the file.
    pub fn new(recipe: &Recipe, file: Option<&str>) -> std::result::Result<Model, String> {
        let made = recipe.make(file)?;
        let List { variables, what } = List::of(&made, recipe.dt);
        let values: Vec<f64> = variables.iter().map(|v| v.start).collect();
        let names = variables.iter().flat_map(|v| v.name.bytes().chain([0]));
        let whole = recipe.write()?.into_bytes().into_iter().chain(file.unwrap_or("").bytes()).chain(names);
        let hash = fnv(whole.clone());
        let token = format!("{hash:016x}{:016x}", fnv(whole.chain(hash.to_le_bytes())));
        let mut model = Model {
            scene: made.scene,
            variables,
            what,
            signals: made.signals,
            journal: Journal::default(),
            noted: values.clone(),
            new: None,
            values,
            report: [0.0; REPORT.len()],
            begin: 0.0,
            seen: None,
            token,
        };
        model.report = model.first_report().map_err(|e| e.to_string())?;
        model.new = Some(Box::new(model.keep()));
        Ok(model)
    }

    /// The variables, by value reference.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// What tells this model from others: the GUID of FMI 2, the token of FMI 3.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Time of the importer, s.
    pub fn time(&self) -> f64 {
        self.begin + self.scene.world.time()
    }

    /// Says which time of the importer the start of the scene is, s.
    pub fn begin_at(&mut self, time: f64) {
        self.begin = time - self.scene.world.time();
    }

    /// What a variable is, when it has this type.
    fn at(&self, reference: u32, kind: Kind) -> std::result::Result<usize, String> {
        let place = reference as usize;
        match self.variables.get(place) {
            Some(v) if v.kind == kind => Ok(place),
            Some(v) => Err(format!("value reference {reference}: {} is of another type", v.name)),
            None => Err(format!("value reference {reference}: expected less than {}", self.variables.len())),
        }
    }

    /// A number, or 1 and 0 for true and false. What is gone from the scene is NaN.
    ///
    /// # Errors
    ///
    /// A reference that names nothing of this type.
    pub fn get(&mut self, reference: u32, kind: Kind) -> std::result::Result<f64, String> {
        let place = self.at(reference, kind)?;
        Ok(match self.what[place] {
            What::Time => self.time(),
            What::Report(k) => self.report[k],
            What::Signal(k) => {
                let (signals, world) = (&self.signals, &self.scene.world);
                let seen = self.seen.get_or_insert_with(|| {
                    let mut out = Vec::new();
                    signals.values(world, &mut out);
                    out
                });
                seen.get(k).copied().flatten().unwrap_or(f64::NAN)
            }
            _ => self.values[place],
        })
    }

    /// A text.
    ///
    /// # Errors
    ///
    /// A reference that names no text.
    pub fn text(&self, reference: u32) -> std::result::Result<String, String> {
        self.at(reference, Kind::Text)?;
        Ok(format!("{:016x}", self.scene.world.state().hash()))
    }

    /// Sets a parameter, before the end of initialisation (`early`), or an input.
    ///
    /// # Errors
    ///
    /// A reference that names nothing that can be set now, and numbers that are not finite.
    pub fn set(&mut self, reference: u32, kind: Kind, value: f64, early: bool) -> std::result::Result<(), String> {
        let place = self.at(reference, kind)?;
        let v = &self.variables[place];
        match v.role {
            Role::Input => {}
            Role::Parameter if early => {}
            Role::Parameter => return Err(format!("{}: expected to be set before the end of initialisation", v.name)),
            _ => return Err(format!("{}: expected an input or a parameter; the scene sets it", v.name)),
        }
        if !value.is_finite() {
            return Err(format!("{} = {value}: expected a finite number", v.name));
        }
        self.values[place] = value;
        Ok(())
    }

    /// Puts the parameters into the scene; needed after they were set.
    ///
    /// # Errors
    ///
    /// A parameter that the engine refuses.
    pub fn initialise(&mut self) -> std::result::Result<(), String> {
        self.note(Deed::Parameters);
        self.parametrise()?;
        self.report = self.first_report().map_err(|e| e.to_string())?;
        self.seen = None;
        Ok(())
    }

    fn parametrise(&mut self) -> std::result::Result<(), String> {
        let world = &mut self.scene.world;
        let mut gravity = world.options().gravity;
        for ((what, value), variable) in self.what.iter().zip(&self.values).zip(&self.variables) {
            let named = |e: taut::Error| format!("{}: {e}", variable.name);
            match *what {
                What::Step if *value <= 0.0 => {
                    return Err(format!("{} = {value}: expected a number of s greater than zero", variable.name));
                }
                What::Gravity(k) => gravity[k] = *value,
                What::Mass(id) => {
                    let now = world.body(id).map_err(named)?;
                    if now.mass() != *value {
                        let motion = now.motion();
                        let scaled = match motion {
                            // Of a particle the mass alone counts.
                            taut::Motion::Particle => {
                                MassProperties::sphere(1.0, 1.0).and_then(|m| m.with_mass(*value))
                            }
                            _ => now.mass_properties().with_mass(*value),
                        };
                        world.set_mass(id, &scaled.map_err(named)?).map_err(named)?;
                    }
                }
                _ => {}
            }
        }
        if gravity != world.options().gravity {
            world.set_options(Options { gravity, ..*world.options() }).map_err(|e| format!("settings.gravity: {e}"))?;
        }
        Ok(())
    }

    /// The numbers of a report before the first step.
    fn first_report(&self) -> Result<[f64; REPORT.len()]> {
        let e = self.scene.world.energy()?;
        let gaps = || self.scene.world.joints().map(|j| j.gap());
        let (most, sum) = (gaps().fold(0.0, f64::max), gaps().sum());
        Ok([e.kinetic, e.gravity, e.elastic, e.total(), 0.0, most, sum, 0.0, 0.0, 0.0])
    }

    /// Advances from a time by a communication step, both s. A whole number of internal steps is taken in these; any other step in the
    /// least number of equal ones that are no longer.
    ///
    /// # Errors
    ///
    /// A time that is not that of the model, a step that is not positive, and what the engine refuses.
    pub fn step(&mut self, from: f64, step: f64) -> std::result::Result<Stepped, String> {
        let (dt, now) = (self.value(|w| matches!(w, What::Step)), self.time());
        if (from - now).abs() > SLACK * dt.max(now.abs()) || from.is_nan() {
            return Err(format!("currentCommunicationPoint = {from}: expected {now} s, the time of the model"));
        }
        if !(step > 0.0 && step / dt <= MOST_STEPS) {
            let expected = format!("a number of s greater than zero, at most {MOST_STEPS:e} internal steps");
            return Err(format!("communicationStepSize = {step}: expected {expected}"));
        }
        let whole = (step / dt).round();
        let (count, h) = if whole > 0.0 && (step - whole * dt).abs() <= SLACK * dt {
            (whole, dt)
        } else {
            let count = (step / dt).ceil();
            (count, step / count)
        };
        let (tried, done) = self.advance(h, count as u64);
        self.note(Deed::Steps { h, each: tried, times: 1 });
        done
    }

    /// Takes so many internal steps, or as many as it can. Tells how many were tried.
    fn advance(&mut self, h: f64, count: u64) -> (u64, std::result::Result<Stepped, String>) {
        let hand = self.hand();
        self.seen = None;
        for tried in 1..=count {
            let report = self.push().and_then(|()| self.scene.next_step_by_hand(h, &hand));
            match report {
                Ok(Some(report)) => self.report = numbers(&report),
                Ok(None) => {
                    let said = self.scene.stopped().map_or(String::new(), |s| s.message.clone());
                    return (tried, Ok(Stepped::Stopped(said)));
                }
                Err(e) => return (tried, Err(e.to_string())),
            }
        }
        (count, Ok(Stepped::Done))
    }

    /// Notes what was done, with the values that were set before.
    fn note(&mut self, deed: Deed) {
        let pairs = self.values.iter().zip(&mut self.noted).enumerate();
        let mut changes = Changes::new();
        for (k, (now, noted)) in pairs.filter(|(_, (now, noted))| now.to_bits() != noted.to_bits()) {
            *noted = *now;
            changes.push((k as u32, *now));
        }
        self.journal.note(changes, deed);
    }

    /// Does again, from the start, what a journal says.
    fn repeat(&mut self, journal: &Journal) -> std::result::Result<(), String> {
        let Some(new) = self.new.clone() else { return Ok(()) };
        self.go_back(&new);
        for Entry { changes, deed } in journal.entries() {
            for (place, value) in changes {
                *self.values.get_mut(place as usize).ok_or("serialised state: a variable that is not there")? = value;
            }
            match deed {
                // What was refused then is refused now.
                Deed::Parameters => drop(self.parametrise()),
                Deed::Steps { h, each, times } => {
                    for _ in 0..times {
                        drop(self.advance(h, each));
                    }
                }
            }
        }
        Ok(())
    }

    /// The value of the variable that is so; 0 without one.
    fn value(&self, is: impl Fn(&What) -> bool) -> f64 {
        self.what.iter().position(is).map_or(0.0, |k| self.values[k])
    }

    /// What motors and ropes are told by the inputs.
    fn hand(&self) -> Hand {
        let mut hand = Hand::default();
        let world = &self.scene.world;
        for (what, value) in self.what.iter().zip(&self.values) {
            match *what {
                What::Driven(id, sign) if *value != 0.0 => {
                    // Without stiffness there is no target, and no variable.
                    let target = self.value(|w| matches!(w, What::Target(m) if *m == id));
                    let rate = self.value(|w| matches!(w, What::Rate(m) if *m == id));
                    hand.wish(id, Some(Wish::Command(Command { target: sign * target, rate: sign * rate })));
                }
                What::Hauls(hinge) if *value != 0.0 => {
                    let speed = self.what.iter().zip(&self.values).find_map(|(w, v)| match w {
                        What::Speed(winch) if winch.hinge == hinge => Some((*winch, *v)),
                        _ => None,
                    });
                    let rate = speed.and_then(|(winch, speed)| world.winch_rate(winch, speed).ok());
                    if let (Ok(motor), Some(rate)) = (world.motor(hinge), rate) {
                        hand.wish(motor.id(), Some(Wish::Command(Command::rate(rate))));
                    }
                }
                What::PayOut(id) => hand.pay_out(id, *value),
                _ => {}
            }
        }
        hand
    }

    /// External forces for the next step; what is gone is left alone.
    fn push(&mut self) -> Result<()> {
        let world = &mut self.scene.world;
        for (what, value) in self.what.iter().zip(&self.values).filter(|(_, v)| **v != 0.0) {
            let along = |k: usize| *value * Vec3::AXES[k];
            match *what {
                What::Force(id, k) => {
                    if let Ok(at) = world.body(id).map(|b| b.position()) {
                        world.apply_force(id, along(k), at)?;
                    }
                }
                What::Torque(id, k) if world.body(id).is_ok() => world.apply_torque(id, along(k))?,
                _ => {}
            }
        }
        Ok(())
    }

    /// All of the model as it is now.
    pub fn keep(&self) -> Kept {
        let Model { values, report, begin, journal, noted, .. } = self;
        let (values, journal, noted) = (values.clone(), journal.clone(), noted.clone());
        Kept { scene: self.scene.snapshot(), values, journal, noted, report: *report, begin: *begin }
    }

    /// Goes back to what it was.
    pub fn go_back(&mut self, kept: &Kept) {
        self.scene.restore(&kept.scene);
        self.values.clone_from(&kept.values);
        self.noted.clone_from(&kept.noted);
        self.journal = kept.journal.clone();
        (self.report, self.begin, self.seen) = (kept.report, kept.begin, None);
    }

    /// The model as bytes, which another instance of the same FMU can go on from ([`Model::restore`]).
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let numbers = self.values.iter().chain(&self.report).chain([&self.begin]);
        out.extend_from_slice(self.token.as_bytes());
        out.extend(numbers.flat_map(|x| x.to_le_bytes()));
        out.extend(self.scene.world.state().hash().to_le_bytes());
        out.extend(self.journal.to_bytes());
        out.extend_from_slice(&self.scene.to_bytes());
        let sum = fnv(out.iter().copied());
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }

    /// Goes on from bytes. Where a part of the scene has broken, was removed or cut by then, the run is repeated from its start, which takes
    /// its time. On an error nothing has changed.
    ///
    /// # Errors
    ///
    /// Bytes that are damaged or of another FMU; and those of a run that does not repeat, as of a solver with a budget of seconds.
    pub fn restore(&mut self, bytes: &[u8]) -> std::result::Result<(), String> {
        let head = MAGIC.len() + self.token.len();
        let count = self.values.len() + self.report.len() + 1;
        let numbers = head + 8 * count;
        if bytes.len() < numbers + 16 || !bytes.starts_with(MAGIC) || bytes[MAGIC.len()..head] != *self.token.as_bytes()
        {
            return Err(format!("serialised state of {} bytes: expected one of this FMU", bytes.len()));
        }
        let damaged = || "serialised state: its checksum says that it is damaged".to_owned();
        let (bytes, sum) = bytes.split_at(bytes.len() - 8);
        if *sum != fnv(bytes.iter().copied()).to_le_bytes() {
            return Err(damaged());
        }
        let (journal, size) = Journal::read(&bytes[numbers + 8..]).ok_or_else(damaged)?;
        let end = numbers + 8 + size;
        let word = |b: &[u8]| f64::from_bits(b.iter().rev().fold(0, |sum, b| (sum << 8) | u64::from(*b)));
        let read: Vec<f64> = bytes[head..numbers].chunks_exact(8).map(word).collect();
        let before = self.keep();
        let (values, rest) = read.split_at(self.values.len());
        self.values.copy_from_slice(values);
        self.report.copy_from_slice(&rest[..REPORT.len()]);
        self.begin = rest[REPORT.len()];
        self.seen = None;
        let hash = &bytes[numbers..numbers + 8];
        let same = |m: &Model| m.scene.world.state().hash().to_le_bytes() == *hash;
        let scene = |m: &mut Model| m.scene.restore_bytes(&bytes[end..]).map_err(|e| e.to_string());
        let (values, begin, report) = (self.values.clone(), self.begin, self.report);
        let done = match self.parametrise().and_then(|()| scene(self)) {
            Ok(()) if same(self) => Ok(()),
            // The scene has another structure by then.
            _ => self.repeat(&journal).and_then(|()| if same(self) { Ok(()) } else { Err(DIFFERS.into()) }),
        };
        if done.is_err() {
            self.go_back(&before);
            return done;
        }
        (self.values, self.begin, self.report, self.seen) = (values, begin, report, None);
        self.noted = self.values.clone();
        self.journal = journal;
        Ok(())
    }
}

/// The numbers of a report, as [`REPORT`] names them.
fn numbers(r: &StepReport) -> [f64; REPORT.len()] {
    let (e, b) = (&r.energy, &r.bounded);
    let gaps = [r.max_gap, r.sum_gap, r.max_angle, b.overrun, b.penetration];
    let energies = [e.kinetic, e.gravity, e.elastic, e.total(), r.ledger.imbalance];
    std::array::from_fn(|k| if k < 5 { energies[k] } else { gaps[k - 5] })
}
