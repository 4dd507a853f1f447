//! What is missing from a trace, or wrong in it, in one list: lost while recording, cut off, damaged or undecodable.

mod bad_times;
mod compact_switches;
mod item;
mod missing;
mod recorded;

use std::collections::HashSet;

use etl::{BufferInfo, Damage, DamageClass, LossKind, TraceFile};

use crate::index::Index;
use crate::streams::Stretches;
use bad_times::bad_times;
use compact_switches::odd_compact_switches;
use missing::Missing;
use recorded::recorded_losses;

pub use item::{Loss, of_file};

fn buffers_missing(count: u64) -> String {
    match count {
        1 => "1 buffer is missing".to_owned(),
        _ => format!("{count} buffers are missing"),
    }
}

/// All losses that are known after pass 1: the file's own counts, what is damaged, and what follows from that and from other signs.
pub fn losses(trace: &TraceFile, index: &Index) -> Vec<Loss> {
    let mut losses = counted_losses(trace, index);
    let missing = Missing::of(trace);
    losses.extend(damage_losses(trace, index, &missing));
    let flagged = trace.losses().iter();
    let stretches = Stretches::of(trace, &index.streams.missing);
    losses
        .extend(flagged.filter_map(|loss| flagged_loss(trace, index, loss, &missing, &stretches)));
    losses.extend(missing_stretches(trace, index));
    losses.extend(recorded_losses(&index.loss_records));
    losses.extend(bad_times(trace, index));
    losses.extend(odd_compact_switches(&index.compact));
    losses.extend(undecodable(trace, index));
    losses.extend(lost_stacks(trace, index));
    losses.extend(lost_methods(trace, index));
    losses.extend(trace.left_out().iter().map(|message| Loss {
        kind: "left_out_file",
        span_raw: whole_trace(trace, index),
        cpu: None,
        count: None,
        message: message.clone(),
    }));
    losses
}

/// Requests to files or disks whose ends are not told, since pass 2 met too many that were open; `None` for 0 of them.
pub fn lost_ends(count: u64, end_raw: i64) -> Option<Loss> {
    (count > 0).then(|| Loss {
        kind: "lost_ends",
        span_raw: (end_raw, end_raw),
        cpu: None,
        count: Some(count),
        message: format!("too many requests to files or disks were open: {count} have no end"),
    })
}

fn whole_trace(trace: &TraceFile, index: &Index) -> (i64, i64) {
    (trace.clock().start_raw, index.end_raw)
}

fn counted_losses(trace: &TraceFile, index: &Index) -> Vec<Loss> {
    let mut losses = Vec::new();
    for (file, header) in (0..).zip(trace.headers()) {
        let counted = [
            ("lost_events", header.events_lost, "events"),
            ("lost_buffers", header.buffers_lost, "buffers"),
        ];
        for (kind, count, what) in counted.into_iter().filter(|(_, count, _)| *count > 0) {
            let message =
                format!("{count} {what} were lost while recording, by the log-file header");
            losses.push(Loss {
                kind,
                span_raw: whole_trace(trace, index),
                cpu: None,
                count: Some(count.into()),
                message: of_file(trace, file, message),
            });
        }
    }
    losses
}

fn flagged_loss(
    trace: &TraceFile,
    index: &Index,
    loss: &etl::Loss,
    missing: &Missing,
    stretches: &Stretches,
) -> Option<Loss> {
    let buffer = trace
        .buffers()
        .get(loss.before_buffer)
        .copied()
        .unwrap_or_default();
    let streams = &index.streams;
    let previous = streams.previous.get(loss.before_buffer);
    let scan = index.scans.get(loss.before_buffer);
    let mut span_raw = if scan.is_some_and(|scan| scan.times.is_some()) {
        let previous = previous.copied().flatten();
        span_between(trace, index, previous, Some(loss.before_buffer))
    } else {
        let beside = streams.neighbours.get(loss.before_buffer);
        let beside = beside.copied().unwrap_or_default();
        span_between(trace, index, beside.before, beside.after)
    };
    let (_, until) = span_raw;
    let at = format!("before the buffer at offset {:#x}", buffer.offset);
    let (kind, cpu, count, message) = match loss.kind {
        LossKind::Events => (
            "lost_events",
            cpu_of(index, &buffer),
            None,
            format!("events of CPU {} were lost {at}", buffer.cpu),
        ),
        LossKind::Buffers => (
            "lost_buffers",
            cpu_of(index, &buffer),
            None,
            format!("buffers of CPU {} were lost {at}", buffer.cpu),
        ),
        LossKind::SequenceGap { missing: count } => {
            let count = missing.elsewhere(loss.before_buffer, count);
            let is_told = stretches.have(buffer.file, buffer.sequence);
            if count == 0 || !is_told && trace.is_whole(buffer.file) {
                return None;
            }
            // Where the buffers of CPUs are known to lack some, that tells from when to when.
            if is_told {
                span_raw = (until, until);
            }
            (
                "lost_buffers",
                None,
                Some(count),
                format!("{} {at}", buffers_missing(count)),
            )
        }
    };
    Some(Loss {
        kind,
        span_raw,
        cpu,
        count,
        message: of_file(trace, buffer.file, message),
    })
}

/// The CPU where a buffer's events are lost, so that it is not known what ran there. `None` where another file says
/// what ran, or where the buffer is of all CPUs.
fn cpu_of(index: &Index, buffer: &BufferInfo) -> Option<u16> {
    let is_of_none = buffer.mixes_processors || index.streams.is_told_elsewhere(buffer.file);
    (!is_of_none).then_some(buffer.cpu)
}

/// Where CPUs lack buffers that the numbers of others miss, or that a cut file does not have.
fn missing_stretches(trace: &TraceFile, index: &Index) -> Vec<Loss> {
    let stretches = index.streams.missing.iter();
    let losses = stretches.filter_map(|stretch| {
        let (side, beside) = match (stretch.before, stretch.after) {
            (Some(before), _) => ("before", before),
            (None, after) => ("after", after?),
        };
        let buffer = trace.buffers().get(beside)?;
        let (cpu, may) = (stretch.cpu, if stretch.is_sure { "" } else { "may " });
        let are = if stretch.is_sure { "are" } else { "be" };
        let message = format!(
            "buffers of CPU {cpu} {may}{are} missing {side} the one at offset {:#x}",
            buffer.offset
        );
        Some(Loss {
            kind: if stretch.is_cut_off {
                "truncated"
            } else {
                "lost_buffers"
            },
            span_raw: span_between(trace, index, stretch.after, stretch.before),
            cpu: Some(cpu),
            count: None,
            message: of_file(trace, buffer.file, message),
        })
    });
    losses.collect()
}

/// From the last event of one buffer to the first of another; `None` is before the first buffer, or after the last.
fn span_between(
    trace: &TraceFile,
    index: &Index,
    after: Option<usize>,
    before: Option<usize>,
) -> (i64, i64) {
    let (start_raw, end_raw) = whole_trace(trace, index);
    let times = |at: usize| index.scans.get(at).and_then(|scan| scan.times);
    let from = after.and_then(times).map_or(start_raw, |(_, last)| last);
    let until = before.and_then(times).map_or(end_raw, |(first, _)| first);
    (from.min(until), until)
}

/// All losses by damage. Of several that say when the same events of a CPU are lost, the first alone has the time.
fn damage_losses(trace: &TraceFile, index: &Index, missing: &Missing) -> Vec<Loss> {
    let in_files = trace.damage().items().iter();
    let told = in_files.filter_map(|damage| {
        let there = missing.at_place(damage);
        let mut loss = damage_loss(trace, index, damage, there)?;
        if let Some(count) = there {
            loss.count = Some(count);
            let words = format!("; {} there", buffers_missing(count));
            loss.message.push_str(&words);
        }
        Some(loss)
    });
    let in_buffers = index.damage.iter();
    let told = told.chain(in_buffers.filter_map(|damage| damage_loss(trace, index, damage, None)));
    let mut spans = HashSet::new();
    let once = told.map(|mut loss| {
        let (from_raw, _) = loss.span_raw;
        if loss.cpu.is_some() && !spans.insert((loss.cpu, loss.span_raw)) {
            loss.span_raw = (from_raw, from_raw);
        }
        loss
    });
    once.collect()
}

fn damage_loss(
    trace: &TraceFile,
    index: &Index,
    damage: &Damage,
    missing: Option<u64>,
) -> Option<Loss> {
    let kind = match damage.kind.class() {
        DamageClass::Note => return None,
        DamageClass::Truncated => "truncated",
        DamageClass::DamagedBuffer => "damaged_buffer",
        DamageClass::BadEvent => "bad_event",
    };
    let buffers = trace.buffers();
    let at = buffers
        .partition_point(|buffer| (buffer.file, buffer.offset) < (damage.file, damage.offset));
    let is_own = |at: &usize| {
        let buffer = buffers.get(*at);
        buffer.is_some_and(|buffer| buffer.file == damage.file)
    };
    let buffer = buffers
        .get(at)
        .filter(|buffer| (buffer.file, buffer.offset) == (damage.file, damage.offset));
    let scan = index.scans.get(at).copied().unwrap_or_default();
    let span_raw = match buffer {
        // What follows the damage in a buffer is lost until the next one of its CPU.
        Some(_) if scan.is_cut => {
            let beside = index
                .streams
                .neighbours
                .get(at)
                .copied()
                .unwrap_or_default();
            let last_read = scan.times.map_or(beside.before, |_| Some(at));
            span_between(trace, index, last_read, beside.after)
        }
        Some(_) => {
            let (from, _) = span_between(trace, index, Some(at), None);
            (from, from)
        }
        // Buffers are written about in the order of time, so that what is no buffer was between its neighbours.
        None => {
            let before = at.checked_sub(1).filter(is_own);
            let after = Some(at).filter(is_own);
            let (from, until) = span_between(trace, index, before, after);
            // Where the buffers of CPUs are known to lack some, that tells from when to when.
            let mut stretches = index.streams.missing.iter();
            let is_told = (missing.is_some() || after.is_none())
                && stretches.any(|stretch| stretch.file(trace) == Some(damage.file));
            (from, if is_told { from } else { until })
        }
    };
    Some(Loss {
        kind,
        span_raw,
        cpu: buffer.and_then(|buffer| cpu_of(index, buffer)),
        count: None,
        message: of_file(trace, damage.file, damage.to_string()),
    })
}

fn undecodable(trace: &TraceFile, index: &Index) -> Vec<Loss> {
    let damaged = index
        .counts
        .sorted()
        .into_iter()
        .filter(|(counted, _)| counted.fate.is_damage());
    damaged
        .map(|(counted, count)| Loss {
            kind: "bad_event",
            span_raw: whole_trace(trace, index),
            cpu: None,
            count: Some(count),
            message: format!(
                "{count} events {} {}: {}",
                counted.provider(&index.schemas),
                counted.event(&index.schemas),
                counted.fate.reason().unwrap_or_default()
            ),
        })
        .collect()
}

fn lost_stacks(trace: &TraceFile, index: &Index) -> Vec<Loss> {
    let lost = index.stacks_lost.iter();
    lost.map(|&(why, count)| Loss {
        kind: "lost_stacks",
        span_raw: whole_trace(trace, index),
        cpu: None,
        count: Some(count),
        message: format!(
            "{count} stacks in the headers of events are left out or not whole: {}",
            why.reason()
        ),
    })
    .collect()
}

fn lost_methods(trace: &TraceFile, index: &Index) -> Vec<Loss> {
    let lost = index.methods.left_out.iter();
    lost.map(|&(why, count)| Loss {
        kind: "lost_methods",
        span_raw: whole_trace(trace, index),
        cpu: None,
        count: Some(count),
        message: format!(
            "{count} events name methods or modules of .NET programs that frames are not named by: {}",
            why.reason()
        ),
    })
    .collect()
}
