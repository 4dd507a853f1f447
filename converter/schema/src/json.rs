//! Writes a payload as one JSON object, straight from its bytes.

use std::borrow::Cow;
use std::io::Write;
use std::net::{Ipv4Addr, Ipv6Addr};

use etl::bytes::{array_at, u16_at, u32_at, utf16_text};
use etl::{Event, Guid};

use crate::bundled::header;
use crate::error::PayloadError;
use crate::filter::{Filter, Shown};
use crate::json_text as text;
use crate::json_time as time;
use crate::layout::{Field, Format, Layout};
use crate::text::bytes8_text;
use crate::trace_clock::{TICKS, TraceClock};
use crate::value::Scalar;
use crate::walk::{Sink, walk};

/// Once one event's JSON is this long, the fields that follow are left out: names of fields and values may repeat
/// without taking bytes of the payload.
const MOST_JSON_BYTES: usize = 4 << 20;
const AF_INET: u16 = 2;
const AF_INET6: u16 = 23;

/// Appends the payload to `out` as one JSON object, in the forms that the crate's README lists; answers how many bytes
/// were left over (newer versions of an event append fields).
///
/// `pointer_bytes` is the width of pointers, 4 or 8, as the event's header says.
///
/// # Errors
/// Where the payload does not fit the layout. What was appended is one JSON object all the same: the fields before
/// the faulty one, then the bytes from there on as `"$rest"`, in hex.
pub fn decode_json(
    layout: &Layout,
    payload: &[u8],
    pointer_bytes: u8,
    out: &mut Vec<u8>,
) -> Result<usize, PayloadError> {
    decode(layout, payload, pointer_bytes, None, None, out)
}

/// [`decode_json`] with times on the trace's clock: a field `…_ticks` of a bundled layout becomes `…_ts`, or `…_ns` if
/// it is a duration, both in ns; and, with a filter, only what it lets through.
///
/// # Errors
/// As [`decode_json`].
pub fn decode_json_timed(
    layout: &Layout,
    payload: &[u8],
    pointer_bytes: u8,
    clock: TraceClock<'_>,
    filter: Option<&dyn Filter>,
    out: &mut Vec<u8>,
) -> Result<usize, PayloadError> {
    decode(layout, payload, pointer_bytes, Some(clock), filter, out)
}

fn decode(
    layout: &Layout,
    payload: &[u8],
    pointer_bytes: u8,
    clock: Option<TraceClock<'_>>,
    filter: Option<&dyn Filter>,
    out: &mut Vec<u8>,
) -> Result<usize, PayloadError> {
    let most_bytes = out.len().saturating_add(MOST_JSON_BYTES);
    out.push(b'{');
    let mut json = Json {
        out,
        most_bytes,
        clock,
        filter,
    };
    let decoded = walk(layout, payload, pointer_bytes, &mut json);
    if let Err(error) = &decoded {
        let rest = payload.get(error.offset..).unwrap_or_default();
        push_rest(out, "\"$rest\":", rest, filter);
    }
    out.push(b'}');
    decoded
}

/// Appends the JSON object of a payload that no layout is known for: its bytes as `"$raw"`, in hex, if the filter lets
/// them through.
pub fn raw_json(payload: &[u8], filter: Option<&dyn Filter>, out: &mut Vec<u8>) {
    out.push(b'{');
    push_rest(out, "\"$raw\":", payload, filter);
    out.push(b'}');
}

/// Appends what an event's header says in addition to its descriptor, as the members of a JSON object: its activity and
/// extended data items, but for stacks and descriptions. Appends nothing if the header says nothing more.
pub fn header_json(event: &Event<'_>, filter: Option<&dyn Filter>, out: &mut Vec<u8>) {
    let filter = filter.map(OwnNames);
    let push = |layout: &'static Layout, data: &[u8], out: &mut Vec<u8>| {
        let mut json = Json {
            most_bytes: out.len().saturating_add(MOST_JSON_BYTES),
            out,
            clock: None,
            filter: filter.as_ref().map(|filter| filter as &dyn Filter),
        };
        // What is cut short has the fields before the cut.
        drop(walk(layout, data, event.pointer_bytes, &mut json));
    };
    if let Some(id) = event.activity_id().filter(|id| *id != Guid::new(0)) {
        push(header::activity(), &id.to_disk(), out);
    }
    for item in event.extended() {
        if let Some(layout) = header::extended_item(item.item_type) {
            push(layout, item.data, out);
        }
    }
}

/// A filter of values where the fields are named here.
struct OwnNames<'f>(&'f dyn Filter);

impl Filter for OwnNames<'_> {
    fn value(&self, field: &Field, in_array: bool, value: Scalar<'_>) -> Shown {
        self.0.value(field, in_array, value)
    }

    fn name<'n>(&self, field: &'n Field) -> Cow<'n, str> {
        field.name().into()
    }

    fn shows_bytes(&self, bytes: &[u8]) -> bool {
        self.0.shows_bytes(bytes)
    }
}

fn push_rest(out: &mut Vec<u8>, key: &str, rest: &[u8], filter: Option<&dyn Filter>) {
    push_comma(out);
    out.extend_from_slice(key.as_bytes());
    if filter.is_none_or(|filter| filter.shows_bytes(rest)) {
        push_binary(out, rest);
    } else {
        out.extend_from_slice(b"null");
    }
}

/// A value as its JSON shows it, without quotes; `None` for numbers and what has no text.
pub fn scalar_text(value: Scalar<'_>) -> Option<String> {
    match value {
        Scalar::Utf16(units) => Some(utf16_text(units)),
        Scalar::Bytes8(bytes) => Some(bytes8_text(bytes).into_owned()),
        Scalar::Null
        | Scalar::I64(_)
        | Scalar::U64(_)
        | Scalar::Hex(_)
        | Scalar::F32(_)
        | Scalar::F64(_)
        | Scalar::Bool(_)
        | Scalar::FileTime(_)
        | Scalar::SystemTime(_) => None,
        Scalar::Mapped(..)
        | Scalar::Guid(_)
        | Scalar::Sid(_)
        | Scalar::Binary(_)
        | Scalar::Ipv4(_)
        | Scalar::Ipv6(_)
        | Scalar::SocketAddress(_) => {
            let mut json = Vec::new();
            push_scalar(&mut json, value);
            let json = String::from_utf8_lossy(&json);
            let text = json.strip_prefix('"')?.strip_suffix('"')?;
            Some(text.to_owned())
        }
    }
}

/// Sets a comma unless the object or array has just been opened.
#[inline]
fn push_comma(out: &mut Vec<u8>) {
    if !matches!(out.last(), Some(b'{' | b'[')) {
        out.push(b',');
    }
}

struct Json<'o, 'c> {
    out: &'o mut Vec<u8>,
    most_bytes: usize,
    clock: Option<TraceClock<'c>>,
    filter: Option<&'c dyn Filter>,
}

impl Json<'_, '_> {
    #[inline]
    fn start(&mut self, field: &Field, in_array: bool) {
        push_comma(self.out);
        if in_array {
            return;
        }
        match self.filter {
            None => self.out.extend_from_slice(field.json_key.as_bytes()),
            Some(filter) => {
                text::push_string(self.out, &filter.name(field));
                self.out.push(b':');
            }
        }
    }

    /// A value of a field of raw ticks, in ns. Only bundled layouts have such fields: the name needs no escapes, and
    /// there are no arrays of them.
    fn time(&mut self, field: &Field, unit: &str, ns: u64) {
        let stem = field.name.strip_suffix(TICKS).unwrap_or(&field.name);
        push_comma(self.out);
        push_quoted(self.out, format_args!("{stem}{unit}"));
        self.out.push(b':');
        push_scalar(self.out, Scalar::U64(ns));
    }
}

impl<'a> Sink<'a> for Json<'_, '_> {
    #[inline]
    fn scalar(&mut self, field: &'a Field, in_array: bool, value: Scalar<'a>) {
        if let Some(clock) = self.clock
            && let Scalar::U64(ticks) = value
        {
            match field.format {
                Format::Ticks => return self.time(field, "_ts", clock.ts(ticks)),
                Format::TickCount => return self.time(field, "_ns", clock.duration_ns(ticks)),
                _ => {}
            }
        }
        self.start(field, in_array);
        let shown = self
            .filter
            .map(|filter| filter.value(field, in_array, value));
        match shown {
            None | Some(Shown::Itself) => push_scalar(self.out, value),
            Some(Shown::Text(text)) => text::push_string(self.out, &text),
            Some(Shown::Nothing) => push_scalar(self.out, Scalar::Null),
        }
    }

    fn open_array(&mut self, field: &'a Field) {
        self.start(field, false);
        self.out.push(b'[');
    }

    fn close_array(&mut self) {
        self.out.push(b']');
    }

    fn open_struct(&mut self, field: &'a Field, in_array: bool) {
        self.start(field, in_array);
        self.out.push(b'{');
    }

    fn close_struct(&mut self) {
        self.out.push(b'}');
    }

    fn has_room(&self) -> bool {
        self.out.len() < self.most_bytes
    }
}

fn push_scalar(out: &mut Vec<u8>, value: Scalar<'_>) {
    match value {
        Scalar::Null => out.extend_from_slice(b"null"),
        Scalar::I64(value) => text::push_signed(out, value),
        Scalar::U64(value) => text::push_unsigned(out, value),
        Scalar::Hex(value) => text::push_hex(out, value),
        Scalar::Mapped(value, map) => text::push_mapped(out, value, map),
        Scalar::F32(value) => push_float(out, value.is_finite(), format_args!("{value:?}")),
        Scalar::F64(value) => push_float(out, value.is_finite(), format_args!("{value:?}")),
        Scalar::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
        Scalar::Guid(guid) => text::push_guid(out, guid),
        Scalar::FileTime(ticks) => time::push_file_time(out, ticks),
        Scalar::SystemTime(parts) => time::push_system_time(out, parts),
        Scalar::Sid(sid) => push_sid(out, sid),
        Scalar::Utf16(units) => text::push_utf16(out, units),
        Scalar::Bytes8(bytes) => text::push_bytes8(out, bytes),
        Scalar::Binary(bytes) => push_binary(out, bytes),
        Scalar::Ipv4(address) => push_quoted(out, format_args!("{address}")),
        Scalar::Ipv6(address) => push_quoted(out, format_args!("{address}")),
        Scalar::SocketAddress(bytes) => push_socket_address(out, bytes),
    }
}

fn push_quoted(out: &mut Vec<u8>, plain: std::fmt::Arguments<'_>) {
    out.push(b'"');
    // Writing to a `Vec` never fails.
    let _ = out.write_fmt(plain);
    out.push(b'"');
}

/// The shortest text that reads back as the same number of the same width.
fn push_float(out: &mut Vec<u8>, is_finite: bool, number: std::fmt::Arguments<'_>) {
    if is_finite {
        let _ = out.write_fmt(number);
    } else {
        push_quoted(out, number);
    }
}

fn push_binary(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    text::push_hex_bytes(out, bytes);
    out.push(b'"');
}

/// `"S-1-5-18"`: revision, authority (big-endian), subauthorities.
fn push_sid(out: &mut Vec<u8>, sid: &[u8]) {
    let (Some([revision, _, authority @ ..]), Some(parts)) = (array_at::<8>(sid, 0), sid.get(8..))
    else {
        return push_binary(out, sid);
    };
    let authority = authority
        .iter()
        .fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    out.extend_from_slice(b"\"S-");
    text::push_padded(out, revision.into(), 1);
    out.push(b'-');
    text::push_padded(out, authority, 1);
    for part in parts.as_chunks().0 {
        out.push(b'-');
        text::push_padded(out, u32::from_le_bytes(*part).into(), 1);
    }
    out.push(b'"');
}

/// `SOCKADDR_IN` and `SOCKADDR_IN6` as `"address:port"`; other families in hex.
fn push_socket_address(out: &mut Vec<u8>, bytes: &[u8]) {
    let port = array_at(bytes, 2).map(u16::from_be_bytes);
    let v4 = u32_at(bytes, 4).map(|address| Ipv4Addr::from(address.to_le_bytes()));
    let v6 = array_at::<16>(bytes, 8).map(Ipv6Addr::from);
    match (u16_at(bytes, 0), port, v4, v6) {
        (Some(AF_INET), Some(port), Some(address), _) => {
            push_quoted(out, format_args!("{address}:{port}"))
        }
        (Some(AF_INET6), Some(port), _, Some(address)) => {
            push_quoted(out, format_args!("[{address}]:{port}"))
        }
        _ => push_binary(out, bytes),
    }
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
