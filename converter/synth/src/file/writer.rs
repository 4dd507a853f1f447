//! The file: per-processor buffers, written in the order in which they fill up.

use std::collections::BTreeMap;
use std::io::{Seek, SeekFrom, Write};

use super::buffer_header::{
    BUFFER_HEADER_BYTES, BufferHeader, COMPRESSED, FLUSH_MARKER, PROC_INDEX, TYPE_GENERIC,
    TYPE_HEADER,
};
use super::bytes::{Bytes, Pointer};
use super::compact::{CompactSwitches, Leaving};
use super::disorder::Disorder;
use super::event::{self, At, Header, KernelEvent, Origin, ProviderEvent, WppMessage};
use super::header_event::{self, Closing};
use super::session::{Flavour, Growth, Session};
use super::xpress;

/// Why a trace could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file could not be written.
    #[error("cannot write: {0}")]
    Io(#[from] std::io::Error),
    /// The event does not fit into a buffer of this session, or into its 16-bit size field.
    #[error("an event of {event_bytes} bytes does not fit into a buffer of {buffer_bytes} bytes")]
    TooLarge {
        /// Size of the event with its header.
        event_bytes: usize,
        /// Size of a buffer with its header.
        buffer_bytes: u32,
    },
    /// The processor is not one of the session's.
    #[error("processor {cpu} is not among the session's {cpu_count}")]
    NoSuchCpu {
        /// The processor asked for.
        cpu: u16,
        /// Processors of the session.
        cpu_count: u32,
    },
}

/// What was written, known after [`TraceWriter::finish`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Length of the file.
    pub file_bytes: u64,
    /// Buffers in it, the header buffer among them.
    pub buffers: u32,
    /// Classic events by hook id, the log-file header among them.
    pub kernel_events: BTreeMap<u16, u64>,
    /// Context switches in compact events.
    pub compact_switches: u64,
    /// Events under `EVENT_HEADER`.
    pub provider_events: u64,
    /// WPP messages.
    pub messages: u64,
}

/// Writes one trace file; holds one buffer a processor in memory.
#[derive(Debug)]
pub struct TraceWriter<W> {
    sink: W,
    session: Session,
    header_buffer: Bytes,
    open: Vec<OpenBuffer>,
    /// By processor, the compact event that is being filled.
    compact: Vec<Option<CompactSwitches>>,
    scratch: Bytes,
    next_sequence: u64,
    position: u64,
    written: Written,
    disorder: Option<Disorder>,
}

#[derive(Debug, Clone)]
struct OpenBuffer {
    body: Vec<u8>,
    sequence: u64,
    /// Where its last event begins, and its time.
    last: (usize, i64),
}

impl<W: Write + Seek> TraceWriter<W> {
    /// Starts a file with its header buffer, whose event carries the session's start time.
    ///
    /// # Errors
    /// Fails if the sink fails or the header event does not fit into a buffer.
    pub fn new(sink: W, session: Session) -> Result<Self, WriteError> {
        let empty = OpenBuffer {
            body: Vec::new(),
            sequence: 0,
            last: (0, i64::MAX),
        };
        let mut writer = Self {
            sink,
            header_buffer: Bytes::new(session.header_pointer),
            open: vec![empty; usize::try_from(session.cpu_count).unwrap_or(usize::MAX)],
            compact: vec![None; usize::try_from(session.cpu_count).unwrap_or(usize::MAX)],
            scratch: Bytes::new(session.pointer),
            next_sequence: 1,
            position: 0,
            written: Written {
                file_bytes: 0,
                buffers: 1,
                kernel_events: BTreeMap::new(),
                compact_switches: 0,
                provider_events: 0,
                messages: 0,
            },
            disorder: None,
            session,
        };
        writer.write_header_buffer(Closing::default())?;
        Ok(writer)
    }

    /// The options of the file.
    #[must_use]
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Puts buffers, and events at their edges, out of order from here on: some buffers are in the file twice, some after
    /// the next one of their processor, and some of two have the last event and the first swapped. The events and their
    /// times are the same.
    pub fn disorder(&mut self, seed: u64) {
        self.disorder = Some(Disorder::new(seed));
    }

    /// Logs a classic event.
    ///
    /// # Errors
    /// Fails if the sink fails, the event is too large, or there is no such processor.
    pub fn kernel(
        &mut self,
        at: At,
        header: Header,
        event: &impl KernelEvent,
    ) -> Result<(), WriteError> {
        if self.session.compact_switches
            && let Some(leaving) = event.leaving()
        {
            return self.pack(at, &leaving);
        }
        self.log(at, header, event)
    }

    fn log(&mut self, at: At, header: Header, event: &impl KernelEvent) -> Result<(), WriteError> {
        self.begin(at);
        event::kernel(header, at.ticks, event, &mut self.scratch);
        *self.written.kernel_events.entry(event.hook()).or_default() += 1;
        self.append(at)
    }

    /// Adds a context switch to its processor's compact event, which is logged when there is no room in it.
    fn pack(&mut self, at: At, leaving: &Leaving) -> Result<(), WriteError> {
        let place = self.compact.get_mut(usize::from(at.cpu));
        let no_such_cpu = WriteError::NoSuchCpu {
            cpu: at.cpu,
            cpu_count: self.session.cpu_count,
        };
        let filling = place
            .ok_or(no_such_cpu)?
            .get_or_insert_with(|| CompactSwitches::new(at.ticks));
        if !filling.push(at.ticks, leaving) {
            let full = std::mem::replace(filling, CompactSwitches::new(at.ticks));
            filling.push(at.ticks, leaving);
            self.log_compact(at, &full)?;
        }
        Ok(())
    }

    fn log_compact(&mut self, at: At, switches: &CompactSwitches) -> Result<(), WriteError> {
        self.written.compact_switches += switches.count();
        self.log(at, Header::PerfInfo, switches)
    }

    /// Logs an event of a provider.
    ///
    /// # Errors
    /// As [`TraceWriter::kernel`].
    pub fn provider(
        &mut self,
        at: At,
        origin: Origin,
        event: &ProviderEvent,
    ) -> Result<(), WriteError> {
        self.begin(at);
        event::provider(origin, at.ticks, event, &mut self.scratch);
        self.written.provider_events += 1;
        self.append(at)
    }

    /// Logs a WPP message.
    ///
    /// # Errors
    /// As [`TraceWriter::kernel`].
    pub fn message(
        &mut self,
        at: At,
        origin: Origin,
        event: &WppMessage,
    ) -> Result<(), WriteError> {
        self.begin(at);
        event::message(origin, at.ticks, event, &mut self.scratch);
        self.written.messages += 1;
        self.append(at)
    }

    /// Logs bytes as they are, at the next event boundary of a processor's buffer.
    ///
    /// # Errors
    /// As [`TraceWriter::kernel`].
    pub fn raw(&mut self, at: At, event: &[u8]) -> Result<(), WriteError> {
        self.begin(at);
        self.scratch.raw(event);
        self.append(at)
    }

    /// Throws away what a processor's buffer holds, as when no buffer was free for it. Whether it held anything.
    pub fn lose(&mut self, cpu: u16) -> bool {
        let Some(buffer) = self.open.get_mut(usize::from(cpu)) else {
            return false;
        };
        let held = !buffer.body.is_empty();
        buffer.body.clear();
        held
    }

    /// Flushes all buffers, closes the file at a raw timestamp and gives back the sink.
    ///
    /// # Errors
    /// Fails if the sink fails.
    pub fn finish(mut self, end_ticks: i64) -> Result<(W, Written), WriteError> {
        for cpu in 0..self.open.len() {
            let filled = self.compact.get_mut(cpu).and_then(Option::take);
            if let Some(filled) = filled {
                let at = At::new(u16::try_from(cpu).unwrap_or(u16::MAX), end_ticks);
                self.log_compact(at, &filled)?;
            }
            self.flush(cpu, end_ticks, FLUSH_MARKER)?;
        }
        let rest = self.disorder.as_mut().map(Disorder::rest);
        for buffer in rest.unwrap_or_default() {
            self.write_buffer(&buffer)?;
        }
        self.written.buffers = match self.session.growth {
            Growth::Sequential => u32::try_from(self.next_sequence).unwrap_or(u32::MAX),
            Growth::Circular { data_buffers } => u32::try_from(self.next_sequence)
                .unwrap_or(u32::MAX)
                .min(data_buffers + 1),
        };
        self.sink.seek(SeekFrom::Start(0))?;
        let end_filetime = self.session.filetime_at(end_ticks);
        self.write_header_buffer(Closing {
            end_filetime,
            buffers_written: self.written.buffers,
        })?;
        self.sink.flush()?;
        Ok((self.sink, self.written))
    }

    fn begin(&mut self, at: At) {
        self.scratch
            .restart(at.pointer.unwrap_or(self.session.pointer));
    }

    fn append(&mut self, at: At) -> Result<(), WriteError> {
        let size = self.scratch.as_slice().len();
        let padded = size.next_multiple_of(8);
        let capacity = usize::try_from(self.session.buffer_bytes).unwrap_or(usize::MAX);
        if BUFFER_HEADER_BYTES + padded > capacity || size > usize::from(u16::MAX) {
            return Err(WriteError::TooLarge {
                event_bytes: size,
                buffer_bytes: self.session.buffer_bytes,
            });
        }
        let no_such_cpu = WriteError::NoSuchCpu {
            cpu: at.cpu,
            cpu_count: self.session.cpu_count,
        };
        let cpu = usize::from(at.cpu);
        let used = self.open.get(cpu).ok_or(no_such_cpu)?.body.len();
        self.scratch.fill(padded - size, 0);
        let is_full = BUFFER_HEADER_BYTES + used + padded > capacity;
        let mut event = std::mem::replace(&mut self.scratch, Bytes::new(self.session.pointer));
        if is_full {
            let first = self.swap_edge(cpu, at.ticks, event.as_slice());
            self.flush(cpu, at.ticks, 0)?;
            match first {
                Some((ticks, first)) => self.put(cpu, ticks, &first),
                None => self.put(cpu, at.ticks, event.as_slice()),
            }
        } else {
            self.put(cpu, at.ticks, event.as_slice());
        }
        event.restart(self.session.pointer);
        self.scratch = event;
        Ok(())
    }

    fn put(&mut self, cpu: usize, ticks: i64, event: &[u8]) {
        let Some(buffer) = self.open.get_mut(cpu) else {
            return;
        };
        if buffer.body.is_empty() {
            // A buffer gets its number when a processor takes it, so the file is not in number order.
            buffer.sequence = self.next_sequence;
            self.next_sequence += 1;
        }
        buffer.last = (buffer.body.len(), ticks);
        buffer.body.extend_from_slice(event);
    }

    /// Where there is disorder, puts the event that a full buffer has no room for in the place of its last one, if there is
    /// room then; answers that one and its time.
    fn swap_edge(&mut self, cpu: usize, ticks: i64, event: &[u8]) -> Option<(i64, Vec<u8>)> {
        let capacity = usize::try_from(self.session.buffer_bytes).unwrap_or(usize::MAX);
        let swaps = self.disorder.as_mut().is_some_and(Disorder::swaps_edge);
        let buffer = self.open.get_mut(cpu).filter(|_| swaps)?;
        let (at, last_ticks) = buffer.last;
        if at == 0 || last_ticks >= ticks || BUFFER_HEADER_BYTES + at + event.len() > capacity {
            return None;
        }
        let last = buffer.body.split_off(at);
        buffer.body.extend_from_slice(event);
        Some((last_ticks, last))
    }

    fn flush(&mut self, cpu: usize, ticks: i64, flags: u16) -> Result<(), WriteError> {
        let stamp = self.stamp(ticks);
        let Some(buffer) = self.open.get_mut(cpu) else {
            return Ok(());
        };
        if buffer.body.is_empty() {
            return Ok(());
        }
        let raw = std::mem::take(&mut buffer.body);
        let packed = self
            .session
            .compressed
            .then(|| xpress::compress(&raw))
            .filter(|packed| packed.len() < raw.len());
        let end_of_data = u32::try_from(BUFFER_HEADER_BYTES + raw.len()).unwrap_or(u32::MAX);
        let body = packed.as_ref().unwrap_or(&raw);
        let file_bytes = if self.session.compressed {
            u32::try_from(BUFFER_HEADER_BYTES + body.len()).unwrap_or(u32::MAX)
        } else {
            self.session.buffer_bytes
        };
        let head = BufferHeader {
            file_bytes,
            end_of_data,
            stamp,
            sequence: buffer.sequence,
            cpu: u16::try_from(cpu).unwrap_or(u16::MAX),
            flags: flags | PROC_INDEX | if packed.is_some() { COMPRESSED } else { 0 },
            kind: TYPE_GENERIC,
        };
        let mut out = Bytes::new(Pointer::Eight);
        head.write(self.session.flavour, &mut out);
        out.raw(body);
        let fill = usize::try_from(file_bytes)
            .unwrap_or(usize::MAX)
            .saturating_sub(out.as_slice().len());
        out.fill(fill, 0xFF);
        match &mut self.disorder {
            Some(disorder) => {
                for buffer in disorder.buffers(cpu, out.as_slice().to_vec()) {
                    self.write_buffer(&buffer)?;
                }
            }
            None => self.write_buffer(out.as_slice())?,
        }
        if let Some(buffer) = self.open.get_mut(cpu) {
            buffer.body = raw;
            buffer.body.clear();
        }
        Ok(())
    }

    fn write_buffer(&mut self, buffer: &[u8]) -> Result<(), WriteError> {
        self.wrap()?;
        self.sink.write_all(buffer)?;
        self.position += u64::try_from(buffer.len()).unwrap_or(u64::MAX);
        self.written.file_bytes = self.written.file_bytes.max(self.position);
        Ok(())
    }

    /// In a circular file, goes back to the place after the header buffer when the file is full.
    fn wrap(&mut self) -> Result<(), WriteError> {
        let Growth::Circular { data_buffers } = self.session.growth else {
            return Ok(());
        };
        let buffer_bytes = u64::from(self.session.buffer_bytes);
        if self.position >= buffer_bytes * (u64::from(data_buffers) + 1) {
            self.position = buffer_bytes;
            self.sink.seek(SeekFrom::Start(self.position))?;
        }
        Ok(())
    }

    fn stamp(&self, ticks: i64) -> i64 {
        match self.session.flavour {
            Flavour::Direct => ticks,
            Flavour::Merged | Flavour::Relogged => {
                i64::try_from(self.session.filetime_at(ticks)).unwrap_or(i64::MAX)
            }
        }
    }

    /// Writes the first buffer; its size does not depend on what `closing` says.
    fn write_header_buffer(&mut self, closing: Closing) -> Result<(), WriteError> {
        let (tid, pid) = self.session.origin;
        let header = Header::System(Origin { tid, pid });
        self.scratch.restart(self.session.header_pointer);
        event::kernel(
            header,
            self.session.start_ticks,
            &LogFileHeader(&self.session, closing),
            &mut self.scratch,
        );
        self.written.kernel_events.insert(0, 1);
        let size = self.scratch.as_slice().len();
        let end = BUFFER_HEADER_BYTES + size.next_multiple_of(8);
        let full = usize::try_from(self.session.buffer_bytes).unwrap_or(usize::MAX);
        if end > full {
            return Err(WriteError::TooLarge {
                event_bytes: size,
                buffer_bytes: self.session.buffer_bytes,
            });
        }
        let file_bytes = if self.session.compressed {
            end.next_multiple_of(0x200)
        } else {
            full
        };
        let head = BufferHeader {
            file_bytes: u32::try_from(file_bytes).unwrap_or(u32::MAX),
            end_of_data: u32::try_from(end).unwrap_or(u32::MAX),
            stamp: 0,
            sequence: 0,
            cpu: 0,
            flags: match self.session.flavour {
                Flavour::Direct => FLUSH_MARKER | PROC_INDEX,
                Flavour::Merged | Flavour::Relogged => FLUSH_MARKER,
            },
            kind: TYPE_HEADER,
        };
        self.header_buffer.restart(self.session.header_pointer);
        head.write(self.session.flavour, &mut self.header_buffer);
        self.header_buffer
            .raw(self.scratch.as_slice())
            .fill(end - BUFFER_HEADER_BYTES - size, 0);
        self.header_buffer.fill(file_bytes - end, 0xFF);
        self.sink.write_all(self.header_buffer.as_slice())?;
        self.position = u64::try_from(file_bytes).unwrap_or(u64::MAX);
        self.written.file_bytes = self.written.file_bytes.max(self.position);
        Ok(())
    }
}

struct LogFileHeader<'a>(&'a Session, Closing);

impl KernelEvent for LogFileHeader<'_> {
    fn hook(&self) -> u16 {
        0x0000
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        header_event::write(self.0, self.1, out);
    }
}
