//! `etw_ready_wait`: waits of threads that could have run and did not.

use arrow_array::types::{Int8Type, Int64Type, UInt8Type, UInt16Type, UInt32Type};
use arrow_schema::ArrowError;
use etw::ReadyThread;
use facts::ReadyWait;

use crate::column::{Column, Names, flags, maybe_numbers, numbers};
use crate::table::Table;

/// The table, with the names that its columns share.
#[derive(Debug)]
pub struct ReadyWaits {
    causes: Names,
    rank_sources: Names,
}

impl Default for ReadyWaits {
    fn default() -> Self {
        Self {
            causes: causes(),
            rank_sources: Names::new(["recorded", "before", "after"]),
        }
    }
}

/// What a wait began with.
pub fn causes() -> Names {
    Names::new(["wake", "preempted"])
}

/// The rank that a thread waited at, as far as what was recorded before and after tells.
pub fn rank_of(wait: &ReadyWait) -> Option<u8> {
    Some(rank(wait)?.0)
}

/// The rank that a thread waited at, as far as what was recorded before and after tells, and the number of its source.
fn rank(wait: &ReadyWait) -> Option<(u8, u8)> {
    match (wait.rank_before, wait.rank_after) {
        (Some(before), Some(after)) if before == after => Some((before, 0)),
        (Some(before), _) => Some((before, 1)),
        (None, Some(after)) => Some((after, 2)),
        (None, None) => None,
    }
}

impl Table for ReadyWaits {
    type Fact = ReadyWait;
    const NAME: &'static str = "etw_ready_wait";
    const HAS_LENGTH: bool = true;

    fn columns(&self, waits: &[ReadyWait]) -> Result<Vec<Column>, ArrowError> {
        let woken = |wait: &ReadyWait| wait.waker.and(wait.ready);
        Ok(vec![
            numbers::<Int64Type, _>("ts", waits, |wait| wait.ts_ns.cast_signed()),
            numbers::<Int64Type, _>("te", waits, |wait| wait.te_ns.cast_signed()),
            flags("ended", waits, |wait| Some(wait.cpu.is_some())),
            self.causes
                .column("cause", waits, |wait| Some(u8::from(wait.waker.is_none())))?,
            numbers::<UInt32Type, _>("utid", waits, |wait| wait.thread.utid),
            maybe_numbers::<UInt32Type, _>("waker_utid", waits, |wait| {
                Some(wait.waker?.utid).filter(|utid| *utid != 0)
            }),
            flags("waker_in_dpc", waits, |wait| {
                Some(woken(wait)?.flags & ReadyThread::FROM_DPC != 0)
            }),
            maybe_numbers::<Int8Type, _>("priority", waits, |wait| wait.priority),
            maybe_numbers::<UInt8Type, _>("rank", waits, rank_of),
            self.rank_sources
                .column("rank_source", waits, |wait| Some(rank(wait)?.1))?,
            maybe_numbers::<UInt8Type, _>("rank_before", waits, |wait| wait.rank_before),
            maybe_numbers::<UInt8Type, _>("rank_after", waits, |wait| wait.rank_after),
            maybe_numbers::<UInt16Type, _>("cpu", waits, |wait| wait.cpu),
            maybe_numbers::<UInt8Type, _>("flags", waits, |wait| Some(woken(wait)?.flags & 31)),
            maybe_numbers::<Int64Type, _>("last_switch_out_ts", waits, |wait| {
                Some(wait.last_switch_out_ns?.cast_signed())
            }),
            maybe_numbers::<Int64Type, _>("last_ready_ts", waits, |wait| {
                Some(wait.last_ready_ns?.cast_signed())
            }),
        ])
    }

    fn span_ns(wait: &ReadyWait) -> Option<(u64, u64)> {
        Some((wait.ts_ns, wait.te_ns))
    }
}

/// The longest of them: `etw_ready_wait_long`.
#[derive(Debug, Default)]
pub struct LongReadyWaits(ReadyWaits);

impl Table for LongReadyWaits {
    type Fact = ReadyWait;
    const NAME: &'static str = "etw_ready_wait_long";
    const HAS_LENGTH: bool = ReadyWaits::HAS_LENGTH;

    fn columns(&self, waits: &[ReadyWait]) -> Result<Vec<Column>, ArrowError> {
        self.0.columns(waits)
    }

    fn span_ns(wait: &ReadyWait) -> Option<(u64, u64)> {
        ReadyWaits::span_ns(wait)
    }
}
