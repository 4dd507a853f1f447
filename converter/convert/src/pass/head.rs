//! What is told first and last: facts about the trace itself.

use etl::{HookId, TraceFile};
use etw::{COUNTERS_MAX, hook};
use facts::{
    CounterSource, EventCount, Lost, Recorded, Recording, SampleInterval, Sink, StillReady,
};
use redact::Kind;

use super::emit::Emit;
use crate::counts::Counted;
use crate::fate::Fate;
use crate::first_times::START_TS_NS;
use crate::header_words::{clock_name, kernel_flags, os_version};
use crate::index::Index;
use crate::loss::Loss;
use crate::pass::scheduling::Readied;
use crate::redaction::{joined, provider_names};
use crate::selection::Kept;

const SAMPLES: [HookId; 3] = [
    hook::SAMPLED_PROFILE,
    hook::SAMPLED_PROFILE_NMI,
    hook::PMC_SAMPLE,
];
/// What the trace says of itself.
pub fn tell_head(emit: &mut Emit, trace: &TraceFile, index: &Index) {
    let recording = recording(emit, trace, index);
    emit.recording(&recording);
    tell_events(emit, index);
    tell_intervals(emit, index);
    tell_counter_names(emit, index);
}

/// Whether any sample is converted.
pub fn has_samples(index: &Index) -> bool {
    has_any(index, &SAMPLES)
}

/// Whether any event of these kinds is converted.
fn has_any(index: &Index, hooks: &[HookId]) -> bool {
    hooks
        .iter()
        .any(|&hook| index.counts.of_hook(hook, Fate::Converted) > 0)
}

fn recording(emit: &Emit, trace: &TraceFile, index: &Index) -> Recording {
    let header = trace.header();
    let totals = index.counts.totals();
    let selection = &index.selection;
    let end_raw = selection.to_raw.unwrap_or(i64::MAX).min(index.end_raw);
    let ts_of = |ns: u64| START_TS_NS.saturating_add(ns);
    let redactor = index.redactor.as_ref();
    let shown = |kind, text| joined(redactor, kind, text).map(|text| text.into());
    let kinds = selection.kinds(|name| provider_names(redactor, false, name, "").0);
    Recording {
        start_ts_ns: START_TS_NS,
        end_ts_ns: emit.ts_of(end_raw),
        start_utc_ns: header.start_utc_ns,
        boot_utc_ns: header.boot_utc_ns,
        utc_offset_minutes: header.utc_offset_minutes,
        session_name: shown(Kind::Names, &header.session_name),
        file_name: shown(Kind::Paths, &header.file_name),
        os_build: header.os_build,
        os_version: os_version(header).into(),
        pointer_bytes: u32::from(index.pointer_bytes),
        cpu_count: header.cpu_count,
        cpu_mhz: header.cpu_mhz,
        clock: clock_name(header.clock_type),
        clock_hz: trace.clock().ticks_per_s,
        timer_resolution_ns: header.timer_resolution_ns,
        events_read: totals.read,
        events_converted: totals.converted,
        events_generic: totals.generic,
        events_skipped: totals.skipped,
        events_lost: header.events_lost,
        buffers_read: trace.buffers().len() as u64,
        buffers_lost: header.buffers_lost,
        context_switches: index.selected_switches(),
        ready_threads: index.counts.of_hook(hook::READY_THREAD, Fate::Converted),
        kernel_flags: kernel_flags(index).into(),
        selected_from_ts_ns: selection.begin_ns().map(ts_of),
        selected_to_ts_ns: selection.end_ns().map(ts_of),
        selected_kinds: kinds.as_deref().map(Into::into),
        selected_processes: index.kept.as_ref().map(Kept::count),
        redacted: redactor.map(|redactor| redactor.choices().to_string().into()),
        recorded: recorded(trace, index),
    }
}

fn recorded(trace: &TraceFile, index: &Index) -> Recorded {
    let seen_cpus = index
        .streams
        .starts
        .last()
        .map_or(0, |start| u32::from(start.cpu) + 1);
    Recorded {
        cpus: trace.header().cpu_count.max(seen_cpus),
        ranks: has_any(index, &[hook::CONTEXT_SWITCH]),
        counters: index
            .counter_names
            .as_ref()
            .map_or(0, |_| COUNTERS_MAX as u8),
        stacks: has_samples(index) || !index.stacks.is_empty(),
    }
}

fn tell_events(emit: &mut Emit, index: &Index) {
    for (counted, count) in index.counts.sorted() {
        let (provider, event) = counted_names(&counted, index);
        let count = EventCount {
            provider: provider.into(),
            event: event.into(),
            version: counted.version,
            fate: counted.fate.name(),
            reason: counted.fate.reason(),
            count,
        };
        emit.sinks.event_count(START_TS_NS, &count);
    }
}

/// What a kind of event is called in the trace: the same as in generic events.
fn counted_names(counted: &Counted, index: &Index) -> (String, String) {
    let provider = counted.provider(&index.schemas);
    let event = counted.event(&index.schemas);
    let is_known_here = counted
        .provider_guid()
        .is_none_or(|guid| etw::provider_name(guid).is_some());
    let redactor = index.redactor.as_ref();
    let (provider, event) = provider_names(redactor, is_known_here, &provider, &event);
    (provider.into_owned(), event.into_owned())
}

fn tell_intervals(emit: &mut Emit, index: &Index) {
    for interval in &index.intervals {
        let ts_ns = emit.ts_of(interval.from_raw);
        let told = SampleInterval {
            source: interval.source,
            source_name: interval.source_name.as_deref(),
            interval: interval.interval,
        };
        emit.sinks.sample_interval(ts_ns, &told);
    }
}

/// The names of the counters, as far as the session tells them.
fn tell_counter_names(emit: &mut Emit, index: &Index) {
    for (counter, name) in (1..).zip(index.counter_names.iter().flatten()) {
        let name = name.as_str().into();
        let source = CounterSource { counter, name };
        emit.sinks.counter_name(START_TS_NS, &source);
    }
}

/// A loss, told at `ts_ns`.
pub fn lost(emit: &Emit, ts_ns: u64, loss: &Loss) -> Lost {
    let (from_raw, until_raw) = loss.span_raw;
    // What else began at that time may have moved it: a CPU's gap ends all the same where its events go on.
    let from_ns = loss.cpu.map_or(emit.ts_of(from_raw), |_| ts_ns);
    let dur_ns = emit.ts_of(until_raw).saturating_sub(from_ns);
    Lost {
        ts_ns,
        te_ns: ts_ns.saturating_add(dur_ns),
        kind: loss.kind,
        cpu: loss.cpu,
        count: loss.count,
        message: loss.message.as_str().into(),
    }
}

/// Who is still ready at the end, and that it is the end; answers when that is.
pub fn tell_end(emit: &mut Emit, end_raw: i64, still_ready: &[(u32, Readied)]) -> u64 {
    let ts_ns = emit.stamp(end_raw);
    for &(
        tid,
        Readied {
            ts_ns: from_ns,
            ready,
            ..
        },
    ) in still_ready
    {
        let still_ready = StillReady {
            ts_ns: from_ns,
            tid,
            ready,
        };
        emit.sinks.still_ready(ts_ns, &still_ready);
    }
    let ts_ns = emit.stamp(end_raw);
    emit.sinks.recording_ends(ts_ns);
    ts_ns
}
