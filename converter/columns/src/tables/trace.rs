//! `etw_trace`: what the recording says of itself, in one row.

use arrow_array::types::{Int32Type, Int64Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::Recording;

use crate::column::{Column, maybe_numbers, numbers, texts};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct Trace;

impl Table for Trace {
    type Fact = Recording;
    const NAME: &'static str = "etw_trace";

    fn columns(&self, rows: &[Recording]) -> Result<Vec<Column>, ArrowError> {
        let long = |name, value: fn(&Recording) -> u64| {
            numbers::<Int64Type, _>(name, rows, move |row| value(row).cast_signed())
        };
        let maybe_long = |name, value: fn(&Recording) -> Option<u64>| {
            maybe_numbers::<Int64Type, _>(name, rows, move |row| value(row).map(u64::cast_signed))
        };
        let number =
            |name, value: fn(&Recording) -> u32| numbers::<UInt32Type, _>(name, rows, value);
        Ok(vec![
            long("start_ts", |row| row.start_ts_ns),
            long("end_ts", |row| row.end_ts_ns),
            long("dur_ns", |row| {
                row.end_ts_ns.saturating_sub(row.start_ts_ns)
            }),
            maybe_numbers::<Int64Type, _>("start_utc_ns", rows, |row| row.start_utc_ns),
            maybe_numbers::<Int64Type, _>("boot_utc_ns", rows, |row| row.boot_utc_ns),
            numbers::<Int32Type, _>("utc_offset_minutes", rows, |row| row.utc_offset_minutes),
            texts("session_name", rows, |row| row.session_name.as_deref()),
            texts("file_name", rows, |row| row.file_name.as_deref()),
            number("os_build", |row| row.os_build),
            texts("os_version", rows, |row| Some(&row.os_version)),
            number("pointer_bytes", |row| row.pointer_bytes),
            number("cpu_count", |row| row.cpu_count),
            number("cpu_mhz", |row| row.cpu_mhz),
            texts("clock", rows, |row| Some(row.clock)),
            long("clock_hz", |row| row.clock_hz),
            long("timer_resolution_ns", |row| row.timer_resolution_ns),
            long("events_read", |row| row.events_read),
            long("events_converted", |row| row.events_converted),
            long("events_generic", |row| row.events_generic),
            long("events_skipped", |row| row.events_skipped),
            number("events_lost", |row| row.events_lost),
            long("buffers_read", |row| row.buffers_read),
            number("buffers_lost", |row| row.buffers_lost),
            long("context_switches", |row| row.context_switches),
            long("ready_threads", |row| row.ready_threads),
            texts("kernel_flags", rows, |row| Some(&row.kernel_flags)),
            maybe_long("selected_from_ts", |row| row.selected_from_ts_ns),
            maybe_long("selected_to_ts", |row| row.selected_to_ts_ns),
            texts("selected_kinds", rows, |row| row.selected_kinds.as_deref()),
            maybe_long("selected_processes", |row| row.selected_processes),
            texts("redacted", rows, |row| row.redacted.as_deref()),
        ])
    }
}
