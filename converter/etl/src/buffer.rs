//! One buffer in memory: read, inflated and stepped through once, so that its events can be reached in time order.

use std::ops::Range;

use crate::bytes;
use crate::damage::{Damage, DamageKind};
use crate::event::{Event, EventFrame};
use crate::event_header::{Frame, HeaderType, Stop};
use crate::index::{BUFFER_HEADER_BYTES, BufferInfo};
use crate::source::Source;
use crate::xpress;

/// Which raw timestamps are kept as they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeLimits {
    /// Earlier events are moved here.
    pub(crate) start_raw: i64,
    /// Later events are dropped.
    pub(crate) absurd_after_raw: i64,
}

impl TimeLimits {
    /// For a buffer that is read before the clock is known.
    pub(crate) const NONE: Self = Self {
        start_raw: i64::MIN,
        absurd_after_raw: i64::MAX,
    };
}

/// Where an event is in its buffer, and what its first words say.
#[derive(Clone, Copy, Debug)]
struct Span {
    timestamp: i64,
    offset: u32,
    /// Header and payload; at most 64 KiB - 1.
    size: u16,
    header: HeaderType,
}

/// Events of a buffer whose times are not as they must be (§7 rows 22, 23).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OddTimes {
    /// Earlier than one before them in the buffer; sorted by time.
    pub went_back: u64,
    /// Earlier than the log-file header's event; moved to its time.
    pub before_start: u64,
    /// More than a year after it; left out.
    pub absurdly_late: u64,
}

/// A buffer's events, in time order. One `Buffer` can be filled again and again and keeps its memory.
#[derive(Debug, Default)]
pub struct Buffer {
    index: usize,
    info: BufferInfo,
    bytes: Vec<u8>,
    compressed: Vec<u8>,
    spans: Vec<Span>,
    damage: Vec<Damage>,
    odd_times: OddTimes,
}

impl Buffer {
    /// An empty buffer, to be filled by [`TraceFile::read_buffer`](crate::TraceFile::read_buffer).
    pub fn new() -> Self {
        Self::default()
    }

    /// Index in [`TraceFile::buffers`](crate::TraceFile::buffers).
    pub fn index(&self) -> usize {
        self.index
    }

    /// What the buffer's header says.
    pub fn info(&self) -> &BufferInfo {
        &self.info
    }

    /// Number of events that could be read.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is no event.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The events in time order; those of equal time in file order.
    pub fn events(&self) -> Events<'_> {
        Events {
            buffer: self,
            next: 0,
        }
    }

    /// The event with this number in [`Buffer::events`].
    #[inline]
    pub fn event(&self, ordinal: usize) -> Option<Event<'_>> {
        let (frame, bytes) = self.frame(ordinal)?;
        frame.event(bytes)
    }

    /// The same event before it is decoded: its bytes, and what is needed to decode them elsewhere.
    #[inline]
    pub fn frame(&self, ordinal: usize) -> Option<(EventFrame, &[u8])> {
        let span = self.spans.get(ordinal)?;
        let data = self.bytes.get(span.offset as usize..)?;
        let frame = EventFrame {
            header: span.header,
            cpu: self.info.cpu,
            has_cpu: !self.info.mixes_processors,
            timestamp: span.timestamp,
        };
        Some((frame, data.get(..usize::from(span.size))?))
    }

    /// The event that stands first in the buffer, whatever its time.
    pub(crate) fn first_in_file(&self) -> Option<Event<'_>> {
        let (first, _) = self
            .spans
            .iter()
            .enumerate()
            .min_by_key(|(_, span)| span.offset)?;
        self.event(first)
    }

    /// Raw timestamp of the event with this number.
    #[inline]
    pub(crate) fn timestamp(&self, ordinal: usize) -> Option<i64> {
        self.spans.get(ordinal).map(|span| span.timestamp)
    }

    /// Why the buffer, or the rest of it, could not be read; empty where all of it could.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// How many of its events have times that cannot be right.
    pub fn odd_times(&self) -> OddTimes {
        self.odd_times
    }

    /// Memory held, in bytes.
    pub(crate) fn allocated_bytes(&self) -> usize {
        self.bytes.capacity()
            + self.compressed.capacity()
            + self.spans.capacity() * size_of::<Span>()
    }

    /// Fills this with the buffer that `info` describes.
    pub(crate) fn read(
        &mut self,
        source: &Source,
        index: usize,
        info: BufferInfo,
        limits: TimeLimits,
    ) {
        self.index = index;
        self.info = info;
        self.spans.clear();
        self.damage.clear();
        self.odd_times = OddTimes::default();
        let whole = if info.is_compressed() {
            self.read_compressed(source)
        } else {
            self.read_plain(source)
        };
        match whole {
            Ok(whole) => self.find_events(limits, whole),
            Err(error) => {
                self.bytes.clear();
                let expected_bytes = info.disk_bytes.into();
                self.report(DamageKind::Unreadable {
                    expected_bytes,
                    reason: error.to_string(),
                });
            }
        }
    }

    /// Answers whether the data reach to the end that the buffer's header gives.
    fn read_plain(&mut self, source: &Source) -> std::io::Result<bool> {
        self.bytes.resize(self.info.data_end as usize, 0);
        source.read_exact_at(self.info.offset, &mut self.bytes)?;
        Ok(bytes::u32_at(&self.bytes, 0x30).is_none_or(|data_end| data_end <= self.info.data_end))
    }

    fn read_compressed(&mut self, source: &Source) -> std::io::Result<bool> {
        self.compressed.resize(self.info.disk_bytes as usize, 0);
        source.read_exact_at(self.info.offset, &mut self.compressed)?;
        self.bytes.resize(self.info.data_end as usize, 0);
        let header_bytes = BUFFER_HEADER_BYTES as usize;
        let input = self.compressed.get(header_bytes..).unwrap_or_default();
        let output = self.bytes.get_mut(header_bytes..).unwrap_or_default();
        let expected_bytes = u32::try_from(output.len()).unwrap_or(u32::MAX);
        let Err((good_bytes, error)) = xpress::inflate(input, output) else {
            return Ok(true);
        };
        self.bytes.truncate(header_bytes + good_bytes);
        let found_bytes = u32::try_from(good_bytes).unwrap_or(u32::MAX);
        self.report(DamageKind::Compressed {
            error,
            expected_bytes,
            found_bytes,
        });
        Ok(false)
    }

    /// Forgets the events of these raw times.
    pub(crate) fn give(&mut self, times: &Range<i64>) {
        self.spans.retain(|span| !times.contains(&span.timestamp));
    }

    /// Takes in the events that another buffer has of these raw times.
    pub(crate) fn take(&mut self, other: &Self, times: &Range<i64>) {
        let begin = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(&other.bytes);
        let taken = other
            .spans
            .iter()
            .filter(|span| times.contains(&span.timestamp));
        self.spans.extend(taken.map(|span| Span {
            // Two buffers are at most 128 MiB: no overflow.
            offset: begin + span.offset,
            ..*span
        }));
        self.spans.sort_by_key(|span| span.timestamp);
    }

    fn report(&mut self, kind: DamageKind) {
        self.damage.push(Damage {
            file: self.info.file,
            offset: self.info.offset,
            kind,
        });
    }

    /// Steps through the events. Where the data are not `whole`, an event that they cut is no further damage.
    fn find_events(&mut self, limits: TimeLimits, whole: bool) {
        let mut offset = BUFFER_HEADER_BYTES;
        let mut latest = limits.start_raw;
        let mut in_order = true;
        while let Some(data) = self
            .bytes
            .get(offset as usize..)
            .filter(|data| !data.is_empty())
        {
            let frame = match Frame::read(data, offset) {
                Ok(frame) => frame,
                Err(Stop::End) => break,
                Err(Stop::Damaged(DamageKind::EventPastEnd { .. })) if !whole => break,
                Err(Stop::Damaged(kind)) => {
                    self.report(kind);
                    break;
                }
            };
            let timestamp = frame.timestamp.unwrap_or(latest);
            if timestamp > limits.absurd_after_raw {
                self.odd_times.absurdly_late += 1;
            } else {
                if timestamp < latest {
                    let counter = if timestamp < limits.start_raw {
                        &mut self.odd_times.before_start
                    } else {
                        in_order = false;
                        &mut self.odd_times.went_back
                    };
                    *counter += 1;
                }
                let timestamp = timestamp.max(limits.start_raw);
                in_order &= timestamp >= latest;
                latest = latest.max(timestamp);
                self.spans.push(Span {
                    timestamp,
                    offset,
                    size: frame.size,
                    header: frame.header,
                });
            }
            // An event is at most 64 KiB and a buffer at most 64 MiB: no overflow.
            offset = (offset + u32::from(frame.size)).next_multiple_of(8);
        }
        if !in_order {
            self.spans.sort_by_key(|span| span.timestamp);
        }
    }
}

/// Iterator over a buffer's events in time order.
#[derive(Clone, Debug)]
pub struct Events<'a> {
    buffer: &'a Buffer,
    next: usize,
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let event = self.buffer.event(self.next);
        self.next += usize::from(event.is_some());
        event
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.buffer.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Events<'_> {}

#[cfg(test)]
#[path = "buffer_tests.rs"]
mod tests;
