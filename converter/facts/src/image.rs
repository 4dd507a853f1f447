//! Programs, libraries and drivers in memory. `None` where nothing tells.

use std::sync::Arc;

/// A stay of an image at an address, where it begins, or was there before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Key of the process that it is loaded into; `None` for the kernel's images too, which all processes see.
    pub upid: Option<u32>,
    /// Id of that process; `None` for the kernel's images.
    pub pid: Option<u32>,
    /// Address of its first byte.
    pub base: u64,
    /// Size in memory in bytes.
    pub size_bytes: u64,
    /// Path of its file.
    pub path: Option<Arc<str>>,
    /// Which symbols are its own.
    pub symbols: Option<ImageSymbols>,
    /// Time stamp in its header.
    pub timestamp: Option<u32>,
    /// Checksum in its header.
    pub checksum: Option<u32>,
    /// Its name when it was built.
    pub original_name: Option<Arc<str>>,
    /// When it was loaded, if that is recorded.
    pub load_ts_ns: Option<u64>,
    /// When it was unloaded, likewise.
    pub unload_ts_ns: Option<u64>,
}

/// Which symbols belong to an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageSymbols {
    /// Path of the symbol file where it was built.
    pub pdb_path: Arc<str>,
    /// Identifies the build, as text.
    pub guid: Box<str>,
    /// Counts changes to the symbols after it.
    pub age: u32,
}
