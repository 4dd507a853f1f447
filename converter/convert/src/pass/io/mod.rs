//! Requests to files and disks, and hard faults.

mod event;
mod file_names;
mod requests;

pub use event::{IoEvent, What, io_event};
pub use requests::{Issue, Past};

use super::keys::Known;
use file_names::FileNames;
use requests::Requests;

/// I/O under way.
#[derive(Debug, Default)]
pub struct Io {
    pub requests: Requests,
    pub names: FileNames,
}

/// Where an event of I/O was, and by whom.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// When.
    pub ts_ns: u64,
    /// Its CPU.
    pub cpu: Option<u16>,
    /// The thread that its header names, or that ran there.
    pub by: Option<Known>,
    /// Its stack.
    pub callsite: Option<u32>,
}

impl Io {
    /// Takes in what happens at `ts_ns`. Answers what the event says about a request that was under way.
    pub fn step(&mut self, event: &IoEvent, ts_ns: u64) -> Past {
        self.requests.step(event, ts_ns)
    }

    /// How many begins were not kept, since too many requests were open.
    pub fn left_out(&self) -> u64 {
        self.requests.left_out()
    }
}
