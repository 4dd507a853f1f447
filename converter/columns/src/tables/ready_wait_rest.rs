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
        columns(&self.causes, rest, |of| of)
    }
}

/// How many waits are alike, of those that ended in a stretch of time.
#[derive(Clone, Copy, Debug)]
pub struct RestInStretch {
    /// They ended after the first and until the second of these, in ns on the trace clock.
    pub span_ns: (u64, u64),
    /// What they are alike in, and how many.
    pub rest: RestOfWaits,
}

/// `etw_ready_wait_stretch`: the same as `etw_ready_wait_rest`, of stretches of a long recording, and of groups of these. All rows of a batch
/// are of one stretch or group, which the times of the batch say.
#[derive(Debug, Default)]
pub struct ReadyWaitStretches(ReadyWaitRest);

impl Table for ReadyWaitStretches {
    type Fact = RestInStretch;
    const NAME: &'static str = "etw_ready_wait_stretch";

    fn columns(&self, rest: &[RestInStretch]) -> Result<Vec<Column>, ArrowError> {
        columns(&self.0.causes, rest, |of| &of.rest)
    }

    fn span_ns(of: &RestInStretch) -> Option<(u64, u64)> {
        Some(of.span_ns)
    }
}

fn columns<F>(
    causes: &Names,
    rows: &[F],
    rest: impl Fn(&F) -> &RestOfWaits,
) -> Result<Vec<Column>, ArrowError> {
    Ok(vec![
        numbers::<UInt32Type, _>("utid", rows, |of| rest(of).utid),
        maybe_numbers::<UInt8Type, _>("rank", rows, |of| rest(of).rank),
        maybe_numbers::<Int8Type, _>("priority", rows, |of| rest(of).priority),
        causes.column("cause", rows, |of| Some(u8::from(rest(of).is_preempted)))?,
        numbers::<UInt16Type, _>("bin", rows, |of| rest(of).bin),
        numbers::<UInt32Type, _>("waits", rows, |of| rest(of).waits),
        numbers::<Int64Type, _>("sum_ns", rows, |of| rest(of).sum_ns.cast_signed()),
        numbers::<Int64Type, _>("max_ns", rows, |of| rest(of).max_ns.cast_signed()),
    ])
}
