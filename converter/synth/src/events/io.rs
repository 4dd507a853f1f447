//! File I/O, group 04, disk I/O, group 01, and hard faults: layouts from ntwmi and MOF `FileIo_*` v3, `DiskIo_TypeGroup1` v3,
//! `PageFault_HardFault` v2.

use crate::file::bytes::Bytes;
use crate::file::event::KernelEvent;

/// Something that happens to a file or a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IoEvent<'a> {
    /// What a key stands for, 0400h.
    Name {
        /// The key.
        file_key: u64,
        /// The file.
        path: &'a str,
    },
    /// A file is opened, 0440h.
    Create {
        /// Who asks.
        asked: Asked,
        /// Name as it was asked for.
        path: &'a str,
    },
    /// Bytes of a file are read, 0443h, or written, 0444h.
    Transfer {
        /// Who asks.
        asked: Asked,
        /// Written, not read.
        write: bool,
        /// The file.
        file_key: u64,
        /// Where in it, in bytes.
        offset: u64,
        /// How much, in bytes.
        size_bytes: u32,
    },
    /// A file is closed, 0442h.
    Close {
        /// Who asks.
        asked: Asked,
        /// The file.
        file_key: u64,
    },
    /// An operation on a file has ended, 044Ch.
    End {
        /// Request packet.
        irp: u64,
        /// How much was done, in bytes.
        done: u64,
        /// `NTSTATUS`.
        status: u32,
    },
    /// A disk is asked to read, 010Ch.
    DiskReadInit {
        /// Who asks.
        asked: Asked,
    },
    /// A disk has read, 010Ah.
    DiskRead {
        /// Who asked.
        asked: Asked,
        /// The file.
        file_key: u64,
        /// Where on the disk, in bytes.
        offset: u64,
        /// How much, in bytes.
        size_bytes: u32,
        /// How long it took, in ticks.
        ticks: u64,
    },
    /// Memory is there that was read from a disk, 0220h.
    HardFault {
        /// When a thread touched it, in ticks.
        begin_ticks: i64,
        /// The thread.
        tid: u32,
        /// The file.
        file_key: u64,
        /// Where in it, in bytes.
        offset: u64,
        /// How much, in bytes.
        size_bytes: u32,
        /// The address.
        address: u64,
    },
}

/// A request: its packet, and the thread that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// Address of the request packet.
    pub irp: u64,
    /// Address of the file object.
    pub file_object: u64,
    /// The thread.
    pub tid: u32,
}

impl KernelEvent for IoEvent<'_> {
    fn hook(&self) -> u16 {
        match self {
            Self::Name { .. } => 0x0400,
            Self::Create { .. } => 0x0440,
            Self::Transfer { write: false, .. } => 0x0443,
            Self::Transfer { write: true, .. } => 0x0444,
            Self::Close { .. } => 0x0442,
            Self::End { .. } => 0x044C,
            Self::DiskReadInit { .. } => 0x010C,
            Self::DiskRead { .. } => 0x010A,
            Self::HardFault { .. } => 0x0220,
        }
    }

    fn version(&self) -> u8 {
        match self {
            Self::HardFault { .. } => 2,
            _ => 3,
        }
    }

    fn write(&self, out: &mut Bytes) {
        match *self {
            Self::Name { file_key, path } => {
                out.pointer(file_key).wstr(path);
            }
            Self::Create { asked, path } => {
                out.pointer(asked.irp).pointer(asked.file_object);
                out.u32(asked.tid).u32(0x0100_0060).u32(0x80).u32(3);
                out.wstr(path);
            }
            Self::Transfer {
                asked,
                file_key,
                offset,
                size_bytes,
                ..
            } => {
                out.u64(offset).pointer(asked.irp);
                out.pointer(asked.file_object).pointer(file_key);
                out.u32(asked.tid).u32(size_bytes).u32(0);
            }
            Self::Close { asked, file_key } => {
                out.pointer(asked.irp).pointer(asked.file_object);
                out.pointer(file_key).u32(asked.tid);
            }
            Self::End { irp, done, status } => {
                out.pointer(irp).pointer(done).u32(status);
            }
            Self::DiskReadInit { asked } => {
                out.pointer(asked.irp).u32(asked.tid);
            }
            Self::DiskRead {
                asked,
                file_key,
                offset,
                size_bytes,
                ticks,
            } => {
                // Normal priority.
                out.u32(0).u32(3 << 17).u32(size_bytes).u32(0).u64(offset);
                out.pointer(file_key).pointer(asked.irp);
                out.u64(ticks).u32(asked.tid);
            }
            Self::HardFault {
                begin_ticks,
                tid,
                file_key,
                offset,
                size_bytes,
                address,
            } => {
                out.u64(begin_ticks.cast_unsigned()).u64(offset);
                out.pointer(address).pointer(file_key);
                out.u32(tid).u32(size_bytes);
            }
        }
    }
}
