//! `etw_thread_ideal_cpu`: where Windows would rather have threads run.

use arrow_array::types::{UInt8Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::IdealCpu;

use crate::column::{Column, numbers};
use crate::table::{Table, ts};

/// The table.
#[derive(Debug)]
pub struct IdealCpus;

impl Table for IdealCpus {
    type Fact = IdealCpu;
    const NAME: &'static str = "etw_thread_ideal_cpu";

    fn columns(&self, ideals: &[IdealCpu]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            ts::<Self>(ideals),
            numbers::<UInt32Type, _>("utid", ideals, |ideal| ideal.thread.utid),
            numbers::<UInt8Type, _>("ideal_cpu", ideals, |ideal| ideal.ideal_cpu),
        ])
    }

    fn span_ns(ideal: &IdealCpu) -> Option<(u64, u64)> {
        // An instant lasts 1 ns.
        Some((ideal.ts_ns, ideal.ts_ns + 1))
    }
}
