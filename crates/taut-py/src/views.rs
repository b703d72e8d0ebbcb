//! What is read of a body, a joint and the rest: views that hold the world and a handle. They look at the world as it is when they are
//! asked. One of something that was removed raises `HandleError`.

use crate::convert::{Free, ToPy, V3};
use crate::error::raise;
use crate::ids::*;
use crate::world::World;
use pyo3::prelude::*;

macro_rules! view {
    ($(#[$doc:meta])* $name:ident($id:ty as $wrapper:ident) by $get:ident {
        gets { $($getter:ident)* }
        lists { $($list:ident)* }
        tries { $($try:ident)* }
        rest { $($rest:tt)* }
    }) => {
        $(#[$doc])*
        #[pyclass(frozen, module = "taut")]
        pub struct $name {
            world: World,
            id: $id,
        }

        impl $name {
            /// Of something that is there.
            pub fn new(world: &World, id: $id) -> PyResult<Self> {
                world.0.lock()?.world.$get(id).map_err(raise)?;
                Ok($name { world: world.clone(), id })
            }
        }

        #[pymethods]
        impl $name {
            #[getter]
            fn id(&self) -> $wrapper {
                $wrapper(self.id)
            }
            $(
                #[getter]
                fn $getter(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.world.ask(py, |w| Ok(w.$get(self.id)?.$getter().to_py(py)))
                }
            )*
            $(
                #[getter]
                fn $list(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.world.ask(py, |w| Ok(w.$get(self.id)?.$list().collect::<Vec<_>>()))
                }
            )*
            $(
                #[getter]
                fn $try(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.world.ask(py, |w| w.$get(self.id)?.$try())
                }
            )*
            $($rest)*
        }
    };
}

impl<T: ToPy> ToPy for PyResult<T> {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self?.to_py(py)
    }
}

view! {
    /// A body as it is now.
    BodyRef(taut::BodyId as BodyId) by body {
        gets {
            name motion mass inertia mass_properties solid pose position rotation velocity angular_velocity momentum angular_momentum
            kinetic_energy damping gravity_scale exposure top_speed locks is_enabled is_asleep is_free colliders load target user_data
        }
        lists {}
        tries {}
        rest {
            fn velocity_at(&self, py: Python<'_>, point: V3) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| Ok(w.body(self.id)?.velocity_at(point.0)))
            }
            fn __repr__(&self) -> PyResult<String> {
                let scene = self.world.0.lock()?;
                let b = scene.world.body(self.id).map_err(raise)?;
                Ok(format!("BodyRef({:?}, '{}', position={:?})", self.id, b.name(), b.position().to_array()))
            }
        }
    }
}

view! {
    /// A joint as it is now.
    JointRef(taut::JointId as JointId) by joint {
        gets {
            name kind bodies frames freedoms strength role is_active is_enabled user_data is_redundant points axis lambda softness reaction
            bearing wrench force torque tension gap angle excess energy turns chart
        }
        lists { limits own_limits frictions speed_limits coordinates }
        tries { position rate }
        rest {
            #[getter]
            fn motors(&self) -> PyResult<Vec<MotorRef>> {
                let ids: Vec<_> =
                    self.world.0.lock()?.world.joint(self.id).map_err(raise)?.motors().map(|m| m.id()).collect();
                ids.into_iter().map(|id| MotorRef::new(&self.world, id)).collect()
            }
            fn position_of(&self, py: Python<'_>, freedom: Free) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| Ok(w.joint(self.id)?.position_of(freedom.0)))
            }
            fn rate_of(&self, py: Python<'_>, freedom: Free) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| Ok(w.joint(self.id)?.rate_of(freedom.0)))
            }
            fn __repr__(&self) -> PyResult<String> {
                let scene = self.world.0.lock()?;
                let j = scene.world.joint(self.id).map_err(raise)?;
                Ok(format!("JointRef({:?}, '{}', {})", self.id, j.name(), j.kind()))
            }
        }
    }
}

view! {
    /// A motor as it is now.
    MotorRef(taut::MotorId as MotorId) by motor {
        gets { name definition freedom drive position rate effort power command }
        lists {}
        tries {}
        rest {}
    }
}

view! {
    /// A coupling as it is now.
    CouplingRef(taut::CouplingId as CouplingId) by coupling {
        gets { name definition offset soft error force energy }
        lists { positions }
        tries {}
        rest {
            fn force_on(&self, py: Python<'_>, body: BodyId) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.coupling(self.id)?.force_on(body.0))
            }
        }
    }
}

view! {
    /// A rope over guides as it is now.
    RopeRef(taut::RopeId as RopeId) by rope {
        gets {
            name span_count is_closed tension path stored excess fleet is_off_plane energy twist torque is_as_given stiffness torsion groups
            thickness length paid_out slacks order free_ends
        }
        lists { bodies colliders tensions slips lengths wraps ends guides keepers riding }
        tries {}
        rest {
            fn length_to(&self, py: Python<'_>, point: V3) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| Ok(w.rope(self.id)?.length_to(point.0)))
            }
            fn point_at(&self, py: Python<'_>, length: f64) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.rope(self.id)?.point_at(length))
            }
        }
    }
}

view! {
    /// A rope with mass as it is now.
    HeavyRopeRef(taut::HeavyRopeId as HeavyRopeId) by heavy_rope {
        gets { name nodes links rope out stored tension }
        lists { waiting lengths tensions }
        tries {}
        rest {}
    }
}

view! {
    /// A deformable as it is now.
    DeformableRef(taut::DeformableId as DeformableId) by deformable {
        gets {
            name user_data node_count parts strength energy remembered surface skin largest_stress smallest_ratio activation mass stress
            extremes largest_strain volume skin_collider
        }
        lists { positions outputs }
        tries {}
        rest {
            fn node(&self, py: Python<'_>, k: usize) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.deformable(self.id)?.node(k))
            }
            fn is_bound(&self, py: Python<'_>, k: usize) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.deformable(self.id)?.is_bound(k))
            }
            fn position(&self, py: Python<'_>, k: usize) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.deformable(self.id)?.position(k))
            }
            fn velocity(&self, py: Python<'_>, k: usize) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.deformable(self.id)?.velocity(k))
            }
            fn carriers(&self, py: Python<'_>, k: usize) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| w.deformable(self.id)?.carriers(k))
            }
            #[getter]
            fn triangles(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.world.ask(py, |w| Ok(w.deformable(self.id)?.elements().surface().to_vec()))
            }
        }
    }
}

/// A collider as it is now.
#[pyclass(frozen, module = "taut")]
pub struct ColliderView {
    world: World,
    id: taut::ColliderId,
}

impl ColliderView {
    /// Of one that is there.
    pub fn new(world: &World, id: taut::ColliderId) -> PyResult<Self> {
        world.0.lock()?.world.collider(id).map_err(raise)?;
        Ok(ColliderView { world: world.clone(), id })
    }
}

macro_rules! fields {
    ($($field:ident)*) => {
        #[pymethods]
        impl ColliderView {
            #[getter]
            fn id(&self) -> ColliderId {
                ColliderId(self.id)
            }
            $(
                #[getter]
                fn $field(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.world.ask(py, |w| Ok(w.collider(self.id)?.$field.to_owned()))
                }
            )*
        }
    };
}
fields! { body shape local pose material groups sensor enabled user_data name }
