//! The form in which layouts are written down here: `events!` makes the table of a group.
//!
//! ```text
//! events! {
//!     0x010A "Read", 0x010B "Write" {
//!         version 2 [DiskNumber: U32, IrpFlags: Hex32 as IRP_FLAGS, TransferSize: U32]
//!         version 3 [DiskNumber: U32, IrpFlags: Hex32 as IRP_FLAGS, TransferSize: U32, IssuingThreadId: U32]
//!     }
//! }
//! ```
//! A version stands for the later ones too, up to the next that is listed. A version that is listed more than once has
//! layouts that only the payload's length tells apart. Fields that several events share are a constant: `version 2 METHOD`.

use std::sync::Arc;

use crate::layout::{Count, Encoding, Extent, Field, Format, Layout, MapUse};
use crate::trace_clock::TICKS;
use crate::value_map::ValueMap;

/// Events that share their layouts.
pub(super) struct Entry {
    /// Hook id, type or id of each event, and its name.
    pub(super) events: &'static [(u16, &'static str)],
    /// Layouts, by the first version that has them; ascending.
    pub(super) versions: &'static [(u8, &'static [Column])],
}

/// One field of a layout.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) names: Option<&'static Names>,
}

/// The names of an enumeration's values or of flags.
pub(super) struct Names {
    pub(super) is_bitmap: bool,
    pub(super) entries: &'static [(u32, &'static str)],
}

/// What a field holds.
#[derive(Clone, Copy)]
pub(super) enum Kind {
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
    Hex8,
    Hex16,
    Hex32,
    Hex64,
    /// An address or a handle, as wide as a pointer.
    Ptr,
    /// A number as wide as a pointer.
    Size,
    /// A time in raw ticks of the session's clock; `_ticks` is added to the name.
    Ticks,
    /// A duration in such ticks; `_ticks` is added to the name.
    TickCount,
    FileTime,
    Guid,
    Sid,
    /// A SID behind a `TOKEN_USER`, or a zero.
    TokenUserSid,
    /// 8-bit text up to its zero.
    Text8,
    /// UTF-16 up to its zero.
    Text16,
    /// UTF-16 in so many units.
    Chars16(u16),
    /// UTF-16 in as many units as a count says.
    Chars16Of(u8),
    /// In network byte order.
    Port,
    Ipv4,
    Ipv6,
    /// Bytes without meaning, which are not shown.
    Pad(u16),
    /// Bytes, as many as a count says.
    BytesOf(u8),
    /// A `SOCKADDR` in as many bytes as a count says.
    SocketAddressOf(u8),
    /// All that follows, whose layout is not known.
    Rest,
    /// A number that a later field refers to.
    Count16(u8),
    Count32(u8),
    /// As many as a count says.
    Ptrs(u8),
    U32s(u8),
    Hex64s(u8),
    Guids(u8),
    Texts16(u8),
    Each(u8, &'static [Column]),
}

/// The layout of these fields.
pub(super) fn layout(columns: &[Column]) -> Layout {
    Layout {
        fields: columns.iter().map(field).collect(),
    }
}

fn field(column: &Column) -> Field {
    let (encoding, format, count) = column.kind.parts();
    let mut field = match column.kind {
        Kind::Ticks | Kind::TickCount => {
            Field::new(&format!("{}{TICKS}", column.name), encoding, format, count)
        }
        _ => Field::new(column.name, encoding, format, count),
    };
    if let Kind::Count16(slot) | Kind::Count32(slot) = column.kind {
        field.slot = Some(slot);
    }
    field.map = column.names.map(Names::map);
    field
}

impl Kind {
    fn parts(self) -> (Encoding, Format, Count) {
        use Format::{Hex, Plain, Unsigned};
        let one = |encoding, format| (encoding, format, Count::One);
        match self {
            Self::I8 => one(Encoding::I8, Plain),
            Self::U8 => one(Encoding::U8, Plain),
            Self::I16 => one(Encoding::I16, Plain),
            Self::U16 | Self::Count16(_) => one(Encoding::U16, Plain),
            Self::I32 => one(Encoding::I32, Plain),
            Self::U32 | Self::Count32(_) => one(Encoding::U32, Plain),
            Self::I64 => one(Encoding::I64, Plain),
            Self::U64 => one(Encoding::U64, Plain),
            Self::Ticks => one(Encoding::U64, Format::Ticks),
            Self::TickCount => one(Encoding::U64, Format::TickCount),
            Self::F32 => one(Encoding::F32, Plain),
            Self::F64 => one(Encoding::F64, Plain),
            Self::Bool8 => one(Encoding::Bool8, Plain),
            Self::Bool32 => one(Encoding::Bool32, Plain),
            Self::Hex8 => one(Encoding::U8, Hex),
            Self::Hex16 => one(Encoding::U16, Hex),
            Self::Hex32 => one(Encoding::U32, Hex),
            Self::Hex64 => one(Encoding::U64, Hex),
            Self::Ptr => one(Encoding::Pointer, Hex),
            Self::Size => one(Encoding::Pointer, Unsigned),
            Self::FileTime => one(Encoding::FileTime, Plain),
            Self::Guid => one(Encoding::Guid, Plain),
            Self::Sid => one(Encoding::Sid, Plain),
            Self::TokenUserSid => one(Encoding::TokenUserSid, Plain),
            Self::Text8 => one(Encoding::Bytes8(Extent::Terminated), Plain),
            Self::Text16 => one(Encoding::Utf16(Extent::Terminated), Plain),
            Self::Chars16(units) => one(Encoding::Utf16(Extent::Fixed(units)), Plain),
            Self::Chars16Of(slot) => one(Encoding::Utf16(Extent::Slot(slot)), Plain),
            Self::Port => one(Encoding::U16, Format::Port),
            Self::Ipv4 => one(Encoding::U32, Format::Ipv4),
            Self::Ipv6 => one(Encoding::Binary(Extent::Fixed(16)), Format::Ipv6),
            Self::Pad(bytes) => one(Encoding::Padding(bytes), Plain),
            Self::BytesOf(slot) => one(Encoding::Binary(Extent::Slot(slot)), Plain),
            Self::SocketAddressOf(slot) => {
                one(Encoding::Binary(Extent::Slot(slot)), Format::SocketAddress)
            }
            Self::Rest => one(Encoding::Binary(Extent::Rest), Plain),
            Self::Ptrs(slot) => (Encoding::Pointer, Hex, Count::Slot(slot)),
            Self::U32s(slot) => (Encoding::U32, Plain, Count::Slot(slot)),
            Self::Hex64s(slot) => (Encoding::U64, Hex, Count::Slot(slot)),
            Self::Guids(slot) => (Encoding::Guid, Plain, Count::Slot(slot)),
            Self::Texts16(slot) => (
                Encoding::Utf16(Extent::Terminated),
                Plain,
                Count::Slot(slot),
            ),
            Self::Each(slot, columns) => (
                Encoding::Struct(layout(columns).fields),
                Plain,
                Count::Slot(slot),
            ),
        }
    }
}

impl Names {
    pub(super) const fn values(entries: &'static [(u32, &'static str)]) -> Self {
        Self {
            is_bitmap: false,
            entries,
        }
    }

    pub(super) const fn flags(entries: &'static [(u32, &'static str)]) -> Self {
        Self {
            is_bitmap: true,
            entries,
        }
    }

    fn map(&self) -> MapUse {
        let entries = self
            .entries
            .iter()
            .map(|(value, name)| (*value, Box::from(*name)));
        MapUse {
            name: Box::default(),
            map: Some(Arc::new(ValueMap::new(self.is_bitmap, entries.collect()))),
        }
    }
}

macro_rules! columns {
    (@names) => { None };
    (@names $names:ident) => { Some(&$crate::bundled::names::$names) };
    (@layout [$($columns:tt)*]) => { $crate::bundled::table::columns![$($columns)*] };
    (@layout $shared:ident) => { $shared };
    ($($name:ident: $kind:ident $(($($argument:expr),+))? $(as $names:ident)?),* $(,)?) => {
        &[$($crate::bundled::table::Column {
            name: stringify!($name),
            kind: $crate::bundled::table::Kind::$kind $(($($argument),+))?,
            names: $crate::bundled::table::columns!(@names $($names)?),
        }),*]
    };
}

macro_rules! events {
    ($($($id:literal $name:literal),+ { $(version $version:literal $layout:tt)+ })+) => {
        pub(in crate::bundled) const EVENTS: &[$crate::bundled::table::Entry] = &[$(
            $crate::bundled::table::Entry {
                events: &[$(($id, $name)),+],
                versions: &[$(($version, $crate::bundled::table::columns!(@layout $layout))),+],
            }
        ),+];
    };
}

pub(super) use {columns, events};
