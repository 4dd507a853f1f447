//! `etw_process`: processes, a row for each incarnation.

use arrow_array::types::{Int64Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::ProcessLife;

use crate::column::{Column, maybe_numbers, numbers, texts};
use crate::table::Table;

/// Windows' mark for no session.
const NO_SESSION: u32 = u32::MAX;

/// The table.
#[derive(Debug)]
pub struct Processes;

impl Table for Processes {
    type Fact = ProcessLife;
    const NAME: &'static str = "etw_process";

    fn columns(&self, processes: &[ProcessLife]) -> Result<Vec<Column>, ArrowError> {
        let ts = |ts_ns: Option<u64>| ts_ns.map(u64::cast_signed);
        Ok(vec![
            numbers::<UInt32Type, _>("upid", processes, |p| p.upid),
            numbers::<UInt32Type, _>("pid", processes, |p| p.pid),
            texts("name", processes, |p| Some(&p.name)),
            maybe_numbers::<UInt32Type, _>("parent_pid", processes, |p| p.parent_pid),
            maybe_numbers::<UInt32Type, _>("parent_upid", processes, |p| p.parent_upid),
            maybe_numbers::<Int64Type, _>("create_ts", processes, |p| ts(p.create_ts_ns)),
            maybe_numbers::<Int64Type, _>("exit_ts", processes, |p| ts(p.exit_ts_ns)),
            texts("command_line", processes, |p| {
                p.command_line.as_deref().filter(|line| !line.is_empty())
            }),
            maybe_numbers::<UInt32Type, _>("session", processes, |p| {
                p.session.filter(|session| *session != NO_SESSION)
            }),
            texts("services", processes, |p| p.services.as_deref()),
            maybe_numbers::<UInt32Type, _>("exit_code", processes, |p| p.exit_code),
            texts("sid", processes, |p| p.sid.as_deref()),
            texts("package", processes, |p| p.package.as_deref()),
            texts("application", processes, |p| p.application.as_deref()),
            maybe_numbers::<UInt32Type, _>("flags", processes, |p| p.flags),
        ])
    }
}
