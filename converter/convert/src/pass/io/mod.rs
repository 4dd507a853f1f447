//! Requests to files and disks, and hard faults: messages of the Perfetto trace, and facts.

mod event;
mod file_names;
mod requests;

pub use event::{IoEvent, What, push_packed};
pub use requests::{Issue, Past};

use super::keys::Known;
use event::with_since;
use file_names::FileNames;
use requests::Requests;

/// I/O under way.
#[derive(Debug, Default)]
pub struct Io {
    pub requests: Requests,
    pub names: FileNames,
    pub text: Vec<u8>,
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
    /// Takes in what happens at `ts_ns`. Answers the text of its event, and what the event says about a request that
    /// was under way. If the event is an end whose begin was met, the text has the time since the begin.
    pub fn step<'t>(&'t mut self, event: &IoEvent, ts_ns: u64, text: &'t [u8]) -> (&'t [u8], Past) {
        let past = self.requests.step(event, ts_ns);
        match past.since_ns {
            Some(since_ns) => {
                with_since(text, since_ns, &mut self.text);
                (&self.text, past)
            }
            None => (text, past),
        }
    }

    /// How many begins were not kept, since too many requests were open.
    pub fn left_out(&self) -> u64 {
        self.requests.left_out()
    }
}
