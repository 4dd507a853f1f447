//! `etw_generic_event`: events of any kind, as what they have of their own.

use arrow_array::types::{UInt16Type, UInt32Type};
use arrow_schema::ArrowError;

use crate::column::{Column, maybe_numbers, numbers, texts};
use crate::table::{Table, ts};

/// The table.
#[derive(Debug)]
pub struct GenericEvents;

/// An event.
#[derive(Debug)]
pub struct EventRow {
    /// When.
    pub ts_ns: u64,
    /// Its CPU.
    pub cpu: Option<u16>,
    /// Key of its thread.
    pub utid: Option<u32>,
    /// Its shape: a row of `etw_event_shape`.
    pub shape: u32,
    /// What stands in the places of the shape's marks.
    pub values: String,
}

impl Table for GenericEvents {
    type Fact = EventRow;
    const NAME: &'static str = "etw_generic_event";

    fn columns(&self, events: &[EventRow]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            ts::<Self>(events),
            maybe_numbers::<UInt16Type, _>("cpu", events, |event| event.cpu),
            maybe_numbers::<UInt32Type, _>("utid", events, |event| event.utid),
            numbers::<UInt32Type, _>("shape", events, |event| event.shape),
            texts("values", events, |event| Some(&event.values)),
        ])
    }

    fn span_ns(event: &EventRow) -> Option<(u64, u64)> {
        // An instant lasts 1 ns.
        Some((event.ts_ns, event.ts_ns + 1))
    }
}
