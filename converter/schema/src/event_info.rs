//! Schemas that the merge embeds in the trace: `TRACE_EVENT_INFO` and `EVENT_MAP_INFO` of tdh.h (§6.5).

use etl::Guid;
use etl::bytes::{array_at, u16_at, u32_at};

use crate::error::SchemaError;
use crate::event_schema::{EventSchema, SchemaKey, composed_name, plain_name};
use crate::property::{Property, PropertyKind, Size, layout};
use crate::text::{wide_text_at, wide_texts_at};
use crate::value_map::ValueMap;

const PROPERTIES_AT: usize = 0x70;
const PROPERTY_BYTES: usize = 24;
const MOST_PROPERTIES: u32 = 1024;
const SOURCE_XML: u32 = 0;
const SOURCE_WBEM: u32 = 1;

const IS_STRUCT: u32 = 1;
const LENGTH_BY_PROPERTY: u32 = 2;
const COUNT_BY_PROPERTY: u32 = 4;
const FIXED_LENGTH: u32 = 0x10;
const FIXED_COUNT: u32 = 0x20;

const MAP_ENTRIES_AT: usize = 16;
const MAP_ENTRY_BYTES: usize = 8;
const MANIFEST_BITMAP: u32 = 2;
const WBEM_BITMAP: u32 = 0x10;
const PATTERN_MAP: u32 = 4;

/// The schema of one version of an event.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionedSchema {
    /// Which events.
    pub key: SchemaKey,
    /// Which version of them.
    pub version: u8,
    /// Their names and layout. Maps are named in it, and not yet at hand.
    pub schema: EventSchema,
}

/// Parses one `TRACE_EVENT_INFO` record.
///
/// # Errors
/// Where the record is too short, leads out of itself, has more than 1024 properties, or where its properties give no
/// layout.
pub fn event_info(record: &[u8]) -> Result<VersionedSchema, SchemaError> {
    let header = |at| {
        u32_at(record, at).ok_or(SchemaError::new(
            at,
            "a TRACE_EVENT_INFO header of 112 bytes",
        ))
    };
    let text = |at| header(at).and_then(|offset| optional_text(record, at, offset));
    let source = header(0x30)?;
    let property_count = header(0x64)?;
    let top_count = header(0x68)?;
    if property_count > MOST_PROPERTIES {
        return Err(SchemaError::new(0x64, "at most 1024 properties"));
    }
    if top_count > property_count {
        return Err(SchemaError::new(
            0x68,
            "no more properties at the top than in all",
        ));
    }
    let short = SchemaError::new(0x20, "an event descriptor");
    let id = u16_at(record, 0x20).ok_or_else(|| short.clone())?;
    let [version, _, _, opcode] = array_at(record, 0x22).ok_or_else(|| short.clone())?;
    let key = match source {
        SOURCE_XML => SchemaKey::Manifest {
            provider: Guid::at(record, 0).ok_or(short)?,
            id,
        },
        SOURCE_WBEM => SchemaKey::Classic {
            class: Guid::at(record, 0x10).ok_or(short)?,
            event_type: opcode,
        },
        _ => return Err(SchemaError::new(0x30, "the decoding source XML or WBEM")),
    };
    let properties: Result<Vec<_>, _> = (0..property_count as usize)
        .map(|index| property(record, PROPERTIES_AT + PROPERTY_BYTES * index))
        .collect();
    let name_at = |at| text(at).map(|name| name.map(|name| Box::from(plain_name(&name))));
    let (task, opcode) = (name_at(0x44)?, name_at(0x48)?);
    let name = match source {
        SOURCE_XML => text(0x5C)?,
        _ => None,
    };
    let schema = EventSchema {
        provider_name: text(0x34)?.unwrap_or_default(),
        provider_group: None,
        name: name.unwrap_or_else(|| composed_name(id, task.as_deref(), opcode.as_deref())),
        task,
        opcode,
        keywords: texts(record, 0x40, header(0x40)?)?,
        tags: 0,
        layout: layout(&properties?, top_count as usize)?,
    };
    Ok(VersionedSchema {
        key,
        version,
        schema,
    })
}

fn property(record: &[u8], at: usize) -> Result<Property, SchemaError> {
    let short = || SchemaError::new(at, "a property of 24 bytes");
    let u16 = |offset| u16_at(record, at + offset).ok_or_else(short);
    let u32 = |offset| u32_at(record, at + offset).ok_or_else(short);
    let flags = u32(0)?;
    let (first, second, map) = (u16(8)?, u16(10)?, u32(12)?);
    let (count, length) = (u16(0x10)?, u16(0x12)?);
    u32(0x14)?;
    let kind = if flags & IS_STRUCT != 0 {
        PropertyKind::Struct {
            first: first.into(),
            members: second.into(),
        }
    } else {
        PropertyKind::Value {
            in_type: first,
            out_type: second,
            map: optional_text(record, at + 12, map)?,
        }
    };
    let size = |number: u16, by_property: u32, fixed: u32, unset: u16| match number {
        index if flags & by_property != 0 => Size::Property(index.into()),
        number if flags & fixed != 0 || number > unset => Size::Fixed(number),
        _ => Size::Unset,
    };
    Ok(Property {
        name: optional_text(record, at + 4, u32(4)?)?.unwrap_or_default(),
        kind,
        length: size(length, LENGTH_BY_PROPERTY, FIXED_LENGTH, 0),
        count: size(count, COUNT_BY_PROPERTY, FIXED_COUNT, 1),
        offset: at,
    })
}

/// The text that the offset standing at `at` leads to; `None` for offset 0 and for an empty text.
fn optional_text(record: &[u8], at: usize, offset: u32) -> Result<Option<Box<str>>, SchemaError> {
    if offset == 0 {
        return Ok(None);
    }
    let text = wide_text_at(record, offset as usize)
        .ok_or(SchemaError::new(at, "an offset within the record"))?;
    Ok(Some(text).filter(|text| !text.is_empty()))
}

fn texts(record: &[u8], at: usize, offset: u32) -> Result<Box<[Box<str>]>, SchemaError> {
    match offset as usize {
        0 => Ok(Box::default()),
        offset if offset > record.len() => Err(SchemaError::new(at, "an offset within the record")),
        offset => Ok(wide_texts_at(record, offset).into()),
    }
}

/// A map and what it is known by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMap {
    /// The provider whose events use it.
    pub provider: Guid,
    /// The name by which properties refer to it.
    pub name: Box<str>,
    /// The names of its values.
    pub map: ValueMap,
}

/// Parses one record of a provider's GUID and its `EVENT_MAP_INFO`.
///
/// # Errors
/// Where the record is too short for its entries or leads out of itself, or maps patterns instead of values.
pub fn event_map(record: &[u8]) -> Result<NamedMap, SchemaError> {
    let provider = Guid::at(record, 0).ok_or(SchemaError::new(0, "a provider GUID"))?;
    let info = record.get(16..).unwrap_or_default();
    let header = |at| {
        u32_at(info, at).ok_or(SchemaError::new(
            16 + at,
            "an EVENT_MAP_INFO header of 16 bytes",
        ))
    };
    let name = optional_text(info, 16, header(0)?)?.ok_or(SchemaError::new(16, "a map name"))?;
    let flags = header(4)?;
    if flags & PATTERN_MAP != 0 {
        return Err(SchemaError::new(20, "a map of values"));
    }
    let entry_count = header(8)? as usize;
    let table = entry_count
        .checked_mul(MAP_ENTRY_BYTES)
        .and_then(|bytes| info.get(MAP_ENTRIES_AT..)?.get(..bytes));
    let table = table.ok_or(SchemaError::new(24, "as many entries as said"))?;
    let entries: Result<Vec<_>, SchemaError> = table
        .chunks_exact(MAP_ENTRY_BYTES)
        .enumerate()
        .map(|(index, entry)| {
            let at = 16 + MAP_ENTRIES_AT + MAP_ENTRY_BYTES * index;
            let (offset, value) = (u32_at(entry, 0).unwrap_or(0), u32_at(entry, 4).unwrap_or(0));
            Ok((value, optional_text(info, at, offset)?.unwrap_or_default()))
        })
        .collect();
    let map = ValueMap::new(flags & (MANIFEST_BITMAP | WBEM_BITMAP) != 0, entries?);
    Ok(NamedMap {
        provider,
        name,
        map,
    })
}

#[cfg(test)]
#[path = "event_info_tests.rs"]
mod tests;
