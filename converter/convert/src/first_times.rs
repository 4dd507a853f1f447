//! The times on the trace clock at which what was there before the first event is written.

/// `ts` of the log-file header's event: near zero, so that times stay exact in a double, but not zero.
pub const START_TS_NS: u64 = 1_000_000_000;

/// When parents and command lines of the processes are written that were there before the trace, and when its threads.
/// The importer does not keep the order of packets of equal time, and these must come after the processes' tracks.
pub const INITIAL_PARENTS_TS_NS: u64 = START_TS_NS + 1;
/// See [`INITIAL_PARENTS_TS_NS`].
pub const INITIAL_THREADS_TS_NS: u64 = START_TS_NS + 2;
