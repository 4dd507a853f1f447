//! Requests to files and disks, and hard faults: messages of the Perfetto trace, and facts.

mod event;
mod file_names;
mod requests;

use facts::{Asked, DiskIo, FileIo, FileIoEnd, HardFault, Sink};

pub use event::{IoEvent, push_packed};
pub use requests::Past;

use super::Pass;
use super::keys::Known;
use event::{What, with_since};
use file_names::FileNames;
use requests::{Issue, Requests};

/// I/O under way.
#[derive(Debug, Default)]
pub struct Io {
    requests: Requests,
    names: FileNames,
    text: Vec<u8>,
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

impl Pass<'_> {
    /// Tells what an event of I/O yields.
    pub(super) fn tell_io(&mut self, place: Place, event: &IoEvent, past: Past) {
        if self.emit.sinks.columns.is_empty() {
            return;
        }
        let Place { ts_ns, by, .. } = place;
        let named = event.tid.and_then(|tid| self.emit.keys.known(tid));
        let sinks = &mut self.emit.sinks;
        let Io {
            requests, names, ..
        } = &mut self.io;
        match &event.what {
            What::Name { was_before } => {
                if let Some(key) = event.key {
                    names.name(key, *was_before, event.path.as_deref(), sinks);
                }
            }
            What::FileBegin { event_type } => {
                if let Some(before) = past.file {
                    sinks.file_io(&before);
                }
                let file = match &event.path {
                    Some(path) => Some(names.of_path(path, sinks)),
                    None => event.key.and_then(|key| names.of_key(key)),
                };
                let begun = FileIo {
                    ts_ns,
                    end: None,
                    event_type: *event_type,
                    asked: asked(event, place, by.or(named), file),
                    irp: event.irp,
                };
                if let Some(unkept) = requests.keep_file(begun) {
                    sinks.file_io(&unkept);
                }
            }
            What::FileEnd { done, status } => {
                if let Some(begun) = past.file {
                    let end = FileIoEnd {
                        te_ns: ts_ns,
                        done: *done,
                        status: *status,
                    };
                    let end = Some(end);
                    sinks.file_io(&FileIo { end, ..begun });
                }
            }
            What::DiskBegin => {
                let callsite = place.callsite;
                requests.keep_issue(event.irp, ts_ns, Issue { by, callsite });
            }
            What::DiskEnd {
                deed,
                took_ns,
                disk,
                priority,
                irp_flags,
            } => {
                let issue = past.issue.unwrap_or_default();
                let callsite = issue.callsite;
                let issued = Place { callsite, ..place };
                let file = event.key.and_then(|key| names.of_key(key));
                sinks.disk_io(&DiskIo {
                    te_ns: ts_ns,
                    dur_ns: *took_ns,
                    deed: *deed,
                    asked: asked(event, issued, named.or(issue.by), file),
                    disk: *disk,
                    priority: *priority,
                    irp_flags: irp_flags.clone(),
                    irp: event.irp,
                });
            }
            What::HardFault { begin_raw, address } => {
                let begin_ns = begin_raw.map(|raw| self.emit.ts_of(raw));
                let file = event.key.and_then(|key| names.of_key(key));
                let fault = HardFault {
                    te_ns: ts_ns,
                    dur_ns: begin_ns.map(|begin_ns| ts_ns.saturating_sub(begin_ns)),
                    asked: asked(event, place, named.or(by), file),
                    address: *address,
                };
                self.emit.sinks.hard_fault(&fault);
            }
        }
    }

    /// Tells what has no end where the recording ends, and the names that are left.
    pub(super) fn end_io(&mut self) {
        for begun in self.io.requests.take_files() {
            self.emit.sinks.file_io(&begun);
        }
        self.io.names.finish(&mut self.emit.sinks);
    }
}

fn asked(event: &IoEvent, place: Place, by: Option<Known>, file: Option<u32>) -> Asked {
    Asked {
        cpu: place.cpu,
        utid: by.map(|known| known.thread.utid),
        upid: by.and_then(|known| known.upid),
        file,
        byte_offset: event.byte_offset,
        size_bytes: event.size_bytes,
        callsite: place.callsite,
    }
}
