//! `etw_cpu`: the CPUs, and where they are.

use arrow_array::types::{Int64Type, UInt8Type, UInt16Type};
use arrow_schema::ArrowError;
use facts::Cpu;

use crate::column::{Column, maybe_numbers, numbers};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct Cpus;

impl Table for Cpus {
    type Fact = Cpu;
    const NAME: &'static str = "etw_cpu";

    fn columns(&self, cpus: &[Cpu]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<UInt16Type, _>("cpu", cpus, |cpu| cpu.cpu),
            maybe_numbers::<UInt16Type, _>("cpu_group", cpus, |cpu| cpu.group),
            maybe_numbers::<UInt8Type, _>("number", cpus, |cpu| cpu.number),
            maybe_numbers::<Int64Type, _>("unknown_ts", cpus, |cpu| {
                cpu.unknown_ts_ns.map(u64::cast_signed)
            }),
        ])
    }
}
