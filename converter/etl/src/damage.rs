//! What could not be read, where, and what was expected there.

use std::fmt;

use crate::xpress::XpressError;

/// One place in the file that could not be read as the format says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Number of the file; see [`TraceFile::file_name`](crate::TraceFile::file_name).
    pub file: u16,
    /// File offset of the buffer (or of the file part) concerned.
    pub offset: u64,
    /// What is wrong there.
    pub kind: DamageKind,
}

/// What is wrong, with what was found. Offsets named `at` count from the start of the (inflated) buffer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DamageKind {
    /// The archive ends early or is corrupt: only its first bytes were unpacked.
    #[error(
        "archive cut: expected more data, found its end after {unpacked_bytes} unpacked bytes ({reason})"
    )]
    ArchiveCut {
        /// Bytes that could be unpacked.
        unpacked_bytes: u64,
        /// What the unpacker reported.
        reason: String,
    },
    /// The archive ends before its directory: no more traces were found after this one.
    #[error(
        "archive cut: expected the directory of the ZIP archive at its end, found none; what came after this trace is missing"
    )]
    ArchiveDirectory,
    /// The bytes could not be read from disk.
    #[error("unreadable: expected {expected_bytes} bytes, found: {reason}")]
    Unreadable {
        /// Bytes wanted.
        expected_bytes: u64,
        /// What the system reported.
        reason: String,
    },
    /// Bytes that are no buffer, up to the next one or to the end of the file.
    #[error(
        "no buffer: expected a buffer size of at least 72, found {found} ({skipped_bytes} bytes skipped)"
    )]
    NoBuffer {
        /// The size found.
        found: u32,
        /// Bytes from there to the next buffer or to the end of the file.
        skipped_bytes: u64,
    },
    /// A buffer whose size does not lead to the next one; all of it was read.
    #[error("wrong buffer size: expected {expected_bytes}, up to the next buffer, found {found}")]
    BufferSize {
        /// The size found.
        found: u32,
        /// Bytes to where the next buffer, or the end of the file, was found.
        expected_bytes: u32,
    },
    /// A second log-file header: recordings were appended to one another.
    #[error(
        "another recording begins here: expected one log-file header, found a further one; its times are taken as the first one's"
    )]
    SecondHeader,
    /// Buffers are in the file again, from here on; nothing is lost by that.
    #[error("{} read once", if *.count == 1 { "a buffer that the file has twice was".to_owned() } else { format!("{count} buffers that the file has twice were") })]
    Doubled {
        /// How many there are, without the first of each.
        count: u32,
    },
    /// The file ends inside a buffer.
    #[error("file cut: expected a buffer of {expected_bytes} bytes, found {found_bytes}")]
    Truncated {
        /// Size of the buffer by its header.
        expected_bytes: u64,
        /// Bytes there are.
        found_bytes: u64,
    },
    /// The file ends inside the header of a buffer.
    #[error("file cut: expected a buffer's header of 72 bytes, found {found_bytes}")]
    HeaderCut {
        /// Bytes there are.
        found_bytes: u64,
    },
    /// The data are said to end after the buffer's end; they were read up to its end.
    #[error("data end past the buffer: expected at most {buffer_bytes}, found {found}")]
    DataEnd {
        /// Size of the buffer in bytes.
        buffer_bytes: u32,
        /// The data end found.
        found: u32,
    },
    /// The data are said to end before they begin; the buffer was taken for empty.
    #[error("no data end: expected at least 72, found {found}")]
    NoDataEnd {
        /// The data end found.
        found: u32,
    },
    /// The buffer claims more data than a buffer can hold; it was skipped.
    #[error("buffer too large: expected at most {limit_bytes} bytes of data, found {found}")]
    TooLarge {
        /// The most that is read.
        limit_bytes: u32,
        /// The data end found.
        found: u32,
    },
    /// The processor number is out of range; the buffer was skipped.
    #[error("bad processor: expected at most 1023, found {found}")]
    Processor {
        /// The number found.
        found: u16,
    },
    /// More buffers than are read; the rest was left unread.
    #[error("too many buffers: expected at most {limit}")]
    TooManyBuffers {
        /// The most that are read.
        limit: u32,
    },
    /// The buffers that are needed at one time take too much memory; this one was skipped.
    #[error(
        "too much data at one time: expected at most {limit_bytes} bytes in buffers of all processors"
    )]
    MemoryLimit {
        /// The most that is held.
        limit_bytes: u64,
    },
    /// The compressed data are corrupt; events before the corrupt place were kept.
    #[error("bad compressed data: {error} (expected {expected_bytes} bytes, found {found_bytes})")]
    Compressed {
        /// What is wrong.
        error: XpressError,
        /// Size of the inflated data by the buffer's header.
        expected_bytes: u32,
        /// Bytes inflated before the error.
        found_bytes: u32,
    },
    /// No known event header; the rest of the buffer was skipped.
    #[error("unknown event header at {at:#x}: expected a marker C0 or 90, found {found:#010x}")]
    EventHeader {
        /// Where.
        at: u32,
        /// The four bytes found.
        found: u32,
    },
    /// An event smaller than its header; the rest of the buffer was skipped.
    #[error("event too small at {at:#x}: expected at least {expected} bytes, found {found}")]
    EventSize {
        /// Where.
        at: u32,
        /// Size of its header in bytes.
        expected: u32,
        /// The size found.
        found: u32,
    },
    /// An event that ends after the data's end; the rest of the buffer was skipped.
    #[error("event past the data's end at {at:#x}: expected at most {left} bytes, found {found}")]
    EventPastEnd {
        /// Where.
        at: u32,
        /// Bytes to the end of the data.
        left: u32,
        /// The size found.
        found: u32,
    },
    /// Zero bytes at the end of a preallocated or cut file; nothing is lost by them.
    #[error("{zero_bytes} unused bytes at the end")]
    UnusedTail {
        /// Bytes from there to the end of the file.
        zero_bytes: u64,
    },
    /// The trace was not closed (recording stopped by a crash, or copied while open); nothing is lost by that alone.
    #[error("trace was not closed: expected an end time, found none")]
    NotClosed,
    /// The file ends after a buffer that is not the last by its header.
    #[error("file cut: expected {expected} buffers by the log-file header, found {found}")]
    BuffersMissing {
        /// By the log-file header.
        expected: u32,
        /// In the file.
        found: u32,
    },
    /// The file holds another number of buffers than its header says.
    #[error("expected {expected} buffers, found {found}")]
    BufferCount {
        /// By the log-file header.
        expected: u32,
        /// In the file.
        found: u32,
    },
    /// A field of the log-file header is implausible and was replaced by an assumption.
    #[error("implausible {field} in the log-file header: found {found}, assumed {assumed}")]
    HeaderField {
        /// Its name.
        field: &'static str,
        /// The value found.
        found: i64,
        /// The value used.
        assumed: i64,
    },
}

/// How a kind of damage is to be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DamageClass {
    /// Worth a remark; no event is lost by it.
    Note,
    /// The end of the file is missing.
    Truncated,
    /// A buffer, or the rest of one, could not be read.
    DamagedBuffer,
    /// An event could not be read; the rest of its buffer is lost.
    BadEvent,
}

impl DamageKind {
    /// How to report this.
    pub fn class(&self) -> DamageClass {
        match self {
            Self::UnusedTail { .. }
            | Self::NotClosed
            | Self::SecondHeader
            | Self::Doubled { .. }
            | Self::BufferSize { .. }
            | Self::BufferCount { .. }
            | Self::HeaderField { .. } => DamageClass::Note,
            Self::ArchiveCut { .. }
            | Self::ArchiveDirectory
            | Self::Truncated { .. }
            | Self::HeaderCut { .. }
            | Self::BuffersMissing { .. } => DamageClass::Truncated,
            Self::Unreadable { .. }
            | Self::NoBuffer { .. }
            | Self::DataEnd { .. }
            | Self::NoDataEnd { .. }
            | Self::TooLarge { .. }
            | Self::Processor { .. }
            | Self::TooManyBuffers { .. }
            | Self::MemoryLimit { .. }
            | Self::Compressed { .. } => DamageClass::DamagedBuffer,
            Self::EventHeader { .. } | Self::EventSize { .. } | Self::EventPastEnd { .. } => {
                DamageClass::BadEvent
            }
        }
    }

    /// Whether events may be lost by this: `false` only for a [`DamageClass::Note`].
    pub fn loses_events(&self) -> bool {
        self.class() != DamageClass::Note
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {:#x}: {}", self.offset, self.kind)
    }
}

/// Damage in the order found: the first thousand in full, all of it by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DamageLog {
    items: Vec<Damage>,
    total: u64,
}

impl DamageLog {
    const KEPT: usize = 1000;

    pub(crate) fn record(&mut self, offset: u64, kind: DamageKind) {
        self.push(Damage {
            file: 0,
            offset,
            kind,
        });
    }

    pub(crate) fn push(&mut self, damage: Damage) {
        self.total += 1;
        if self.items.len() < Self::KEPT {
            self.items.push(damage);
        }
    }

    /// Takes back what was noted after so many places.
    pub(crate) fn forget_after(&mut self, total: u64) {
        self.total = total;
        self.items
            .truncate(usize::try_from(total).unwrap_or(usize::MAX));
    }

    /// The first thousand places.
    pub fn items(&self) -> &[Damage] {
        &self.items
    }

    /// How many places there are in all.
    pub fn total(&self) -> u64 {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_one_line_with_offset_expected_and_found() {
        let damage = Damage {
            file: 0,
            offset: 0x2000,
            kind: DamageKind::EventPastEnd {
                at: 0x50,
                left: 16,
                found: 400,
            },
        };
        assert_eq!(
            damage.to_string(),
            "offset 0x2000: event past the data's end at 0x50: expected at most 16 bytes, found 400"
        );
        assert_eq!(damage.kind.class(), DamageClass::BadEvent);
    }

    #[test]
    fn the_log_is_bounded() {
        let mut log = DamageLog::default();
        for offset in 0..5000 {
            log.record(offset, DamageKind::NotClosed);
        }
        assert_eq!((log.items().len(), log.total()), (1000, 5000));
    }
}
