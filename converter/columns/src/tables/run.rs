//! `etw_run`: the stays of threads on CPUs.

use arrow_array::types::{Int8Type, Int64Type, UInt8Type, UInt16Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::{Run, RunEnd, RunOutlook};

use crate::column::{Column, Names, flags, maybe_numbers, numbers};
use crate::table::Table;

/// The table, with the names that its columns share.
#[derive(Debug, Default)]
pub struct Runs(EndNames);

/// The names in columns that tell how runs ended.
#[derive(Debug)]
pub struct EndNames {
    states: Names,
    wait_reasons: Names,
    wait_modes: Names,
}

impl Default for EndNames {
    fn default() -> Self {
        Self {
            states: Names::new((0..).map_while(etw::thread_state_name)),
            wait_reasons: Names::new((0..).map_while(etw::wait_reason_name)),
            wait_modes: Names::new(["kernel", "user"]),
        }
    }
}

impl EndNames {
    /// The priority at the switch-out, and what the thread went into.
    ///
    /// # Errors
    /// If a column cannot hold the names.
    pub fn columns<F>(
        &self,
        facts: &[F],
        end: impl Fn(&F) -> Option<RunEnd>,
    ) -> Result<[Column; 4], ArrowError> {
        Ok([
            maybe_numbers::<Int8Type, _>("switch_out_priority", facts, |fact| {
                Some(end(fact)?.priority.clamp(0, 31))
            }),
            self.states
                .column("switch_out_state", facts, |fact| Some(end(fact)?.state))?,
            self.wait_reasons
                .column("switch_out_wait_reason", facts, |fact| {
                    Some(end(fact)?.wait_reason)
                })?,
            self.wait_modes
                .column("switch_out_wait_mode", facts, |fact| {
                    let end = end(fact).filter(|end| end.wait_reason < RunEnd::WAIT_REASON_NONE)?;
                    Some(end.wait_mode)
                })?,
        ])
    }
}

/// The end of a run, where one was recorded.
fn end(run: &Run) -> Option<RunEnd> {
    run.outlook?.end
}

/// The end of a run, where a whole context switch reported it.
fn whole_end(run: &Run) -> Option<RunEnd> {
    end(run).filter(RunEnd::is_whole)
}

impl Table for Runs {
    type Fact = Run;
    const NAME: &'static str = "etw_run";
    const HAS_LENGTH: bool = true;

    fn columns(&self, runs: &[Run]) -> Result<Vec<Column>, ArrowError> {
        let ready = |run: &Run| run.outlook.map(|outlook| outlook.start.ready);
        let mut columns = vec![
            numbers::<Int64Type, _>("ts", runs, |run| run.ts_ns.cast_signed()),
            numbers::<Int64Type, _>("te", runs, |run| run.te_ns.cast_signed()),
            numbers::<UInt16Type, _>("cpu", runs, |run| run.cpu),
            numbers::<UInt32Type, _>("utid", runs, |run| run.thread.utid),
            numbers::<Int8Type, _>("priority", runs, |run| run.priority),
            maybe_numbers::<UInt8Type, _>("rank", runs, |run| {
                run.outlook.as_ref().and_then(RunOutlook::rank)
            }),
            maybe_numbers::<UInt8Type, _>("rank_before", runs, |run| run.outlook?.rank_before),
            maybe_numbers::<Int8Type, _>("priority_decrement", runs, |run| {
                Some(run.outlook?.start.priority_decrement.clamp(0, 31))
            }),
            maybe_numbers::<UInt8Type, _>("ready_flags", runs, |run| {
                Some(ready(run)?.map_or(0, |ready| ready.flags & 31))
            }),
            maybe_numbers::<Int8Type, _>("ready_increment", runs, |run| {
                Some(ready(run)?.map_or(0, |ready| ready.adjust_increment.clamp(-32, 31)))
            }),
            maybe_numbers::<UInt8Type, _>("ready_adjust_reason", runs, |run| {
                Some(ready(run)?.map_or(0, |ready| ready.adjust_reason.min(3)))
            }),
            maybe_numbers::<UInt8Type, _>("previous_c_state", runs, |run| {
                run.outlook?.start.c_state
            }),
            flags("ended", runs, |run| Some(run.has_ended)),
        ];
        columns.extend(self.0.columns(runs, end)?);
        columns.extend([
            maybe_numbers::<UInt8Type, _>("switch_out_qos", runs, |run| Some(whole_end(run)?.qos)),
            maybe_numbers::<UInt8Type, _>("switch_in_qos", runs, |run| {
                let recorded = run.outlook?.start.qos;
                recorded.or_else(|| whole_end(run).map(|end| end.qos))
            }),
        ]);
        Ok(columns)
    }

    fn span_ns(run: &Run) -> Option<(u64, u64)> {
        Some((run.ts_ns, run.te_ns))
    }
}
