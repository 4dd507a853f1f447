//! What the events of files, disks and hard faults say.

use etl::{Clock, Event, EventId, HookId};
use facts::{DiskDeed, Request};
use schema::{EventSchema, Scalar, Value, decode_fitting, scalar_text};

use crate::redaction::EventFilter;
use crate::selection::FileName;

const DISK_IO: u8 = 0x01;
const FILE_IO: u8 = 0x04;
const HARD_FAULT: HookId = HookId(0x0220);

/// What an event is to I/O.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// It names a file.
    Name {
        /// The key stood for the file before too.
        was_before: bool,
    },
    /// A thread asks the file system for something.
    FileBegin {
        /// For what: the type of the event.
        event_type: u8,
    },
    /// The file system is done.
    FileEnd {
        /// How many bytes were done, or what else it answers.
        done: Option<u64>,
        /// `NTSTATUS`.
        status: Option<u32>,
    },
    /// A disk is asked for something.
    DiskBegin,
    /// The disk is done.
    DiskEnd {
        /// With what.
        deed: DiskDeed,
        /// How long it took.
        took_ns: Option<u64>,
        /// Its number.
        disk: Option<u32>,
        /// I/O priority, 0 for none.
        priority: Option<u8>,
        /// Flags of the request packet, in words.
        irp_flags: Option<Box<str>>,
    },
    /// Memory is there that a thread waited for.
    HardFault {
        /// Raw time at which it touched that.
        begin_raw: Option<i64>,
        /// The address.
        address: Option<u64>,
    },
}

/// What an event says. `None` where it is too short to, or its layout has no such field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IoEvent {
    /// What it is.
    pub what: What,
    /// Address of the request packet, which is used again at once.
    pub irp: Option<u64>,
    /// The thread that asks.
    pub tid: Option<u32>,
    /// The key of the file.
    pub key: Option<u64>,
    /// Its name, as it may be written.
    pub path: Option<Box<str>>,
    /// Where in it.
    pub byte_offset: Option<u64>,
    /// How much.
    pub size_bytes: Option<u32>,
}

impl IoEvent {
    /// One that says no more than what it is.
    pub fn of(what: What) -> Self {
        Self {
            what,
            irp: None,
            tid: None,
            key: None,
            path: None,
            byte_offset: None,
            size_bytes: None,
        }
    }
}

/// What of an event, if anything, is of I/O.
pub fn io_event(
    event: &Event<'_>,
    schema: Option<&EventSchema>,
    clock: &Clock,
    filter: Option<&EventFilter<'_>>,
) -> Option<Box<IoEvent>> {
    let fields = Fields::of_io(event, schema, filter)?;
    fields.io_event(event, clock).map(Box::new)
}

/// The fields of a payload, by name.
struct Fields<'e> {
    members: Vec<(&'e str, Value<'e>)>,
    filter: Option<&'e EventFilter<'e>>,
}

impl<'e> Fields<'e> {
    /// Of an event of I/O; `None` for others.
    fn of_io(
        event: &'e Event<'_>,
        schema: Option<&'e EventSchema>,
        filter: Option<&'e EventFilter<'e>>,
    ) -> Option<Self> {
        let EventId::Kernel(hook) = event.id else {
            return None;
        };
        if !matches!(hook.group(), DISK_IO | FILE_IO) && hook != HARD_FAULT {
            return None;
        }
        let members = schema
            .map(|schema| decode_fitting(&schema.layout, event.payload, event.pointer_bytes))
            .unwrap_or_default();
        Some(Self { members, filter })
    }

    fn scalar(&self, wanted: &str) -> Option<Scalar<'e>> {
        let found = self.members.iter().find(|(name, _)| *name == wanted);
        match found {
            Some((_, Value::Scalar(scalar))) => Some(*scalar),
            _ => None,
        }
    }

    fn number<N: TryFrom<u64>>(&self, wanted: &str) -> Option<N> {
        let wide = match self.scalar(wanted)? {
            Scalar::U64(number) | Scalar::Hex(number) => number,
            Scalar::Mapped(number, _) => number.into(),
            _ => return None,
        };
        N::try_from(wide).ok()
    }

    /// A text, as it may be written.
    fn text(&self, wanted: &str) -> Option<Box<str>> {
        let scalar = self.scalar(wanted)?;
        let Scalar::Utf16(_) = scalar else {
            return None;
        };
        let text = scalar_text(scalar)?;
        match self.filter {
            Some(filter) => filter.shown(wanted, &text),
            None => Some(text.into()),
        }
    }

    fn flags(&self, wanted: &str) -> Option<Box<str>> {
        let flags = self.scalar(wanted)?;
        let number = || self.number(wanted).map(|number: u64| number.to_string());
        scalar_text(flags).or_else(number).map(Into::into)
    }

    fn io_event(&self, event: &Event<'_>, clock: &Clock) -> Option<IoEvent> {
        let EventId::Kernel(hook) = event.id else {
            return None;
        };
        let event_type = hook.event_type();
        let what = match (hook.group(), event_type) {
            (FILE_IO, 0x4C) => What::FileEnd {
                done: self.number("ExtraInformation"),
                status: self.number("NtStatus"),
            },
            (FILE_IO, 0x40..) => What::FileBegin { event_type },
            (FILE_IO, _) => What::Name {
                was_before: FileName::of(event)?.was_before,
            },
            (DISK_IO, 0x0C | 0x0D | 0x0F | 0x3A..=0x3C) => What::DiskBegin,
            (DISK_IO, _) => What::DiskEnd {
                deed: match event_type {
                    0x0A => DiskDeed::Read,
                    0x0B => DiskDeed::Write,
                    _ => DiskDeed::Flush,
                },
                took_ns: self
                    .number("HighResResponseTime_ticks")
                    .map(|ticks| clock.ticks_to_ns(ticks)),
                disk: self.number("DiskNumber"),
                priority: self
                    .number("IrpFlags")
                    .map(|flags: u64| (flags >> 17 & 7) as u8),
                irp_flags: self.flags("IrpFlags"),
            },
            _ => What::HardFault {
                begin_raw: self
                    .number("InitialTime_ticks")
                    .map(|raw: u64| raw.cast_signed()),
                address: self.number("VirtualAddress"),
            },
        };
        let io = IoEvent {
            irp: self.number("Irp"),
            ..IoEvent::of(what)
        };
        Some(match io.what {
            What::Name { .. } => IoEvent {
                key: self.number("FileKey"),
                path: self.text("FileName"),
                ..io
            },
            What::FileBegin { event_type } => IoEvent {
                tid: self.number("ThreadId"),
                key: self.number("FileKey"),
                path: names_its_file(event_type)
                    .then(|| self.text("OpenPath").or_else(|| self.text("FileName")))
                    .flatten(),
                byte_offset: self.number("Offset"),
                size_bytes: self.number("IoSize").or_else(|| self.number("Length")),
                ..io
            },
            What::DiskEnd { .. } => IoEvent {
                tid: self.number("IssuingThreadId"),
                key: self.number("FileObject"),
                byte_offset: self.number("ByteOffset"),
                size_bytes: self.number("TransferSize"),
                ..io
            },
            What::HardFault { .. } => IoEvent {
                tid: self.number("ThreadId"),
                key: self.number("FileObject"),
                byte_offset: self.number("ReadOffset"),
                size_bytes: self.number("ByteCount"),
                ..io
            },
            What::FileEnd { .. } | What::DiskBegin => io,
        })
    }
}

/// Whether an operation's event has the name that was asked for.
fn names_its_file(event_type: u8) -> bool {
    matches!(event_type, 0x40 | 0x4E | 0x4F..=0x51)
}

impl IoEvent {
    /// What it says of a request that began so long ago, as far as that is known.
    pub fn request(&self, since_ns: Option<u64>) -> Option<Request> {
        let (file_key, size_bytes) = (self.key, self.size_bytes);
        Some(match self.what {
            What::FileBegin { .. } => Request::FileBegins {
                file_key,
                size_bytes,
            },
            What::FileEnd { done, status } => Request::FileEnds {
                since_ns,
                done,
                status,
            },
            What::DiskBegin => Request::DiskBegins,
            What::DiskEnd {
                took_ns,
                disk,
                priority,
                ..
            } => Request::DiskEnds {
                since_ns,
                took_ns,
                file_key,
                size_bytes,
                disk,
                tid: self.tid,
                priority,
            },
            What::Name { .. } | What::HardFault { .. } => return None,
        })
    }
}
