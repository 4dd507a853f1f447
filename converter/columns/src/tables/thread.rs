//! `etw_thread`: threads, a row for each incarnation.

use arrow_array::types::{Int64Type, UInt8Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::ThreadLife;

use crate::column::{Column, maybe_numbers, numbers, texts};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct Threads;

impl Table for Threads {
    type Fact = ThreadLife;
    const NAME: &'static str = "etw_thread";

    fn columns(&self, threads: &[ThreadLife]) -> Result<Vec<Column>, ArrowError> {
        let ts = |ts_ns: Option<u64>| ts_ns.map(u64::cast_signed);
        Ok(vec![
            numbers::<UInt32Type, _>("utid", threads, |t| t.thread.utid),
            numbers::<UInt32Type, _>("tid", threads, |t| t.thread.tid),
            maybe_numbers::<UInt32Type, _>("upid", threads, |t| t.upid),
            maybe_numbers::<UInt32Type, _>("pid", threads, |t| t.pid),
            texts("process_name", threads, |t| t.process_name.as_deref()),
            texts("name", threads, |t| t.name.as_deref()),
            maybe_numbers::<UInt8Type, _>("base_priority", threads, |t| t.base_priority),
            maybe_numbers::<Int64Type, _>("start_address", threads, |t| {
                Some(t.start_address?.cast_signed())
            }),
            maybe_numbers::<Int64Type, _>("create_ts", threads, |t| ts(t.create_ts_ns)),
            maybe_numbers::<Int64Type, _>("exit_ts", threads, |t| ts(t.exit_ts_ns)),
            maybe_numbers::<UInt8Type, _>("io_priority", threads, |t| t.io_priority),
            maybe_numbers::<UInt8Type, _>("page_priority", threads, |t| t.page_priority),
            maybe_numbers::<UInt32Type, _>("sub_process_tag", threads, |t| t.sub_process_tag),
        ])
    }
}
