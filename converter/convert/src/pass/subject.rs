//! Whose an event is, where only chosen processes are kept. The header of a kernel event names the thread that happened
//! to run; its payload tells whom it is about.

use etl::{Event, EventId};
use rustc_hash::FxHashSet;
use schema::{EventSchema, Scalar, Value, decode_value};

use super::Pass;
use crate::selection::KindName;

/// Requests and files that are remembered of each sort; only a forged trace has more.
const REMEMBERED_MAX: usize = 1 << 20;
const THREADS: [&str; 4] = ["IssuingThreadId", "ThreadId", "TThreadId", "ThreadID"];
const PROCESSES: [&str; 3] = ["PID", "ProcessId", "ProcessID"];
const FILES: [&str; 2] = ["FileKey", "FileObject"];

/// Whom an event is about, as its payload says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// It is about the machine or the recording, and written by no thread in particular.
    is_of_machine: bool,
    tid: Option<u32>,
    pid: Option<u32>,
    /// The request that it begins or ends.
    irp: Option<u64>,
    /// The file that it uses or names.
    files: [Option<u64>; 2],
}

impl Subject {
    /// Of a kernel event whose layout is known; those of providers are their threads'.
    pub fn of(event: &Event<'_>, schema: Option<&EventSchema>) -> Self {
        let of_header = Self {
            is_of_machine: KindName::of(event.id).is_none(),
            ..Self::default()
        };
        let (EventId::Kernel(_), Some(schema)) = (event.id, schema) else {
            return of_header;
        };
        let decoded = decode_value(&schema.layout, event.payload, event.pointer_bytes);
        let Ok(Value::Struct(members)) = decoded else {
            return of_header;
        };
        let number = |wanted: &str| {
            let found = members.iter().find(|(name, _)| *name == wanted);
            match found {
                Some((_, Value::Scalar(Scalar::U64(number) | Scalar::Hex(number)))) => {
                    Some(*number)
                }
                _ => None,
            }
        };
        let id = |names: &[&str]| {
            let mut found = names.iter().filter_map(|name| number(name));
            found.next().and_then(|id| u32::try_from(id).ok())
        };
        Self {
            tid: id(&THREADS),
            pid: id(&PROCESSES),
            irp: number("Irp"),
            files: FILES.map(number),
            ..of_header
        }
    }
}

/// What kept events were about, by which later events without a thread are known.
#[derive(Debug, Default)]
pub struct Remembered {
    irps: FxHashSet<u64>,
    files: FxHashSet<u64>,
}

impl Pass<'_> {
    /// Whether an event is kept that is about `subject` and written by a thread of `author_pid`, if by any.
    pub(super) fn keeps_event(
        &mut self,
        raw: i64,
        author_pid: Option<u32>,
        subject: Option<&Subject>,
    ) -> bool {
        let (Some(_), Some(subject)) = (self.kept, subject) else {
            return true;
        };
        let files = || subject.files.iter().flatten();
        let keeps = match (subject.tid, subject.pid) {
            (Some(tid), _) => {
                let pid = self.lives.pid_of(self.lifetimes, tid, subject.pid);
                pid.is_some_and(|pid| self.keeps_pid(raw, pid))
            }
            (None, Some(pid)) => self.keeps_pid(raw, pid),
            (None, None) => match subject.irp {
                Some(irp) => self.remembered.irps.contains(&irp),
                None if files().next().is_some() => {
                    files().any(|file| self.remembered.files.contains(file))
                }
                None => author_pid.map_or(subject.is_of_machine, |pid| self.keeps_pid(raw, pid)),
            },
        };
        if keeps && self.remembered.irps.len() < REMEMBERED_MAX {
            self.remembered.irps.extend(subject.irp);
        }
        if keeps && self.remembered.files.len() < REMEMBERED_MAX {
            self.remembered
                .files
                .extend(files().filter(|file| **file != 0));
        }
        keeps
    }

    /// Whether what a process did is kept.
    pub(super) fn keeps_pid(&self, raw: i64, pid: u32) -> bool {
        self.kept
            .is_none_or(|kept| kept.has_pid(self.lifetimes, pid, raw))
    }
}
