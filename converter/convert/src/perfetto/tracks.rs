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
/// UUID of the track of samples.
pub const SAMPLE_TRACK: u64 = COUNTER_TRACKS + 7;
/// UUID of the track of samples of hardware counters.
pub const PMC_SAMPLE_TRACK: u64 = SAMPLE_TRACK + 1;
/// UUID of the track of events that have stacks.
pub const EVENT_STACK_TRACK: u64 = PMC_SAMPLE_TRACK + 1;
/// UUID of the process that has the key 0.
const PROCESS_TRACKS: u64 = 1 << 34;
/// UUID of the thread that has the key 0.
const THREAD_TRACKS: u64 = 1 << 36;
/// UUID of the track with the ranks of the thread that has the key 0.
pub const RANK_TRACKS: u64 = 1 << 37;
/// UUID of the track of interrupts without a routine on CPU 0; the next is that of the first routine.
pub const INTERRUPT_TRACKS: u64 = 1 << 38;

/// UUID of the track of a process, by its key.
pub fn process_track(upid: u32) -> u64 {
    PROCESS_TRACKS + u64::from(upid)
}

/// UUID of the track of a thread, by its key.
pub fn thread_track(utid: u32) -> u64 {
    THREAD_TRACKS + u64::from(utid)
}
