//! What a real-time session wrote down itself of what it lost.

use etl::{Event, EventId, Guid};

use super::item::Loss;

/// Class of such events. Source: `ntwmi.h`, MOF class `RT_LostEvent`.
const RT_LOST_EVENT: Guid = Guid::new(0x6a399ae0_4bc6_4de9_870b_3657f8947e7e);
/// So many are told each by itself, those of the remaining time as one.
const TOLD_MAX: usize = 1000;

/// That something was lost before a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LossRecord {
    raw: i64,
    event_type: u8,
}

impl LossRecord {
    /// What an event tells; `None` if it is none of these.
    pub fn of(event: &Event<'_>) -> Option<Self> {
        match event.id {
            EventId::Classic {
                class: RT_LOST_EVENT,
                event_type: event_type @ 0x20..=0x22,
            } => Some(Self {
                raw: event.timestamp,
                event_type,
            }),
            _ => None,
        }
    }
}

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
