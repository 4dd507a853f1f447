//! What is missing from a trace, or wrong in it, in one list: lost while recording, cut off, damaged or undecodable.

mod bad_times;
mod compact_switches;
mod missing;
mod recorded;

use etl::{Damage, DamageClass, LossKind, TraceFile};

use crate::index::Index;
use bad_times::bad_times;
use compact_switches::odd_compact_switches;
use missing::Missing;

pub use recorded::LossRecord;
use recorded::recorded_losses;

/// A gap, or a loss of which only the number is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// As in the trace: `lost_events`, `lost_buffers`, `truncated`, `damaged_buffer`, `bad_event`,
    /// `lost_stacks`, `lost_methods`, `lost_ends`, `left_out_file`, `bad_time`.
    pub kind: &'static str,
    /// Raw times between which it happened.
    pub span_raw: (i64, i64),
    /// Whose events; `None`: of any CPU.
    pub cpu: Option<u16>,
    /// Events or buffers, where the number is known.
    pub count: Option<u64>,
    /// One line for the user.
    pub message: String,
}

fn buffers_missing(count: u64) -> String {
    match count {
        1 => "1 buffer is missing".to_owned(),
        _ => format!("{count} buffers are missing"),
    }
}

/// All losses that are known after pass 1, the file's own counts first.
pub fn losses(trace: &TraceFile, index: &Index) -> Vec<Loss> {
    let mut losses = counted_losses(trace, index);
    let missing = Missing::of(trace);
    let flagged = trace.losses().iter();
    losses.extend(flagged.filter_map(|loss| flagged_loss(trace, index, loss, &missing)));
    losses.extend(missing_stretches(trace, index));
    losses.extend(recorded_losses(&index.loss_records));
    let in_files = trace.damage().items().iter();
    losses.extend(in_files.filter_map(|damage| {
        let mut loss = damage_loss(trace, index, damage)?;
        if let Some(count) = missing.at_place(damage) {
            loss.count = Some(count);
            loss.message
                .push_str(&format!("; {} there", buffers_missing(count)));
        }
        Some(loss)
    }));
    let in_buffers = index.damage.iter();
    losses.extend(in_buffers.filter_map(|damage| damage_loss(trace, index, damage)));
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

/// What is told of a file, with its name where there are several.
pub fn of_file(trace: &TraceFile, file: u16, message: String) -> String {
    match trace.file_name(file) {
        Some(name) => format!("{name}: {message}"),
        None => message,
    }
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
) -> Option<Loss> {
    let buffer = trace
        .buffers()
        .get(loss.before_buffer)
        .copied()
        .unwrap_or_default();
    let times = |at: usize| index.scans.get(at).and_then(|scan| scan.times);
    let previous = index
        .streams
        .previous
        .get(loss.before_buffer)
        .copied()
        .flatten();
    let from = previous
        .and_then(times)
        .map_or(trace.clock().start_raw, |(_, last)| last);
    let until = times(loss.before_buffer).map_or(from, |(first, _)| first);
    let mut span_raw = (from.min(until), until);
    let at = format!("before the buffer at offset {:#x}", buffer.offset);
    let (kind, cpu, count, message) = match loss.kind {
        LossKind::Events => (
            "lost_events",
            Some(buffer.cpu),
            None,
            format!("events of CPU {} were lost {at}", buffer.cpu),
        ),
        LossKind::Buffers => (
            "lost_buffers",
            Some(buffer.cpu),
            None,
            format!("buffers of CPU {} were lost {at}", buffer.cpu),
        ),
        LossKind::SequenceGap { missing: count } => {
            let count = missing.elsewhere(loss.before_buffer, count);
            if count == 0 {
                return None;
            }
            // Where the buffers of CPUs are known to lack some, that tells from when to when.
            let number = |at: usize| {
                let buffer = trace.buffers().get(at);
                buffer.map(|buffer| (buffer.file, buffer.sequence))
            };
            let place = Some((buffer.file, buffer.sequence));
            let mut stretches = index.streams.missing.iter();
            if stretches
                .any(|stretch| number(stretch.after) < place && place <= number(stretch.before))
            {
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

/// Where CPUs lack buffers that the numbers of others miss.
fn missing_stretches(trace: &TraceFile, index: &Index) -> Vec<Loss> {
    let times = |at: usize| index.scans.get(at).and_then(|scan| scan.times);
    let stretches = index.streams.missing.iter();
    let losses = stretches.filter_map(|stretch| {
        let (_, from_raw) = times(stretch.after)?;
        let (until_raw, _) = times(stretch.before)?;
        let buffer = trace.buffers().get(stretch.before)?;
        let (cpu, may) = (stretch.cpu, if stretch.is_sure { "" } else { "may " });
        let are = if stretch.is_sure { "are" } else { "be" };
        let message = format!(
            "buffers of CPU {cpu} {may}{are} missing before the one at offset {:#x}",
            buffer.offset
        );
        Some(Loss {
            kind: "lost_buffers",
            span_raw: (from_raw.min(until_raw), until_raw),
            cpu: Some(cpu),
            count: None,
            message: of_file(trace, buffer.file, message),
        })
    });
    losses.collect()
}

fn damage_loss(trace: &TraceFile, index: &Index, damage: &Damage) -> Option<Loss> {
    let kind = match damage.kind.class() {
        DamageClass::Note => return None,
        DamageClass::Truncated => "truncated",
        DamageClass::DamagedBuffer => "damaged_buffer",
        DamageClass::BadEvent => "bad_event",
    };
    let at = trace
        .buffers()
        .partition_point(|buffer| (buffer.file, buffer.offset) < (damage.file, damage.offset));
    let is_own = |at: &usize| {
        let buffer = trace.buffers().get(*at);
        buffer.is_some_and(|buffer| buffer.file == damage.file)
    };
    let times = |at: usize| {
        let scan = Some(at).filter(is_own).and_then(|at| index.scans.get(at));
        scan.and_then(|scan| scan.times)
    };
    let buffer = trace
        .buffers()
        .get(at)
        .filter(|buffer| (buffer.file, buffer.offset) == (damage.file, damage.offset));
    let last_raw = match buffer {
        Some(_) => times(at).map(|(_, last)| last),
        // Buffers are written about in the order of time, so that what is no buffer was between its neighbours.
        None => at.checked_sub(1).and_then(times).map(|(_, last)| last),
    };
    // What follows the damage in a buffer is lost until the next one of its CPU.
    let next = buffer
        .filter(|_| index.scans.get(at).is_some_and(|scan| scan.is_cut))
        .and_then(|_| index.streams.next_on_cpu.get(at).copied().flatten());
    let before = next.and_then(|next| index.streams.previous.get(next).copied().flatten());
    let from = last_raw
        .or_else(|| before.and_then(times).map(|(_, last)| last))
        .unwrap_or(index.end_raw);
    let until = match (buffer, next.and_then(times)) {
        (Some(_), next) => next.map_or(from, |(first, _)| first),
        (None, _) => times(at).map_or(index.end_raw, |(first, _)| first),
    };
    Some(Loss {
        kind,
        span_raw: (from.min(until), from.max(until)),
        cpu: buffer.map(|buffer| buffer.cpu),
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
