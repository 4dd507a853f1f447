//! Pass 2 over a whole trace.

use columns::Columns;
use etl::TraceFile;
use facts::FactCounts;

use super::feed;
use super::state::{Pass, Places};
use crate::error::Error;
use crate::first_times::START_TS_NS;
use crate::index::Index;
use crate::loss::Loss;
use crate::progress::{Progress, Stage};

/// What pass 2 found out.
#[derive(Debug)]
pub struct Outcome {
    /// Switches in which another thread ran than was planned.
    pub corrected_switches: u64,
    /// Events that pass 1 read and pass 2 did not, for want of memory.
    pub events_dropped: u64,
    /// Columns, not finished.
    pub columns: Vec<Columns>,
    /// How many facts there were, where they were counted.
    pub counts: Option<FactCounts>,
}

/// When the recording begins and ends, in ns on the trace clock.
pub fn span_ns(trace: &TraceFile, index: &Index) -> (u64, u64) {
    let length_ns = trace.clock().ns_since_start(index.end_raw);
    (START_TS_NS, START_TS_NS.saturating_add(length_ns))
}

/// Writes the whole trace to its places, or a part of it when it was stopped. These share the work where there are
/// threads: one reads and inflates, one merges, all processors decode, and this one follows the state and encodes.
///
/// # Errors
/// If the output cannot be written.
pub fn convert(
    trace: &TraceFile,
    index: &Index,
    losses: &[Loss],
    places: Places<'_>,
    progress: &Progress,
) -> Result<Outcome, Error> {
    progress.start(Stage::Convert);
    let mut pass = Pass::new(trace, index, losses, places);
    let merged = feed::feed(&mut pass, trace, index, progress)?;
    let to_raw = index.selection.to_raw;
    pass.finish(index.end_raw, to_raw.unwrap_or(i64::MAX));
    pass.write_chunk()?;
    let read = index.counts.totals().read;
    Ok(Outcome {
        corrected_switches: pass.scheduling.corrected_switches,
        events_dropped: read.saturating_sub(merged.events),
        columns: std::mem::take(&mut pass.emit.sinks.columns),
        counts: pass.emit.sinks.counts.take(),
    })
}
