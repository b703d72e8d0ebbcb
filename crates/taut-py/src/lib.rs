//! The Python package of Taut: classes around the engine, and nothing that computes.
//!
//! What the classes and their methods do is said in the stubs, `python/taut/__init__.pyi`, which also give it to the interpreter.

mod arrays;
mod batch;
mod builder;
mod convert;
mod dynamics;
mod error;
mod fleet;
mod fmu;
mod hooks;
mod ids;
mod joints;
mod parts;
mod picture;
mod record;
mod ropes;
mod scenes;
mod shapes;
mod soft;
mod views;
mod world;

use pyo3::prelude::*;

/// The engine, as `taut` presents it.
#[pymodule]
fn _taut(m: &Bound<'_, PyModule>) -> PyResult<()> {
    macro_rules! classes {
        ($($module:ident: $($name:ident)*;)*) => { $($(m.add_class::<$module::$name>()?;)*)* };
    }
    classes! {
        batch: Batch;
        dynamics: Dynamics;
        fleet: PyJournal PySweep;
        fmu: PyFmu;
        hooks: ContactEdit;
        ids: BodyId JointId ColliderId CouplingId ForceId RopeId HeavyRopeId DeformableId MotorId LimitId WinchId RopeEnd;
        joints: Softness Limit SpeedLimit Motor Command Friction Strength Locks Frame Joint AxialLock Ball Cylindrical Distance ForceTorque
            Hinge Planar PointOnLine Prismatic Translational Universal Weld SixDof Range Wheel Cable FlexibleCable Ligament;
        parts: Pose Quaternions Shape MassProperties Body Material Collider Force Spring Coupling Gear Screw RackAndPinion Mimic Exposure
            Wave Water Wind Gusts;
        picture: Drawing;
        record: Record;
        ropes: Hold Sheave Wound Edge Reeving Rope HeavyRope Winding Winch;
        shapes: Groups;
        soft: Deformable Cut;
        views: BodyRef JointRef MotorRef CouplingRef RopeRef HeavyRopeRef DeformableRef ColliderView;
        world: World State Snapshot;
    }
    // Names that the package hands on as `taut.soft`.
    let soft = PyModule::new(m.py(), "soft")?;
    soft.add_class::<soft::Mesh>()?;
    soft.add_class::<soft::Material>()?;
    soft.add_class::<soft::Law>()?;
    soft.add_class::<soft::Plasticity>()?;
    soft.add_class::<soft::Fibre>()?;
    m.add_submodule(&soft)?;
    m.add_function(wrap_pyfunction!(fleet::_axis, m)?)?;
    m.add_function(wrap_pyfunction!(fleet::_source, m)?)?;
    m.add_function(wrap_pyfunction!(fleet::_run_tasks, m)?)?;
    m.add_function(wrap_pyfunction!(fmu::_fmu_library, m)?)?;
    m.add_function(wrap_pyfunction!(scenes::scene, m)?)?;
    m.add_function(wrap_pyfunction!(scenes::scenes, m)?)?;
    m.add_function(wrap_pyfunction!(scenes::load, m)?)?;
    m.add_function(wrap_pyfunction!(scenes::loads, m)?)?;
    m.add_function(wrap_pyfunction!(scenes::_imported, m)?)?;
    m.add_function(wrap_pyfunction!(scenes::_unpickled, m)?)?;
    m.add_function(wrap_pyfunction!(memory_limit, m)?)?;
    m.add_function(wrap_pyfunction!(set_memory_limit, m)?)?;
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}

/// Most memory that a world may take, bytes.
#[pyfunction]
fn memory_limit() -> u64 {
    taut::memory::memory_limit()
}

/// Sets the most memory that a world may take, bytes.
#[pyfunction]
fn set_memory_limit(bytes: u64) {
    taut::memory::set_memory_limit(bytes);
}
