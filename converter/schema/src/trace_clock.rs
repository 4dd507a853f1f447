//! Raw times in payloads, brought to the clock of the trace that events are written to.

use etl::Clock;

/// Ends the name of a field in raw ticks.
pub(crate) const TICKS: &str = "_ticks";

/// The clock of the trace that events are written to.
#[derive(Clone, Copy, Debug)]
pub struct TraceClock<'c> {
    /// The session's clock, from raw ticks to ns.
    pub clock: &'c Clock,
    /// Where the log file header's event stands in the trace, in ns.
    pub start_ts: u64,
}

impl TraceClock<'_> {
    /// The time in the trace, in ns, of a raw time; `start_ts` for an earlier one.
    pub(crate) fn ts(self, ticks: u64) -> u64 {
        let since_start_ns = self.clock.ns_since_start(ticks.cast_signed());
        self.start_ts.saturating_add(since_start_ns)
    }

    pub(crate) fn duration_ns(self, ticks: u64) -> u64 {
        self.clock.ticks_to_ns(ticks)
    }
}
