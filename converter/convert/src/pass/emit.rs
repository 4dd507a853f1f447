//! The trace clock of the output: every event gets a time of its own.

use etl::Clock;
use pftrace::TraceWriter;

/// `ts` of the log-file header's event: near zero, so that times stay exact in a double, but not zero.
pub const START_TS_NS: u64 = 1_000_000_000;

/// When parents and command lines of the processes are written that were there before the trace, and when its threads.
/// The importer does not keep the order of packets of equal time, and these must come after the processes' tracks.
pub const INITIAL_PARENTS_TS_NS: u64 = START_TS_NS + 1;
/// See [`INITIAL_PARENTS_TS_NS`].
pub const INITIAL_THREADS_TS_NS: u64 = START_TS_NS + 2;

/// UUID of the track above the run tracks.
pub const ETW_TRACK: u64 = (1 << 33) + 1;
/// UUID of the track of the trace's own instants.
pub const TRACE_TRACK: u64 = 1 << 33;
/// UUID of CPU 0's run track.
pub const RUN_TRACKS: u64 = 1 << 32;
/// UUID of CPU 0's track of DPCs and ISRs.
pub const INTERRUPT_TRACKS: u64 = RUN_TRACKS + (1 << 16);
/// UUID of the track of ideal processors.
pub const IDEAL_CPU_TRACK: u64 = INTERRUPT_TRACKS + (1 << 16);
/// UUID of the track of ranks before runs.
pub const RANK_BEFORE_TRACK: u64 = IDEAL_CPU_TRACK + 1;
/// UUID of the track of QoS levels.
pub const QOS_TRACK: u64 = RANK_BEFORE_TRACK + 1;
/// UUID of the track of the first hardware counter.
pub const COUNTER_TRACKS: u64 = QOS_TRACK + 1;
/// UUID of the first process.
pub const PROCESS_TRACKS: u64 = 1 << 34;
/// UUID of the first thread.
pub const THREAD_TRACKS: u64 = 1 << 36;

/// Writes packets with times that rise from event to event.
#[derive(Debug)]
pub struct Emit {
    /// Where packets go.
    pub writer: TraceWriter,
    clock: Clock,
    last_ts_ns: u64,
}

impl Emit {
    /// Nothing written yet.
    pub fn new(clock: Clock) -> Self {
        Self {
            writer: TraceWriter::new(),
            clock,
            last_ts_ns: INITIAL_THREADS_TS_NS,
        }
    }

    /// The session's clock.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// A raw time on the trace clock.
    pub fn ts_of(&self, raw: i64) -> u64 {
        START_TS_NS.saturating_add(self.clock.ns_since_start(raw))
    }

    /// A time for the next event: that of `raw`, or the first ns after the event before.
    #[inline]
    pub fn stamp(&mut self, raw: i64) -> u64 {
        self.last_ts_ns = self.ts_of(raw).max(self.last_ts_ns.saturating_add(1));
        self.last_ts_ns
    }
}
