//! The words of the report of a run: one table that the report prints from and `taut run --explain` explains, so that neither can
//! have a word that the other has not.

/// A word of the report.
#[derive(Debug, PartialEq)]
pub struct Word {
    /// As it stands in the report.
    pub name: &'static str,
    /// What it means.
    pub means: &'static str,
    /// When to worry, after that word; empty where there is nothing to worry about.
    pub worry: &'static str,
}

macro_rules! words {
    ($($id:ident $name:literal: $means:literal $(worry $worry:literal)?;)*) => {
        $(pub const $id: Word = Word { name: $name, means: $means, worry: concat!($($worry)?) };)*
        /// All of them, in the order of the report.
        pub const ALL: &[&Word] = &[$(&$id),*];
    };
}

words! {
    SCENE "scene": "Name of the scene, or of the scene file.";
    PARAMETERS "parameters": "Parameters of the scene with their values and units; `--set NAME=VALUE` changes them.";
    RUN "run": "Steps that were taken, their length, and the simulated time.";
    METHOD "method": "Coordinates, stabiliser and solver that ran. What is not said on the command line is the scene's or the engine's choice.";
    SIZE "size": "Bodies that move, rows that hold them together, whether joints close loops, and the memory of the world.";
    VERDICT "verdict": "Stable: no joint opened by a tenth of the length of the scene, and the energy never rose by a tenth of its scale."
        worry "when it says DIVERGED: the numbers after that time mean nothing. Take a smaller step, or the default stabiliser.";
    WARNING "WARNING": "Something that must not be overlooked."
        worry "always.";
    STOPPED "stopped": "An event of the scene file ended the run before its time, with this message.";
    EVENTS "events": "Events of the scene file that fired, and the time before the step that they acted on.";
    BROKEN "broken": "Joints that carried more than their strength and are gone: name, kind, end of the step, force and torque.";

    MAX_GAP "largest gap of a joint": "How far the two sides of a rigid joint were apart at the worst, or a rope was longer than it may be. \
        A joint is a row of equations that a step solves for velocities; the curvature of the motion leaves a little open, which the next step closes."
        worry "when it is more than about a thousandth of the length: the step is too long for how fast things turn, or joints contradict each other.";
    SUM_GAP "largest sum of gaps": "The gaps of all joints at one instant, and what ropes were longer than they may be, added up: how much longer a chain has become at the worst."
        worry "when it grows from run to run of the same scene, or is far above the largest single gap times the number of joints that move fast.";
    END_GAP "largest gap at the end": "The largest gap after the last step."
        worry "when everything rests at the end and it is still open: joints contradict each other.";
    MAX_STRAIN "largest strain": "How far an edge of the scene (a thread of cloth, a rod) was from its length at the worst, over that length.";
    END_STRAIN "strain at the end": "The same after the last step.";
    TURN "turn": "How far the followed body turned about its own y axis, counted through all turns.";
    PATH_ERROR "path error": "Distance of the followed body from where it is in a run with a smaller step (`--reference`), at the worst."
        worry "when it is large before the motion is chaotic: take a smaller step where the path itself matters.";
    REFERENCE_PATH "path of the reference": "How far the followed body travels in the run with the smaller step.";
    POWER "power above 10 Hz": "Share of the angular accelerations' power above 10 Hz (`--smoothness`): how much the motion rattles."
        worry "when nothing in the scene is that fast: the motion jitters.";

    ENERGY_START "energy at the start": "Kinetic, potential and elastic energy before the first step. Heights count from the origin, so it may be negative.";
    ENERGY_END "energy at the end": "The same after the last step.";
    ENERGY_LEFT "energy left": "1 + (end - start) / scale: 100 % when none was lost or put in. The scale is what the scene can turn over, its weight times its length."
        worry "when nothing brakes, drives or hits anything in the scene and it is far from 100 %: the step takes energy that is not meant to go.";
    RISE "largest rise": "The most by which the energy was above the start, without the work of forces, motors, programs and events."
        worry "when it is more than about a hundredth of the scale: a method that makes energy diverges sooner or later. A tenth ends the run.";
    LIFT "lift": "Work of bringing bodies out of each other that the start had put into each other. It counts as no rise."
        worry "when the start was not meant to have anything in anything.";
    SHOCK "shock": "Energy of start velocities that the joints do not allow; it is gone with the first step, as in an impact."
        worry "when the start was meant to move as the joints allow.";
    PEAK_FIRST "first kinetic peak": "Largest kinetic energy in a window at the start.";
    PEAK_LAST "last kinetic peak": "The same at the end: how much of the motion is left.";
    LEDGER "where energy came from (+) and went (-)": "Every change of the energy, added up over the run by what did it.";
    WORK "forces and drives": "Applied forces, motors, kinematic bodies, programs and events.";
    DAMPING "damping": "Damping of bodies, springs and rows, friction in joints.";
    STABILISER "stabiliser": "What keeps heavy loads on light parts stable. It may give a little in one step and take it in another."
        worry "when it takes much more than a hundredth of the scale in a motion that the step resolves.";
    CONSTRAINTS "constraints": "Rows of joints, limits and ropes beyond what they store: shocks when they snap taut, and the error of taking them straight within a step.";
    INTEGRATION "integration": "Turning inertia and gravity along the curved path, and the removal of penetrations.";
    CONTACTS "contacts": "Impacts and friction between colliders, and moving surfaces.";
    ELEMENTS "elements": "Elements of deformables beyond the energy that they store and what their damping takes: what their implicit integration lost.";
    PLASTIC "plastic flow": "Work of deformables that yield.";
    PARTS "parts of a step": "A step is taken in up to eight parts where the elements of a deformable turn or stretch too far in it for one; mean and most.";
    BROKEN_ENERGY "broken joints": "Elastic energy that joints held when they broke.";
    IMBALANCE "largest imbalance": "What the entries above do not explain of a step, at the worst: rounding and what the solver left."
        worry "when it is more than a millionth of the scale: the solver did not solve. Look at the residuals.";

    BOUNDED_ROWS "bounded rows": "Rows with bounds (limits, ropes, friction, bounded motors, contacts) in the solve of a step, and in the largest group of bodies that they tie together.";
    CONTACT_POINTS "contact points": "Points at which colliders pushed at each other, at most at one time.";
    PENETRATION "deepest penetration": "How far rigid colliders were in each other when a step began, at the worst."
        worry "when it is more than a few thousandths of the bodies' size after the start.";
    BOUNDED_RESIDUAL "bounded residual": "By how much the rows with bounds missed their law, at the worst, as a velocity. They are solved until it is below the tolerance."
        worry "when it is above the tolerance: see unconverged steps.";
    BOUNDED_ITERATIONS "bounded iterations": "Newton steps, pivots or sweeps that this took in a step.";
    UNCONVERGED "unconverged steps": "Steps in which the tolerance was not reached."
        worry "when there are many, or the residual is not small against the velocities of the scene.";
    HURRIED "hurried steps": "Steps in which a large heap in motion was swept a fixed number of times and not solved to the tolerance. Joints are exact all the same.";
    CONVEX "convex steps": "Steps in which sliding contacts were lifted a little, because Coulomb's law had no solution that was found."
        worry "when there are many, and sliding matters.";
    CONTACTS_BEGAN "contacts began": "Pairs of colliders that began to push at each other.";
    CONTACTS_ENDED "contacts ended": "Pairs of colliders that ceased to.";
    SENSORS_ENTERED "sensors entered": "Colliders that came into the space of a sensor.";
    SENSORS_LEFT "sensors left": "Colliders that left it.";
    LIMITS_REACHED "limits reached": "Limits and ropes that began to push or pull.";
    JOINTS_BROKEN "joints broken": "Joints that carried more than their strength.";
    GUIDES_TOUCHED "guides touched": "Guides that ropes came to, and colliders that bent them.";
    GUIDES_LEFT "guides left": "Guides and colliders that ropes left, to run straight past them.";
    ROPES_BLOCKED "ropes blocked": "Drums that ran empty or full, and loads that were hauled in as far as they go.";

    LOOP_ITERATIONS "loop iterations": "Iterations of the structured solver on rows that close loops.";
    RESPONSES "for bounded rows": "Iterations beyond the budget, for what limits and contacts bring about.";
    PASSES "passes on poses": "Passes of the structured solver that close gaps by moving bodies.";
    VELOCITY_ERROR "velocity error": "By how much a loop row missed its velocity, at the worst."
        worry "when it is not small against the velocities of the scene: give the solver more of a budget.";
    POSITION_ERROR "position error": "Largest opening of a rigid joint that the budget left.";
    REACHED "reached": "Part of the steps that ended within the tolerances of the budget."
        worry "when it is far below 100 %.";
    CONTRADICTIONS "contradictions": "Steps with rows that contradict each other, which no budget can satisfy.";

    STEP_TIME "time per step": "Median of the time that a step took on this machine.";
    SOLVES "solves per step": "Factorisations in a step of the busiest island (bodies that joints tie together): one, and more where the default step looks twice. \
        A right-hand side is a cheap solve with the same factor."
        worry "when it is above about four on average: the scene is hard for its step.";
    RESIDUAL "residual": "Largest relative residual of the linear solves: how exactly the equations of a step were solved. On trees it is looked at in every eighth step."
        worry "when it is above about 1e-6: the solver has lost digits to masses or stiffnesses that are too far apart, or was stopped by its budget.";
    RESOLVED "resolved share": "Share of the steps in which an island resolved its own motion, so that no stabiliser was needed and the step is of second order.";
    REDUNDANT "redundant joints": "Joints with rows that other joints already hold, as in a door with two hinges. They are left out of the solve, which is harmless."
        worry "when the mechanism was not meant to be held twice: its forces there are not unique.";
    CONFLICTS "conflicts": "Steps in which rows contradicted each other: motors against each other, welds that were built apart, a body pulled from both sides. \
        What they want cannot be had; the world goes on without it."
        worry "always: the scene asks for something impossible. The joints that did not have their way are named.";
    SNAPPED "snapped": "Steps in which a loop snapped taut and was closed beyond its straight rows, at a loss of energy (reduced coordinates)."
        worry "when it happens all the time: the step is too long for the loop.";
    HASH "state hash": "Fingerprint of all poses, velocities and forces at the end: the same inputs give the same on every machine.";
}

/// The word of a kind of event that the runner counts.
pub fn counted(name: &str) -> &'static Word {
    ALL.iter().copied().find(|w| w.name == name).unwrap_or(&EVENTS)
}

/// Columns of the explanations.
const WIDTH: usize = 100;
const INDENT: usize = 4;

/// Words with what they mean and when to worry.
pub fn explain<'a>(words: impl IntoIterator<Item = &'a Word>) -> String {
    let mut out = String::new();
    for word in words {
        out += &format!("{}\n{}", word.name, wrapped(word.means));
        if !word.worry.is_empty() {
            out += &wrapped(&format!("Worry {}", word.worry));
        }
        out.push('\n');
    }
    out
}

/// A text in lines that are not too long.
fn wrapped(text: &str) -> String {
    let (mut out, mut line) = (String::new(), String::new());
    for word in text.split_whitespace() {
        if !line.is_empty() && INDENT + line.chars().count() + 1 + word.chars().count() > WIDTH {
            out += &format!("{:INDENT$}{line}\n", "");
            line.clear();
        }
        line += &format!("{}{word}", if line.is_empty() { "" } else { " " });
    }
    out + &format!("{:INDENT$}{line}\n", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_scenes::EventCounts;

    #[test]
    fn every_word_is_explained_once_and_every_count_has_one() {
        for (k, w) in ALL.iter().enumerate() {
            assert!(w.means.ends_with('.') && (w.worry.is_empty() || w.worry.ends_with('.')), "{}", w.name);
            assert!(!ALL[..k].iter().any(|o| o.name == w.name), "{}", w.name);
        }
        assert_eq!(POWER.name, format!("power above {} Hz", crate::extra::CUTOFF));
        for (name, _) in EventCounts::default().list() {
            assert_eq!(counted(name).name, name);
        }
        assert!(explain(ALL.iter().copied()).lines().all(|l| l.chars().count() <= WIDTH));
    }
}
