//! Pass 2: all events in time order, through the state of CPUs and threads, into facts.

mod actions;
mod address_space;
mod batch;
mod beginnings;
mod by_id;
mod convert;
mod decode;
mod emit;
mod feed;
mod frames;
mod generic;
mod head;
mod io;
mod keys;
mod lives;
mod made_callstacks;
mod nesting;
mod open_run;
mod order;
mod prepare;
mod rehearsal;
mod samples;
mod scheduling;
mod sinks;
mod standing;
mod state;
mod steps;
mod subject;

pub use convert::{convert, span_ns};
pub use sinks::Sinks;
pub use state::Places;
