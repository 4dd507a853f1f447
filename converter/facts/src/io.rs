//! Requests to disks and files, and the faults that wait for a disk. `None` where nothing tells.

/// A file that requests name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its key in all tables. What has another name, or the same one again later, may have another key.
    pub file: u32,
    /// Its path, as Windows names it.
    pub path: Box<str>,
}

/// Who asked, and for what file. A file whose name is never told has a key all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The CPU that noted it.
    pub cpu: Option<u16>,
    /// Key of the thread.
    pub utid: Option<u32>,
    /// Key of its process.
    pub upid: Option<u32>,
    /// Key of the file.
    pub file: Option<u32>,
    /// Where, in bytes from the start of the file, or of the disk.
    pub byte_offset: Option<u64>,
    /// How much, in bytes.
    pub size_bytes: Option<u32>,
    /// The stack of the thread.
    pub callsite: Option<u32>,
}

/// What a disk did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskDeed {
    /// It read.
    Read,
    /// It wrote.
    Write,
    /// It flushed its cache.
    Flush,
}

/// A transfer that a disk finished, or a flush.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskIo {
    /// When the disk was done.
    pub te_ns: u64,
    /// How long it took.
    pub dur_ns: Option<u64>,
    /// What it did.
    pub deed: DiskDeed,
    /// Who asked for it, and for what.
    pub asked: Asked,
    /// Number of the disk.
    pub disk: Option<u32>,
    /// I/O priority, from 1 (very low) to 5 (critical).
    pub priority: Option<u8>,
    /// Flags of the request packet, in words.
    pub irp_flags: Option<Box<str>>,
    /// Address of the request packet.
    pub irp: Option<u64>,
}

impl DiskIo {
    /// When it was issued.
    pub fn ts_ns(&self) -> u64 {
        self.te_ns.saturating_sub(self.dur_ns.unwrap_or(0))
    }
}

/// An operation on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileIo {
    /// When it began.
    pub ts_ns: u64,
    /// How it ended.
    pub end: Option<FileIoEnd>,
    /// Which one: the type of its event.
    pub event_type: u8,
    /// Who asked for it, and for what.
    pub asked: Asked,
    /// Address of the request packet.
    pub irp: Option<u64>,
}

/// The end of an operation on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileIoEnd {
    /// When.
    pub te_ns: u64,
    /// How many bytes were done, or what else it answers.
    pub done: Option<u64>,
    /// `NTSTATUS`.
    pub status: Option<u32>,
}

/// A thread touched memory that had to be read from a disk, and waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HardFault {
    /// When the memory was there.
    pub te_ns: u64,
    /// How long that took.
    pub dur_ns: Option<u64>,
    /// Who touched it, and what was read.
    pub asked: Asked,
    /// The address that was touched.
    pub address: Option<u64>,
}

/// What an event says of a request to a file or a disk where it begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A thread asks the file system for something.
    FileBegins {
        /// The key of the file, as Windows has it.
        file_key: Option<u64>,
        /// How much is asked for.
        size_bytes: Option<u32>,
    },
    /// The file system is done.
    FileEnds {
        /// How long ago it was asked.
        since_ns: Option<u64>,
        /// How many bytes were done, or what else it answers.
        done: Option<u64>,
        /// `NTSTATUS`.
        status: Option<u32>,
    },
    /// A disk is asked for something.
    DiskBegins,
    /// The disk is done.
    DiskEnds {
        /// How long ago it was asked.
        since_ns: Option<u64>,
        /// How long it took.
        took_ns: Option<u64>,
        /// The key of the file, as Windows has it.
        file_key: Option<u64>,
        /// How much was done.
        size_bytes: Option<u32>,
        /// Number of the disk.
        disk: Option<u32>,
        /// The thread that asked.
        tid: Option<u32>,
        /// I/O priority, 0 for none.
        priority: Option<u8>,
    },
}
