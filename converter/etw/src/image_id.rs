//! What identifies an image's file and its symbols, added by the merge of a trace just before the image's own event.
//!
//! Source: `SymbolTraceEventParser.cs` of PerfView; read back from merged files of Windows 7 to 11.

use etl::Guid;

use crate::payload::{Ansi, Payload, PointerWidth, Short, Wide};

/// Class of these events.
pub const IMAGE_ID_CLASS: Guid = Guid::new(0xb3e675d7_2554_4f18_830b_2762732560de);

/// Types of events of [`IMAGE_ID_CLASS`] that are decoded.
pub mod image_id_type {
    /// [`ImageInfo`](super::ImageInfo).
    pub const INFO: u8 = 0x00;
    /// [`DebugId`](super::DebugId).
    pub const RSDS: u8 = 0x24;
}

/// An image's file (type 00). Its process is in the event's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageInfo<'a> {
    /// Address of the image.
    pub base: u64,
    /// Size in memory in bytes.
    pub size_bytes: u64,
    /// Time stamp in its header.
    pub timestamp: u32,
    /// Its name when it was built.
    pub original_name: Wide<'a>,
}

/// Which symbols belong to an image (type 24): what a symbol server looks up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DebugId<'a> {
    /// Address of the image.
    pub base: u64,
    /// Process that it is loaded into; 0 for the kernel's.
    pub pid: u32,
    /// Identifies the build.
    pub guid: Guid,
    /// Counts changes to the symbols after it.
    pub age: u32,
    /// Path of the symbol file on the machine that built it.
    pub pdb_path: Ansi<'a>,
}

impl<'a> ImageInfo<'a> {
    /// Decodes version 2 with the header's pointer width.
    ///
    /// # Errors
    /// [`Short`] if the time stamp is not there.
    pub fn decode(width: PointerWidth, bytes: &'a [u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        let mut fields = || {
            let base = payload.pointer(width)?;
            let size_bytes = payload.pointer(width)?;
            let _zero = payload.u32()?;
            Some(Self {
                base,
                size_bytes,
                timestamp: payload.u32()?,
                original_name: payload.wide().unwrap_or_default(),
            })
        };
        fields().ok_or(Short {
            needed_bytes: 2 * width.bytes() + 8,
            found_bytes: bytes.len(),
        })
    }
}

impl<'a> DebugId<'a> {
    /// Decodes version 2 with the header's pointer width.
    ///
    /// # Errors
    /// [`Short`] if the age is not there.
    pub fn decode(width: PointerWidth, bytes: &'a [u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        let mut fields = || {
            Some(Self {
                base: payload.pointer(width)?,
                pid: payload.u32()?,
                guid: Guid::from_disk(payload.array()?),
                age: payload.u32()?,
                pdb_path: payload.ansi().unwrap_or_default(),
            })
        };
        fields().ok_or(Short {
            needed_bytes: width.bytes() + 24,
            found_bytes: bytes.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_and_its_symbols_in_32_bits() {
        let info = [
            &[0, 0, 0x40, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0x50][..],
            b"a\0\0\0",
        ]
        .concat();
        let info = ImageInfo::decode(PointerWidth::Bits32, &info).unwrap();
        assert_eq!(
            (
                info.base,
                info.size_bytes,
                info.timestamp,
                info.original_name.to_text().as_str()
            ),
            (0x40_0000, 0x2000, 0x5000_0005, "a")
        );
        let guid = Guid::new(0x01020304_0506_0708_090a_0b0c0d0e0f10);
        let id = [
            &[0, 0, 0x40, 0, 9, 0, 0, 0][..],
            &guid.to_disk(),
            &[2, 0, 0, 0],
            b"a.pdb\0",
        ]
        .concat();
        let decoded = DebugId::decode(PointerWidth::Bits32, &id).unwrap();
        assert_eq!(
            (
                decoded.base,
                decoded.pid,
                decoded.guid,
                decoded.age,
                decoded.pdb_path.to_text().as_ref()
            ),
            (0x40_0000, 9, guid, 2, "a.pdb")
        );
        assert_eq!(
            DebugId::decode(PointerWidth::Bits32, &id[..27]),
            Err(Short {
                needed_bytes: 28,
                found_bytes: 27
            })
        );
    }
}
