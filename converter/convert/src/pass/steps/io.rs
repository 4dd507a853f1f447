//! Requests to files and disks, and hard faults, as facts.

use facts::{Asked, DiskIo, FileIo, FileIoEnd, HardFault, Sink};

use crate::pass::io::{Io, IoEvent, Issue, Past, Place, What};
use crate::pass::keys::Known;
use crate::pass::state::Pass;

impl Pass<'_> {
    /// Tells what an event of I/O yields.
    pub fn tell_io(&mut self, place: Place, event: &IoEvent, past: Past) {
        if !self.emit.sinks.take_requests() {
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
    pub fn end_io(&mut self) {
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
