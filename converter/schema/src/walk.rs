//! Goes through a payload by its layout: the one place that decides which bytes belong to which field.

use crate::error::PayloadError;
use crate::layout::{Count, Encoding, Field, Layout, MOST_SLOTS};
use crate::scalar::Reader;
use crate::value::Scalar;

/// Most values that one payload may hold; bounds arrays of fields that take no bytes.
const MOST_VALUES: u32 = 65_536;
const TOO_MANY_VALUES: &str = "at most 65536 values";
/// Names in messages are cut to this.
const MOST_NAME_CHARS: usize = 64;

/// Takes the values in the order of the payload.
pub(crate) trait Sink<'a> {
    /// A value; `in_array` if it is an element of the array that is open.
    fn scalar(&mut self, field: &'a Field, in_array: bool, value: Scalar<'a>);
    fn open_array(&mut self, field: &'a Field);
    fn close_array(&mut self);
    fn open_struct(&mut self, field: &'a Field, in_array: bool);
    fn close_struct(&mut self);
    /// Whether the sink can take further values.
    fn has_room(&self) -> bool;
}

/// Hands every value of the payload to `sink`; answers the number of bytes left over.
///
/// After an error everything that was opened is closed again, and `sink` has the fields before the faulty one.
pub(crate) fn walk<'a, S: Sink<'a>>(
    layout: &'a Layout,
    payload: &'a [u8],
    pointer_bytes: u8,
    sink: &mut S,
) -> Result<usize, PayloadError> {
    let reader = Reader::new(payload, pointer_bytes);
    let mut walker = Walker {
        reader,
        slots: [0; MOST_SLOTS],
        values_left: MOST_VALUES,
        sink,
    };
    match walker.fields(&layout.fields) {
        Ok(()) => Ok(walker.reader.left()),
        Err(fault) => Err(fault.into_error()),
    }
}

/// Whether the payload fits the layout without a byte left over.
pub(crate) fn fits_exactly(layout: &Layout, payload: &[u8], pointer_bytes: u8) -> bool {
    walk(layout, payload, pointer_bytes, &mut Discard) == Ok(0)
}

struct Discard;

impl<'a> Sink<'a> for Discard {
    fn scalar(&mut self, _: &'a Field, _: bool, _: Scalar<'a>) {}
    fn open_array(&mut self, _: &'a Field) {}
    fn close_array(&mut self) {}
    fn open_struct(&mut self, _: &'a Field, _: bool) {}
    fn close_struct(&mut self) {}
    fn has_room(&self) -> bool {
        true
    }
}

/// [`PayloadError`] before it is worth an allocation.
struct Fault<'a> {
    field: &'a Field,
    offset: usize,
    expected: &'static str,
}

impl Fault<'_> {
    #[cold]
    fn into_error(self) -> PayloadError {
        PayloadError {
            field: self.field.name.chars().take(MOST_NAME_CHARS).collect(),
            offset: self.offset,
            expected: self.expected,
        }
    }
}

struct Walker<'a, 's, S> {
    reader: Reader<'a>,
    slots: [u64; MOST_SLOTS],
    values_left: u32,
    sink: &'s mut S,
}

impl<'a, S: Sink<'a>> Walker<'a, '_, S> {
    fn fields(&mut self, fields: &'a [Field]) -> Result<(), Fault<'a>> {
        fields.iter().try_for_each(|field| match field.count {
            Count::One => self.value(field, false),
            count => self.array(field, count),
        })
    }

    fn array(&mut self, field: &'a Field, count: Count) -> Result<(), Fault<'a>> {
        let offset = self.reader.at();
        let count = match count {
            Count::One => 1,
            Count::Fixed(count) => u64::from(count),
            Count::Slot(slot) => self.slot(slot),
            Count::Counted16 => {
                let count = self.reader.u16().ok_or(Fault {
                    field,
                    offset,
                    expected: "a u16 count",
                })?;
                u64::from(count)
            }
        };
        if count > u64::from(self.values_left) {
            return Err(Fault {
                field,
                offset,
                expected: TOO_MANY_VALUES,
            });
        }
        self.sink.open_array(field);
        let elements = (0..count).try_for_each(|_| self.value(field, true));
        self.sink.close_array();
        elements
    }

    fn value(&mut self, field: &'a Field, in_array: bool) -> Result<(), Fault<'a>> {
        let offset = self.reader.at();
        let Some(values_left) = self.values_left.checked_sub(1) else {
            return Err(Fault {
                field,
                offset,
                expected: TOO_MANY_VALUES,
            });
        };
        self.values_left = values_left;
        if !self.sink.has_room() {
            return Err(Fault {
                field,
                offset,
                expected: "at most 4 MiB of text",
            });
        }
        if let Encoding::Struct(members) = &field.encoding {
            self.sink.open_struct(field, in_array);
            let members = self.fields(members);
            self.sink.close_struct();
            return members;
        }
        let slots = &self.slots;
        let length = |slot: u8| slots.get(usize::from(slot)).copied().unwrap_or(0);
        let Some(raw) = self.reader.read(&field.encoding, length) else {
            self.reader.seek(offset);
            return Err(Fault {
                field,
                offset,
                expected: field.encoding.expected(),
            });
        };
        if let Some(kept) = field
            .slot
            .and_then(|slot| self.slots.get_mut(usize::from(slot)))
        {
            *kept = raw.integer().unwrap_or(0);
        }
        if !matches!(field.encoding, Encoding::Padding(_)) {
            self.sink.scalar(field, in_array, raw.formatted(field));
        }
        Ok(())
    }

    fn slot(&self, slot: u8) -> u64 {
        self.slots.get(usize::from(slot)).copied().unwrap_or(0)
    }
}
