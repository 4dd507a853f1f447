//! What a real-time session wrote down itself of what it lost.

use etl::{Event, EventId, Guid};

/// Class of such events. Source: `ntwmi.h`, MOF class `RT_LostEvent`.
const RT_LOST_EVENT: Guid = Guid::new(0x6a399ae0_4bc6_4de9_870b_3657f8947e7e);

/// That something was lost before a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LossRecord {
    /// Raw time.
    pub raw: i64,
    /// What was lost.
    pub event_type: u8,
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
