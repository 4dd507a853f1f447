//! What a recording says of itself, and how many events of each kind it has. `None` where that was not recorded.

/// A recording, or the part of it that is converted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// When it starts: the event of the log-file header.
    pub start_ts_ns: u64,
    /// When it ends; of a part, when the part ends.
    pub end_ts_ns: u64,
    /// Its start in UTC, in ns since 1970.
    pub start_utc_ns: Option<i64>,
    /// When the machine booted, in UTC, in ns since 1970.
    pub boot_utc_ns: Option<i64>,
    /// Minutes by which local time was ahead of UTC.
    pub utc_offset_minutes: i32,
    /// Name of the session.
    pub session_name: Option<Box<str>>,
    /// Name of the log file on the machine that recorded it.
    pub file_name: Option<Box<str>>,
    /// Build number of Windows.
    pub os_build: u32,
    /// Version of Windows, such as `10.0`.
    pub os_version: Box<str>,
    /// Bytes of a pointer, 4 or 8.
    pub pointer_bytes: u32,
    /// Number of CPUs.
    pub cpu_count: u32,
    /// Clock rate of a CPU in MHz.
    pub cpu_mhz: u32,
    /// `qpc`, `system_time` or `cpu_cycles`.
    pub clock: &'static str,
    /// Ticks of that clock per second.
    pub clock_hz: u64,
    /// Period of the clock interrupt.
    pub timer_resolution_ns: u64,
    /// Events in the file.
    pub events_read: u64,
    /// Events that become rows of their own kind.
    pub events_converted: u64,
    /// Events kept as generic events.
    pub events_generic: u64,
    /// Events left out.
    pub events_skipped: u64,
    /// Events that Windows says it lost.
    pub events_lost: u32,
    /// Buffers in the file.
    pub buffers_read: u64,
    /// Buffers that Windows says it lost.
    pub buffers_lost: u32,
    /// Context switches that are converted.
    pub context_switches: u64,
    /// Ready events that are converted.
    pub ready_threads: u64,
    /// Group masks of the session as hexadecimal words.
    pub kernel_flags: Box<str>,
    /// Where the converted part begins; `None` if it is not cut there.
    pub selected_from_ts_ns: Option<u64>,
    /// Where the converted part ends, likewise.
    pub selected_to_ts_ns: Option<u64>,
    /// The kinds of events that are converted, in words; `None` for all.
    pub selected_kinds: Option<Box<str>>,
    /// How many processes are converted whole; `None` for all.
    pub selected_processes: Option<u64>,
    /// What is done with texts, in words; `None` for nothing.
    pub redacted: Option<Box<str>>,
    /// What it has.
    pub recorded: Recorded,
}

/// What facts a recording has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// One more than the greatest number of a CPU.
    pub cpus: u32,
    /// Context switches that tell more than who runs: ranks, ideal processors and QoS levels.
    pub ranks: bool,
    /// How many hardware counters context switches may have.
    pub counters: u8,
    /// Samples, or stacks of events.
    pub stacks: bool,
}

/// How often a source makes samples from a time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleInterval<'t> {
    /// 0 for the timer, else the number of a hardware counter.
    pub source: u32,
    /// Name of the source, where it is told.
    pub source_name: Option<&'t str>,
    /// In units of 100 ns; for hardware counters, counted events.
    pub interval: u32,
}

/// How many events of a kind a recording has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventCount {
    /// Name of the provider, or its GUID.
    pub provider: Box<str>,
    /// Name or number of the event.
    pub event: Box<str>,
    /// Version of its layout.
    pub version: u8,
    /// `converted`, `generic` or `skipped`.
    pub fate: &'static str,
    /// Why it is skipped; `None` for the others.
    pub reason: Option<&'static str>,
    /// How many.
    pub count: u64,
}

/// A hardware counter that was recorded with context switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterSource {
    /// Its place in the headers of events, from 1.
    pub counter: u8,
    /// What it counts, as the session names it; its number in words where the session does not.
    pub name: Box<str>,
}
