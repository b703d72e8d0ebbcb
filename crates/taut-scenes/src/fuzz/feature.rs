//! What random worlds are made of, by name. Switching a feature off does not change the rest.

use crate::suggest::nearest;

macro_rules! features {
    ($($name:ident $word:literal $about:literal,)*) => {
        /// Something that random worlds can have or not have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Feature {
            $(#[doc = $about] $name,)*
        }

        impl Feature {
            /// All of them.
            pub const ALL: &[Feature] = &[$(Feature::$name,)*];

            /// Its name on the command line.
            pub fn name(self) -> &'static str {
                match self { $(Feature::$name => $word,)* }
            }

            /// What it is.
            pub fn about(self) -> &'static str {
                match self { $(Feature::$name => $about,)* }
            }
        }
    };
}
features! {
    Motors "motors" "Motors on joints: rate or servo, bounded or not.",
    Limits "limits" "Limits of joints.",
    Friction "friction" "Dry friction in joints.",
    Strength "strength" "Joints that break.",
    Contacts "contacts" "A floor, and colliders on the bodies.",
    Loops "loops" "Joints beyond those of a tree.",
    Ropes "ropes" "Ropes and ligaments.",
    Slides "slides" "Joints that slide: prismatic, cylindrical, planar, point on line.",
    Locks "locks" "Axial locks.",
    FlexibleCables "flexible-cables" "The cable joint of Andrews 2017.",
    Soft "soft" "Joints that give.",
    Springs "springs" "Springs to the ground.",
    Forces "forces" "Constant forces and torques, drag, mouse springs.",
    Kinematic "kinematic" "Bodies that move whatever pulls on them.",
    Particles "particles" "Point masses.",
    Velocities "velocities" "Velocities at the start.",
    WideMasses "wide-masses" "Masses of 1e-3 to 1e6 kg; without it 0.1 to 100 kg.",
    LongSteps "long-steps" "Steps of up to 0.1 s; without it 1/60 s.",
    Reduced "reduced" "Reduced coordinates in one of four worlds.",
    Edits "edits" "Changes in mid-run: bodies, joints, forces, velocities, commands.",
    VariedSteps "varied-steps" "Steps that change by up to ten from call to call in one of four worlds.",
    Restore "restore" "A snapshot in mid-run, from which ten steps must repeat bit for bit.",
    Armatures "armatures" "Rotors on joints, light and heavy, in one of four joints.",
    Threads "threads" "One of four worlds once more on two threads, which must give the same bits.",
}

/// A set of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features(u32);

impl Default for Features {
    fn default() -> Self {
        Features::all()
    }
}

impl Features {
    /// Everything.
    pub fn all() -> Self {
        Features(Feature::ALL.iter().fold(0, |set, f| set | 1 << *f as u32))
    }

    /// Nothing but bodies and rigid joints in a tree.
    pub fn none() -> Self {
        Features(0)
    }

    /// Reads names separated by commas; `all` and `none` are names too.
    pub fn parse(list: &str) -> Result<Self, String> {
        let names = list.split(',').map(str::trim).filter(|n| !n.is_empty());
        names.map(one).try_fold(Features::none(), |set, f| Ok(Features(set.0 | f?.0)))
    }

    /// Whether a feature is in it.
    pub fn has(self, feature: Feature) -> bool {
        self.0 >> feature as u32 & 1 == 1
    }

    /// The same without those of another.
    pub fn without(self, other: Features) -> Self {
        Features(self.0 & !other.0)
    }

    /// The names, in the order of the list.
    pub fn names(self) -> Vec<&'static str> {
        Feature::ALL.iter().filter(|f| self.has(**f)).map(|f| f.name()).collect()
    }
}

fn one(name: &str) -> Result<Features, String> {
    match name {
        "all" => return Ok(Features::all()),
        "none" => return Ok(Features::none()),
        _ => {}
    }
    if let Some(f) = Feature::ALL.iter().find(|f| f.name() == name) {
        return Ok(Features(1 << *f as u32));
    }
    let known: Vec<&str> = ["all", "none"].into_iter().chain(Feature::ALL.iter().map(|f| f.name())).collect();
    let hint = nearest(name, known.iter().copied()).map_or(String::new(), |n| format!("; did you mean {n}?"));
    Err(format!("feature = '{name}': expected one of {}{hint}", known.join(", ")))
}
