//! The events of all processors in one time order.
//!
//! A processor's buffers are in time order in the file (by sequence number in circular files), or were
//! [arranged](TraceFile::arranged) so. One cursor for each processor and a merge of the cursors therefore order the whole
//! trace, with one buffer for each processor in memory and a few that are needed next.

use std::collections::{BTreeMap, VecDeque};

use crate::buffer::Buffer;
use crate::damage::{Damage, DamageKind, DamageLog};
use crate::event::{Event, EventFrame};
use crate::index::{BufferInfo, buffer_type};
use crate::read_ahead::{ReadAhead, Reply};
use crate::tournament::Tournament;
use crate::trace_file::TraceFile;
use crate::trace_header::LogFileHeader;

/// How much memory buffers may take, in bytes.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Further buffers are read before they are needed while those that wait take less than this.
    read_ahead: u64,
    /// A processor's further buffers are left out when those in memory take more than this: only a forged file needs
    /// as much.
    most: usize,
}

const LIMITS: Limits = Limits {
    read_ahead: 1 << 20,
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
        let (frame, bytes) = self.frame()?;
        frame.event(bytes)
    }

    /// The event before it is decoded: its bytes, and what is needed to decode them elsewhere.
    #[inline]
    pub fn frame(&self) -> Option<(EventFrame, &'a [u8])> {
        let (mut frame, bytes) = self.buffer.frame(self.ordinal)?;
        frame.timestamp = self.timestamp;
        Some((frame, bytes))
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

/// A buffer that is not read yet.
#[derive(Clone, Copy, Debug)]
struct Unread {
    /// Index of the buffer.
    index: u32,
    /// Raw time of its first event; `i64::MIN` if it is not known.
    first_raw: i64,
}

/// The buffers of one processor.
struct Stream<T> {
    /// Those after the current one, in their order.
    unread: VecDeque<Unread>,
    /// The first of these, read ahead.
    ahead: VecDeque<Loaded<T>>,
    /// How many of these were asked for, those in `ahead` included.
    requested: usize,
    current: Option<Loaded<T>>,
}

/// Gives out the events of a trace in time order; see [`TraceFile::merge`].
pub struct Merge<T: Send + 'static> {
    limits: Limits,
    trace: TraceFile,
    streams: Vec<Stream<T>>,
    /// The streams whose next buffer is to be asked for, in the order in which buffers are needed.
    plan: std::vec::IntoIter<usize>,
    reader: ReadAhead<T>,
    /// The streams by the time of their next event; the stream's number decides between equal times.
    tournament: Tournament,
    spare: Vec<Buffer>,
    /// Bytes of the buffers that were asked for and are not current yet.
    ahead_bytes: u64,
    /// Memory of all buffers here, those that are to be reused included.
    held_bytes: usize,
    started: bool,
    latest: i64,
    stats: MergeStats,
    damage: DamageLog,
}

impl<T: Send + 'static> Merge<T> {
    /// `first_times`: see [`TraceFile::merge_known`].
    pub(crate) fn new(
        trace: TraceFile,
        first_times: impl Fn(u32) -> Option<i64>,
        prepare: impl Fn(&Buffer) -> T + Send + 'static,
    ) -> Self {
        let unread = |index| {
            Some(Unread {
                index,
                first_raw: first_times(index)?,
            })
        };
        let streams: Vec<Stream<T>> = trace
            .reading_orders()
            .into_iter()
            .map(|order| Stream {
                unread: order.into_iter().filter_map(unread).collect(),
                ahead: VecDeque::new(),
                requested: 0,
                current: None,
            })
            .collect();
        let firsts = streams.iter().map(|stream| stream.next_raw());
        let tournament = Tournament::new(&firsts.collect::<Vec<_>>());
        Self {
            limits: LIMITS,
            plan: plan(&streams).into_iter(),
            streams,
            latest: trace.clock().start_raw,
            reader: ReadAhead::new(trace.clone(), prepare),
            trace,
            tournament,
            spare: Vec::new(),
            ahead_bytes: 0,
            held_bytes: 0,
            started: false,
            stats: MergeStats::default(),
            damage: DamageLog::default(),
        }
    }
}

impl<T> Stream<T> {
    /// Raw time of the first event after the current buffer.
    fn next_raw(&self) -> Option<i64> {
        self.unread.front().map(|unread| unread.first_raw)
    }
}

/// The streams in the order in which their buffers are needed.
fn plan<T>(streams: &[Stream<T>]) -> Vec<usize> {
    let mut plan = Vec::new();
    for (number, stream) in streams.iter().enumerate() {
        let mut latest = i64::MIN;
        for (place, unread) in stream.unread.iter().enumerate() {
            latest = latest.max(unread.first_raw);
            plan.push((latest, place, number));
        }
    }
    plan.sort_unstable();
    plan.into_iter().map(|(_, _, number)| number).collect()
}

impl<T: Send + 'static> Merge<T> {
    /// The next event; `None` at the end of the trace.
    #[inline]
    pub fn next_event(&mut self) -> Option<Merged<'_, T>> {
        if self.started {
            self.step();
        }
        self.started = true;
        let (timestamp, stream) = loop {
            let (timestamp, stream) = self.tournament.first()?;
            if self.streams.get(stream)?.current.is_some() {
                break (timestamp, stream);
            }
            let loaded = self.load_next(stream);
            self.tournament.replace_first(loaded);
        };
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
            None => self.end_buffer(stream),
        };
        self.tournament.replace_first(timestamp);
    }

    /// Leaves the stream's current buffer; answers when the next one begins.
    #[cold]
    fn end_buffer(&mut self, stream: usize) -> Option<i64> {
        if let Some(done) = self.streams.get_mut(stream)?.current.take() {
            self.recycle(done.buffer);
        }
        self.streams.get(stream)?.next_raw()
    }

    /// Makes the stream's next buffer that has events its current one; answers the time of its first event.
    #[cold]
    fn load_next(&mut self, stream: usize) -> Option<i64> {
        loop {
            while self.streams.get(stream)?.ahead.is_empty() {
                if self.streams.get(stream)?.requested == 0 {
                    self.skip_beyond_memory(stream);
                    self.request_next_of(stream)?;
                }
                self.receive()?;
            }
            let state = self.streams.get_mut(stream)?;
            let loaded = state.ahead.pop_front()?;
            state.unread.pop_front();
            state.requested -= 1;
            self.ahead_bytes -= memory_bytes(loaded.buffer.info());
            while self.ahead_bytes < self.limits.read_ahead && self.request().is_some() {}
            if let Some(timestamp) = loaded.buffer.timestamp(0) {
                self.streams.get_mut(stream)?.current = Some(loaded);
                return Some(timestamp);
            }
            self.recycle(loaded.buffer);
        }
    }

    /// Asks for buffers in the order in which they are needed, up to the stream's next one; `None` if it has none.
    fn request_next_of(&mut self, stream: usize) -> Option<()> {
        self.streams.get(stream)?.unread.front()?;
        while self.request()? != stream {}
        Some(())
    }

    /// Asks for the buffer that is needed next. Answers the stream of that buffer.
    fn request(&mut self) -> Option<usize> {
        for stream in self.plan.by_ref() {
            let state = self.streams.get_mut(stream)?;
            // Those of a stream that was left out are in the plan still.
            let Some(unread) = state.unread.get(state.requested) else {
                continue;
            };
            state.requested += 1;
            let info = self.trace.buffers().get(unread.index as usize)?;
            self.ahead_bytes += memory_bytes(info);
            let spare = self.spare.pop().unwrap_or_default();
            self.held_bytes -= spare.allocated_bytes();
            self.reader.request(stream, unread.index as usize, spare);
            return Some(stream);
        }
        None
    }

    /// Keeps a buffer's memory for the next one.
    fn recycle(&mut self, buffer: Buffer) {
        if self.spare.is_empty() {
            self.spare.push(buffer);
        } else {
            self.held_bytes -= buffer.allocated_bytes();
        }
    }

    /// Leaves out the stream's further buffers while all buffers together take too much memory.
    fn skip_beyond_memory(&mut self, stream: usize) {
        if self.held_bytes > self.limits.most {
            let spare = std::mem::take(&mut self.spare);
            self.held_bytes -= spare.iter().map(Buffer::allocated_bytes).sum::<usize>();
        }
        if self.held_bytes <= self.limits.most {
            return;
        }
        let Some(state) = self.streams.get_mut(stream) else {
            return;
        };
        for unread in state.unread.drain(..) {
            let info = self.trace.buffers().get(unread.index as usize);
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
        let loaded = Loaded {
            buffer,
            prepared,
            ordinal: 0,
        };
        self.streams.get_mut(stream)?.ahead.push_back(loaded);
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

/// Memory that a buffer takes once it is read.
fn memory_bytes(info: &BufferInfo) -> u64 {
    info.data_end.into()
}

/// Number of a file and of a processor, and whether it is about its buffers that hold context switches alone. These are
/// filled at the same time as the others.
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
