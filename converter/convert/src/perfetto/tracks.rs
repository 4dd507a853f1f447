//! UUIDs of the tracks of a converted trace. Meaning: `docs/encoding.md`.

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
/// UUID of the track with the ranks of the thread that has the key 0.
pub const RANK_TRACKS: u64 = 1 << 37;
