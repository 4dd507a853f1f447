//! Track descriptors.

use crate::field::track_descriptor as field;
use crate::wire::{LongMessage, Wire};

/// What a track stands for.
#[derive(Clone, Copy, Debug)]
pub enum Track<'a> {
    /// Events of the whole trace, under a name of their own.
    Global {
        /// Shown name.
        name: &'a str,
    },
    /// Events below another track.
    Within {
        /// Shown name.
        name: &'a str,
        /// UUID of the track above.
        parent_uuid: u64,
    },
    /// A counter below another track.
    Counter {
        /// Shown name.
        name: &'a str,
        /// UUID of the track above.
        parent_uuid: u64,
    },
    /// One incarnation of a process.
    Process {
        /// Process id.
        pid: u32,
        /// Image name.
        name: &'a str,
        /// When it started, if within the trace.
        start_ts_ns: Option<u64>,
    },
    /// One incarnation of a thread.
    Thread {
        /// Process id.
        pid: u32,
        /// Thread id.
        tid: u32,
        /// Thread name, if it has one.
        name: Option<&'a str>,
    },
}

impl Track<'_> {
    pub(crate) fn write(&self, uuid: u64, out: &mut Vec<u8>) {
        out.uint(field::UUID, uuid);
        match *self {
            Track::Global { name } => out.bytes(field::NAME, name.as_bytes()),
            Track::Within { name, parent_uuid } => {
                out.uint(field::PARENT_UUID, parent_uuid);
                out.bytes(field::NAME, name.as_bytes());
            }
            Track::Counter { name, parent_uuid } => {
                out.uint(field::PARENT_UUID, parent_uuid);
                out.bytes(field::NAME, name.as_bytes());
                out.short_message(field::COUNTER, |_| {});
            }
            Track::Process {
                pid,
                name,
                start_ts_ns,
            } => out.message(field::PROCESS, |m| {
                m.uint(field::PROCESS_PID, u64::from(pid));
                m.bytes(field::PROCESS_NAME, name.as_bytes());
                if let Some(ts_ns) = start_ts_ns {
                    m.uint(field::PROCESS_START_TIMESTAMP_NS, ts_ns);
                }
            }),
            Track::Thread { pid, tid, name } => out.message(field::THREAD, |m| {
                m.uint(field::THREAD_PID, u64::from(pid));
                m.uint(field::THREAD_TID, u64::from(tid));
                if let Some(name) = name {
                    m.bytes(field::THREAD_NAME, name.as_bytes());
                }
            }),
        }
    }
}
