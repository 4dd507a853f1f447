//! Whose an event is, where only chosen processes are kept. The header of a kernel event names the thread that happened
//! to run; its payload tells whom it is about.

use etl::{Event, EventId};
use rustc_hash::FxHashSet;
use schema::{EventSchema, Scalar, Value, decode_value};

use crate::selection::KindName;

/// Requests and files that are remembered of each sort; only a forged trace has more.
pub const REMEMBERED_MAX: usize = 1 << 20;
const THREADS: [&str; 4] = ["IssuingThreadId", "ThreadId", "TThreadId", "ThreadID"];
const PROCESSES: [&str; 3] = ["PID", "ProcessId", "ProcessID"];
const FILES: [&str; 2] = ["FileKey", "FileObject"];

/// Whom an event is about, as its payload says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// It is about the machine or the recording, and written by no thread in particular.
    pub is_of_machine: bool,
    pub tid: Option<u32>,
    pub pid: Option<u32>,
    /// The request that it begins or ends.
    pub irp: Option<u64>,
    /// The file that it uses or names.
    pub files: [Option<u64>; 2],
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
    pub irps: FxHashSet<u64>,
    pub files: FxHashSet<u64>,
}
