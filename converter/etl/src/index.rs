//! The buffers of a file: where they are and what their headers say (§1).

use crate::bytes;
use crate::damage::{DamageKind, DamageLog};
use crate::source::Source;

/// Size of a buffer's header, and so the offset of its first event.
pub(crate) const BUFFER_HEADER_BYTES: u32 = 0x48;
/// No buffer is larger (the system's limit is 16 MiB); a larger claim is damage.
pub(crate) const MOST_BUFFER_BYTES: u32 = 64 << 20;
/// Processors are numbered below 1024 (§7 row 35).
pub(crate) const MOST_PROCESSOR: u16 = 1023;
const PROCESSOR_INDEX_MASK: u16 = 0x07FF;

/// Bits of [`BufferInfo::flags`].
pub mod buffer_flag {
    /// Events were lost before this buffer.
    pub const EVENTS_LOST: u16 = 0x0002;
    /// Buffers were lost before this buffer.
    pub const BUFFER_LOST: u16 = 0x0004;
    /// The processor is a 16-bit index.
    pub const PROCESSOR_INDEX: u16 = 0x0020;
    /// The events are compressed.
    pub const COMPRESSED: u16 = 0x0040;
}

/// Values of [`BufferInfo::buffer_type`].
pub mod buffer_type {
    /// Events of any kind.
    pub const GENERIC: u16 = 0;
    /// Context switches alone, of the time of the same processor's other buffers.
    pub const CONTEXT_SWAP: u16 = 2;
    /// The first buffer of a file, which begins with the log-file header.
    pub const HEADER: u16 = 4;
    /// No events.
    pub const EMPTY_MARKER: u16 = 6;
    /// The last type known.
    pub const DEBUG_INFO: u16 = 7;
}

/// What a buffer's header says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferInfo {
    /// Number of the file that holds it; see [`TraceFile::file_name`](crate::TraceFile::file_name).
    pub file: u16,
    /// File offset of the buffer.
    pub offset: u64,
    /// Number of the buffer in the order of recording; not the order in the file.
    pub sequence: i64,
    /// Bytes that the buffer takes in the file, header included; fewer than its header says if the file is cut.
    pub disk_bytes: u32,
    /// Where its events end, counted from the buffer's start, after inflating.
    pub data_end: u32,
    /// Processor that wrote the buffer.
    pub cpu: u16,
    /// It holds events of all processors, so that `cpu` means nothing.
    pub mixes_processors: bool,
    /// Bits of [`buffer_flag`].
    pub flags: u16,
    /// One of [`buffer_type`].
    pub buffer_type: u16,
    /// Events of it are missing in the file, or cannot be found in it.
    pub is_cut: bool,
}

impl BufferInfo {
    /// Whether its events are compressed.
    pub fn is_compressed(&self) -> bool {
        self.flags & buffer_flag::COMPRESSED != 0
    }

    /// Decodes a buffer's header, with the size and the data end it claims.
    pub(crate) fn parse(header: &[u8; BUFFER_HEADER_BYTES as usize], offset: u64) -> Option<Self> {
        let flags = bytes::u16_at(header, 0x34)?;
        let cpu = if flags & buffer_flag::PROCESSOR_INDEX != 0 {
            bytes::u16_at(header, 0x28)? & PROCESSOR_INDEX_MASK
        } else {
            u16::from(bytes::u8_at(header, 0x28)?)
        };
        Some(Self {
            file: 0,
            offset,
            mixes_processors: false,
            sequence: bytes::i64_at(header, 0x18)?,
            disk_bytes: bytes::u32_at(header, 0x00)?,
            data_end: bytes::u32_at(header, 0x30)?,
            cpu,
            flags,
            buffer_type: bytes::u16_at(header, 0x36)?,
            is_cut: false,
        })
    }
}

/// Reads the header at `offset`.
pub(crate) fn read_info(source: &Source, offset: u64) -> std::io::Result<BufferInfo> {
    let mut header = [0; BUFFER_HEADER_BYTES as usize];
    source.read_exact_at(offset, &mut header)?;
    Ok(BufferInfo::parse(&header, offset).unwrap_or_default())
}

/// Brings the claims of a buffer's header within the file and within reason. `None` if it is to be skipped.
pub(crate) fn checked(
    mut info: BufferInfo,
    size_bytes: u64,
    inflated_limit: u32,
    damage: &mut DamageLog,
) -> Option<BufferInfo> {
    let left = size_bytes.saturating_sub(info.offset);
    let claimed_bytes = info.disk_bytes;
    if u64::from(claimed_bytes) > left {
        info.disk_bytes = u32::try_from(left).unwrap_or(u32::MAX);
        let kind = DamageKind::Truncated {
            expected_bytes: claimed_bytes.into(),
            found_bytes: left,
        };
        damage.record(info.offset, kind);
        let data_bytes = info.data_end.min(claimed_bytes);
        info.is_cut |= !info.is_compressed() && data_bytes > info.disk_bytes;
    }
    if info.data_end < BUFFER_HEADER_BYTES && info.buffer_type != buffer_type::EMPTY_MARKER {
        info.is_cut = true;
        let found = info.data_end;
        damage.record(info.offset, DamageKind::NoDataEnd { found });
    }
    let limit_bytes = if info.is_compressed() {
        inflated_limit
    } else {
        MOST_BUFFER_BYTES
    };
    if !info.is_compressed() && info.data_end > claimed_bytes {
        let kind = DamageKind::DataEnd {
            buffer_bytes: claimed_bytes,
            found: info.data_end,
        };
        damage.record(info.offset, kind);
    }
    if !info.is_compressed() {
        info.data_end = info.data_end.min(info.disk_bytes);
    }
    if info.data_end > limit_bytes {
        damage.record(
            info.offset,
            DamageKind::TooLarge {
                limit_bytes,
                found: info.data_end,
            },
        );
        return None;
    }
    if info.cpu > MOST_PROCESSOR {
        damage.record(info.offset, DamageKind::Processor { found: info.cpu });
        return None;
    }
    Some(info)
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
