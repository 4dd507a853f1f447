//! What can be logged: classic kernel events, provider events and WPP messages, and the headers they stand under.

use super::bytes::{Bytes, Guid, Pointer};
use super::compact::Leaving;

/// The thread that logs an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Origin {
    /// Its thread id.
    pub tid: u32,
    /// Its process id.
    pub pid: u32,
}

/// Where and when an event is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    /// Processor whose buffer takes the event.
    pub cpu: u16,
    /// Raw timestamp in ticks of the session's clock.
    pub ticks: i64,
    /// Pointer width of header and payload; `None` = the session's.
    pub pointer: Option<Pointer>,
}

impl At {
    /// On a processor at a raw timestamp, with the session's pointer width.
    #[must_use]
    pub const fn new(cpu: u16, ticks: i64) -> Self {
        Self {
            cpu,
            ticks,
            pointer: None,
        }
    }
}

/// The header of a classic event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Header {
    /// `SYSTEM_TRACE_HEADER`, 20h bytes.
    System(Origin),
    /// The same without the two CPU times, 18h bytes.
    Compact(Origin),
    /// `PERFINFO_TRACE_HEADER`, 10h bytes, no thread.
    PerfInfo,
    /// `PERFINFO_TRACE_HEADER` with two hardware counters (PMC) after it; bits 8 to 10 of the version tell how many.
    PerfInfoWithCounters([u64; 2]),
    /// `EVENT_TRACE_HEADER` with the class GUID, 30h bytes.
    Full(Origin),
    /// `EVENT_INSTANCE_GUID_HEADER`, 48h bytes.
    Instance(Origin, Instance),
}

/// The instance fields of `EVENT_INSTANCE_GUID_HEADER`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instance {
    /// Instance id.
    pub id: u32,
    /// Parent instance id.
    pub parent_id: u32,
    /// Event class of the parent.
    pub parent_class: Guid,
}

/// A kernel event known by its hook id, `group << 8 | type`.
pub trait KernelEvent {
    /// Hook id, e.g. 0524h for a context switch.
    fn hook(&self) -> u16;
    /// Version of the payload.
    fn version(&self) -> u8;
    /// Writes the payload.
    fn write(&self, out: &mut Bytes);
    /// Class under a header that names it, if that is not the class of the hook id's group.
    fn class(&self) -> Option<Guid> {
        None
    }
    /// What a compact event says about it, if it is a context switch.
    fn leaving(&self) -> Option<Leaving> {
        None
    }
}

/// An event of a provider, under `EVENT_HEADER`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderEvent {
    /// Provider GUID.
    pub provider: Guid,
    /// Event id; 0 for TraceLogging.
    pub id: u16,
    /// Event version.
    pub version: u8,
    /// Channel; 11 for TraceLogging.
    pub channel: u8,
    /// Level, 1 critical to 5 verbose, 0 always.
    pub level: u8,
    /// Opcode, 1 start, 2 stop.
    pub opcode: u8,
    /// Task.
    pub task: u16,
    /// Keywords.
    pub keywords: u64,
    /// Activity id.
    pub activity: Guid,
    /// Extended data items: type and data.
    pub extended: Vec<(u16, Vec<u8>)>,
    /// Payload, its pointers in the width of the event.
    pub payload: Vec<u8>,
}

/// A WPP message, under the 90h marker (Microsoft docs: `TraceMessage`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WppMessage {
    /// Message GUID.
    pub class: Guid,
    /// Message number.
    pub number: u16,
    /// Arguments.
    pub payload: Vec<u8>,
}

/// Writes a whole classic event into `out`, which carries the pointer width.
pub(super) fn kernel(header: Header, ticks: i64, event: &impl KernelEvent, out: &mut Bytes) {
    let [kind, group] = event.hook().to_le_bytes();
    let wide = out.pointer_width() == Pointer::Eight;
    let mut payload = Bytes::new(out.pointer_width());
    event.write(&mut payload);
    let size = |header_bytes: u16| size_field(usize::from(header_bytes) + payload.as_slice().len());
    match header {
        Header::System(origin) | Header::Compact(origin) => {
            let (marker, bytes) = match header {
                Header::System(_) => (if wide { 2 } else { 1 }, 0x20),
                _ => (if wide { 4 } else { 3 }, 0x18),
            };
            out.u16(event.version().into())
                .u8(marker)
                .u8(0xC0)
                .u16(size(bytes))
                .u16(event.hook());
            out.u32(origin.tid)
                .u32(origin.pid)
                .i64(ticks)
                .fill(usize::from(bytes) - 0x18, 0);
        }
        Header::PerfInfo | Header::PerfInfoWithCounters(_) => {
            let marker = if wide { 0x11 } else { 0x10 };
            let counters: &[u64] = match &header {
                Header::PerfInfoWithCounters(counters) => counters,
                _ => &[],
            };
            let count = size_field(counters.len());
            out.u16(u16::from(event.version()) | count << 8)
                .u8(marker)
                .u8(0xC0)
                .u16(size(0x10 + 8 * count))
                .u16(event.hook())
                .i64(ticks);
            for counter in counters {
                out.u64(*counter);
            }
        }
        Header::Full(origin) | Header::Instance(origin, _) => {
            let (marker, bytes) = match header {
                Header::Full(_) => (if wide { 0x14 } else { 0x0A }, 0x30),
                _ => (if wide { 0x15 } else { 0x0B }, 0x48),
            };
            out.u16(size(bytes))
                .u8(marker)
                .u8(0xC0)
                .u8(kind)
                .u8(0)
                .u16(event.version().into());
            out.u32(origin.tid)
                .u32(origin.pid)
                .i64(ticks)
                .guid(event.class().unwrap_or_else(|| class_guid(group)))
                .u64(0);
            if let Header::Instance(_, instance) = header {
                out.u32(instance.id)
                    .u32(instance.parent_id)
                    .guid(instance.parent_class);
            }
        }
    }
    out.raw(payload.as_slice());
}

/// Writes a whole provider event.
pub(super) fn provider(origin: Origin, ticks: i64, event: &ProviderEvent, out: &mut Bytes) {
    let mut extended = Bytes::new(out.pointer_width());
    for (index, (kind, data)) in event.extended.iter().enumerate() {
        let another = u16::from(index + 1 < event.extended.len());
        let padded = data.len().next_multiple_of(8);
        extended
            .u16(size_field(8 + padded))
            .u16(*kind)
            .u16(another)
            .u16(size_field(data.len()));
        extended.raw(data).fill(padded - data.len(), 0);
    }
    let size = 0x50 + extended.as_slice().len() + event.payload.len();
    let marker = if out.pointer_width() == Pointer::Eight {
        0x13
    } else {
        0x12
    };
    out.u16(size_field(size))
        .u8(marker)
        .u8(0xC0)
        .u16(u16::from(!event.extended.is_empty()))
        .u16(0);
    out.u32(origin.tid)
        .u32(origin.pid)
        .i64(ticks)
        .guid(event.provider);
    out.u16(event.id)
        .u8(event.version)
        .u8(event.channel)
        .u8(event.level)
        .u8(event.opcode)
        .u16(event.task);
    out.u64(event.keywords).u64(0).guid(event.activity);
    out.raw(extended.as_slice()).raw(&event.payload);
}

/// Writes a whole WPP message with GUID, timestamp, thread and process.
pub(super) fn message(origin: Origin, ticks: i64, event: &WppMessage, out: &mut Bytes) {
    let width_option = if out.pointer_width() == Pointer::Eight {
        0x80
    } else {
        0x40
    };
    out.u16(size_field(8 + 32 + event.payload.len()))
        .u8(0)
        .u8(0x90);
    out.u16(event.number).u16(0x02 | 0x08 | 0x20 | width_option);
    out.guid(event.class)
        .i64(ticks)
        .u32(origin.tid)
        .u32(origin.pid)
        .raw(&event.payload);
}

/// A size too large for its field reads as the largest; the writer refuses such an event by its real length.
fn size_field(size: usize) -> u16 {
    u16::try_from(size).unwrap_or(u16::MAX)
}

/// The event class of a kernel group (ntwmi; MOF). Groups without a documented class get the zero GUID.
fn class_guid(group: u8) -> Guid {
    Guid::from_u128(match group {
        0x00 => 0x68fdd900_4a3e_11d1_84f4_0000f80464e3,
        0x01 => 0x3d6fa8d4_fe05_11d0_9dda_00c04fd7ba7c,
        0x02 => 0x3d6fa8d3_fe05_11d0_9dda_00c04fd7ba7c,
        0x03 => 0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c,
        0x04 => 0x90cbdc39_4a3e_11d1_84f4_0000f80464e3,
        0x05 => 0x3d6fa8d1_fe05_11d0_9dda_00c04fd7ba7c,
        0x06 => 0x9a280ac0_c8e0_11d1_84e2_00c04fb998a2,
        0x07 => 0x3282fc76_feed_498e_8aa7_e70f459d430e,
        0x08 => 0xbf3a50c5_a9c9_4988_a005_2df0b7c80f80,
        0x09 => 0xae53722e_c863_11d2_8659_00c04fa321a1,
        0x0B => 0x01853a65_418f_4f36_aefc_dc0f1d2fd235,
        0x0E => 0x0268a8b6_74fd_4302_9dd0_6e8f1795c0cf,
        0x0F => 0xce1dbfb4_137e_4da6_87b0_3f59aa102cbc,
        0x11 => 0x89497f50_effe_4440_8cf2_ce6b1cdcaca7,
        0x12 => 0xe43445e0_0903_48c3_b878_ff0fccebdd04,
        0x14 => 0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518,
        0x18 => 0xdef2fe46_7bd6_4b80_bd94_f57fe20d0ce3,
        0x1A => 0x45d8cccd_539f_4b72_a8b7_5c683142609a,
        0x1B => 0xd837ca92_12b9_44a5_ad6a_3a65b3578aa8,
        _ => 0,
    })
}
