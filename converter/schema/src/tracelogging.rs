//! Events that carry their own schema: the extended items of TraceLogging (§6.3).

use etl::Guid;
use etl::bytes::{u8_at, u16_at};

use crate::error::SchemaError;
use crate::event_schema::EventSchema;
use crate::layout::{Count, Encoding, Extent, Field, Format, Layout, MOST_FIELDS, MOST_NESTING};
use crate::text::utf8_at;

const ANOTHER_FOLLOWS: u8 = 0x80;
const LOW_7_BITS: u8 = 0x7F;
const TAG_BITS: u32 = 28;
const PROVIDER_GROUP: u8 = 1;
const STRUCT: u8 = 24;

/// Parses the event's item `TRACE_LOGGING_SCHEMA`, and its item `PROVIDER_TRAITS` if it has one.
///
/// # Errors
/// Where the schema overruns, nests deeper than 8 structs, or has a field of a type that is not documented.
pub fn tracelogging_schema(
    schema: &[u8],
    traits: Option<&[u8]>,
) -> Result<EventSchema, SchemaError> {
    let bytes = sized(schema)?;
    let (tags, at) = tags(bytes, 2)?;
    let (name, at) = utf8_at(bytes, at).ok_or(SchemaError::new(at, "an event name"))?;
    let mut parser = Parser {
        bytes,
        at,
        fields_left: MOST_FIELDS,
    };
    let mut fields = Vec::new();
    while parser.at < bytes.len() {
        fields.push(parser.field(0)?);
    }
    let (provider_name, provider_group) = traits
        .and_then(|traits| provider(traits).ok())
        .unwrap_or_default();
    let layout = Layout {
        fields: fields.into(),
    };
    Ok(EventSchema {
        provider_name,
        provider_group,
        name: name.into(),
        tags,
        layout,
        ..EventSchema::default()
    })
}

/// Name and group of the provider in an item `PROVIDER_TRAITS`, which plain manifest events may have too.
///
/// # Errors
/// Where the item is shorter than it says, or its name has no end.
pub fn provider(traits: &[u8]) -> Result<(Box<str>, Option<Guid>), SchemaError> {
    let bytes = sized(traits)?;
    let (name, mut at) = utf8_at(bytes, 2).ok_or(SchemaError::new(2, "a provider name"))?;
    let mut group = None;
    while let (Some(size), Some(kind)) = (u16_at(bytes, at), u8_at(bytes, at + 2)) {
        if kind == PROVIDER_GROUP && group.is_none() {
            group = Guid::at(bytes, at + 3);
        }
        at += usize::from(size).max(3);
    }
    Ok((name.into(), group))
}

/// The bytes that the item's own size covers.
fn sized(item: &[u8]) -> Result<&[u8], SchemaError> {
    let size = u16_at(item, 0).filter(|size| *size >= 2);
    size.and_then(|size| item.get(..usize::from(size)))
        .ok_or(SchemaError::new(0, "the item's size"))
}

/// Tags of 28 bits, 7 bits a byte from the top, and the offset after them.
fn tags(bytes: &[u8], at: usize) -> Result<(u32, usize), SchemaError> {
    let mut tags = 0;
    let mut shift = TAG_BITS;
    let mut at = at;
    loop {
        let byte = u8_at(bytes, at).ok_or(SchemaError::new(at, "a tag byte"))?;
        shift = shift.saturating_sub(7);
        tags |= u32::from(byte & LOW_7_BITS) << shift;
        at += 1;
        if byte & ANOTHER_FOLLOWS == 0 {
            return Ok((tags, at));
        }
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    fields_left: usize,
}

impl Parser<'_> {
    fn field(&mut self, depth: usize) -> Result<Field, SchemaError> {
        let start = self.at;
        self.fields_left = self
            .fields_left
            .checked_sub(1)
            .ok_or(SchemaError::new(start, "at most 1024 fields"))?;
        let (name, next) =
            utf8_at(self.bytes, start).ok_or(SchemaError::new(start, "a field name"))?;
        self.at = next;
        let in_type = self.u8()?;
        let out_type = self.out_type(in_type)?;
        let count = self.count(in_type)?;
        let encoding = match in_type & 0x1F {
            STRUCT => self.members(out_type, depth)?,
            in_type => encoding(in_type).ok_or(SchemaError::new(next, "a documented type"))?,
        };
        let format = format(in_type & 0x1F, out_type);
        Ok(Field::new(&name, encoding, format, count))
    }

    fn out_type(&mut self, in_type: u8) -> Result<u8, SchemaError> {
        if in_type & ANOTHER_FOLLOWS == 0 {
            return Ok(0);
        }
        let out_type = self.u8()?;
        if out_type & ANOTHER_FOLLOWS != 0 {
            (_, self.at) = tags(self.bytes, self.at)?;
        }
        Ok(out_type & LOW_7_BITS)
    }

    fn count(&mut self, in_type: u8) -> Result<Count, SchemaError> {
        match in_type & 0x60 {
            0x00 => Ok(Count::One),
            0x20 => {
                let count =
                    u16_at(self.bytes, self.at).ok_or(SchemaError::new(self.at, "a u16 count"))?;
                self.at += 2;
                Ok(Count::Fixed(count))
            }
            0x40 => Ok(Count::Counted16),
            _ => Err(SchemaError::new(self.at, "a field without custom encoding")),
        }
    }

    fn members(&mut self, members: u8, depth: usize) -> Result<Encoding, SchemaError> {
        if depth == MOST_NESTING {
            return Err(SchemaError::new(self.at, "structs nested at most 8 deep"));
        }
        let members: Result<Box<[Field]>, _> =
            (0..members).map(|_| self.field(depth + 1)).collect();
        members.map(Encoding::Struct)
    }

    fn u8(&mut self) -> Result<u8, SchemaError> {
        let byte = u8_at(self.bytes, self.at).ok_or(SchemaError::new(self.at, "a field type"))?;
        self.at += 1;
        Ok(byte)
    }
}

/// `TlgIn_t` of TraceLoggingProvider.h.
fn encoding(in_type: u8) -> Option<Encoding> {
    Some(match in_type {
        0 => Encoding::Null,
        1 => Encoding::Utf16(Extent::Terminated),
        2 => Encoding::Bytes8(Extent::Terminated),
        3 => Encoding::I8,
        4 => Encoding::U8,
        5 => Encoding::I16,
        6 => Encoding::U16,
        7 => Encoding::I32,
        8 | 20 => Encoding::U32,
        9 => Encoding::I64,
        10 | 21 => Encoding::U64,
        11 => Encoding::F32,
        12 => Encoding::F64,
        13 => Encoding::Bool32,
        14 | 25 => Encoding::Binary(Extent::Counted16),
        15 => Encoding::Guid,
        16 => Encoding::Pointer,
        17 => Encoding::FileTime,
        18 => Encoding::SystemTime,
        19 => Encoding::Sid,
        22 => Encoding::Utf16(Extent::Counted16),
        23 => Encoding::Bytes8(Extent::Counted16),
        _ => return None,
    })
}

/// `TlgOut_t` of TraceLoggingProvider.h; where it says nothing, addresses and the hex types are hex.
fn format(in_type: u8, out_type: u8) -> Format {
    match (out_type, in_type) {
        (2, _) => Format::Text,
        (3, _) => Format::Boolean,
        (4 | 14 | 15 | 37, _) => Format::Hex,
        (7, _) => Format::Port,
        (8, _) => Format::Ipv4,
        (9, _) => Format::Ipv6,
        (10, _) => Format::SocketAddress,
        (16 | 38, _) => Format::FileTime,
        (17, _) => Format::Signed,
        (18, _) => Format::Unsigned,
        (_, 16 | 20 | 21) => Format::Hex,
        _ => Format::Plain,
    }
}

#[cfg(test)]
#[path = "tracelogging_tests.rs"]
mod tests;
