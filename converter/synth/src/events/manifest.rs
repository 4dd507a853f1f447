//! Events of a manifest's provider, and the `TRACE_EVENT_INFO` records by which a merge describes them in the trace
//! (Microsoft docs: `tdh.h`).

use crate::file::bytes::{Bytes, Guid, Pointer};
use crate::file::event::{Origin, ProviderEvent};

/// `KernelTraceControl MetaData`, the event class of descriptions.
const METADATA: Guid = Guid::from_u128(0xbbccf6c1_6cd1_48c4_80ff_839482e37671);
const EVENT_INFO_TYPE: u8 = 0x20;
const FULL_HEADER_64: u8 = 0x14;
const FULL_HEADER_BYTES: usize = 0x30;
const DECODED_BY_XML: u32 = 0;
const INFO_BYTES: usize = 0x70;
const PROPERTY_BYTES: usize = 24;
const LEVEL_INFORMATION: u8 = 4;

/// A field's type (`TDH_INTYPE`) and value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// `win:Int32`.
    Int32(i32),
    /// `win:UInt32`.
    UInt32(u32),
    /// `win:UInt64`.
    UInt64(u64),
    /// `win:AnsiString`.
    AnsiText(&'static str),
}

impl Value {
    const fn in_type(self) -> u16 {
        match self {
            Self::AnsiText(_) => 2,
            Self::Int32(_) => 7,
            Self::UInt32(_) => 8,
            Self::UInt64(_) => 10,
        }
    }

    /// Length of the value in the payload; 0 where the value itself says where it ends.
    const fn fixed_bytes(self) -> u16 {
        match self {
            Self::AnsiText(_) => 0,
            Self::Int32(_) | Self::UInt32(_) => 4,
            Self::UInt64(_) => 8,
        }
    }
}

/// One event, as its manifest describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestEvent {
    /// The provider's GUID.
    pub provider: Guid,
    /// The provider's name.
    pub provider_name: &'static str,
    /// Id within the provider.
    pub id: u16,
    /// Version of the payload.
    pub version: u8,
    /// Number and name of the task.
    pub task: (u16, &'static str),
    /// Number and name of the opcode.
    pub opcode: (u8, &'static str),
    /// Keywords.
    pub keywords: u64,
    /// Fields by name.
    pub fields: Vec<(&'static str, Value)>,
}

impl ManifestEvent {
    /// The event itself.
    #[must_use]
    pub fn event(&self) -> ProviderEvent {
        let mut payload = Bytes::new(Pointer::Eight);
        for (_, value) in &self.fields {
            match *value {
                Value::Int32(number) => payload.i32(number),
                Value::UInt32(number) => payload.u32(number),
                Value::UInt64(number) => payload.u64(number),
                Value::AnsiText(text) => payload.astr(text),
            };
        }
        ProviderEvent {
            provider: self.provider,
            id: self.id,
            version: self.version,
            channel: 16,
            level: LEVEL_INFORMATION,
            opcode: self.opcode.0,
            task: self.task.0,
            keywords: self.keywords,
            activity: Guid([0; 16]),
            extended: Vec::new(),
            payload: payload.as_slice().to_vec(),
        }
    }

    /// The description of the event, a whole event to be logged by
    /// [`TraceWriter::raw`](crate::file::writer::TraceWriter::raw).
    #[must_use]
    pub fn description(&self, origin: Origin, ticks: i64) -> Vec<u8> {
        let record = self.trace_event_info();
        let size = FULL_HEADER_BYTES + record.len();
        let mut out = Bytes::new(Pointer::Eight);
        out.u16(u16::try_from(size).unwrap_or(u16::MAX))
            .u8(FULL_HEADER_64)
            .u8(0xC0)
            .u8(EVENT_INFO_TYPE)
            .fill(3, 0);
        out.u32(origin.tid)
            .u32(origin.pid)
            .i64(ticks)
            .guid(METADATA)
            .u64(0)
            .raw(&record);
        out.as_slice().to_vec()
    }

    fn trace_event_info(&self) -> Vec<u8> {
        let mut texts = Bytes::new(Pointer::Eight);
        let texts_at = INFO_BYTES + PROPERTY_BYTES * self.fields.len();
        let mut text = |text: &str| {
            let at = texts_at + texts.as_slice().len();
            texts.wstr(text);
            offset(at)
        };
        let names = [self.provider_name, self.task.1, self.opcode.1].map(&mut text);
        let fields: Vec<_> = self
            .fields
            .iter()
            .map(|(name, value)| (text(name), *value))
            .collect();
        let count = offset(fields.len());
        let mut out = Bytes::new(Pointer::Eight);
        out.guid(self.provider).fill(0x10, 0);
        out.u16(self.id).u8(self.version).u8(16);
        out.u8(LEVEL_INFORMATION)
            .u8(self.opcode.0)
            .u16(self.task.0)
            .u64(self.keywords);
        let [provider_name, task_name, opcode_name] = names;
        out.u32(DECODED_BY_XML).u32(provider_name).fill(12, 0);
        out.u32(task_name).u32(opcode_name).fill(24, 0);
        out.u32(count).u32(count).u32(0);
        for (name, value) in fields {
            out.u32(0).u32(name).u16(value.in_type()).u16(0).u32(0);
            out.u16(1).u16(value.fixed_bytes()).u32(0);
        }
        out.raw(texts.as_slice());
        out.as_slice().to_vec()
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
