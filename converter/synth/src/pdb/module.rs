//! The stream of a module: its functions, and the lines of their instructions.

use super::streams::{bytes, symbol};
use super::{CODE_RVA, Pdb};
use crate::file::bytes::Bytes;

const C13: u32 = 4;
const S_END: u16 = 0x0006;
const S_GPROC32: u16 = 0x1110;
const DEBUG_S_LINES: u32 = 0xF2;
const DEBUG_S_FILECHKSMS: u32 = 0xF4;
/// The line begins a statement.
const IS_STATEMENT: u32 = 0x8000_0000;
const BYTES_PER_LINE: u32 = 16;
/// Offset of the source file's name among the names.
const FILE_NAME: u32 = 1;

/// The stream, and the lengths of its parts.
pub struct Module {
    pub bytes: Vec<u8>,
    pub symbol_bytes: u32,
    pub line_bytes: u32,
}

pub fn module(pdb: &Pdb<'_>) -> Module {
    let mut out = bytes();
    out.u32(C13);
    for function in pdb.functions {
        let start = out.as_slice().len() as u32;
        let end = (start + 4 + 35 + function.name.len() as u32 + 1).next_multiple_of(4);
        let mut content = bytes();
        content.u32(0).u32(end).u32(0).u32(function.size_bytes);
        content.u32(0).u32(function.size_bytes).u32(0);
        content
            .u32(function.rva - CODE_RVA)
            .u16(1)
            .u8(0)
            .astr(function.name);
        symbol(&mut out, S_GPROC32, &content);
        symbol(&mut out, S_END, &bytes());
    }
    let symbol_bytes = out.as_slice().len() as u32;
    if !pdb.functions.is_empty() {
        let mut checksums = bytes();
        checksums.u32(FILE_NAME).u8(0).u8(0).u16(0);
        section(&mut out, DEBUG_S_FILECHKSMS, &checksums);
    }
    for function in pdb.functions {
        let count = function.size_bytes.div_ceil(BYTES_PER_LINE);
        let mut lines = bytes();
        lines
            .u32(function.rva - CODE_RVA)
            .u16(1)
            .u16(0)
            .u32(function.size_bytes);
        lines.u32(0).u32(count).u32(12 + 8 * count);
        for number in 0..count {
            lines
                .u32(number * BYTES_PER_LINE)
                .u32((function.line + number) | IS_STATEMENT);
        }
        section(&mut out, DEBUG_S_LINES, &lines);
    }
    let line_bytes = out.as_slice().len() as u32 - symbol_bytes;
    // No global references.
    out.u32(0);
    Module {
        bytes: out.as_slice().to_vec(),
        symbol_bytes,
        line_bytes,
    }
}

fn section(out: &mut Bytes, kind: u32, content: &Bytes) {
    out.u32(kind)
        .u32(content.as_slice().len() as u32)
        .raw(content.as_slice());
}
