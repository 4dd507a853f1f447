//! One file of a recording: its header and the index of its buffers.

use crate::archive;
use crate::buffer::{Buffer, TimeLimits};
use crate::clock::Clock;
use crate::damage::{DamageKind, DamageLog};
use crate::doubled;
use crate::event::{EventId, HookId};
use crate::index::{self, BUFFER_HEADER_BYTES, BufferInfo, MOST_BUFFER_BYTES, buffer_type};
use crate::loss::{self, CutEnd, Loss};
use crate::open_error::Reason;
use crate::source::Source;
use crate::trace_header::LogFileHeader;
use crate::walk;

const LOG_FILE_HEADER: HookId = HookId(0x0000);
const SYSTEM_HEADER_BYTES: u64 = 0x20;
/// A first buffer may claim more than the file has (a cut file), but not more than any buffer can.
const MOST_FIRST_BUFFER_BYTES: u64 = 256 << 20;

/// A file whose events can be read.
#[derive(Debug)]
pub(crate) struct EtlFile {
    /// What it is called in messages.
    pub(crate) name: String,
    /// One of several in an archive: it can be left out.
    pub(crate) is_member: bool,
    pub(crate) source: Source,
    pub(crate) header: LogFileHeader,
    pub(crate) clock: Clock,
    pub(crate) buffers: Vec<BufferInfo>,
    pub(crate) losses: Vec<Loss>,
    pub(crate) cut_end: Option<CutEnd>,
    /// See [`TraceFile::is_whole`](crate::TraceFile::is_whole).
    pub(crate) is_whole: bool,
    pub(crate) damage: DamageLog,
}

impl EtlFile {
    pub(crate) fn open(
        name: String,
        source: Source,
        mut damage: DamageLog,
    ) -> Result<Self, Reason> {
        let first = first_buffer(&source)?;
        let (mut header, clock) = log_file_header(&source, first, &mut damage)?;
        let mut index = walk::index(&source, header.buffer_bytes, &mut damage);
        let doubled = doubled::leave_out(&source, &mut index.buffers, &mut damage);
        let cpus = index.buffers.iter().map(|info| info.cpu);
        header.check_cpu_count(cpus.max().unwrap_or(0), &mut damage);
        let kept = usize::try_from(header.start_buffers).unwrap_or(usize::MAX);
        let losses = loss::losses(&index.buffers, header.is_circular(), kept);
        let cut_end = loss::cut_end(&header, &index.buffers, doubled, &losses, &damage);
        let is_counted = [index.found, index.found - doubled].contains(&header.buffers_written);
        let lost = header.buffers_lost.saturating_add(header.events_lost);
        let is_read = index.buffers.len() == (index.found - doubled) as usize;
        let is_whole = is_counted && is_read && lost == 0 && header.end_utc_ns.is_some();
        if !is_counted {
            let (expected, found) = (header.buffers_written, index.found);
            let is_missing = cut_end.is_some_and(|end| end.missing.is_some());
            if is_missing && !loss::is_cut_at_end(&index.buffers, &damage) {
                let kind = DamageKind::BuffersMissing { expected, found };
                damage.record(source.size_bytes(), kind);
            } else {
                damage.record(0, DamageKind::BufferCount { expected, found });
            }
        }
        Ok(Self {
            name,
            is_member: false,
            source,
            header,
            clock,
            buffers: index.buffers,
            losses,
            cut_end,
            is_whole,
            damage,
        })
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
