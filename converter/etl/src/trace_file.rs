//! An opened trace.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::archive;
use crate::buffer::{Buffer, TimeLimits};
use crate::clock::Clock;
use crate::damage::DamageKind;
use crate::damage::{Damage, DamageLog};
use crate::event::{EventId, HookId};
use crate::index::{self, BUFFER_HEADER_BYTES, BufferInfo, MOST_BUFFER_BYTES, buffer_type};
use crate::loss::{self, Loss};
use crate::merge::Merge;
use crate::open_error::{OpenError, Reason};
use crate::source::Source;
use crate::trace_header::LogFileHeader;
use crate::walk;

const LOG_FILE_HEADER: HookId = HookId(0x0000);
const SYSTEM_HEADER_BYTES: u64 = 0x20;
/// A first buffer may claim more than the file has (a cut file), but not more than any buffer can.
const MOST_FIRST_BUFFER_BYTES: u64 = 256 << 20;
/// The most that an archive may unpack to.
const MOST_UNPACKED_BYTES: u64 = 64 << 30;

/// A trace: its header and the index of its buffers in memory, its events on disk.
/// Cheap to clone; usable from several threads at once.
#[derive(Clone, Debug)]
pub struct TraceFile {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    source: Source,
    header: LogFileHeader,
    clock: Clock,
    limits: TimeLimits,
    buffers: Vec<BufferInfo>,
    losses: Vec<Loss>,
    damage: DamageLog,
}

impl TraceFile {
    /// Opens a trace: an `.etl`, or a gzip or ZIP file with one in it, told apart by content. An archive is unpacked
    /// to a temporary file that has no name and goes away with the last clone of this.
    ///
    /// # Errors
    /// If nothing in the file can be read as a trace. A file of which a part is readable opens; see
    /// [`TraceFile::damage`].
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let in_path = |reason| OpenError {
            path: path.to_owned(),
            reason,
        };
        let mut damage = DamageLog::default();
        let file = File::open(path).map_err(|error| in_path(error.into()))?;
        archive::unpacked(file, MOST_UNPACKED_BYTES, &mut damage)
            .and_then(|source| Self::from_source(source, damage))
            .map_err(in_path)
    }

    /// A trace whose file content is in memory, not in an archive.
    ///
    /// # Errors
    /// If nothing in it can be read as a trace; the path in the error is `(memory)`.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, OpenError> {
        Self::from_source(Source::Memory(bytes), DamageLog::default()).map_err(|reason| OpenError {
            path: "(memory)".into(),
            reason,
        })
    }

    fn from_source(source: Source, mut damage: DamageLog) -> Result<Self, Reason> {
        let first = first_buffer(&source)?;
        let (header, clock) = log_file_header(&source, first, &mut damage)?;
        let index = walk::index(&source, header.buffer_bytes, &mut damage);
        let kept = usize::try_from(header.start_buffers).unwrap_or(usize::MAX);
        let losses = loss::losses(&index.buffers, header.is_circular(), kept);
        if index.found != header.buffers_written {
            let (expected, found) = (header.buffers_written, index.found);
            let is_told = damage.items().iter().any(|item| item.kind.loses_events());
            let kind = if found < expected && !header.is_circular() && !is_told && losses.is_empty()
            {
                DamageKind::BuffersMissing { expected, found }
            } else {
                DamageKind::BufferCount { expected, found }
            };
            damage.record(0, kind);
        }
        let limits = TimeLimits {
            start_raw: clock.start_raw,
            absurd_after_raw: clock.absurd_after_raw(),
        };
        let buffers = index.buffers;
        Ok(Self {
            inner: Arc::new(Inner {
                source,
                header,
                clock,
                limits,
                buffers,
                losses,
                damage,
            }),
        })
    }

    /// What the log-file header says.
    pub fn header(&self) -> &LogFileHeader {
        &self.inner.header
    }

    /// The clock of the trace's timestamps.
    pub fn clock(&self) -> Clock {
        self.inner.clock
    }

    /// All buffers that can be read, in file order.
    pub fn buffers(&self) -> &[BufferInfo] {
        &self.inner.buffers
    }

    /// Size of the (unpacked) file in bytes.
    pub fn size_bytes(&self) -> u64 {
        self.inner.source.size_bytes()
    }

    /// What of the header and the index could not be read; damage inside buffers is found when those are read.
    pub fn damage(&self) -> &DamageLog {
        &self.inner.damage
    }

    /// Signs in the buffers' headers that something was lost while recording, by buffer. The log-file header counts
    /// losses on its own ([`LogFileHeader::events_lost`]); neither implies the other.
    pub fn losses(&self) -> &[Loss] {
        &self.inner.losses
    }

    /// Fills `buffer` with the buffer at `index` of [`TraceFile::buffers`]: reads and, where needed, inflates it, and
    /// finds its events. What could be read before a damaged place is kept; see [`Buffer::damage`].
    ///
    /// # Errors
    /// The first damage in the buffer.
    pub fn read_buffer(&self, index: usize, buffer: &mut Buffer) -> Result<(), Damage> {
        let info = self.inner.buffers.get(index).copied().unwrap_or_default();
        buffer.read(&self.inner.source, index, info, self.inner.limits);
        buffer
            .damage()
            .first()
            .map_or(Ok(()), |damage| Err(damage.clone()))
    }

    /// All events in time order, read ahead by a thread of its own. That thread calls `prepare` once for each buffer
    /// before the first of its events comes; the outcome comes along with each event of the buffer.
    pub fn merge<T, F>(&self, prepare: F) -> Merge<T>
    where
        T: Send + 'static,
        F: Fn(&Buffer) -> T + Send + 'static,
    {
        Merge::new(self.clone(), prepare)
    }
}

/// Checks that the file begins with a buffer that can hold the log-file header.
fn first_buffer(source: &Source) -> Result<BufferInfo, Reason> {
    let found_bytes = source.size_bytes();
    if found_bytes == 0 {
        return Err(Reason::Empty);
    }
    let mut start = vec![0; usize::try_from(found_bytes.min(512)).unwrap_or(0)];
    source.read_exact_at(0, &mut start)?;
    if let Some(found) = archive::foreign_type(&start) {
        return Err(Reason::NotEtl {
            found: found.to_owned(),
        });
    }
    let expected_bytes =
        u64::from(BUFFER_HEADER_BYTES) + SYSTEM_HEADER_BYTES + LogFileHeader::LEAST_BYTES as u64;
    if found_bytes < expected_bytes {
        return Err(Reason::TooShort {
            expected_bytes,
            found_bytes,
        });
    }
    let info = index::read_info(source, 0)?;
    let claimed_bytes = u64::from(info.disk_bytes);
    if info.disk_bytes < BUFFER_HEADER_BYTES
        || claimed_bytes > found_bytes.max(MOST_FIRST_BUFFER_BYTES)
    {
        return Err(Reason::NotEtl {
            found: format!("a buffer size of {claimed_bytes} bytes"),
        });
    }
    if info.buffer_type != buffer_type::HEADER {
        return Err(Reason::NoHeader {
            expected: "a buffer of type 4 (header)",
            offset: 0,
            found: format!("type {}", info.buffer_type),
        });
    }
    // The damage of this buffer is noted when the index is built.
    index::checked(
        info,
        found_bytes,
        MOST_BUFFER_BYTES,
        &mut DamageLog::default(),
    )
    .ok_or_else(|| Reason::NotEtl {
        found: format!("a data end of {} bytes", info.data_end),
    })
}

fn log_file_header(
    source: &Source,
    info: BufferInfo,
    damage: &mut DamageLog,
) -> Result<(LogFileHeader, Clock), Reason> {
    let no_header = |found: String| Reason::NoHeader {
        expected: "event 0000",
        offset: BUFFER_HEADER_BYTES.into(),
        found,
    };
    let mut buffer = Buffer::new();
    buffer.read(source, 0, info, TimeLimits::NONE);
    let Some(event) = buffer.first_in_file() else {
        let reason = buffer
            .damage()
            .first()
            .map_or_else(|| "no event".to_owned(), |damage| damage.kind.to_string());
        return Err(no_header(reason));
    };
    if event.id != EventId::Kernel(LOG_FILE_HEADER) {
        return Err(no_header(format!("{:?}", event.id)));
    }
    LogFileHeader::parse(event.payload, event.pointer_bytes, event.timestamp, damage).ok_or_else(
        || {
            no_header(format!(
                "an event with only {} bytes of payload",
                event.payload.len()
            ))
        },
    )
}

#[cfg(test)]
#[path = "trace_file_tests.rs"]
mod tests;
