//! One event, as its header tells it.

use std::fmt;

use crate::bytes;
use crate::event_header::HeaderType;
use crate::extended::{self, ExtendedItems};
use crate::guid::Guid;
use crate::kernel_class;

/// What a kernel event is: its group in the high byte, its type in the low byte (`0x0524` = context switch).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HookId(pub u16);

impl HookId {
    /// The hook id of a group and a type.
    pub const fn new(group: u8, event_type: u8) -> Self {
        Self(u16::from_be_bytes([group, event_type]))
    }

    /// The group: 3 process, 5 thread, …
    pub const fn group(self) -> u8 {
        self.0.to_be_bytes()[0]
    }

    /// The type within the group.
    pub const fn event_type(self) -> u8 {
        self.0.to_be_bytes()[1]
    }
}

impl fmt::Debug for HookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04X}", self.0)
    }
}

/// What a manifest or TraceLogging event says about itself (`EVENT_DESCRIPTOR`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EventDescriptor {
    /// Who wrote it.
    pub provider: Guid,
    /// Id within the provider; usually 0 for TraceLogging.
    pub id: u16,
    /// Version of the payload's layout.
    pub version: u8,
    /// Channel; 11 for TraceLogging.
    pub channel: u8,
    /// 1 critical … 5 verbose, 0 always.
    pub level: u8,
    /// 1 start, 2 stop, 10 and above the provider's own.
    pub opcode: u8,
    /// Task, the provider's own.
    pub task: u16,
    /// Keyword bits.
    pub keywords: u64,
}

/// Which event this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventId {
    /// A kernel event, whether written under its hook id or under its class GUID.
    Kernel(HookId),
    /// A classic event of a class that is not the kernel's.
    Classic {
        /// The event class.
        class: Guid,
        /// The type within the class.
        event_type: u8,
    },
    /// An event that a manifest describes.
    Manifest(EventDescriptor),
    /// An event that carries its own description, [`Event::extended`] item `TRACE_LOGGING_SCHEMA`.
    TraceLogging(EventDescriptor),
    /// A software trace (WPP) message.
    Wpp {
        /// Message GUID; `None` where the message names none.
        guid: Option<Guid>,
        /// Message number.
        number: u16,
    },
}

/// One event: what its header says, and its payload.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// Which event this is.
    pub id: EventId,
    /// Version of the payload's layout.
    pub version: u8,
    /// Width in bytes of pointers in the payload: 4 or 8, by this event's own header.
    pub pointer_bytes: u8,
    /// Processor of the buffer that holds the event; meaningless without [`Event::has_cpu`].
    pub cpu: u16,
    /// Whether the processor is known: not where
    /// [`LogFileHeader::mixes_processors`](crate::LogFileHeader::mixes_processors).
    pub has_cpu: bool,
    /// Raw time on the session's clock; see [`Clock`](crate::Clock).
    pub timestamp: i64,
    /// Process id and thread id of the thread that wrote the event; `None` where the header has no thread
    /// (PERFINFO) or says "none" (0xFFFFFFFF). In rundown events it is the rundown thread, not the subject.
    pub acting: Option<(u32, u32)>,
    /// Process id in the header, also where there is no thread; in image-identity events the image's process.
    pub header_pid: Option<u32>,
    /// The event's own data.
    pub payload: &'a [u8],
    /// The header leads past the event's end, so that it is unknown where the payload is: it is left empty.
    pub payload_lost: bool,
    activity_id: Option<&'a [u8; 16]>,
    /// Of a described event its extended items, of a kernel event the hardware counters before its payload.
    beside: &'a [u8],
}

/// What must be known of an event, in addition to its bytes, to decode it.
#[derive(Clone, Copy, Debug)]
pub struct EventFrame {
    pub(crate) header: HeaderType,
    pub(crate) cpu: u16,
    pub(crate) has_cpu: bool,
    /// Raw time on the session's clock.
    pub timestamp: i64,
}

impl EventFrame {
    /// The event that has this frame; `bytes` are its own. `None` if the bytes are of another event.
    #[inline]
    pub fn event(self, bytes: &[u8]) -> Option<Event<'_>> {
        // Changed where it is: to move an event that was just written waits for what was written.
        let mut event = Event::decode(bytes, self.header, self.cpu, self.timestamp);
        if let Some(event) = &mut event {
            event.has_cpu = self.has_cpu;
        }
        event
    }
}

const NO_THREAD: u32 = u32::MAX;
const PEBS_INDEX_FOLLOWS: u16 = 0x8000;
const EXTENDED_ITEMS_FOLLOW: u16 = 1;
const EXTENDED_AT: usize = 0x50;

impl<'a> Event<'a> {
    /// Decodes an event that fills `event` whole; `timestamp` stands in where its header holds none.
    #[inline]
    pub(crate) fn decode(
        event: &'a [u8],
        header: HeaderType,
        cpu: u16,
        timestamp: i64,
    ) -> Option<Self> {
        match header {
            HeaderType::PerfInfo { .. } => {
                Self::kernel(event, header, cpu, timestamp, (None, None))
            }
            HeaderType::System { .. } | HeaderType::Compact { .. } => {
                let ids = (bytes::u32_at(event, 0x0C), bytes::u32_at(event, 0x08));
                Self::kernel(event, header, cpu, timestamp, ids)
            }
            _ => Self::other(event, header, cpu, timestamp),
        }
    }

    fn other(event: &'a [u8], header: HeaderType, cpu: u16, timestamp: i64) -> Option<Self> {
        let (pid, tid) = match header {
            HeaderType::Message => message_ids(event),
            _ => (bytes::u32_at(event, 0x0C), bytes::u32_at(event, 0x08)),
        };
        let mut decoded = Self {
            id: EventId::Wpp {
                guid: None,
                number: 0,
            },
            version: 0,
            pointer_bytes: header.pointer_bytes(),
            cpu,
            has_cpu: true,
            timestamp,
            acting: acting(pid, tid),
            header_pid: pid.filter(|pid| *pid != NO_THREAD),
            payload: &[],
            payload_lost: false,
            activity_id: None,
            beside: &[],
        };
        match header {
            HeaderType::Full { .. } | HeaderType::Instance { .. } => {
                decoded.classic(event, header.bytes())?
            }
            HeaderType::EventHeader { .. } => decoded.described(event)?,
            _ => decoded.message(event)?,
        }
        Some(decoded)
    }

    /// An event of the kernel, by far the most frequent.
    #[inline]
    fn kernel(
        event: &'a [u8],
        header: HeaderType,
        cpu: u16,
        timestamp: i64,
        (pid, tid): (Option<u32>, Option<u32>),
    ) -> Option<Self> {
        let version = bytes::u16_at(event, 0)?;
        // The high byte announces 8-byte counters between header and payload (§2.1).
        let pebs = usize::from(version & PEBS_INDEX_FOLLOWS != 0);
        let counters = usize::from(version >> 8 & 7);
        let counters_at = header.bytes() + 8 * pebs;
        let payload_at = counters_at + 8 * counters;
        let payload = event.get(payload_at..);
        Some(Self {
            id: EventId::Kernel(HookId(bytes::u16_at(event, 6)?)),
            version: version.to_le_bytes()[0],
            pointer_bytes: header.pointer_bytes(),
            cpu,
            has_cpu: true,
            timestamp,
            acting: acting(pid, tid),
            header_pid: pid.filter(|pid| *pid != NO_THREAD),
            payload: payload.unwrap_or_default(),
            payload_lost: payload.is_none(),
            activity_id: None,
            beside: event.get(counters_at..payload_at).unwrap_or_default(),
        })
    }

    fn classic(&mut self, event: &'a [u8], header_bytes: usize) -> Option<()> {
        let event_type = bytes::u8_at(event, 4)?;
        let class = Guid::at(event, 0x18)?;
        self.version = bytes::u8_at(event, 6)?;
        self.id = kernel_class::hook_id(class, event_type)
            .map_or(EventId::Classic { class, event_type }, EventId::Kernel);
        self.set_payload(event, header_bytes);
        Some(())
    }

    fn described(&mut self, event: &'a [u8]) -> Option<()> {
        let descriptor = EventDescriptor {
            provider: Guid::at(event, 0x18)?,
            id: bytes::u16_at(event, 0x28)?,
            version: bytes::u8_at(event, 0x2A)?,
            channel: bytes::u8_at(event, 0x2B)?,
            level: bytes::u8_at(event, 0x2C)?,
            opcode: bytes::u8_at(event, 0x2D)?,
            task: bytes::u16_at(event, 0x2E)?,
            keywords: bytes::u64_at(event, 0x30)?,
        };
        self.version = descriptor.version;
        self.id = EventId::Manifest(descriptor);
        self.activity_id = event.get(0x40..)?.first_chunk();
        let body = event.get(EXTENDED_AT..)?;
        if bytes::u16_at(event, 4)? & EXTENDED_ITEMS_FOLLOW == 0 {
            self.payload = body;
            return Some(());
        }
        match extended::measure(body) {
            Some(items) => {
                (self.beside, self.payload) = body.split_at_checked(items.total_bytes)?;
                if items.has_trace_logging_schema {
                    self.id = EventId::TraceLogging(descriptor);
                }
            }
            None => self.payload_lost = true,
        }
        Some(())
    }

    fn message(&mut self, event: &'a [u8]) -> Option<()> {
        let layout = MessageLayout::of(bytes::u16_at(event, 6)?);
        let number = bytes::u16_at(event, 4)?;
        let guid = layout.guid_at.and_then(|at| Guid::at(event, at));
        self.id = EventId::Wpp { guid, number };
        self.pointer_bytes = layout.pointer_bytes;
        self.set_payload(event, layout.payload_at);
        Some(())
    }

    fn set_payload(&mut self, event: &'a [u8], at: usize) {
        match event.get(at..) {
            Some(payload) => self.payload = payload,
            None => self.payload_lost = true,
        }
    }

    /// The extended data items between header and payload; none for headers that have no such items.
    pub fn extended(&self) -> ExtendedItems<'a> {
        ExtendedItems::new(match self.id {
            EventId::Kernel(_) => &[],
            _ => self.beside,
        })
    }

    /// What the hardware counters (PMC) of the event's processor had counted, at most 7, where the header of a kernel event
    /// tells that (§2.1). Which counters they are the session tells in an event of its own.
    #[inline]
    pub fn hardware_counters(&self) -> impl Iterator<Item = u64> + use<'a> {
        let bytes = match self.id {
            EventId::Kernel(_) => self.beside,
            _ => &[],
        };
        let counters = bytes.as_chunks().0;
        counters.iter().map(|counter| u64::from_le_bytes(*counter))
    }

    /// The activity that the event belongs to; `None` for headers without one.
    pub fn activity_id(&self) -> Option<Guid> {
        self.activity_id.map(|id| Guid::from_disk(*id))
    }
}

/// Where the optional fields of a WPP message are (§2.3).
pub(crate) struct MessageLayout {
    guid_at: Option<usize>,
    pub(crate) timestamp_at: Option<usize>,
    ids_at: Option<usize>,
    payload_at: usize,
    pointer_bytes: u8,
}

impl MessageLayout {
    pub(crate) fn of(options: u16) -> Self {
        let mut at = 8;
        let mut take = |bit: u16, size: usize| {
            let here = at;
            let present = options & bit != 0;
            at += if present { size } else { 0 };
            present.then_some(here)
        };
        take(0x1, 4);
        let guid_at = take(0x2, 16);
        if guid_at.is_none() {
            take(0x4, 4);
        }
        let timestamp_at = take(0x8, 8);
        let ids_at = take(0x20, 8);
        let pointer_bytes = if options & 0x40 != 0 { 4 } else { 8 };
        Self {
            guid_at,
            timestamp_at,
            ids_at,
            payload_at: at,
            pointer_bytes,
        }
    }
}

#[inline]
fn acting(pid: Option<u32>, tid: Option<u32>) -> Option<(u32, u32)> {
    match (pid, tid) {
        (Some(pid), Some(tid)) if tid != NO_THREAD => Some((pid, tid)),
        _ => None,
    }
}

fn message_ids(event: &[u8]) -> (Option<u32>, Option<u32>) {
    let ids_at = bytes::u16_at(event, 6).and_then(|options| MessageLayout::of(options).ids_at);
    ids_at.map_or((None, None), |at| {
        (bytes::u32_at(event, at + 4), bytes::u32_at(event, at))
    })
}

#[cfg(test)]
#[path = "event_tests.rs"]
mod tests;
