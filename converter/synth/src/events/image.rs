//! Images, group 14, and their identities: layouts from ntwmi, MOF `Image_Load` and PerfView's `SymbolTraceEventParser`.

use crate::file::bytes::{Bytes, Guid, Pointer};
use crate::file::event::KernelEvent;

/// What happened to an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageChange {
    /// It was loaded.
    Load,
    /// It was unloaded.
    Unload,
    /// It was there when the trace began.
    RundownStart,
    /// It was there when the trace ended.
    RundownEnd,
}

/// Image Load, Unload, DCStart or DCEnd, in versions 0 to 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageEvent<'a> {
    /// What happened.
    pub change: ImageChange,
    /// Layout version; Windows 10 writes 3.
    pub version: u8,
    /// Address of its first byte.
    pub base: u64,
    /// Size in memory in bytes.
    pub size_bytes: u32,
    /// Process id; 0 for the kernel's.
    pub pid: u32,
    /// Its file.
    pub path: &'a str,
}

impl KernelEvent for ImageEvent<'_> {
    fn hook(&self) -> u16 {
        match self.change {
            ImageChange::Load => 0x030A,
            ImageChange::Unload => 0x1402,
            ImageChange::RundownStart => 0x1403,
            ImageChange::RundownEnd => 0x1404,
        }
    }

    fn version(&self) -> u8 {
        self.version
    }

    fn write(&self, out: &mut Bytes) {
        out.pointer(self.base);
        if self.version == 0 {
            out.u32(self.size_bytes);
        } else {
            out.pointer(self.size_bytes.into()).u32(self.pid);
        }
        if self.version >= 2 {
            // Checksum, a time stamp that the kernel did not look up, signature, preferred base, reserved.
            out.u32(0x1_2345).u32(0).u32(0);
            out.pointer(self.base).fill(16, 0);
        }
        out.wstr(self.path);
    }
}

/// An image's symbols as a merge writes them, `DbgID_RSDS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DebugId<'a> {
    /// Address of the image.
    pub base: u64,
    /// Process id.
    pub pid: u32,
    /// Identifies the build.
    pub guid: Guid,
    /// Counts changes to the symbols after it.
    pub age: u32,
    /// Path of the symbol file.
    pub pdb_path: &'a str,
}

const IMAGE_ID_CLASS: Guid = Guid::from_u128(0xb3e675d7_2554_4f18_830b_2762732560de);

impl DebugId<'_> {
    /// The whole event with its header of 30h bytes, in 64 bits, for [`TraceWriter::raw`].
    ///
    /// [`TraceWriter::raw`]: crate::file::writer::TraceWriter::raw
    #[must_use]
    pub fn event(&self, ticks: i64) -> Vec<u8> {
        let mut payload = Bytes::new(Pointer::Eight);
        payload.pointer(self.base).u32(self.pid).guid(self.guid);
        payload.u32(self.age).astr(self.pdb_path);
        let size = 0x30 + payload.as_slice().len();
        let mut out = Bytes::new(Pointer::Eight);
        out.u16(u16::try_from(size).unwrap_or(u16::MAX))
            .u8(0x14)
            .u8(0xC0);
        out.u8(0x24).u8(0).u16(2);
        out.u32(u32::MAX).u32(self.pid).i64(ticks);
        out.guid(IMAGE_ID_CLASS).u64(0).raw(payload.as_slice());
        out.as_slice().to_vec()
    }
}
