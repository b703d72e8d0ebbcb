//! Arrays of many bodies, joints or motors at once.
//!
//! An array belongs to Python and to the world together. The world writes into it at the end of every call that changes the world, as long
//! as somebody holds the array or a view of it; it is the same array each time, and nothing is allocated. Readers never see a step that is
//! half done, because the world writes while it holds the interpreter's lock. Python may not write into it.
//!
//! When bodies, joints or motors come or go, the rows would no longer be theirs. The array is then filled with NaN and left alone, and the
//! next one that is asked for is new. The memory is the array's own, so that it outlives the world.

use crate::convert::ToPy;
use crate::error::raise;
use numpy::{PyArray, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use taut::{BodyId, JointId, MotorId, World};

/// What the rows of an array are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Table {
    /// Bodies, in the order of `World.bodies`.
    Bodies,
    /// Joints, in the order of `World.joints`.
    Joints,
    /// Motors, in the order of `World.motors`.
    Motors,
}

/// A quantity of every body, joint or motor.
#[derive(Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Numbers of one row.
    pub width: usize,
    /// Its rows.
    pub table: Table,
    write: fn(&World, &mut [f64]),
}

/// Writes a row of every item.
fn rows<const N: usize, T>(items: impl Iterator<Item = T>, out: &mut [f64], of: impl Fn(&T) -> [f64; N]) {
    for (item, row) in items.zip(out.chunks_exact_mut(N)) {
        row.copy_from_slice(&of(&item));
    }
}

/// All of them.
pub static COLUMNS: [Column; 11] = [
    Column {
        name: "positions",
        width: 3,
        table: Table::Bodies,
        write: |w, o| rows(w.bodies(), o, |b| b.position().to_array()),
    },
    Column {
        name: "rotations",
        width: 4,
        table: Table::Bodies,
        write: |w, o| rows(w.bodies(), o, |b| b.rotation().to_array()),
    },
    Column {
        name: "velocities",
        width: 3,
        table: Table::Bodies,
        write: |w, o| rows(w.bodies(), o, |b| b.velocity().to_array()),
    },
    Column {
        name: "angular_velocities",
        width: 3,
        table: Table::Bodies,
        write: |w, o| rows(w.bodies(), o, |b| b.angular_velocity().to_array()),
    },
    Column {
        name: "joint_forces",
        width: 3,
        table: Table::Joints,
        write: |w, o| rows(w.joints(), o, |j| j.force().to_array()),
    },
    Column {
        name: "joint_torques",
        width: 3,
        table: Table::Joints,
        write: |w, o| rows(w.joints(), o, |j| j.torque().to_array()),
    },
    Column { name: "joint_gaps", width: 1, table: Table::Joints, write: |w, o| rows(w.joints(), o, |j| [j.gap()]) },
    Column {
        name: "joint_tensions",
        width: 1,
        table: Table::Joints,
        write: |w, o| rows(w.joints(), o, |j| [j.tension()]),
    },
    Column {
        name: "motor_positions",
        width: 1,
        table: Table::Motors,
        write: |w, o| rows(w.motors(), o, |m| [m.position()]),
    },
    Column { name: "motor_rates", width: 1, table: Table::Motors, write: |w, o| rows(w.motors(), o, |m| [m.rate()]) },
    Column {
        name: "motor_efforts",
        width: 1,
        table: Table::Motors,
        write: |w, o| rows(w.motors(), o, |m| [m.effort()]),
    },
];

/// One by name.
pub fn column(name: &str) -> PyResult<&'static Column> {
    COLUMNS.iter().find(|c| c.name == name).ok_or_else(|| {
        let names: Vec<&str> = COLUMNS.iter().map(|c| c.name).collect();
        raise(taut::Error::input("array", name, format!("one of {}", names.join(", "))))
    })
}

/// The items of the rows.
#[derive(Clone, Debug)]
pub enum Items {
    /// Bodies.
    Bodies(Vec<BodyId>),
    /// Joints.
    Joints(Vec<JointId>),
    /// Motors.
    Motors(Vec<MotorId>),
}

impl Items {
    /// Those that a world has now.
    pub fn of(world: &World, table: Table) -> Self {
        match table {
            Table::Bodies => Items::Bodies(world.bodies().map(|b| b.id()).collect()),
            Table::Joints => Items::Joints(world.joints().map(|j| j.id()).collect()),
            Table::Motors => Items::Motors(world.motors().map(|m| m.id()).collect()),
        }
    }

    /// Whether a world still has these, in this order.
    pub fn are_of(&self, world: &World) -> bool {
        match self {
            Items::Bodies(ids) => world.bodies().map(|b| b.id()).eq(ids.iter().copied()),
            Items::Joints(ids) => world.joints().map(|j| j.id()).eq(ids.iter().copied()),
            Items::Motors(ids) => world.motors().map(|m| m.id()).eq(ids.iter().copied()),
        }
    }

    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Items::Bodies(ids) => ids.len(),
            Items::Joints(ids) => ids.len(),
            Items::Motors(ids) => ids.len(),
        }
    }
}

impl Column {
    /// Writes it.
    pub fn write(&self, world: &World, out: &mut [f64]) {
        (self.write)(world, out);
    }

    /// Shape of the array for so many items.
    pub fn shape(&self, items: usize) -> Vec<usize> {
        if self.width == 1 { vec![items] } else { vec![items, self.width] }
    }
}

/// How many hold an object.
fn references(_: Python<'_>, object: *mut pyo3::ffi::PyObject) -> isize {
    // The number is read while the interpreter's lock is held, of an object that the caller holds.
    #[allow(unsafe_code)]
    unsafe {
        pyo3::ffi::Py_REFCNT(object)
    }
}

/// An array and the view of it that Python has, which cannot be written.
pub struct Shared {
    master: Py<PyArrayDyn<f64>>,
    view: Py<PyAny>,
}

impl Shared {
    /// Zeros.
    pub fn new(py: Python<'_>, shape: Vec<usize>) -> PyResult<Self> {
        let master = PyArray::<f64, _>::zeros(py, shape, false);
        let view = master.call_method0("view")?;
        let never = PyDict::new(py);
        never.set_item("write", false)?;
        view.call_method("setflags", (), Some(&never))?;
        Ok(Shared { master: master.unbind(), view: view.unbind() })
    }

    /// What Python gets.
    pub fn view(&self, py: Python<'_>) -> Py<PyAny> {
        self.view.clone_ref(py)
    }

    /// Whether somebody else holds the view, or a part of it.
    pub fn is_held(&self, py: Python<'_>) -> bool {
        // The master is held here and by the view.
        references(py, self.view.as_ptr()) > 1 || references(py, self.master.as_ptr()) > 2
    }

    /// Its numbers, to write.
    pub fn write(&self, py: Python<'_>, write: impl FnOnce(&mut [f64])) -> PyResult<()> {
        let mut array = self.master.bind(py).try_readwrite()?;
        write(array.as_slice_mut()?);
        Ok(())
    }
}

/// An array of a world.
struct Held {
    column: &'static Column,
    items: Items,
    array: Shared,
    /// Whether it has the numbers of now.
    fresh: bool,
}

/// The arrays of a world that have been asked for.
#[derive(Default)]
pub struct Arrays(Vec<Held>);

impl Arrays {
    /// Whether none has been asked for.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// After a change of the world: those that are held are written; those of which nobody knows when they are asked for again.
    pub fn refresh(&mut self, py: Python<'_>, world: &World) -> PyResult<()> {
        let mut k = 0;
        while k < self.0.len() {
            let held = &mut self.0[k];
            held.fresh = held.array.is_held(py);
            if held.fresh && !held.items.are_of(world) {
                held.array.write(py, |out| out.fill(f64::NAN))?;
                self.0.swap_remove(k);
                continue;
            }
            if held.fresh {
                held.array.write(py, |out| held.column.write(world, out))?;
            }
            k += 1;
        }
        Ok(())
    }

    /// The array of a column.
    pub fn get(&mut self, py: Python<'_>, world: &World, column: &'static Column) -> PyResult<Py<PyAny>> {
        if let Some(k) = self.0.iter().position(|h| h.column.name == column.name) {
            let held = &mut self.0[k];
            if held.fresh {
                return Ok(held.array.view(py));
            }
            if held.items.are_of(world) {
                held.array.write(py, |out| column.write(world, out))?;
                held.fresh = true;
                return Ok(held.array.view(py));
            }
            self.0.swap_remove(k);
        }
        let items = Items::of(world, column.table);
        let array = Shared::new(py, column.shape(items.len()))?;
        array.write(py, |out| column.write(world, out))?;
        let view = array.view(py);
        self.0.push(Held { column, items, array, fresh: true });
        Ok(view)
    }
}

impl ToPy for Items {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Items::Bodies(ids) => ids.to_py(py),
            Items::Joints(ids) => ids.to_py(py),
            Items::Motors(ids) => ids.to_py(py),
        }
    }
}
