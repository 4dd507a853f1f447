//! `etw_run_counter`: what hardware counters counted while threads ran.

use arrow_array::types::{Int8Type, Int64Type, UInt8Type, UInt16Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::{RunCounter, RunOutlook};

use crate::column::{Column, maybe_numbers, numbers};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct RunCounters;

impl Table for RunCounters {
    type Fact = RunCounter;
    const NAME: &'static str = "etw_run_counter";
    const HAS_LENGTH: bool = true;

    fn columns(&self, counters: &[RunCounter]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<Int64Type, _>("ts", counters, |of| of.run.ts_ns.cast_signed()),
            numbers::<Int64Type, _>("te", counters, |of| of.run.te_ns.cast_signed()),
            numbers::<UInt16Type, _>("cpu", counters, |of| of.run.cpu),
            numbers::<UInt32Type, _>("utid", counters, |of| of.run.thread.utid),
            numbers::<Int8Type, _>("priority", counters, |of| of.run.priority),
            maybe_numbers::<UInt8Type, _>("rank", counters, |of| {
                of.run.outlook.as_ref().and_then(RunOutlook::rank)
            }),
            numbers::<UInt8Type, _>("counter", counters, |of| of.counter),
            numbers::<Int64Type, _>("counted", counters, |of| of.counted.cast_signed()),
        ])
    }

    fn span_ns(of: &RunCounter) -> Option<(u64, u64)> {
        Some((of.run.ts_ns, of.run.te_ns))
    }
}
