//! Forces that act all the time: springs, loads, drag, a mouse.

use super::{Place, Plan};
use crate::file::{Drag, Load, MouseSpring, PointForce, Spring, Torque};
use crate::fuzz::Feature;
use crate::fuzz::draw::{Draw, neat};
use taut::Vec3;

/// Where springs hang, m.
const HOOK: Vec3 = Vec3::new(0.0, 3.0, 0.0);

/// The kinds of loads; one world in five has one.
const LOADS: [fn(&mut Draw, &Place) -> Load; 4] = [force, torque, drag, mouse];

/// All forces of a world.
pub(super) fn forces(plan: &Plan, places: &[Place]) -> Vec<Load> {
    let mut draw = plan.draw("load", 0);
    let there = draw.chance(0.2);
    let (load, place) = (LOADS[draw.below(LOADS.len())], &places[draw.below(places.len())]);
    let load = (there && plan.has(Feature::Forces)).then(|| load(&mut draw, place));
    let spring = spring(plan, places).filter(|_| plan.has(Feature::Springs));
    spring.into_iter().chain(load).collect()
}

fn spring(plan: &Plan, places: &[Place]) -> Option<Load> {
    let mut draw = plan.draw("spring", 0);
    let there = draw.chance(0.3);
    let place = &places[draw.below(places.len())];
    let spring = Spring {
        name: None,
        bodies: [place.name.clone(), "ground".into()],
        points: Some([place.at.into(), HOOK.into()]),
        local_points: None,
        stiffness: draw.log(1.0, 1e6).into(),
        damping: draw.log(1e-3, 1e3).into(),
        rest_length: Some(draw.range(0.1, 3.0).into()),
    };
    there.then_some(Load::Spring(spring))
}

fn force(draw: &mut Draw, place: &Place) -> Load {
    let force = neat(draw.log(0.1, 1e4) * draw.direction()).into();
    Load::Force(PointForce { name: None, body: place.name.clone(), point: None, local_point: None, force })
}

/// A torque; on a particle, which does not turn, a force.
fn torque(draw: &mut Draw, place: &Place) -> Load {
    if place.particle {
        return force(draw, place);
    }
    let torque = neat(draw.log(0.01, 1e3) * draw.direction()).into();
    Load::Torque(Torque { name: None, body: place.name.clone(), torque })
}

fn drag(draw: &mut Draw, place: &Place) -> Load {
    let damping = draw.log(1e-3, 1e4).into();
    let turn = if place.particle { 0.0 } else { draw.log(1e-3, 1e3) };
    Load::Drag(Drag { name: None, body: place.name.clone(), damping, turn_damping: turn.into() })
}

fn mouse(draw: &mut Draw, place: &Place) -> Load {
    Load::Mouse(MouseSpring {
        name: None,
        body: place.name.clone(),
        point: None,
        local_point: None,
        target: neat(place.at + draw.within(1.0)).into(),
        frequency: Some(draw.log(0.2, 20.0).into()),
        damping_ratio: Some(draw.range(0.1, 2.0).into()),
    })
}
