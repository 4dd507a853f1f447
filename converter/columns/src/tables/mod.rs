//! One file a table. Names, units and meaning of columns are those of the table in `docs/schema.md`.

mod callsite;
mod cpu_time;
mod event_count;
mod event_stack;
mod frame;
mod interrupt;
mod loss;
mod mapping;
mod process;
mod ready_wait;
mod ready_wait_rest;
mod run;
mod sample;
mod thread;
mod trace;

pub use callsite::Callsites;
pub use cpu_time::{CpuTime, CpuTimes};
pub use event_count::EventCounts;
pub use event_stack::EventStacks;
pub use frame::{FrameFunctions, Frames};
pub use interrupt::Interrupts;
pub use loss::Losses;
pub use mapping::Mappings;
pub use process::Processes;
pub use ready_wait::{LongReadyWaits, ReadyWaits, rank_of};
pub use ready_wait_rest::{ReadyWaitRest, RestOfWaits};
pub use run::Runs;
pub use sample::Samples;
pub use thread::Threads;
pub use trace::Trace;
