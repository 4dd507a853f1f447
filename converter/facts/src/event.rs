//! Generic events.

use crate::io::Request;
use crate::run::{Mention, Thread};

/// What an event's header says, apart from time and thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EventHeader {
    /// Its id; for a classic event its type, for a kernel event its hook.
    pub id: u16,
    /// Version of its layout.
    pub version: u8,
    /// What it is to its task.
    pub opcode: u8,
    /// A number of the provider's own.
    pub task: u16,
    /// How severe it is: 1 critical to 5 verbose.
    pub level: u8,
    /// Bits of the provider's own.
    pub keywords: u64,
}

/// An event of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenericEvent<'t> {
    /// When.
    pub ts_ns: u64,
    /// Its CPU, where the recording tells CPUs apart.
    pub cpu: Option<u16>,
    /// The thread that wrote it.
    pub thread: Option<Thread>,
    /// What it says of the thread besides.
    pub mention: Mention,
    /// `provider/event`.
    pub kind: &'t str,
    /// What its header says.
    pub header: EventHeader,
    /// What else its header says, as a JSON object.
    pub more_header: Option<&'t [u8]>,
    /// What it says itself, as a JSON object.
    pub fields: &'t [u8],
    /// What it says of a request to a file or a disk.
    pub request: Option<Request>,
    /// Whether what it says is wanted; else it has no fields.
    pub is_told: bool,
}
