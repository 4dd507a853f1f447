//! A small scheduler simulation, so that switches and ready events of a scenario fit together.

pub mod arena;
mod cpu;
pub mod log;
pub mod machine;
pub mod process;
mod ready_queue;
pub mod rng;
pub mod thread;
pub mod watch;
