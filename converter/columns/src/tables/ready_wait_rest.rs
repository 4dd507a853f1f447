//! `etw_ready_wait_rest`: ready waits but the longest, counted by thread, rank, priority, cause and length.

use arrow_array::types::{Int8Type, Int64Type, UInt8Type, UInt16Type, UInt32Type};
use arrow_schema::ArrowError;

use crate::column::{Column, Names, maybe_numbers, numbers};
use crate::table::Table;
use crate::tables::ready_wait::causes;

/// How many waits are alike.
#[derive(Clone, Copy, Debug)]
pub struct RestOfWaits {
    /// Key of the thread.
    pub utid: u32,
    /// Its rank, as `etw_ready_wait` has it.
    pub rank: Option<u8>,
    /// Its priority, likewise.
    pub priority: Option<i8>,
    /// It was ready when it was switched out.
    pub is_preempted: bool,
    /// The hundredth of a decade in which their lengths lie.
    pub bin: u16,
    /// How many.
    pub waits: u32,
    /// Their lengths together.
    pub sum_ns: u64,
    /// The longest.
    pub max_ns: u64,
}

/// The table.
#[derive(Debug)]
pub struct ReadyWaitRest {
    causes: Names,
}

impl Default for ReadyWaitRest {
    fn default() -> Self {
        Self { causes: causes() }
    }
}

impl Table for ReadyWaitRest {
    type Fact = RestOfWaits;
    const NAME: &'static str = "etw_ready_wait_rest";

    fn columns(&self, rest: &[RestOfWaits]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<UInt32Type, _>("utid", rest, |of| of.utid),
            maybe_numbers::<UInt8Type, _>("rank", rest, |of| of.rank),
            maybe_numbers::<Int8Type, _>("priority", rest, |of| of.priority),
            self.causes
                .column("cause", rest, |of| Some(u8::from(of.is_preempted)))?,
            numbers::<UInt16Type, _>("bin", rest, |of| of.bin),
            numbers::<UInt32Type, _>("waits", rest, |of| of.waits),
            numbers::<Int64Type, _>("sum_ns", rest, |of| of.sum_ns.cast_signed()),
            numbers::<Int64Type, _>("max_ns", rest, |of| of.max_ns.cast_signed()),
        ])
    }
}
