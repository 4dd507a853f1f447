//! The events of all processors in one time order.
//!
//! A processor's buffers are in time order in the file (by sequence number in circular files), so one cursor for each
//! processor and a merge of the cursors order the whole trace, with two buffers for each processor in memory.

use std::collections::BTreeMap;

use crate::buffer::Buffer;
use crate::damage::{Damage, DamageKind, DamageLog};
use crate::event::Event;
use crate::index::{BufferInfo, buffer_type};
use crate::read_ahead::{ReadAhead, Reply};
use crate::tournament::Tournament;
use crate::trace_file::TraceFile;
use crate::trace_header::LogFileHeader;

/// How much memory buffers may take, in bytes.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Buffers are read ahead while those in memory take less than this.
    read_ahead: usize,
    /// A processor's further buffers are left out when those in memory take more than this: only a forged file needs
    /// as much.
    most: usize,
}

const LIMITS: Limits = Limits {
    read_ahead: 96 << 20,
    most: 1 << 30,
};

/// One event in time order, and its surroundings.
#[derive(Debug)]
pub struct Merged<'a, T> {
    /// Its raw time on the session's clock; never less than that of the event before.
    pub timestamp: i64,
    /// Its number in its buffer's events.
    pub ordinal: usize,
    /// Its buffer.
    pub buffer: &'a Buffer,
    /// What `prepare` made of its buffer.
    pub prepared: &'a mut T,
}

impl<'a, T> Merged<'a, T> {
    /// The event itself, decoded anew by each call.
    #[inline]
    pub fn event(&self) -> Option<Event<'a>> {
        let mut event = self.buffer.event(self.ordinal)?;
        event.timestamp = self.timestamp;
        Some(event)
    }
}

/// What a merge has met so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeStats {
    /// Buffers read.
    pub buffers: u64,
    /// Bytes of those buffers in the file.
    pub disk_bytes: u64,
    /// Buffers of unknown type, read like any other.
    pub unknown_buffers: u64,
    /// Events given out.
    pub events: u64,
    /// Events that were earlier than one before them in their buffer or processor; moved to where they belong.
    pub went_back: u64,
    /// Events earlier than the log-file header's, given out with its time.
    pub before_start: u64,
    /// Events dropped because they are more than a year late.
    pub dropped_late: u64,
}

struct Loaded<T> {
    buffer: Buffer,
    prepared: T,
    ordinal: usize,
}

/// The buffers of one processor.
struct Stream<T> {
    order: std::vec::IntoIter<u32>,
    current: Option<Loaded<T>>,
    next: Option<Loaded<T>>,
    /// A buffer is being read for `next`.
    awaited: bool,
}

/// Gives out the events of a trace in time order; see [`TraceFile::merge`].
pub struct Merge<T> {
    limits: Limits,
    trace: TraceFile,
    streams: Vec<Stream<T>>,
    reader: ReadAhead<T>,
    /// The streams by the time of their current event; the stream's number decides between equal times.
    tournament: Tournament,
    spare: Vec<Buffer>,
    /// Memory of all buffers here, those that are to be reused included.
    held_bytes: usize,
    started: bool,
    latest: i64,
    stats: MergeStats,
    damage: DamageLog,
}

impl<T: Send + 'static> Merge<T> {
    pub(crate) fn new(trace: TraceFile, prepare: impl Fn(&Buffer) -> T + Send + 'static) -> Self {
        let streams = orders(&trace)
            .into_iter()
            .map(|order| Stream {
                order: order.into_iter(),
                current: None,
                next: None,
                awaited: false,
            })
            .collect();
        Self {
            limits: LIMITS,
            streams,
            latest: trace.clock().start_raw,
            reader: ReadAhead::new(trace.clone(), prepare),
            trace,
            tournament: Tournament::default(),
            spare: Vec::new(),
            held_bytes: 0,
            started: false,
            stats: MergeStats::default(),
            damage: DamageLog::default(),
        }
    }
}

impl<T> Merge<T> {
    /// The next event; `None` at the end of the trace.
    #[inline]
    pub fn next_event(&mut self) -> Option<Merged<'_, T>> {
        if self.started {
            self.step();
        } else {
            self.start();
        }
        let (timestamp, stream) = self.tournament.first()?;
        let Loaded {
            buffer,
            prepared,
            ordinal,
        } = self.streams.get_mut(stream)?.current.as_mut()?;
        self.stats.went_back += u64::from(timestamp < self.latest);
        self.latest = self.latest.max(timestamp);
        self.stats.events += 1;
        Some(Merged {
            timestamp: self.latest,
            ordinal: *ordinal,
            buffer,
            prepared,
        })
    }

    /// What was met up to the event last given out, buffers that are read ahead included.
    pub fn stats(&self) -> &MergeStats {
        &self.stats
    }

    /// What could not be read up to now. Complete once [`Merge::next_event`] has answered `None`.
    pub fn damage(&self) -> &DamageLog {
        &self.damage
    }

    #[cold]
    fn start(&mut self) {
        self.started = true;
        let firsts = (0..self.streams.len()).map(|stream| self.load_next(stream));
        let firsts: Vec<_> = firsts.collect();
        self.tournament = Tournament::new(&firsts);
    }

    /// Moves the stream of the event last given out to its next event.
    #[inline]
    fn step(&mut self) {
        let Some((_, stream)) = self.tournament.first() else {
            return;
        };
        let in_buffer = self
            .streams
            .get_mut(stream)
            .and_then(|stream| stream.current.as_mut())
            .and_then(|loaded| {
                loaded.ordinal += 1;
                loaded.buffer.timestamp(loaded.ordinal)
            });
        let timestamp = match in_buffer {
            Some(timestamp) => Some(timestamp),
            None => self.load_next(stream),
        };
        self.tournament.replace_first(timestamp);
    }

    /// Makes the stream's next buffer that has events its current one; answers the time of its first event.
    #[cold]
    fn load_next(&mut self, stream: usize) -> Option<i64> {
        loop {
            if let Some(done) = self.streams.get_mut(stream)?.current.take() {
                self.recycle(done.buffer);
            }
            while self.streams.get(stream)?.next.is_none() {
                if !self.streams.get(stream)?.awaited {
                    self.skip_beyond_memory(stream);
                    if !self.request(stream) {
                        return None;
                    }
                }
                self.receive()?;
            }
            let state = self.streams.get_mut(stream)?;
            state.current = state.next.take();
            let timestamp = state.current.as_ref()?.buffer.timestamp(0);
            if self.held_bytes < self.limits.read_ahead {
                self.request(stream);
            }
            if timestamp.is_some() {
                return timestamp;
            }
        }
    }

    /// Asks for the stream's next buffer; answers whether there is one.
    fn request(&mut self, stream: usize) -> bool {
        let Some(state) = self.streams.get_mut(stream) else {
            return false;
        };
        let Some(index) = state.order.next() else {
            return false;
        };
        state.awaited = true;
        let spare = self.spare.pop().unwrap_or_default();
        self.held_bytes -= spare.allocated_bytes();
        self.reader.request(stream, index as usize, spare);
        true
    }

    /// Keeps a buffer's memory for the next one, unless there is too much of it.
    fn recycle(&mut self, buffer: Buffer) {
        if self.held_bytes < self.limits.read_ahead {
            self.spare.push(buffer);
        } else {
            self.held_bytes -= buffer.allocated_bytes();
        }
    }

    /// Leaves out buffers of the stream while all buffers together take too much memory.
    fn skip_beyond_memory(&mut self, stream: usize) {
        if self.held_bytes <= self.limits.most {
            return;
        }
        let Some(state) = self.streams.get_mut(stream) else {
            return;
        };
        for index in state.order.by_ref() {
            let info = self.trace.buffers().get(index as usize);
            let BufferInfo { file, offset, .. } = info.copied().unwrap_or_default();
            let limit_bytes = self.limits.most as u64;
            let kind = DamageKind::MemoryLimit { limit_bytes };
            self.damage.push(Damage { file, offset, kind });
        }
    }

    /// Takes in one buffer from the reader.
    fn receive(&mut self) -> Option<()> {
        let Reply {
            stream,
            buffer,
            prepared,
        } = self.reader.wait()?;
        self.count(&buffer);
        self.held_bytes += buffer.allocated_bytes();
        let state = self.streams.get_mut(stream)?;
        state.awaited = false;
        state.next = Some(Loaded {
            buffer,
            prepared,
            ordinal: 0,
        });
        Some(())
    }

    fn count(&mut self, buffer: &Buffer) {
        let odd = buffer.odd_times();
        self.stats.buffers += 1;
        self.stats.disk_bytes += u64::from(buffer.info().disk_bytes);
        self.stats.unknown_buffers +=
            u64::from(buffer.info().buffer_type > buffer_type::DEBUG_INFO);
        self.stats.went_back += odd.went_back;
        self.stats.before_start += odd.before_start;
        self.stats.dropped_late += odd.absurdly_late;
        for damage in buffer.damage() {
            self.damage.push(damage.clone());
        }
    }
}

/// Number of a file and of a processor, and whether it is about its buffers that hold context switches alone: these are filled
/// beside the others.
type StreamKey = (u16, u16, bool);

/// For each file and each processor in ascending order, its buffers in the order of time.
pub(crate) fn orders(trace: &TraceFile) -> Vec<Vec<u32>> {
    let mut orders: BTreeMap<StreamKey, Vec<(u32, BufferInfo)>> = BTreeMap::new();
    for (index, info) in (0..).zip(trace.buffers()) {
        if info.buffer_type != buffer_type::EMPTY_MARKER {
            let processor = if info.mixes_processors { 0 } else { info.cpu };
            let is_swap = info.buffer_type == buffer_type::CONTEXT_SWAP;
            let order = orders.entry((info.file, processor, is_swap)).or_default();
            order.push((index, *info));
        }
    }
    let headers: Vec<&LogFileHeader> = trace.headers().collect();
    let firsts = trace.file_starts();
    let order = |((file, _, _), mut buffers): (StreamKey, Vec<(u32, BufferInfo)>)| {
        let header = headers.get(usize::from(file));
        if let Some(header) = header.filter(|header| header.is_circular()) {
            let first = firsts.get(usize::from(file)).copied().unwrap_or(0);
            let kept = first.saturating_add(header.start_buffers);
            buffers.sort_by_key(|(index, info)| (*index >= kept, info.sequence));
        }
        buffers.into_iter().map(|(index, _)| index).collect()
    };
    orders.into_iter().map(order).collect()
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
