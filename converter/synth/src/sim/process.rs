//! A simulated process.

use super::thread::Behaviour;
use crate::events::process::ProcessInfo;
use crate::events::thread::ThreadInfo;

/// A process of the simulation.
#[derive(Debug)]
pub struct Process {
    /// As its events describe it.
    pub info: ProcessInfo,
    pub(super) live_threads: usize,
    pub(super) ended: bool,
}

impl Process {
    /// A process without threads.
    #[must_use]
    pub const fn new(info: ProcessInfo) -> Self {
        Self {
            info,
            live_threads: 0,
            ended: false,
        }
    }
}

/// A process to be created while the simulation runs; its threads start at once.
pub struct NewProcess {
    /// As its events describe it; its creator becomes its parent.
    pub info: ProcessInfo,
    /// Its threads and what they do.
    pub threads: Vec<NewThread>,
}

/// A thread to be created while the simulation runs: as its events describe it, and what it does.
pub type NewThread = (ThreadInfo, Box<dyn Behaviour>);
