//! Properties as TDH numbers them, and the layout they give. Both embedded schemas and manifests are made of
//! properties.

use crate::error::SchemaError;
use crate::layout::{
    Count, Encoding, Extent, Field, Format, Layout, MOST_FIELDS, MOST_NESTING, MOST_SLOTS, MapUse,
};

/// One property. Those of structs stand behind those at the top, in one list.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) name: Box<str>,
    pub(crate) kind: PropertyKind,
    pub(crate) length: Size,
    pub(crate) count: Size,
    /// Where it stands in its description, for messages.
    pub(crate) offset: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum PropertyKind {
    Value {
        in_type: u16,
        out_type: u16,
        map: Option<Box<str>>,
    },
    Struct {
        first: usize,
        members: usize,
    },
}

/// A count or length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Unset,
    Fixed(u16),
    /// The value of the property with this index.
    Property(usize),
}

/// The layout of the first `top` properties.
///
/// # Errors
/// Where a struct leads out of the list or nests too deep, where a count or length is given by a property that is no
/// integer or does not stand before, or where a type is not documented.
pub(crate) fn layout(properties: &[Property], top: usize) -> Result<Layout, SchemaError> {
    let mut builder = Builder {
        properties,
        slots: slots(properties)?,
        seen: vec![false; properties.len()],
        fields_left: MOST_FIELDS,
    };
    let fields: Result<_, _> = (0..top).map(|index| builder.field(index, 0)).collect();
    fields.map(|fields| Layout { fields })
}

/// The slot of every property that gives the count or length of another.
fn slots(properties: &[Property]) -> Result<Vec<Option<u8>>, SchemaError> {
    let mut slots = vec![None; properties.len()];
    let mut used = 0;
    for property in properties {
        for size in [property.length, property.count] {
            let Size::Property(index) = size else {
                continue;
            };
            let slot = slots
                .get_mut(index)
                .ok_or(SchemaError::new(property.offset, "a property that exists"))?;
            if slot.is_none() {
                *slot = Some(used);
                used += 1;
            }
            if usize::from(used) > MOST_SLOTS {
                return Err(SchemaError::new(
                    property.offset,
                    "at most 64 counts and lengths",
                ));
            }
        }
    }
    Ok(slots)
}

struct Builder<'p> {
    properties: &'p [Property],
    slots: Vec<Option<u8>>,
    seen: Vec<bool>,
    fields_left: usize,
}

impl Builder<'_> {
    fn field(&mut self, index: usize, depth: usize) -> Result<Field, SchemaError> {
        let property = self
            .properties
            .get(index)
            .ok_or(SchemaError::new(0, "a property for every struct member"))?;
        let wrong = |expected| SchemaError::new(property.offset, expected);
        self.fields_left = self
            .fields_left
            .checked_sub(1)
            .ok_or(wrong("at most 1024 fields"))?;
        let (length, mut count) = (property.length, self.count(property)?);
        let mut field = match &property.kind {
            PropertyKind::Struct { first, members } => {
                if depth == MOST_NESTING {
                    return Err(wrong("structs nested at most 8 deep"));
                }
                let members: Result<_, _> = (*first..first.saturating_add(*members))
                    .map(|index| self.field(index, depth + 1))
                    .collect();
                Field::new(
                    &property.name,
                    Encoding::Struct(members?),
                    Format::Plain,
                    count,
                )
            }
            PropertyKind::Value {
                in_type,
                out_type,
                map,
            } => {
                let mut extent = self.extent(property, length)?;
                if *in_type == in_type::BINARY && extent.is_none() && count != Count::One {
                    // A count without a length is the length in bytes.
                    (extent, count) = (Some(count.as_extent()), Count::One);
                }
                let encoding = encoding(*in_type, extent).ok_or(wrong("a documented type"))?;
                let mut field =
                    Field::new(&property.name, encoding, format(*in_type, *out_type), count);
                field.map = map.clone().map(|name| MapUse { name, map: None });
                field
            }
        };
        field.slot = self.slots.get(index).copied().flatten();
        if field.slot.is_some() && (field.is_array() || !is_integer(&field.encoding)) {
            return Err(wrong("an integer as count or length"));
        }
        if let Some(seen) = self.seen.get_mut(index) {
            *seen = true;
        }
        Ok(field)
    }

    fn count(&self, property: &Property) -> Result<Count, SchemaError> {
        Ok(match property.count {
            Size::Unset => Count::One,
            Size::Fixed(count) => Count::Fixed(count),
            Size::Property(index) => Count::Slot(self.slot(property, index)?),
        })
    }

    fn extent(&self, property: &Property, length: Size) -> Result<Option<Extent>, SchemaError> {
        Ok(match length {
            Size::Unset => None,
            Size::Fixed(length) => Some(Extent::Fixed(length)),
            Size::Property(index) => Some(Extent::Slot(self.slot(property, index)?)),
        })
    }

    fn slot(&self, property: &Property, index: usize) -> Result<u8, SchemaError> {
        let before = self.seen.get(index).copied().unwrap_or(false);
        let slot = self.slots.get(index).copied().flatten().filter(|_| before);
        slot.ok_or(SchemaError::new(
            property.offset,
            "a count or length that stands before its use",
        ))
    }
}

fn is_integer(encoding: &Encoding) -> bool {
    matches!(
        encoding,
        Encoding::I8
            | Encoding::U8
            | Encoding::I16
            | Encoding::U16
            | Encoding::I32
            | Encoding::U32
            | Encoding::I64
            | Encoding::U64
            | Encoding::Pointer
    )
}

/// `TDH_INTYPE` of tdh.h, those that a manifest can name.
pub(crate) mod in_type {
    pub(crate) const UNICODE_STRING: u16 = 1;
    pub(crate) const ANSI_STRING: u16 = 2;
    pub(crate) const INT8: u16 = 3;
    pub(crate) const UINT8: u16 = 4;
    pub(crate) const INT16: u16 = 5;
    pub(crate) const UINT16: u16 = 6;
    pub(crate) const INT32: u16 = 7;
    pub(crate) const UINT32: u16 = 8;
    pub(crate) const INT64: u16 = 9;
    pub(crate) const UINT64: u16 = 10;
    pub(crate) const FLOAT: u16 = 11;
    pub(crate) const DOUBLE: u16 = 12;
    pub(crate) const BOOLEAN: u16 = 13;
    pub(crate) const BINARY: u16 = 14;
    pub(crate) const GUID: u16 = 15;
    pub(crate) const POINTER: u16 = 16;
    pub(crate) const FILETIME: u16 = 17;
    pub(crate) const SYSTEMTIME: u16 = 18;
    pub(crate) const SID: u16 = 19;
    pub(crate) const HEXINT32: u16 = 20;
    pub(crate) const HEXINT64: u16 = 21;
    pub(crate) const COUNTED_UNICODE_STRING: u16 = 22;
    pub(crate) const COUNTED_ANSI_STRING: u16 = 23;
    pub(crate) const COUNTED_BINARY: u16 = 25;
}

/// The encoding of a `TDH_INTYPE`; the numbers from 300 on are those of WBEM classes.
fn encoding(in_type: u16, length: Option<Extent>) -> Option<Encoding> {
    let text_extent = length.unwrap_or(Extent::Terminated);
    Some(match in_type {
        0 => Encoding::Null,
        in_type::UNICODE_STRING => Encoding::Utf16(text_extent),
        in_type::ANSI_STRING => Encoding::Bytes8(text_extent),
        in_type::INT8 => Encoding::I8,
        in_type::UINT8 => Encoding::U8,
        in_type::INT16 => Encoding::I16,
        in_type::UINT16 => Encoding::U16,
        in_type::INT32 => Encoding::I32,
        in_type::UINT32 | in_type::HEXINT32 => Encoding::U32,
        in_type::INT64 => Encoding::I64,
        in_type::UINT64 | in_type::HEXINT64 => Encoding::U64,
        in_type::FLOAT => Encoding::F32,
        in_type::DOUBLE => Encoding::F64,
        in_type::BOOLEAN if length == Some(Extent::Fixed(1)) => Encoding::Bool8,
        in_type::BOOLEAN => Encoding::Bool32,
        in_type::BINARY => Encoding::Binary(length.unwrap_or(Extent::Rest)),
        in_type::GUID => Encoding::Guid,
        in_type::POINTER | 308 => Encoding::Pointer,
        in_type::FILETIME => Encoding::FileTime,
        in_type::SYSTEMTIME => Encoding::SystemTime,
        in_type::SID => Encoding::Sid,
        in_type::COUNTED_UNICODE_STRING | 300 => Encoding::Utf16(Extent::Counted16),
        in_type::COUNTED_ANSI_STRING | 301 => Encoding::Bytes8(Extent::Counted16),
        in_type::COUNTED_BINARY => Encoding::Binary(Extent::Counted16),
        302 => Encoding::Utf16(Extent::Counted16BigEndian),
        303 => Encoding::Bytes8(Extent::Counted16BigEndian),
        304 => Encoding::Utf16(Extent::Rest),
        305 => Encoding::Bytes8(Extent::Rest),
        306 => Encoding::Utf16(Extent::Fixed(1)),
        307 => Encoding::Bytes8(Extent::Fixed(1)),
        309 => Encoding::Binary(Extent::Counted32),
        310 => Encoding::TokenUserSid,
        _ => return None,
    })
}

/// `TDH_OUTTYPE` of tdh.h.
fn format(in_type: u16, out_type: u16) -> Format {
    match (out_type, in_type) {
        (1, _) => Format::Text,
        (13, _) => Format::Boolean,
        (16..=19 | 29 | 31 | 32 | 37, _) => Format::Hex,
        (22, _) => Format::Port,
        (23, _) => Format::Ipv4,
        (24, _) => Format::Ipv6,
        (25, _) => Format::SocketAddress,
        (2 | 38, _) => Format::FileTime,
        (_, in_type::POINTER | in_type::HEXINT32 | in_type::HEXINT64) => Format::Hex,
        _ => Format::Plain,
    }
}

#[cfg(test)]
#[path = "property_tests.rs"]
mod tests;
