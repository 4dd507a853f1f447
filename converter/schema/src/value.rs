//! Decoded values. Texts and binaries borrow the payload.

use std::net::{Ipv4Addr, Ipv6Addr};

use etl::Guid;

use crate::error::PayloadError;
use crate::layout::{Field, Layout};
use crate::value_map::ValueMap;
use crate::walk::{Sink, walk};

/// A value without parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar<'a> {
    /// A field that takes no bytes, or a SID that is absent.
    Null,
    /// A signed integer.
    I64(i64),
    /// An unsigned integer.
    U64(u64),
    /// An unsigned integer that is read in base 16: addresses, flags, status codes.
    Hex(u64),
    /// A value of an enumeration or a set of flags, and its names.
    Mapped(u32, &'a ValueMap),
    /// A number of 32 bits.
    F32(f32),
    /// A number of 64 bits.
    F64(f64),
    /// True or false.
    Bool(bool),
    /// A GUID.
    Guid(Guid),
    /// Time in units of 100 ns since 1601-01-01, UTC.
    FileTime(u64),
    /// `SYSTEMTIME`: year, month, day of the week, day, hour, minute, second, millisecond.
    SystemTime([u16; 8]),
    /// A security identifier: revision, count, authority, subauthorities; whole.
    Sid(&'a [u8]),
    /// Text in UTF-16.
    Utf16(&'a [u8]),
    /// Text in UTF-8, or in some code page that the trace does not name.
    Bytes8(&'a [u8]),
    /// Bytes without meaning to us.
    Binary(&'a [u8]),
    /// An IPv4 address.
    Ipv4(Ipv4Addr),
    /// An IPv6 address.
    Ipv6(Ipv6Addr),
    /// A `SOCKADDR` of any family.
    SocketAddress(&'a [u8]),
}

/// A value, as a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// A value without parts.
    Scalar(Scalar<'a>),
    /// Values of one field.
    Array(Vec<Value<'a>>),
    /// Named values, in the layout's order.
    Struct(Vec<(&'a str, Value<'a>)>),
}

/// Decodes a payload to a tree: for reading some fields of a known event. To write a whole event,
/// [`decode_json`](crate::decode_json) is faster.
///
/// `pointer_bytes` is the width of pointers, 4 or 8, as the event's header says. Bytes after the last field are left
/// out: newer versions of an event append fields.
///
/// # Errors
/// Where the payload does not fit the layout.
pub fn decode_value<'a>(
    layout: &'a Layout,
    payload: &'a [u8],
    pointer_bytes: u8,
) -> Result<Value<'a>, PayloadError> {
    let mut tree = Tree::default();
    walk(layout, payload, pointer_bytes, &mut tree)?;
    Ok(Value::Struct(tree.top))
}

/// [`decode_value`] for a payload that may not fit: the members before the one that does not.
pub fn decode_fitting<'a>(
    layout: &'a Layout,
    payload: &'a [u8],
    pointer_bytes: u8,
) -> Vec<(&'a str, Value<'a>)> {
    let mut tree = Tree::default();
    drop(walk(layout, payload, pointer_bytes, &mut tree));
    tree.top
}

#[derive(Default)]
struct Tree<'a> {
    top: Vec<(&'a str, Value<'a>)>,
    open: Vec<(&'a str, Value<'a>)>,
}

impl<'a> Tree<'a> {
    fn add(&mut self, name: &'a str, value: Value<'a>) {
        match self.open.last_mut() {
            Some((_, Value::Array(values))) => values.push(value),
            Some((_, Value::Struct(members))) => members.push((name, value)),
            Some((_, Value::Scalar(_))) | None => self.top.push((name, value)),
        }
    }

    fn close(&mut self) {
        if let Some((name, value)) = self.open.pop() {
            self.add(name, value);
        }
    }
}

impl<'a> Sink<'a> for Tree<'a> {
    fn scalar(&mut self, field: &'a Field, _in_array: bool, value: Scalar<'a>) {
        self.add(&field.name, Value::Scalar(value));
    }

    fn open_array(&mut self, field: &'a Field) {
        self.open.push((&field.name, Value::Array(Vec::new())));
    }

    fn close_array(&mut self) {
        self.close();
    }

    fn open_struct(&mut self, field: &'a Field, _in_array: bool) {
        self.open.push((&field.name, Value::Struct(Vec::new())));
    }

    fn close_struct(&mut self) {
        self.close();
    }

    fn has_room(&self) -> bool {
        true
    }
}
