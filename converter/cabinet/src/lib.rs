//! Opens cabinets whose directory agrees with their data: the crate that unpacks them takes that for granted, and panics.
//!
//! Source: MS-CAB.

use std::io::{self, Read, Seek, SeekFrom};

use cab::Cabinet;

const FILES_AT: u64 = 16;
const COUNTS_AT: u64 = 26;
const RESERVES_AT: u64 = 36;
const HAS_PREVIOUS: u16 = 1;
const HAS_NEXT: u16 = 2;
const HAS_RESERVES: u16 = 4;
const COMPRESSION_TYPE: u16 = 0xF;
const BLOCK_HEAD_BYTES: u64 = 8;

struct Folder {
    first_block_at: u64,
    blocks: u16,
    is_packed: bool,
}

/// Opens a cabinet.
///
/// # Errors
/// If it is none, a file begins after the data of its folder, a block is stored in another size than it has, or the heads
/// cannot be read. Data that end early are left for the unpacking to tell.
pub fn open<R: Read + Seek>(mut file: R) -> io::Result<Cabinet<R>> {
    check(&mut file)?;
    file.rewind()?;
    Cabinet::new(file)
}

fn check(cabinet: &mut (impl Read + Seek)) -> io::Result<()> {
    let size_bytes = cabinet.seek(SeekFrom::End(0))?;
    let files_at = at(cabinet, FILES_AT)?.u32()?;
    let head = at(cabinet, COUNTS_AT)?;
    let (folder_count, file_count, flags) = (head.u16()?, head.u16()?, head.u16()?);
    let head = at(cabinet, RESERVES_AT)?;
    let (mut folder_reserve, mut block_reserve) = (0, 0);
    if flags & HAS_RESERVES != 0 {
        let head_reserve = head.u16()?;
        [folder_reserve, block_reserve] = head.array()?;
        head.skip(head_reserve.into())?;
    }
    for neighbour in [HAS_PREVIOUS, HAS_NEXT] {
        if flags & neighbour != 0 {
            head.skip_text()?;
            head.skip_text()?;
        }
    }
    let mut folders = Vec::new();
    for _ in 0..folder_count {
        folders.push(Folder {
            first_block_at: head.u32()?.into(),
            blocks: head.u16()?,
            is_packed: head.u16()? & COMPRESSION_TYPE != 0,
        });
        head.skip(folder_reserve.into())?;
    }
    let blocks = folders.iter().map(|folder| u64::from(folder.blocks));
    let blocks: u64 = blocks.sum();
    if blocks.saturating_mul(BLOCK_HEAD_BYTES) > size_bytes {
        return Err(wrong(format!("{blocks} blocks in {size_bytes} bytes")));
    }
    let mut folder_bytes = Vec::new();
    for folder in &folders {
        folder_bytes.push(unpacked_bytes(cabinet, folder, block_reserve)?);
    }
    let files = at(cabinet, files_at.into())?;
    for _ in 0..file_count {
        let (_size, offset, folder) = (files.u32()?, files.u32()?, files.u16()?);
        files.skip(6)?;
        files.skip_text()?;
        let most = folder_bytes.get(usize::from(folder)).copied().flatten();
        if let Some(most) = most.filter(|most| u64::from(offset) > *most) {
            return Err(wrong(format!(
                "a file at {offset} in a folder of {most} bytes"
            )));
        }
    }
    Ok(())
}

/// The bytes that a folder unpacks to; `None` if its data end early.
fn unpacked_bytes(
    cabinet: &mut (impl Read + Seek),
    folder: &Folder,
    block_reserve: u8,
) -> io::Result<Option<u64>> {
    let data = at(cabinet, folder.first_block_at)?;
    let mut bytes = 0;
    for _ in 0..folder.blocks {
        let Ok([_, _, _, _, a, b, c, d]) = data.array() else {
            return Ok(None);
        };
        let [packed, unpacked] = [[a, b], [c, d]].map(u16::from_le_bytes);
        if packed != unpacked && !folder.is_packed {
            return Err(wrong(format!(
                "a block of {unpacked} bytes stored in {packed}"
            )));
        }
        bytes += u64::from(unpacked);
        data.skip(i64::from(packed) + i64::from(block_reserve))?;
    }
    Ok(Some(bytes))
}

fn wrong(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it tells of {what}"))
}

fn at<R: Read + Seek>(file: &mut R, position: u64) -> io::Result<&mut R> {
    file.seek(SeekFrom::Start(position))?;
    Ok(file)
}

/// Numbers in little-endian order.
trait Numbers: Read + Seek {
    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn u16(&mut self) -> io::Result<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    fn u32(&mut self) -> io::Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn skip(&mut self, bytes: i64) -> io::Result<()> {
        self.seek(SeekFrom::Current(bytes)).map(drop)
    }

    /// A text up to its zero.
    fn skip_text(&mut self) -> io::Result<()> {
        while self.array()? != [0] {}
        Ok(())
    }
}

impl<R: Read + Seek> Numbers for R {}
