//! The header of a buffer, `WMI_BUFFER_HEADER` (ntwmi).

use super::bytes::Bytes;
use super::session::Flavour;

/// Size of a buffer header.
pub const BUFFER_HEADER_BYTES: usize = 0x48;

/// On the header buffer and on the last buffers flushed.
pub const FLUSH_MARKER: u16 = 0x0001;
/// The processor is a 16-bit index.
pub const PROC_INDEX: u16 = 0x0020;
/// The body is compressed.
pub const COMPRESSED: u16 = 0x0040;
/// A buffer of events.
pub const TYPE_GENERIC: u16 = 0;
/// The first buffer of a file.
pub const TYPE_HEADER: u16 = 4;
const STATE_FLUSH: u32 = 3;
const DIRECT_LOGGER_ID: u16 = 28;

/// The fields of `WMI_BUFFER_HEADER` that mean something on disk (ntwmi).
pub struct BufferHeader {
    /// Bytes the buffer takes in the file.
    pub file_bytes: u32,
    /// End of the events, from the buffer's start, before compression.
    pub end_of_data: u32,
    /// Time of the flush: raw clock, or FILETIME in merged files.
    pub stamp: i64,
    /// Order in which buffers were taken.
    pub sequence: u64,
    /// Processor that filled it.
    pub cpu: u16,
    /// `BufferFlag`.
    pub flags: u16,
    /// `BufferType`.
    pub kind: u16,
}

impl BufferHeader {
    /// Writes the 48h bytes.
    pub fn write(&self, flavour: Flavour, out: &mut Bytes) {
        let logger_id = if flavour == Flavour::Direct {
            DIRECT_LOGGER_ID
        } else {
            0
        };
        out.u32(self.file_bytes)
            .u32(self.end_of_data)
            .u32(self.end_of_data)
            .u32(0);
        out.i64(self.stamp).u64(self.sequence).u64(0);
        out.u16(self.cpu).u16(logger_id).u32(STATE_FLUSH);
        out.u32(self.end_of_data)
            .u16(self.flags)
            .u16(self.kind)
            .fill(16, 0);
    }
}
