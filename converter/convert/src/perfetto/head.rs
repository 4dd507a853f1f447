//! What comes first and last: the clock, the tracks, what the recording says of itself; and the mark that the file is whole.

use facts::{CounterSource, EventCount, Recording, SampleInterval, StillReady};
use pftrace::{TraceWriter, Track};

use super::tracks::{
    COUNTER_TRACKS, ETW_TRACK, EVENT_STACK_TRACK, IDEAL_CPU_TRACK, PMC_SAMPLE_TRACK, RUN_TRACKS,
    SAMPLE_TRACK, TRACE_TRACK,
};

/// Version of the contract in `docs/encoding.md`.
const SCHEMA: u64 = 2;
/// The importer takes no processor number above this.
const CPUS_MAX: u32 = 1024;

/// Pairs the clock with UTC, and makes the tracks of what is recorded.
pub fn begin(of: &Recording, writer: &mut TraceWriter) {
    let ts_ns = of.start_ts_ns;
    let start_utc_ns = of
        .start_utc_ns
        .and_then(|utc_ns| u64::try_from(utc_ns).ok());
    writer.clock_snapshot(ts_ns, start_utc_ns.unwrap_or(0));
    writer.track(ts_ns, ETW_TRACK, &Track::Global { name: "etw" });
    let parent_uuid = ETW_TRACK;
    let recorded = &of.recorded;
    for cpu in 0..recorded.cpus.min(CPUS_MAX) {
        let name = &format!("etw.run {cpu}");
        let track = Track::Within { name, parent_uuid };
        writer.track(ts_ns, RUN_TRACKS + u64::from(cpu), &track);
    }
    let of_ranks = [(IDEAL_CPU_TRACK, "etw.ideal_cpu")];
    let of_stacks = [
        (SAMPLE_TRACK, "etw.sample"),
        (PMC_SAMPLE_TRACK, "etw.pmc_sample"),
        (EVENT_STACK_TRACK, "etw.event_stack"),
    ];
    let of_ranks = of_ranks.into_iter().filter(|_| recorded.ranks);
    let of_stacks = of_stacks.into_iter().filter(|_| recorded.stacks);
    for (uuid, name) in of_ranks.chain(of_stacks) {
        writer.track(ts_ns, uuid, &Track::Within { name, parent_uuid });
    }
    for (number, uuid) in (1..=recorded.counters).zip(COUNTER_TRACKS..) {
        let name = &format!("etw.counter {number}");
        writer.track(ts_ns, uuid, &Track::Counter { name, parent_uuid });
    }
    writer.track(ts_ns, TRACE_TRACK, &Track::Global { name: "etw.trace" });
}

/// Writes what a recording says of itself.
pub fn recording(of: &Recording, writer: &mut TraceWriter) {
    writer.instant(of.start_ts_ns, TRACE_TRACK, "etw.trace", |values| {
        values.uint("schema", SCHEMA);
        values.int("start_utc_ns", of.start_utc_ns);
        values.int("boot_utc_ns", of.boot_utc_ns);
        values.int("utc_offset_minutes", i64::from(of.utc_offset_minutes));
        values.string("session_name", of.session_name.as_deref());
        values.string("file_name", of.file_name.as_deref());
        values.uint("os_build", u64::from(of.os_build));
        values.string("os_version", &*of.os_version);
        values.uint("pointer_bytes", u64::from(of.pointer_bytes));
        values.uint("cpu_count", u64::from(of.cpu_count));
        values.uint("cpu_mhz", u64::from(of.cpu_mhz));
        values.string("clock", of.clock);
        values.uint("clock_hz", of.clock_hz);
        values.uint("timer_resolution_ns", of.timer_resolution_ns);
        values.uint("end_ts", of.end_ts_ns);
        values.uint("events_read", of.events_read);
        values.uint("events_converted", of.events_converted);
        values.uint("events_generic", of.events_generic);
        values.uint("events_skipped", of.events_skipped);
        values.uint("events_lost", u64::from(of.events_lost));
        values.uint("buffers_read", of.buffers_read);
        values.uint("buffers_lost", u64::from(of.buffers_lost));
        values.uint("context_switches", of.context_switches);
        values.uint("ready_threads", of.ready_threads);
        values.string("kernel_flags", &*of.kernel_flags);
        values.uint("selected_from_ts", of.selected_from_ts_ns);
        values.uint("selected_to_ts", of.selected_to_ts_ns);
        values.string("selected_kinds", of.selected_kinds.as_deref());
        values.uint("selected_processes", of.selected_processes);
        values.string("redacted", of.redacted.as_deref());
    });
}

/// Writes how many events of a kind there are.
pub fn event_count(start_ts_ns: u64, of: &EventCount, writer: &mut TraceWriter) {
    writer.instant(start_ts_ns, TRACE_TRACK, "etw.events", |values| {
        values.string("provider", &*of.provider);
        values.string("event", &*of.event);
        values.uint("version", u64::from(of.version));
        values.uint("count", of.count);
        values.string("fate", of.fate);
        values.string("reason", of.reason);
    });
}

/// Writes how often a source makes samples.
pub fn sample_interval(ts_ns: u64, of: &SampleInterval<'_>, writer: &mut TraceWriter) {
    writer.instant(ts_ns, TRACE_TRACK, "etw.profile_interval", |values| {
        values.uint("source", u64::from(of.source));
        values.string("source_name", of.source_name);
        values.uint("interval", u64::from(of.interval));
    });
}

/// Writes what a hardware counter is called.
pub fn counter_name(start_ts_ns: u64, of: &CounterSource, writer: &mut TraceWriter) {
    writer.instant(start_ts_ns, TRACE_TRACK, "etw.counter", |values| {
        values.uint("number", u64::from(of.counter));
        values.string("name", &*of.name);
    });
}

/// Writes who is still ready.
pub fn still_ready(end_ts_ns: u64, of: &StillReady, writer: &mut TraceWriter) {
    let ready = &of.ready;
    writer.instant(end_ts_ns, TRACE_TRACK, "etw.ready_pending", |values| {
        values.uint("tid", u64::from(of.tid));
        values.uint("ready_ts", of.ts_ns);
        values.uint("ready_flags", u64::from(ready.flags));
        values.int("ready_increment", i64::from(ready.adjust_increment));
        values.uint("ready_adjust_reason", u64::from(ready.adjust_reason));
    });
}

/// Writes the mark that the file is whole.
pub fn end(ts_ns: u64, writer: &mut TraceWriter) {
    writer.flush();
    writer.instant(ts_ns, TRACE_TRACK, "etw.end", |_| {});
}
