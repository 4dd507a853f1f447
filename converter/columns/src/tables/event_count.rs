//! `etw_event_count`: how many events of each kind the recording has, and what becomes of them.

use arrow_array::types::{Int64Type, UInt8Type};
use arrow_schema::ArrowError;
use facts::EventCount;

use crate::column::{Column, numbers, texts};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct EventCounts;

impl Table for EventCounts {
    type Fact = EventCount;
    const NAME: &'static str = "etw_event_count";

    fn columns(&self, counts: &[EventCount]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            texts("provider", counts, |of| Some(&of.provider)),
            texts("event", counts, |of| Some(&of.event)),
            numbers::<UInt8Type, _>("version", counts, |of| of.version),
            texts("fate", counts, |of| Some(of.fate)),
            texts("reason", counts, |of| of.reason),
            numbers::<Int64Type, _>("count", counts, |of| of.count.cast_signed()),
        ])
    }
}
