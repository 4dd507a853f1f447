//! `etw_process_freeze`: when processes were frozen.

use arrow_array::types::UInt32Type;
use arrow_schema::ArrowError;
use facts::Freeze;

use crate::column::{Column, flags, maybe_numbers, numbers};
use crate::table::{Table, dur, ts};

/// The table.
#[derive(Debug)]
pub struct Freezes;

impl Table for Freezes {
    type Fact = Freeze;
    const NAME: &'static str = "etw_process_freeze";

    fn columns(&self, freezes: &[Freeze]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            ts::<Self>(freezes),
            dur::<Self>(freezes),
            maybe_numbers::<UInt32Type, _>("upid", freezes, |freeze| freeze.upid),
            numbers::<UInt32Type, _>("pid", freezes, |freeze| freeze.pid),
            maybe_numbers::<UInt32Type, _>("frozen_by_utid", freezes, |freeze| freeze.by_utid),
            flags("open_start", freezes, |freeze| Some(freeze.open_start)),
            flags("open_end", freezes, |freeze| Some(freeze.open_end)),
        ])
    }

    fn span_ns(freeze: &Freeze) -> Option<(u64, u64)> {
        Some((freeze.ts_ns, freeze.te_ns))
    }
}
