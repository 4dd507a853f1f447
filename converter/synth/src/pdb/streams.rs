//! The streams of a PDB.

use super::module::module;
use super::{CODE_RVA, Pdb};
use crate::file::bytes::{Bytes, Guid, Pointer};

/// Streams that this PDB has, in addition to those of fixed number.
const NAMES: u32 = 5;
const PUBLICS: u16 = 6;
const SECTIONS: u16 = 7;
const MODULE: u16 = 8;
pub const NO_STREAM: u16 = u16::MAX;

const VC70: u32 = 20_000_404;
const VC140: u32 = 20_140_508;
const DBI_V70: u32 = 19_990_903;
const TPI_V80: u32 = 20_040_203;
const CONTRIBUTIONS_V60: u32 = 0xF12E_BA2D;
const NAMES_MAGIC: u32 = 0xEFFE_EFFE;
const MACHINE_AMD64: u16 = 0x8664;
const CODE: u32 = 0x6000_0020;
pub const S_PUB32: u16 = 0x110E;
pub const IS_FUNCTION: u32 = 2;

pub fn bytes() -> Bytes {
    Bytes::new(Pointer::Eight)
}

/// Fills up to a multiple of four bytes.
pub fn align(out: &mut Bytes) {
    let used = out.as_slice().len();
    out.fill(used.next_multiple_of(4) - used, 0);
}

/// A symbol: length, kind, what it says.
pub fn symbol(out: &mut Bytes, kind: u16, content: &Bytes) {
    let mut record = bytes();
    record.u16(kind).raw(content.as_slice());
    let padded = (record.as_slice().len() + 2).next_multiple_of(4) - 2;
    record.fill(padded - record.as_slice().len(), 0);
    out.u16(u16::try_from(padded).unwrap_or(u16::MAX))
        .raw(record.as_slice());
}

pub fn information(guid: Guid, age: u32) -> Vec<u8> {
    let mut out = bytes();
    out.u32(VC70).u32(0x6543_2100).u32(age).guid(guid);
    let name = b"/names\0";
    out.u32(name.len() as u32).raw(name);
    // A hash table of one entry in one bucket: present, not deleted, offset of the name, stream.
    out.u32(1).u32(1).u32(1).u32(1).u32(0).u32(0).u32(NAMES);
    out.u32(0).u32(VC140);
    out.as_slice().to_vec()
}

pub fn no_types() -> Vec<u8> {
    let mut out = bytes();
    out.u32(TPI_V80).u32(56).u32(0x1000).u32(0x1000).u32(0);
    out.u16(NO_STREAM).u16(NO_STREAM).u32(4).u32(0x3_FFFF);
    out.fill(24, 0);
    out.as_slice().to_vec()
}

/// Parts of the stream of debug information, in their order.
#[derive(Default)]
pub struct DebugParts {
    pub modules: Vec<u8>,
    pub contributions: Vec<u8>,
    pub section_map: Vec<u8>,
    pub files: Vec<u8>,
    /// Numbers of the optional streams.
    pub streams: Vec<u8>,
}

/// The stream that names all others.
pub fn debug_information(age: u32, parts: &DebugParts) -> Vec<u8> {
    let DebugParts {
        modules,
        contributions,
        section_map,
        files,
        streams,
    } = parts;
    let mut out = bytes();
    out.i32(-1).u32(DBI_V70).u32(age);
    out.u16(NO_STREAM)
        .u16(0x8E1D)
        .u16(NO_STREAM)
        .u16(0)
        .u16(PUBLICS)
        .u16(0);
    for part in [modules, contributions, section_map, files] {
        out.u32(part.len() as u32);
    }
    out.u32(0).u32(0).u32(streams.len() as u32).u32(0);
    out.u16(0).u16(MACHINE_AMD64).u32(0);
    for part in [modules, contributions, section_map, files, streams] {
        out.raw(part);
    }
    out.as_slice().to_vec()
}

pub fn modules(pdb: &Pdb<'_>) -> Vec<u8> {
    let written = module(pdb);
    let mut contribution = bytes();
    contribution
        .u16(1)
        .u16(0)
        .u32(0)
        .u32(pdb.code_bytes)
        .u32(CODE);
    contribution.u16(0).u16(0).u32(0).u32(0);

    let mut list = bytes();
    list.u32(0).raw(contribution.as_slice()).u16(0).u16(MODULE);
    list.u32(written.symbol_bytes)
        .u32(0)
        .u32(written.line_bytes);
    list.u16(1).u16(0).u32(0).u32(0).u32(0);
    list.astr("program.obj").astr("program.obj");
    align(&mut list);

    let mut contributions = bytes();
    contributions
        .u32(CONTRIBUTIONS_V60)
        .raw(contribution.as_slice());

    let mut files = bytes();
    files.u16(1).u16(1).u16(0).u16(1).u32(0).astr(pdb.file);
    align(&mut files);

    let mut streams = bytes();
    for number in 0..11 {
        streams.u16(if number == 5 { SECTIONS } else { NO_STREAM });
    }

    let part = |part: &Bytes| part.as_slice().to_vec();
    let parts = DebugParts {
        modules: part(&list),
        contributions: part(&contributions),
        section_map: Vec::new(),
        files: part(&files),
        streams: part(&streams),
    };
    debug_information(pdb.age, &parts)
}

/// Strings that other streams name by their offset: the source file, at 1.
pub fn names(pdb: &Pdb<'_>) -> Vec<u8> {
    let mut strings = bytes();
    strings.u8(0).astr(pdb.file);
    let mut out = bytes();
    out.u32(NAMES_MAGIC).u32(1);
    out.u32(strings.as_slice().len() as u32)
        .raw(strings.as_slice());
    out.u32(1).u32(1).u32(1);
    out.as_slice().to_vec()
}

pub fn publics(pdb: &Pdb<'_>) -> Vec<u8> {
    let mut out = bytes();
    for public in pdb.publics {
        let mut content = bytes();
        content
            .u32(IS_FUNCTION)
            .u32(public.rva - CODE_RVA)
            .u16(1)
            .astr(public.name);
        symbol(&mut out, S_PUB32, &content);
    }
    out.as_slice().to_vec()
}

pub fn sections(pdb: &Pdb<'_>) -> Vec<u8> {
    let mut out = bytes();
    out.raw(b".text\0\0\0").u32(pdb.code_bytes).u32(CODE_RVA);
    out.u32(pdb.code_bytes)
        .u32(0x400)
        .u32(0)
        .u32(0)
        .u32(0)
        .u32(CODE);
    out.as_slice().to_vec()
}
