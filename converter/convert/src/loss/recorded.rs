//! The losses that a real-time session wrote down itself.

use super::item::Loss;
use crate::index::LossRecord;

/// So many are told each by itself, those of the remaining time as one.
const TOLD_MAX: usize = 1000;

/// The losses that these tell, which are in the order of time.
pub fn recorded_losses(records: &[LossRecord]) -> Vec<Loss> {
    let (told, rest) = records.split_at(records.len().min(TOLD_MAX));
    let mut losses: Vec<Loss> = told.iter().map(loss).collect();
    if let [first, .., last] | [first @ last] = rest {
        losses.push(Loss {
            kind: "lost_events",
            span_raw: (first.raw, last.raw),
            cpu: None,
            count: None,
            message: format!("the session recorded {} further losses", rest.len()),
        });
    }
    losses
}

fn loss(record: &LossRecord) -> Loss {
    let (kind, what) = match record.event_type {
        0x20 => ("lost_events", "an event"),
        0x21 => ("lost_buffers", "a buffer"),
        _ => ("lost_buffers", "the file that backs it up"),
    };
    Loss {
        kind,
        span_raw: (record.raw, record.raw),
        cpu: None,
        count: None,
        message: format!("the session recorded that it lost {what}"),
    }
}
