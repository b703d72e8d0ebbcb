//! Ropes over guides, sheaves, winches, ropes with mass.

use crate::builder::{Worded, builder};
use crate::convert::{ToPy, V3};
use crate::ids::BodyId;
use crate::joints::Joint;
use crate::parts::Collider;
use crate::shapes::Groups;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use taut::parts;

type Words<'a, 'py> = &'a Bound<'py, PyDict>;

builder! {
    /// How a guide holds a rope that slips over it.
    Hold(parts::Hold) {}
    rest {
        /// The rope slips without friction.
        #[staticmethod]
        fn free() -> Self {
            Hold(parts::Hold::Free)
        }
        /// A bearing with this efficiency, above 0 and up to 1.
        #[staticmethod]
        fn efficiency(efficiency: f64) -> Self {
            Hold(parts::Hold::Efficiency(efficiency))
        }
        /// Dry friction with this coefficient.
        #[staticmethod]
        fn friction(friction: f64) -> Self {
            Hold(parts::Hold::Friction(friction))
        }
        /// The largest ratios of the tension after it to that before it and the other way round: a ratchet.
        #[staticmethod]
        fn ratios(ratios: [f64; 2]) -> Self {
            Hold(parts::Hold::Ratios(ratios))
        }
        /// The rope does not slip.
        #[staticmethod]
        fn fast() -> Self {
            Hold(parts::Hold::Fast)
        }
    }
}

builder! {
    /// A circle of a body that ropes run over.
    Sheave(taut::Sheave) {
        /// Whether the rope is kept in its groove, as in a block, or leaves it where it runs straight past, and comes back. By
        /// default it is kept by sheaves of bodies that move freely, and by those it does not slip on.
        fn keeper(keeper: bool);
        /// As a drum: the rope of this diameter, m, lies in layers.
        fn rope_diameter(diameter: f64);
        /// As a drum with layers: so many wraps lie beside each other in each.
        fn wraps(wraps: f64);
        /// As a drum: so much rope is on it, m. Its radius is that of the bare drum. When all has run off, the rope hangs on its
        /// shell.
        fn stored(length: f64);
        /// As a drum: its flanges hold so much rope, m. A drum that is full winds no more.
        fn capacity(length: f64);
        /// The rope does not slip on it: it turns with the rope, or holds it.
        fn no_slip();
        /// With a bearing of this efficiency, above 0 and up to 1: 0.96 is a plain bearing, 0.98 one on rollers. Where the rope runs,
        /// the tension falls by it; where it stands, friction takes up to as much.
        fn efficiency(efficiency: f64);
        /// A capstan or bollard with this coefficient of friction: the tensions differ by at most exp(friction x angle of wrap).
        fn friction(friction: f64);
        /// With a rope that holds to it so.
        fn held(hold: Hold);
    }
    rest {
        /// A circle of a body about an axis, with the pitch radius in m; the rope slips over it freely.
        #[staticmethod]
        #[pyo3(signature = (body, centre, axis, radius, **words))]
        fn on(body: BodyId, centre: V3, axis: V3, radius: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Sheave(taut::Sheave::on(body.0, centre.0, axis.0, radius)).with(words)
        }
        /// The rope passes over it, on the side away from gravity.
        fn over(&self) -> Wound {
            Wound(self.0.over())
        }
        /// The rope passes under it.
        fn under(&self) -> Wound {
            Wound(self.0.under())
        }
        /// From its start to its end the rope turns about the axis, by the right hand.
        fn about(&self) -> Wound {
            Wound(self.0.about())
        }
        /// From its start to its end the rope turns against the axis.
        fn against(&self) -> Wound {
            Wound(self.0.against())
        }
    }
}

builder! {
    /// A sheave with the way round it.
    Wound(parts::Wound) {
        /// With so many whole turns more than the shortest way round has: a capstan.
        fn turns(turns: u32);
    }
}

builder! {
    /// A straight edge of a body.
    Edge(taut::Edge) {
        /// With this coefficient of friction.
        fn friction(friction: f64);
        /// With the direction that points out of what it is the edge of.
        fn outward(outward: V3);
    }
    rest {
        /// From one point of a body to another, given as points of the world, m.
        #[staticmethod]
        #[pyo3(signature = (body, a, b, **words))]
        fn between(body: BodyId, a: V3, b: V3, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Edge(taut::Edge::between(body.0, a.0, b.0)).with(words)
        }
    }
}

builder! {
    /// A rope over guides as it is added to a world.
    Reeving(taut::Reeving) {
        /// On across an edge.
        fn across(edge: Edge);
        /// Meets colliders as if it had these groups: what it sweeps over bends it, and lets it go again. By default it meets all but
        /// those of the bodies that it is tied to and led by; of fixed bodies it meets those that hold none of its own points and
        /// sheaves.
        fn touches(groups: Groups);
        /// Whether it meets colliders on its way. By default it does.
        fn collides(collides: bool);
        /// On over a sheave.
        fn over(sheave: Sheave);
        /// On under a sheave.
        fn under(sheave: Sheave);
        /// On round a sheave, on a side that is said.
        fn round(wound: Wound);
        /// On through a ring without friction: a point of a body, given as a point of the world, m.
        fn through(body: BodyId, point: V3);
        /// On through a ring that holds the rope so.
        fn through_held(body: BodyId, point: V3, hold: Hold);
        /// Its end: a point of a body, given as a point of the world, m.
        fn to(body: BodyId, point: V3);
        /// Its end: a drum that it is wound on.
        fn to_drum(drum: Wound);
        /// Longer than its way when it is added by so much, m.
        fn slack(slack: f64);
        /// Stretches: the force that would double its length, E A, N.
        fn stiffness(ea: f64);
        /// Resists torsion: the stiffness of its section, G J, N m^2. A moment M at one end turns that by M L/(G J) against the
        /// other; sheaves and rings take what the change of its direction leaves of M. An end on a particle, and a free one, turns
        /// freely: then there is none.
        fn torsion(gj: f64);
        /// Stretches like steel wire rope of this diameter, m: E A is that of half its circle with 100 GPa.
        fn diameter(diameter: f64);
        /// Of this diameter, m, for what it meets; it does not stretch for that.
        fn thickness(thickness: f64);
        /// Its start hangs free, as after `World.release_rope`: it is a particle that belongs to the rope, and runs out of the guides
        /// that it is drawn through.
        fn free_start();
        /// The same of its end.
        fn free_end();
        /// With a name.
        fn named(name: String);
        /// On to a grip: a point of a body, given as a point of the world, m, that holds the rope fast and goes with it. Where it
        /// comes to a sheave that the rope does not slip on it rides round on its rim and goes on behind it, whichever way the rope
        /// runs. Other guides stop it.
        fn grip(body: BodyId, point: V3);
        /// Whether it is endless. By default it is not, but for `Rope.endless`.
        fn closed(closed: bool);
    }
    rest {
        /// The same rope with so many kg in a metre below its last guide. Water and wind act on it there if it has a diameter, and it
        /// stretches there as it does above.
        #[pyo3(signature = (density, **words))]
        fn massive(&self, density: f64, words: Option<Words<'_, '_>>) -> PyResult<HeavyRope> {
            HeavyRope(self.0.clone().massive(density)).with(words)
        }
    }
}

/// Ropes: between two points, or over guides.
#[pyclass(module = "taut")]
pub struct Rope;

#[pymethods]
impl Rope {
    /// A rope that does not stretch from body i to body j, taut as they are.
    #[staticmethod]
    #[pyo3(signature = (i, j, *, restitution = 0.0, **words))]
    fn between(i: BodyId, j: BodyId, restitution: f64, words: Option<Words<'_, '_>>) -> PyResult<Joint> {
        let kind = taut::Rope { restitution, ..taut::Rope::default() };
        Joint(taut::Joint::of(kind, i.0, j.0)).with(words)
    }
    /// A rope over guides that is tied to a point of a body, given in the world, m.
    #[staticmethod]
    #[pyo3(signature = (body, point, **words))]
    fn from_(body: BodyId, point: V3, words: Option<Words<'_, '_>>) -> PyResult<Reeving> {
        Reeving(taut::Rope::from(body.0, point.0)).with(words)
    }
    /// A rope over guides that comes off a drum.
    #[staticmethod]
    #[pyo3(signature = (drum, **words))]
    fn from_drum(drum: Wound, words: Option<Words<'_, '_>>) -> PyResult<Reeving> {
        Reeving(taut::Rope::from_drum(drum.0)).with(words)
    }
    /// An endless rope, as of a lift or a belt: say its guides next, in the order of its way; from the last it goes on to the first.
    /// It must not slip on one of them at least: a sheave without slip, or a grip.
    #[staticmethod]
    #[pyo3(signature = (**words))]
    fn endless(words: Option<Words<'_, '_>>) -> PyResult<Reeving> {
        Reeving(taut::Rope::endless()).with(words)
    }
}

builder! {
    /// A rope with mass as it is added to a world.
    HeavyRope(taut::HeavyRope) {
        /// With pieces of this length, m.
        fn segment(length: f64);
        /// With so much on the drum or in the locker, m.
        fn stored(length: f64);
        /// With a collider for each node.
        fn colliding(collider: Collider);
        /// Of this diameter, m, for water and wind.
        fn diameter(diameter: f64);
        /// With pieces that stretch: the force that would double their length, E A, N.
        fn stiffness(ea: f64);
        /// With as few pieces as its sag needs, and no shorter ones than a segment: where it is tight they are put together, where it
        /// is slack they are divided. What moves across a tight rope, between the nodes that are left, is lost.
        fn adaptive();
        /// With a name.
        fn named(name: String);
    }
    rest {
        /// A chain out of a locker, where it lies at rest, through a hawse at a point of a body, to another.
        #[staticmethod]
        #[pyo3(signature = (body, hawse, end, density, **words))]
        fn from_locker(
            body: BodyId,
            hawse: V3,
            end: (BodyId, V3),
            density: f64,
            words: Option<Words<'_, '_>>,
        ) -> PyResult<Self> {
            HeavyRope(taut::HeavyRope::from_locker(body.0, hawse.0, (end.0.0, end.1.0), density)).with(words)
        }
    }
}

builder! {
    /// What a winch does.
    Winding(taut::Winding) {}
    rest {
        /// Hauls in at a speed, m/s (negative: pays out), with at most this pull, N.
        #[staticmethod]
        #[pyo3(signature = (speed, force = f64::INFINITY))]
        fn haul(speed: f64, force: f64) -> Self {
            Winding(taut::Winding::Haul { speed, force })
        }
        /// Holds with at most this pull, N.
        #[staticmethod]
        fn brake(pull: f64) -> Self {
            Winding(taut::Winding::Brake(pull))
        }
        /// Hauls in at `speed`, m/s, below the tension `recover`, N, holds up to `render`, N, and pays out above.
        #[staticmethod]
        fn keep(recover: f64, render: f64, speed: f64) -> Self {
            Winding(taut::Winding::Keep { recover, render, speed })
        }
        /// Turns freely.
        #[staticmethod]
        fn free() -> Self {
            Winding(taut::Winding::Free)
        }
    }
}

builder! {
    /// A drum on a hinge with a motor and a brake.
    Winch(taut::Winch) {
        /// With this inertia of drum, gear and motor about the axis, kg m^2.
        fn inertia(inertia: f64);
        /// With this mass, kg.
        fn mass(mass: f64);
        /// Doing this at first.
        fn winding(winding: Winding);
        /// With a name.
        fn named(name: String);
    }
    rest {
        /// A winch on a body about an axis, with the pitch radius of its drum, m. It holds its rope until it is told something else.
        #[staticmethod]
        #[pyo3(signature = (body, centre, axis, radius, **words))]
        fn on(body: BodyId, centre: V3, axis: V3, radius: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Winch(taut::Winch::on(body.0, centre.0, axis.0, radius)).with(words)
        }
    }
}

impl ToPy for taut::Sheave {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Sheave(self))?.into_any())
    }
}
