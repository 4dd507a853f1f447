//! One file a table. Names, units and meaning of columns are those of the table in `docs/schema.md`.

mod cpu_time;
mod event_count;
mod interrupt;
mod loss;
mod process;
mod ready_wait;
mod ready_wait_rest;
mod run;
mod thread;
mod trace;

pub use cpu_time::{CpuTime, CpuTimes};
pub use event_count::EventCounts;
pub use interrupt::Interrupts;
pub use loss::Losses;
pub use process::Processes;
pub use ready_wait::{LongReadyWaits, ReadyWaits, rank_of};
pub use ready_wait_rest::{ReadyWaitRest, RestOfWaits};
pub use run::Runs;
pub use thread::Threads;
pub use trace::Trace;
