//! Many runs of one scene: sweeps over parameters, steps, methods and perturbed starts.
//!
//! A [`Sweep`] says what is varied. It is cut into [`Task`]s, each a small value that can be written as JSON and sent to another process or
//! machine. [`run_task`] runs one and gives a [`Row`]; it is a pure function, so that it does not matter where a task runs: the same task
//! gives the same row to the last bit on every machine. [`spread`] runs tasks on the threads of this process. A [`Journal`] keeps what is
//! done, so that a sweep that was killed goes on where it was. [`table`] writes and reads the rows as CSV or Parquet.
//!
//! ```
//! use taut_fleet::{Axis, Source, Sweep, run_task};
//! let mut sweep = Sweep::of(Source::Library("chain".into()));
//! sweep.vary = vec![Axis::parse("ratio=log:1:1e6:3").unwrap(), Axis::parse("time=0.2").unwrap()];
//! sweep.check().unwrap();
//! assert_eq!(sweep.count(), 3);
//! let row = run_task(&sweep.task(1)).row;
//! assert_eq!(row.number("ratio"), Some(1000.0));
//! assert_eq!(row.text("verdict"), Some("stable"));
//! ```
//!
//! Nothing here prints.

mod axis;
mod cell;
mod journal;
mod kick;
mod local;
mod parquet;
mod place;
mod row;
mod source;
mod sweep;
pub mod table;
mod task;

pub use axis::{Axis, Values};
pub use cell::Cell;
pub use journal::Journal;
pub use kick::{KICK, kick};
pub use local::spread;
pub use row::Row;
pub use source::{Source, set_places};
pub use sweep::{Seeds, Sweep};
pub use task::{Done, Task, Timing, run_task, run_task_while};
