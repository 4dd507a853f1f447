//! What a trace holds, for people and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use etl::TraceFile;
use serde::Serialize;

use crate::header_words::{clock_name, kernel_flags, os_version};
use crate::index::Index;
use crate::loss;

/// What a trace holds. The keys of its JSON form are stable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Info {
    file: String,
    size_bytes: u64,
    session: Session,
    clock: Clock,
    events: Events,
    selection: Selection,
    choices: Vec<Choice>,
    timeline: Timeline,
    cpus: Vec<Cpu>,
    kinds: Vec<Kind>,
    losses: Vec<String>,
    notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Session {
    name: String,
    file_name: String,
    os_version: String,
    os_build: u32,
    pointer_bytes: u8,
    cpu_count: u32,
    cpu_mhz: u32,
    log_file_mode: u32,
    buffer_bytes: u32,
    buffers_read: usize,
    buffers_written: u32,
    events_lost: u32,
    buffers_lost: u32,
    kernel_flags: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Clock {
    source: &'static str,
    hz: u64,
    start_utc_ns: Option<i64>,
    boot_utc_ns: Option<i64>,
    utc_offset_minutes: i32,
    timer_resolution_ns: u64,
    duration_ns: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Events {
    read: u64,
    converted: u64,
    generic: u64,
    skipped: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Selection {
    from_ns: Option<u64>,
    to_ns: Option<u64>,
    kinds: Option<String>,
    context_switches: u64,
}

/// A kind of event that can be chosen by name, and how many events of it are selected.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Choice {
    kind: &'static str,
    count: u64,
}

/// Buckets of equal width from the start on, one number each.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Timeline {
    bucket_ns: u64,
    events: Vec<u64>,
    context_switches: Vec<u64>,
    busy: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Cpu {
    cpu: u16,
    buffers: u32,
    first_ns: u64,
    last_ns: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Kind {
    provider: String,
    provider_guid: Option<String>,
    event: String,
    id: u16,
    version: u8,
    count: u64,
    fate: &'static str,
    reason: Option<&'static str>,
}

impl Info {
    /// Whether nothing of the trace was lost or cannot be read.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.losses.is_empty()
    }

    /// What is known after the first pass.
    pub(crate) fn of(input: &str, trace: &TraceFile, index: &Index) -> Self {
        let header = trace.header();
        let totals = index.counts.totals();
        let notes = trace
            .damage()
            .items()
            .iter()
            .filter(|damage| !damage.kind.loses_events());
        Self {
            file: input.to_owned(),
            size_bytes: trace.size_bytes(),
            session: session(trace, index),
            clock: Clock {
                source: clock_name(header.clock_type),
                hz: trace.clock().ticks_per_s,
                start_utc_ns: header.start_utc_ns,
                boot_utc_ns: header.boot_utc_ns,
                utc_offset_minutes: header.utc_offset_minutes,
                timer_resolution_ns: header.timer_resolution_ns,
                duration_ns: trace.clock().ns_since_start(index.end_raw),
            },
            events: Events {
                read: totals.read,
                converted: totals.converted,
                generic: totals.generic,
                skipped: totals.skipped,
            },
            selection: Selection {
                from_ns: index.selection.begin_ns(),
                to_ns: index.selection.end_ns(),
                kinds: index.selection.kinds(Into::into),
                context_switches: index.selected_switches(),
            },
            choices: choices(index),
            timeline: timeline(trace, index),
            cpus: cpus(trace, index),
            kinds: kinds(index),
            losses: loss::losses(trace, index)
                .into_iter()
                .map(|loss| loss.message)
                .collect(),
            notes: notes
                .map(|damage| loss::of_file(trace, damage.file, damage.to_string()))
                .collect(),
        }
    }
}

fn choices(index: &Index) -> Vec<Choice> {
    let by_kind = index.by_kind().into_iter();
    by_kind
        .map(|(kind, count)| Choice {
            kind: kind.name(),
            count,
        })
        .collect()
}

fn timeline(trace: &TraceFile, index: &Index) -> Timeline {
    let buckets = index.timeline.buckets();
    let bucket_ticks = index.timeline.bucket_ticks();
    let cpus = index
        .streams
        .starts
        .iter()
        .filter(|start| start.run.is_some());
    let whole_ticks = (bucket_ticks * cpus.count() as u64).max(1) as f64;
    let share = |ticks: u64| (ticks as f64 / whole_ticks * 1000.0).round() / 1000.0;
    Timeline {
        bucket_ns: trace.clock().ticks_to_ns(bucket_ticks),
        events: buckets.iter().map(|bucket| bucket.events).collect(),
        context_switches: buckets
            .iter()
            .map(|bucket| bucket.context_switches)
            .collect(),
        busy: buckets
            .iter()
            .map(|bucket| share(bucket.busy_ticks))
            .collect(),
    }
}

fn session(trace: &TraceFile, index: &Index) -> Session {
    let header = trace.header();
    Session {
        name: header.session_name.clone(),
        file_name: header.file_name.clone(),
        os_version: os_version(header),
        os_build: header.os_build,
        pointer_bytes: index.pointer_bytes,
        cpu_count: header.cpu_count,
        cpu_mhz: header.cpu_mhz,
        log_file_mode: header.log_file_mode,
        buffer_bytes: header.buffer_bytes,
        buffers_read: trace.buffers().len(),
        buffers_written: header.buffers_written,
        events_lost: header.events_lost,
        buffers_lost: header.buffers_lost,
        kernel_flags: kernel_flags(index),
    }
}

fn cpus(trace: &TraceFile, index: &Index) -> Vec<Cpu> {
    let mut cpus: BTreeMap<u16, Cpu> = BTreeMap::new();
    for (buffer, scan) in trace.buffers().iter().zip(&index.scans) {
        let Some((first, last)) = scan.times else {
            continue;
        };
        let [first_ns, last_ns] = [first, last].map(|raw| trace.clock().ns_since_start(raw));
        let cpu = cpus.entry(buffer.cpu).or_insert(Cpu {
            cpu: buffer.cpu,
            buffers: 0,
            first_ns,
            last_ns,
        });
        cpu.buffers += 1;
        cpu.first_ns = cpu.first_ns.min(first_ns);
        cpu.last_ns = cpu.last_ns.max(last_ns);
    }
    cpus.into_values().collect()
}

fn kinds(index: &Index) -> Vec<Kind> {
    let sorted = index.counts.sorted().into_iter();
    sorted
        .map(|(counted, count)| Kind {
            provider: counted.provider(&index.schemas),
            provider_guid: counted.provider_guid().map(|guid| guid.to_string()),
            event: counted.event(&index.schemas),
            id: counted.id(),
            version: counted.version,
            count,
            fate: counted.fate.name(),
            reason: counted.fate.reason(),
        })
        .collect()
}

impl Info {
    /// As JSON, indented.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (session, clock, events) = (&self.session, &self.clock, &self.events);
        writeln!(f, "File      {} ({} bytes)", self.file, self.size_bytes)?;
        writeln!(
            f,
            "Session   \"{}\", written to \"{}\"",
            session.name, session.file_name
        )?;
        writeln!(
            f,
            "System    Windows {} build {}, {} CPUs at {} MHz, {}-bit",
            session.os_version,
            session.os_build,
            session.cpu_count,
            session.cpu_mhz,
            u32::from(session.pointer_bytes) * 8
        )?;
        writeln!(
            f,
            "Clock     {} at {} Hz; {:.6} s recorded",
            clock.source,
            clock.hz,
            seconds(clock.duration_ns)
        )?;
        writeln!(
            f,
            "Buffers   {} read of {} written, {} bytes each, mode {:#x}",
            session.buffers_read,
            session.buffers_written,
            session.buffer_bytes,
            session.log_file_mode
        )?;
        writeln!(
            f,
            "Lost      {} events, {} buffers",
            session.events_lost, session.buffers_lost
        )?;
        writeln!(f, "Flags     {}", session.kernel_flags)?;
        writeln!(
            f,
            "Events    {} read = {} converted + {} generic + {} skipped",
            events.read, events.converted, events.generic, events.skipped
        )?;
        writeln!(
            f,
            "\n{:>5} {:>8} {:>14} {:>14}",
            "CPU", "buffers", "first (s)", "last (s)"
        )?;
        for cpu in &self.cpus {
            let (first, last) = (seconds(cpu.first_ns), seconds(cpu.last_ns));
            writeln!(
                f,
                "{:>5} {:>8} {first:>14.6} {last:>14.6}",
                cpu.cpu, cpu.buffers
            )?;
        }
        writeln!(
            f,
            "\n{:>10}  {:<40} {:<30} fate",
            "count", "provider", "event"
        )?;
        for kind in &self.kinds {
            let event = format!("{} v{}", kind.event, kind.version);
            write!(
                f,
                "{:>10}  {:<40} {event:<30} {}",
                kind.count, kind.provider, kind.fate
            )?;
            match kind.reason {
                Some(reason) => writeln!(f, ": {reason}")?,
                None => writeln!(f)?,
            }
        }
        for loss in &self.losses {
            write!(f, "\nLost: {loss}")?;
        }
        for note in &self.notes {
            write!(f, "\nNote: {note}")?;
        }
        Ok(())
    }
}
