//! A template of a manifest: the fields of an event's payload.

use std::ops::Range;

use crate::error::SchemaError;
use crate::layout::Layout;
use crate::manifest::{Element, parse_number};
use crate::property::{Property, PropertyKind, Size, in_type, layout};

/// The `data` and `struct` elements of a template; a struct holds no further struct.
#[derive(Default)]
pub(crate) struct Template {
    top: Vec<Draft>,
    in_struct: bool,
}

struct Draft {
    name: Box<str>,
    length: Option<Box<str>>,
    count: Option<Box<str>>,
    offset: usize,
    kind: DraftKind,
}

enum DraftKind {
    Data {
        in_type: u16,
        out_type: u16,
        map: Option<Box<str>>,
    },
    Struct(Vec<Draft>),
}

impl Template {
    /// Takes the start of a `data` or `struct` element.
    pub(crate) fn start(&mut self, element: &Element) {
        let owned = |name: &str| element.text(name).map(Box::<str>::from);
        let kind = if &*element.tag == "struct" {
            DraftKind::Struct(Vec::new())
        } else {
            DraftKind::Data {
                in_type: element
                    .text("inType")
                    .map_or(in_type::UNICODE_STRING, in_type_number),
                out_type: element.text("outType").map_or(0, out_type_number),
                map: owned("map"),
            }
        };
        let is_struct = matches!(kind, DraftKind::Struct(_));
        let draft = Draft {
            name: element.text("name").unwrap_or_default().into(),
            length: owned("length"),
            count: owned("count"),
            offset: element.offset,
            kind,
        };
        match self.top.last_mut() {
            Some(Draft {
                kind: DraftKind::Struct(members),
                ..
            }) if self.in_struct => members.push(draft),
            _ => self.top.push(draft),
        }
        self.in_struct |= is_struct;
    }

    /// Takes the end of a `struct` element.
    pub(crate) fn end_struct(&mut self) {
        self.in_struct = false;
    }

    /// The layout of the payload.
    ///
    /// # Errors
    /// Where a count or length names no property before it, or a type is not documented.
    pub(crate) fn layout(&self) -> Result<Layout, SchemaError> {
        let top = self.top.len();
        let mut flat: Vec<(&Draft, Range<usize>)> =
            self.top.iter().map(|draft| (draft, 0..top)).collect();
        for draft in &self.top {
            let own = flat.len()..flat.len() + draft.members().len();
            flat.extend(draft.members().iter().map(|member| (member, own.clone())));
        }
        let mut first = top;
        let properties: Result<Vec<_>, _> = flat
            .iter()
            .map(|(draft, own)| {
                let index_of = |name: &str| {
                    let named = |index: &usize| {
                        flat.get(*index)
                            .is_some_and(|(other, _)| *other.name == *name)
                    };
                    own.clone().find(named).or_else(|| (0..top).find(named))
                };
                let property = draft.property(first, index_of);
                first += draft.members().len();
                property
            })
            .collect();
        layout(&properties?, top)
    }
}

impl Draft {
    fn members(&self) -> &[Self] {
        match &self.kind {
            DraftKind::Data { .. } => &[],
            DraftKind::Struct(members) => members,
        }
    }

    /// The property; `first` is the index of its first member, if it is a struct.
    fn property(
        &self,
        first: usize,
        index_of: impl Fn(&str) -> Option<usize>,
    ) -> Result<Property, SchemaError> {
        let size = |text: &Option<Box<str>>| match text {
            None => Ok(Size::Unset),
            Some(text) => {
                let number = parse_number(text)
                    .and_then(|number| u16::try_from(number).ok())
                    .map(Size::Fixed);
                let size = number.or_else(|| index_of(text).map(Size::Property));
                size.ok_or(SchemaError::new(
                    self.offset,
                    "a number or a field's name as count or length",
                ))
            }
        };
        let kind = match &self.kind {
            DraftKind::Data {
                in_type,
                out_type,
                map,
            } => PropertyKind::Value {
                in_type: *in_type,
                out_type: *out_type,
                map: map.clone(),
            },
            DraftKind::Struct(members) => PropertyKind::Struct {
                first,
                members: members.len(),
            },
        };
        Ok(Property {
            name: self.name.clone(),
            kind,
            length: size(&self.length)?,
            count: size(&self.count)?,
            offset: self.offset,
        })
    }
}

/// `TDH_INTYPE` of a type of winmeta.xml; a number that no type has, where it is unknown.
fn in_type_number(name: &str) -> u16 {
    match name.strip_prefix("win:").unwrap_or(name) {
        "UnicodeString" => in_type::UNICODE_STRING,
        "AnsiString" => in_type::ANSI_STRING,
        "Int8" => in_type::INT8,
        "UInt8" => in_type::UINT8,
        "Int16" => in_type::INT16,
        "UInt16" => in_type::UINT16,
        "Int32" => in_type::INT32,
        "UInt32" => in_type::UINT32,
        "Int64" => in_type::INT64,
        "UInt64" => in_type::UINT64,
        "Float" => in_type::FLOAT,
        "Double" => in_type::DOUBLE,
        "Boolean" => in_type::BOOLEAN,
        "Binary" => in_type::BINARY,
        "GUID" => in_type::GUID,
        "Pointer" => in_type::POINTER,
        "FILETIME" => in_type::FILETIME,
        "SYSTEMTIME" => in_type::SYSTEMTIME,
        "SID" => in_type::SID,
        "HexInt32" => in_type::HEXINT32,
        "HexInt64" => in_type::HEXINT64,
        "CountedUnicodeString" => in_type::COUNTED_UNICODE_STRING,
        "CountedAnsiString" => in_type::COUNTED_ANSI_STRING,
        "CountedBinary" => in_type::COUNTED_BINARY,
        _ => u16::MAX,
    }
}

/// `TDH_OUTTYPE` of a type of winmeta.xml, of those that change how a value is shown; 0 for the others.
fn out_type_number(name: &str) -> u16 {
    match name {
        "xs:string" => 1,
        "xs:dateTime" => 2,
        "xs:boolean" => 13,
        "win:HexInt8" => 16,
        "win:HexInt16" => 17,
        "win:HexInt32" => 18,
        "win:HexInt64" => 19,
        "win:Port" => 22,
        "win:IPv4" => 23,
        "win:IPv6" => 24,
        "win:SocketAddress" => 25,
        "win:ErrorCode" => 29,
        "win:NTSTATUS" => 31,
        "win:HResult" => 32,
        "win:CodePointer" => 37,
        "win:DateTimeUtc" => 38,
        _ => 0,
    }
}
