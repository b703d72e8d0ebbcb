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
        #[staticmethod]
        fn free() -> Self {
            Hold(parts::Hold::Free)
        }
        #[staticmethod]
        fn efficiency(efficiency: f64) -> Self {
            Hold(parts::Hold::Efficiency(efficiency))
        }
        #[staticmethod]
        fn friction(friction: f64) -> Self {
            Hold(parts::Hold::Friction(friction))
        }
        #[staticmethod]
        fn ratios(ratios: [f64; 2]) -> Self {
            Hold(parts::Hold::Ratios(ratios))
        }
        #[staticmethod]
        fn fast() -> Self {
            Hold(parts::Hold::Fast)
        }
    }
}

builder! {
    /// A circle of a body that ropes run over.
    Sheave(taut::Sheave) {
        fn keeper(keeper: bool);
        fn rope_diameter(diameter: f64);
        fn wraps(wraps: f64);
        fn stored(length: f64);
        fn capacity(length: f64);
        fn no_slip();
        fn efficiency(efficiency: f64);
        fn friction(friction: f64);
        fn held(hold: Hold);
    }
    rest {
        #[staticmethod]
        #[pyo3(signature = (body, centre, axis, radius, **words))]
        fn on(body: BodyId, centre: V3, axis: V3, radius: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Sheave(taut::Sheave::on(body.0, centre.0, axis.0, radius)).with(words)
        }
        fn over(&self) -> Wound {
            Wound(self.0.over())
        }
        fn under(&self) -> Wound {
            Wound(self.0.under())
        }
        fn about(&self) -> Wound {
            Wound(self.0.about())
        }
        fn against(&self) -> Wound {
            Wound(self.0.against())
        }
    }
}

builder! {
    /// A sheave with the way round it.
    Wound(parts::Wound) {
        fn turns(turns: u32);
    }
}

builder! {
    /// A straight edge of a body.
    Edge(taut::Edge) {
        fn friction(friction: f64);
        fn outward(outward: V3);
    }
    rest {
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
        fn across(edge: Edge);
        fn touches(groups: Groups);
        fn collides(collides: bool);
        fn over(sheave: Sheave);
        fn under(sheave: Sheave);
        fn round(wound: Wound);
        fn through(body: BodyId, point: V3);
        fn through_held(body: BodyId, point: V3, hold: Hold);
        fn to(body: BodyId, point: V3);
        fn to_drum(drum: Wound);
        fn slack(slack: f64);
        fn stiffness(ea: f64);
        fn torsion(gj: f64);
        fn diameter(diameter: f64);
        fn thickness(thickness: f64);
        fn free_start();
        fn free_end();
        fn named(name: String);
        fn grip(body: BodyId, point: V3);
        fn closed(closed: bool);
    }
    rest {
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
    #[staticmethod]
    #[pyo3(signature = (i, j, *, restitution = 0.0, **words))]
    fn between(i: BodyId, j: BodyId, restitution: f64, words: Option<Words<'_, '_>>) -> PyResult<Joint> {
        let kind = taut::Rope { restitution, ..taut::Rope::default() };
        Joint(taut::Joint::of(kind, i.0, j.0)).with(words)
    }
    #[staticmethod]
    #[pyo3(signature = (body, point, **words))]
    fn from_(body: BodyId, point: V3, words: Option<Words<'_, '_>>) -> PyResult<Reeving> {
        Reeving(taut::Rope::from(body.0, point.0)).with(words)
    }
    #[staticmethod]
    #[pyo3(signature = (drum, **words))]
    fn from_drum(drum: Wound, words: Option<Words<'_, '_>>) -> PyResult<Reeving> {
        Reeving(taut::Rope::from_drum(drum.0)).with(words)
    }
    #[staticmethod]
    #[pyo3(signature = (**words))]
    fn endless(words: Option<Words<'_, '_>>) -> PyResult<Reeving> {
        Reeving(taut::Rope::endless()).with(words)
    }
}

builder! {
    /// A rope with mass as it is added to a world.
    HeavyRope(taut::HeavyRope) {
        fn segment(length: f64);
        fn stored(length: f64);
        fn colliding(collider: Collider);
        fn diameter(diameter: f64);
        fn stiffness(ea: f64);
        fn adaptive();
        fn named(name: String);
    }
    rest {
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
        #[staticmethod]
        #[pyo3(signature = (speed, force = f64::INFINITY))]
        fn haul(speed: f64, force: f64) -> Self {
            Winding(taut::Winding::Haul { speed, force })
        }
        #[staticmethod]
        fn brake(pull: f64) -> Self {
            Winding(taut::Winding::Brake(pull))
        }
        #[staticmethod]
        fn keep(recover: f64, render: f64, speed: f64) -> Self {
            Winding(taut::Winding::Keep { recover, render, speed })
        }
        #[staticmethod]
        fn free() -> Self {
            Winding(taut::Winding::Free)
        }
    }
}

builder! {
    /// A drum on a hinge with a motor and a brake.
    Winch(taut::Winch) {
        fn inertia(inertia: f64);
        fn mass(mass: f64);
        fn winding(winding: Winding);
        fn named(name: String);
    }
    rest {
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
