//! The first words of an event: which header it has, how long it is and when it was written (§2).

use crate::bytes;
use crate::damage::DamageKind;
use crate::event::MessageLayout;

/// The header types that are written to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderType {
    System { pointer_bytes: u8 },
    Compact { pointer_bytes: u8 },
    PerfInfo { pointer_bytes: u8 },
    Full { pointer_bytes: u8 },
    Instance { pointer_bytes: u8 },
    EventHeader { pointer_bytes: u8 },
    Message,
}

const TRACE_MARKER: u8 = 0xC0;
const MESSAGE_MARKER: u8 = 0x90;
const END_MARKER: u32 = 0xFFFF_FFFF;

impl HeaderType {
    #[inline]
    fn of(marker: u32) -> Option<Self> {
        let [_, _, kind, mark] = marker.to_le_bytes();
        if mark == MESSAGE_MARKER {
            return Some(Self::Message);
        }
        if mark != TRACE_MARKER {
            return None;
        }
        Some(match kind {
            0x01 => Self::System { pointer_bytes: 4 },
            0x02 => Self::System { pointer_bytes: 8 },
            0x03 => Self::Compact { pointer_bytes: 4 },
            0x04 => Self::Compact { pointer_bytes: 8 },
            0x10 => Self::PerfInfo { pointer_bytes: 4 },
            0x11 => Self::PerfInfo { pointer_bytes: 8 },
            0x0A => Self::Full { pointer_bytes: 4 },
            0x14 => Self::Full { pointer_bytes: 8 },
            0x0B => Self::Instance { pointer_bytes: 4 },
            0x15 => Self::Instance { pointer_bytes: 8 },
            0x12 => Self::EventHeader { pointer_bytes: 4 },
            0x13 => Self::EventHeader { pointer_bytes: 8 },
            _ => return None,
        })
    }

    /// Size of the fixed part of the header.
    #[inline]
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::System { .. } => 0x20,
            Self::Compact { .. } => 0x18,
            Self::PerfInfo { .. } => 0x10,
            Self::Full { .. } => 0x30,
            Self::Instance { .. } => 0x48,
            Self::EventHeader { .. } => 0x50,
            Self::Message => 0x08,
        }
    }

    /// Width of pointers by the header type; a message says it in its options, 8 stands in for it here.
    #[inline]
    pub(crate) fn pointer_bytes(self) -> u8 {
        match self {
            Self::System { pointer_bytes }
            | Self::Compact { pointer_bytes }
            | Self::PerfInfo { pointer_bytes }
            | Self::Full { pointer_bytes }
            | Self::Instance { pointer_bytes }
            | Self::EventHeader { pointer_bytes } => pointer_bytes,
            Self::Message => 8,
        }
    }

    #[inline]
    fn size_at(self) -> usize {
        match self {
            Self::System { .. } | Self::Compact { .. } | Self::PerfInfo { .. } => 4,
            _ => 0,
        }
    }

    #[inline]
    fn timestamp(self, event: &[u8]) -> Option<i64> {
        match self {
            Self::PerfInfo { .. } => bytes::i64_at(event, 0x08),
            Self::Message => {
                let layout = MessageLayout::of(bytes::u16_at(event, 6)?);
                bytes::i64_at(event, layout.timestamp_at?)
            }
            _ => bytes::i64_at(event, 0x10),
        }
    }
}

/// What is needed to step over an event and to order it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) header: HeaderType,
    /// Header and payload, without padding.
    pub(crate) size: u16,
    /// `None` for a message without time.
    pub(crate) timestamp: Option<i64>,
}

/// Why there is no further event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Up to the end of the data there is only the end marker, or too few bytes for any event.
    End,
    /// An event that cannot be stepped over.
    Damaged(DamageKind),
}

impl Frame {
    /// Whether `data`, which may end before the event does, begins with a known header that is no longer than its event.
    pub(crate) fn begins(data: &[u8]) -> bool {
        let header = bytes::u32_at(data, 0).and_then(HeaderType::of);
        header.is_some_and(|header| {
            bytes::u16_at(data, header.size_at())
                .is_some_and(|size| usize::from(size) >= header.bytes())
        })
    }

    /// The event at the start of `data`, which reaches to the end of the buffer's data; `at` is where that is in
    /// the buffer, for messages.
    #[inline]
    pub(crate) fn read(data: &[u8], at: u32) -> Result<Self, Stop> {
        let marker = bytes::u32_at(data, 0).ok_or_else(|| past_end(at, data.len(), 4))?;
        let Some(header) = HeaderType::of(marker) else {
            return Err(unknown(marker, data, at));
        };
        let size = bytes::u16_at(data, header.size_at())
            .ok_or_else(|| past_end(at, data.len(), header.bytes()))?;
        if usize::from(size) < header.bytes() {
            return Err(too_small(at, header.bytes(), size.into()));
        }
        let event = data
            .get(..usize::from(size))
            .ok_or_else(|| past_end(at, data.len(), size.into()))?;
        let timestamp = header.timestamp(event);
        Ok(Self {
            header,
            size,
            timestamp,
        })
    }
}

#[cold]
fn unknown(marker: u32, data: &[u8], at: u32) -> Stop {
    match marker {
        // The rest was never written. Else what follows could be events.
        END_MARKER if data.iter().all(|byte| *byte == 0xFF) => Stop::End,
        found => Stop::Damaged(DamageKind::EventHeader { at, found }),
    }
}

#[cold]
fn too_small(at: u32, expected: usize, found: usize) -> Stop {
    Stop::Damaged(DamageKind::EventSize {
        at,
        expected: saturated(expected),
        found: saturated(found),
    })
}

#[cold]
fn past_end(at: u32, left: usize, found: usize) -> Stop {
    Stop::Damaged(DamageKind::EventPastEnd {
        at,
        left: saturated(left),
        found: saturated(found),
    })
}

fn saturated(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
#[path = "event_header_tests.rs"]
mod tests;
