//! PDBs as `ngen` and `crossgen2` write them for native images of .NET code: public symbols, and a map of sections that has their
//! lengths and not their addresses. No linker's table of sections, and no modules.
//!
//! Source: `PdbWriter.cs` of dotnet/runtime, which calls what `ngen` called.

use super::msf;
use super::streams::{
    DebugParts, IS_FUNCTION, NO_STREAM, S_PUB32, bytes, debug_information, information, no_types,
    symbol,
};
use crate::file::bytes::Guid;

/// A section that one may read and run, as that writer marks all of them.
const TEXT: u16 = 0x010D;
/// The writer's last entry: a section of no place.
const SENTINEL: u16 = 0x0208;

/// A public symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NativePublic<'a> {
    /// Its name: a method with its parameters, then `$#`, its assembly, `#` and its token.
    pub name: &'a str,
    /// Number of its section, from 1.
    pub section: u16,
    /// Its place in the section in bytes.
    pub offset: u32,
}

/// What such a PDB says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NativeImagePdb<'a> {
    /// Identifies the build.
    pub guid: Guid,
    /// How often the PDB was changed.
    pub age: u32,
    /// Lengths of the sections in the image's file, in bytes.
    pub section_bytes: &'a [u32],
    /// Public symbols, in any order.
    pub publics: &'a [NativePublic<'a>],
}

impl NativeImagePdb<'_> {
    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut publics = bytes();
        for public in self.publics {
            let mut content = bytes();
            content
                .u32(IS_FUNCTION)
                .u32(public.offset)
                .u16(public.section)
                .astr(public.name);
            symbol(&mut publics, S_PUB32, &content);
        }
        let parts = DebugParts {
            section_map: self.section_map(),
            streams: NO_STREAM.to_le_bytes().repeat(11),
            ..DebugParts::default()
        };
        msf::file(&[
            Vec::new(),
            information(self.guid, self.age),
            no_types(),
            debug_information(self.age, &parts),
            no_types(),
            Vec::new(),
            publics.as_slice().to_vec(),
        ])
    }

    fn section_map(&self) -> Vec<u8> {
        let count = self.section_bytes.len() as u16 + 1;
        let mut out = bytes();
        out.u16(count).u16(count);
        let sections = self.section_bytes.iter().map(|length| (TEXT, *length));
        for (number, (flags, length)) in (1..).zip(sections.chain([(SENTINEL, u32::MAX)])) {
            let number = if flags == SENTINEL { 0 } else { number };
            out.u16(flags).u16(0).u16(0).u16(number);
            out.u16(u16::MAX).u16(u16::MAX).u32(0).u32(length);
        }
        out.as_slice().to_vec()
    }
}
