//! `etw_run_before`: how the runs ended that were under way before their CPU's first switch. Names have the numbers that they have in
//! `etw_run`.

use arrow_array::types::{UInt8Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::RunBefore;

use super::run::EndNames;
use crate::column::{Column, maybe_numbers, numbers};
use crate::table::{Table, ts};

/// The table, with the names that its columns share.
#[derive(Debug, Default)]
pub struct RunsBefore(EndNames);

impl Table for RunsBefore {
    type Fact = RunBefore;
    const NAME: &'static str = "etw_run_before";

    fn columns(&self, runs: &[RunBefore]) -> Result<Vec<Column>, ArrowError> {
        let mut columns = vec![
            ts::<Self>(runs),
            numbers::<UInt32Type, _>("utid", runs, |run| run.thread.utid),
            maybe_numbers::<UInt8Type, _>("rank", runs, |run| run.end.rank),
        ];
        columns.extend(self.0.columns(runs, |run| Some(run.end))?);
        Ok(columns)
    }

    fn span_ns(run: &RunBefore) -> Option<(u64, u64)> {
        // An instant lasts 1 ns.
        Some((run.ts_ns, run.ts_ns + 1))
    }
}
