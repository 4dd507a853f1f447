//! `etw_focus`: which process had the focus.

use arrow_array::types::{Int64Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::Focus;

use crate::column::{Column, flags, maybe_numbers, numbers};
use crate::table::{Table, dur, ts};

/// The table.
#[derive(Debug)]
pub struct Focuses;

impl Table for Focuses {
    type Fact = Focus;
    const NAME: &'static str = "etw_focus";

    fn columns(&self, spans: &[Focus]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            ts::<Self>(spans),
            dur::<Self>(spans),
            maybe_numbers::<Int64Type, _>("session", spans, |focus| focus.session),
            maybe_numbers::<UInt32Type, _>("upid", spans, |focus| focus.upid),
            numbers::<UInt32Type, _>("pid", spans, |focus| focus.pid),
            flags("open_start", spans, |focus| Some(focus.open_start)),
            flags("open_end", spans, |focus| Some(focus.open_end)),
        ])
    }

    fn span_ns(focus: &Focus) -> Option<(u64, u64)> {
        Some((focus.ts_ns, focus.te_ns))
    }
}
