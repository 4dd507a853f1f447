//! UUIDs of the tracks of a converted trace. Meaning: `docs/encoding.md`.

/// UUID of the track above the run tracks.
pub const ETW_TRACK: u64 = (1 << 33) + 1;
/// UUID of the track of the trace's own instants.
pub const TRACE_TRACK: u64 = 1 << 33;
/// UUID of CPU 0's run track.
pub const RUN_TRACKS: u64 = 1 << 32;
/// UUID of the track above CPU 0's tracks of interrupts.
pub const CPU_INTERRUPT_TRACKS: u64 = RUN_TRACKS + (1 << 16);
/// UUID of the track of ideal processors.
pub const IDEAL_CPU_TRACK: u64 = CPU_INTERRUPT_TRACKS + (1 << 16);
/// UUID of the track of the first hardware counter.
pub const COUNTER_TRACKS: u64 = IDEAL_CPU_TRACK + 1;
/// UUID of the first process.
pub const PROCESS_TRACKS: u64 = 1 << 34;
/// UUID of the first thread.
pub const THREAD_TRACKS: u64 = 1 << 36;
/// UUID of the track with the ranks of the thread that has the key 0.
pub const RANK_TRACKS: u64 = 1 << 37;
/// UUID of the track of interrupts without a routine on CPU 0; the next is that of the first routine.
pub const INTERRUPT_TRACKS: u64 = 1 << 38;
