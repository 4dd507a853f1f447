//! `etw_suspend`: when the machine slept.

use arrow_array::types::Int64Type;
use arrow_schema::ArrowError;
use facts::Suspend;

use crate::column::{Column, flags, maybe_numbers};
use crate::table::{Table, dur, ts};

/// The table.
#[derive(Debug)]
pub struct Suspends;

impl Table for Suspends {
    type Fact = Suspend;
    const NAME: &'static str = "etw_suspend";

    fn columns(&self, suspends: &[Suspend]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            ts::<Self>(suspends),
            dur::<Self>(suspends),
            maybe_numbers::<Int64Type, _>("counter_ns", suspends, |suspend| suspend.counter_ns),
            flags("open_end", suspends, |suspend| Some(suspend.open_end)),
        ])
    }

    fn span_ns(suspend: &Suspend) -> Option<(u64, u64)> {
        Some((suspend.ts_ns, suspend.te_ns))
    }
}
