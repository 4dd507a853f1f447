//! What the payload of one kind of event looks like: the form that every source of schemas is brought into.

use std::sync::Arc;

use crate::json_text;
use crate::value_map::ValueMap;

/// Most fields that one layout may have, those in structs included.
pub const MOST_FIELDS: usize = 1024;
/// Deepest nesting of structs.
pub const MOST_NESTING: usize = 8;
/// Most fields of one layout whose values give the count or length of later fields.
pub(crate) const MOST_SLOTS: usize = 64;

/// The fields of a payload, in their order and without padding between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    pub(crate) fields: Box<[Field]>,
}

impl Layout {
    /// The fields at the top.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Gives every field that names a map the map that `find` knows by that name.
    pub(crate) fn resolve_maps(&mut self, find: &impl Fn(&str) -> Option<Arc<ValueMap>>) {
        for field in &mut self.fields {
            field.resolve_map(find);
        }
    }
}

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub(crate) name: Box<str>,
    /// `"name":`, escaped once so that writing an event does not.
    pub(crate) json_key: Box<str>,
    pub(crate) encoding: Encoding,
    pub(crate) format: Format,
    pub(crate) count: Count,
    /// Where the decoder keeps this field's value for the count or length of a later one.
    pub(crate) slot: Option<u8>,
    pub(crate) map: Option<MapUse>,
}

impl Field {
    pub(crate) fn new(name: &str, encoding: Encoding, format: Format, count: Count) -> Self {
        let (encoding, format, count) = settle(encoding, format, count);
        let mut json_key = Vec::with_capacity(name.len() + 3);
        json_text::push_string(&mut json_key, name);
        json_key.push(b':');
        Self {
            name: name.into(),
            json_key: String::from_utf8_lossy(&json_key).into(),
            encoding,
            format,
            count,
            slot: None,
            map: None,
        }
    }

    /// Name, as the schema gives it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The members, if this is a struct.
    pub fn members(&self) -> Option<&[Field]> {
        match &self.encoding {
            Encoding::Struct(members) => Some(members),
            _ => None,
        }
    }

    /// Whether the field holds any number of values instead of one.
    pub fn is_array(&self) -> bool {
        self.count != Count::One
    }

    fn resolve_map(&mut self, find: &impl Fn(&str) -> Option<Arc<ValueMap>>) {
        if let Encoding::Struct(members) = &mut self.encoding {
            members
                .iter_mut()
                .for_each(|member| member.resolve_map(find));
        }
        if let Some(map) = &mut self.map {
            map.map = find(&map.name);
        }
    }
}

/// Characters and addresses are written as numbers or binary with an out type that says so; and an array of characters
/// is a text.
fn settle(encoding: Encoding, format: Format, count: Count) -> (Encoding, Format, Count) {
    match (encoding, format) {
        (Encoding::U16, Format::Text) => (
            Encoding::Utf16(count.as_extent()),
            Format::Plain,
            Count::One,
        ),
        (Encoding::I8 | Encoding::U8, Format::Text) => (
            Encoding::Bytes8(count.as_extent()),
            Format::Plain,
            Count::One,
        ),
        (Encoding::Binary(Extent::Rest), Format::Ipv6) => {
            (Encoding::Binary(Extent::Fixed(16)), Format::Ipv6, count)
        }
        (encoding, format) => (encoding, format, count),
    }
}

/// How a value lies in the payload.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Encoding {
    /// Takes no bytes.
    Null,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    Bool8,
    Bool32,
    Guid,
    /// 4 or 8 bytes, as the event's header says.
    Pointer,
    FileTime,
    SystemTime,
    Sid,
    /// A SID behind a `TOKEN_USER` of two pointers; the SID is absent where the first is 0.
    TokenUserSid,
    Utf16(Extent),
    /// Text of 8-bit units: UTF-8, or else taken for Latin-1.
    Bytes8(Extent),
    Binary(Extent),
    /// So many bytes that are not shown.
    Padding(u16),
    Struct(Box<[Field]>),
}

/// How long a text or a binary is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Up to the zero unit or the payload's end.
    Terminated,
    /// So many units.
    Fixed(u16),
    /// As many units as the value in a slot says.
    Slot(u8),
    /// A u16 count of bytes stands before it.
    Counted16,
    /// A u16 count of units stands before it.
    CountedUnits16,
    /// A big-endian u16 count of bytes stands before it.
    Counted16BigEndian,
    /// A u32 count of bytes stands before it.
    Counted32,
    /// To the payload's end, zero units included.
    Rest,
}

/// How many values a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// One value, no array.
    One,
    /// An array of so many.
    Fixed(u16),
    /// An array of as many as the value in a slot says.
    Slot(u8),
    /// A u16 count stands before the array.
    Counted16,
}

impl Count {
    /// The extent of a text or binary of so many units.
    pub(crate) fn as_extent(self) -> Extent {
        match self {
            Self::One => Extent::Fixed(1),
            Self::Fixed(count) => Extent::Fixed(count),
            Self::Slot(slot) => Extent::Slot(slot),
            Self::Counted16 => Extent::CountedUnits16,
        }
    }
}

/// How a value is to be shown, where that is not plain from its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Plain,
    Text,
    Boolean,
    Hex,
    Signed,
    Unsigned,
    FileTime,
    /// A time in raw ticks of the session's clock.
    Ticks,
    /// A duration in raw ticks of the session's clock.
    TickCount,
    /// A port number in network byte order.
    Port,
    Ipv4,
    Ipv6,
    SocketAddress,
}

/// The names that a field's values have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MapUse {
    pub(crate) name: Box<str>,
    pub(crate) map: Option<Arc<ValueMap>>,
}
