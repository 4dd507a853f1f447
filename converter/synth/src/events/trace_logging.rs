//! A TraceLogging event: an `EVENT_HEADER` event that carries its own schema (Microsoft docs: `TraceLoggingProvider.h`).

use crate::file::bytes::{Bytes, Guid, Pointer};
use crate::file::event::ProviderEvent;

const SCHEMA: u16 = 0x0B;
const PROVIDER_TRAITS: u16 = 0x0C;
const CHANNEL: u8 = 11;
const IN_UNICODE_STRING: u8 = 1;
const IN_ANSI_STRING: u8 = 2;
const IN_UINT8: u8 = 4;
const IN_UINT32: u8 = 8;
const IN_UINT64: u8 = 10;
const IN_BINARY: u8 = 14;
const IN_GUID: u8 = 15;
const IN_SID: u8 = 19;
/// A u16 count stands before the values.
const COUNTED: u8 = 0x40;

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `UInt32`.
    UInt32(u32),
    /// `UInt64`.
    UInt64(u64),
    /// Zero-terminated UTF-16 text.
    Text(String),
    /// Zero-terminated 8-bit text.
    Ansi(String),
    /// An array of `UInt8`.
    Bytes(Vec<u8>),
    /// Counted binary.
    Binary(Vec<u8>),
    /// A GUID.
    Guid(Guid),
    /// An account: the parts behind `S-1-5-`.
    Sid(Vec<u32>),
}

/// Builds the event of a provider with named fields.
#[must_use]
pub fn trace_logging(
    provider: Guid,
    provider_name: &str,
    event_name: &str,
    fields: &[(&str, Value)],
) -> ProviderEvent {
    let mut traits = Bytes::new(Pointer::Eight);
    traits.astr(provider_name);
    let mut schema = Bytes::new(Pointer::Eight);
    // The event's tag: one byte without the bit that announces another.
    schema.u8(0).astr(event_name);
    let mut payload = Bytes::new(Pointer::Eight);
    for (name, value) in fields {
        schema.astr(name);
        match value {
            Value::UInt32(number) => {
                schema.u8(IN_UINT32);
                payload.u32(*number);
            }
            Value::UInt64(number) => {
                schema.u8(IN_UINT64);
                payload.u64(*number);
            }
            Value::Text(text) => {
                schema.u8(IN_UNICODE_STRING);
                payload.wstr(text);
            }
            Value::Ansi(text) => {
                schema.u8(IN_ANSI_STRING);
                payload.astr(text);
            }
            Value::Bytes(bytes) => {
                schema.u8(IN_UINT8 | COUNTED);
                counted(&mut payload, bytes);
            }
            Value::Binary(bytes) => {
                schema.u8(IN_BINARY);
                counted(&mut payload, bytes);
            }
            Value::Guid(guid) => {
                schema.u8(IN_GUID);
                payload.guid(*guid);
            }
            Value::Sid(parts) => {
                schema.u8(IN_SID);
                payload
                    .u8(1)
                    .u8(u8::try_from(parts.len()).unwrap_or(u8::MAX));
                payload.raw(&[0, 0, 0, 0, 0, 5]);
                for part in parts {
                    payload.u32(*part);
                }
            }
        }
    }
    ProviderEvent {
        provider,
        id: 0,
        version: 0,
        channel: CHANNEL,
        level: 5,
        opcode: 0,
        task: 0,
        keywords: 0,
        activity: Guid([0; 16]),
        extended: vec![(PROVIDER_TRAITS, sized(&traits)), (SCHEMA, sized(&schema))],
        payload: payload.as_slice().to_vec(),
    }
}

/// A u16 count, then the bytes.
fn counted(out: &mut Bytes, bytes: &[u8]) {
    out.u16(u16::try_from(bytes.len()).unwrap_or(u16::MAX))
        .raw(bytes);
}

/// Puts the u16 size, itself included, before a block.
fn sized(block: &Bytes) -> Vec<u8> {
    let mut out = Bytes::new(Pointer::Eight);
    out.u16(u16::try_from(block.as_slice().len() + 2).unwrap_or(u16::MAX))
        .raw(block.as_slice());
    out.as_slice().to_vec()
}
