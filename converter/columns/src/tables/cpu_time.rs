//! `etw_cpu_time`: CPU time by step of time, thread, priority and rank.

use arrow_array::types::{Int8Type, Int64Type, UInt8Type, UInt32Type};
use arrow_schema::ArrowError;

use crate::column::{Column, maybe_numbers, numbers};
use crate::table::Table;

/// What a thread ran in a step of time at one priority and rank.
#[derive(Clone, Copy, Debug)]
pub struct CpuTime {
    /// When the step starts.
    pub ts_ns: u64,
    /// How long it is.
    pub dur_ns: u64,
    /// Key of the thread.
    pub utid: u32,
    /// Its priority at the switch-in.
    pub priority: i8,
    /// Its rank, where it was recorded.
    pub rank: Option<u8>,
    /// How long it ran; a longer time has several rows.
    pub ran_ns: u32,
    /// How often it was switched in.
    pub switches: u32,
}

/// The table.
#[derive(Debug)]
pub struct CpuTimes {
    /// How long each step is: lengths are written in as few bytes as this needs.
    pub step_ns: u64,
}

impl CpuTimes {
    fn lengths(&self, times: &[CpuTime]) -> Column {
        if u32::try_from(self.step_ns).is_ok() {
            let length = |time: &CpuTime| u32::try_from(time.dur_ns).unwrap_or(u32::MAX);
            numbers::<UInt32Type, _>("dur", times, length)
        } else {
            numbers::<Int64Type, _>("dur", times, |time| time.dur_ns.cast_signed())
        }
    }
}

impl Table for CpuTimes {
    type Fact = CpuTime;
    const NAME: &'static str = "etw_cpu_time";

    fn columns(&self, times: &[CpuTime]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<Int64Type, _>("ts", times, |time| time.ts_ns.cast_signed()),
            self.lengths(times),
            numbers::<UInt32Type, _>("utid", times, |time| time.utid),
            numbers::<Int8Type, _>("priority", times, |time| time.priority),
            maybe_numbers::<UInt8Type, _>("rank", times, |time| time.rank),
            numbers::<UInt32Type, _>("ran_ns", times, |time| time.ran_ns),
            numbers::<UInt32Type, _>("switches", times, |time| time.switches),
        ])
    }

    fn span_ns(time: &CpuTime) -> Option<(u64, u64)> {
        Some((time.ts_ns, time.ts_ns.saturating_add(time.dur_ns)))
    }
}
