//! Reads the heads of a cabinet, and holds them against its data.

use std::io::{self, Read, Seek, SeekFrom};

use crate::{FileEntry, wrong};

const FILES_AT: u64 = 16;
const COUNTS_AT: u64 = 26;
const RESERVES_AT: u64 = 36;
const HAS_PREVIOUS: u16 = 1;
const HAS_NEXT: u16 = 2;
pub(crate) const HAS_RESERVES: u16 = 4;
const COMPRESSION_TYPE: u16 = 0xF;
const BLOCK_HEAD_BYTES: u64 = 8;
const DATE_AND_ATTRIBUTES_BYTES: i64 = 6;
/// The longest text of a cabinet.
const TEXT_BYTES_MAX: usize = 255;

/// A folder's head, and what it unpacks to.
pub(crate) struct Folder {
    pub(crate) first_block_at: u32,
    pub(crate) blocks: u16,
    pub(crate) compression: u16,
    /// `None` if its data end early.
    pub(crate) size_bytes: Option<u32>,
}

/// What the heads say.
pub(crate) struct Directory {
    pub(crate) files: Vec<FileEntry>,
    pub(crate) folders: Folders,
}

pub(crate) struct Folders {
    pub(crate) folders: Vec<Folder>,
    /// Bytes between the head of a block and its data.
    pub(crate) block_reserve: u8,
}

pub(crate) fn read(cabinet: &mut (impl Read + Seek)) -> io::Result<Directory> {
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
            head.text()?;
            head.text()?;
        }
    }
    let mut folders = Vec::new();
    for _ in 0..folder_count {
        folders.push(Folder {
            first_block_at: head.u32()?,
            blocks: head.u16()?,
            compression: head.u16()?,
            size_bytes: None,
        });
        head.skip(folder_reserve.into())?;
    }
    let blocks = folders.iter().map(|folder| u64::from(folder.blocks));
    let blocks: u64 = blocks.sum();
    if blocks.saturating_mul(BLOCK_HEAD_BYTES) > size_bytes {
        return Err(wrong(format!("{blocks} blocks in {size_bytes} bytes")));
    }
    for folder in &mut folders {
        folder.size_bytes = unpacked_bytes(cabinet, folder, block_reserve)?;
    }
    let head = at(cabinet, files_at.into())?;
    let mut files = Vec::new();
    for _ in 0..file_count {
        let (size, offset, folder) = (head.u32()?, head.u32()?, head.u16()?);
        head.skip(DATE_AND_ATTRIBUTES_BYTES)?;
        let file = FileEntry {
            name: head.text()?,
            folder: folder.into(),
            offset: offset.into(),
            size_bytes: size.into(),
        };
        let most = folders.get(file.folder).and_then(|its| its.size_bytes);
        if let Some(most) = most.filter(|most| offset > *most) {
            return Err(wrong(format!(
                "a file at {offset} in a folder of {most} bytes"
            )));
        }
        files.push(file);
    }
    let folders = Folders {
        folders,
        block_reserve,
    };
    Ok(Directory { files, folders })
}

/// The bytes that a folder unpacks to; `None` if its data end early.
fn unpacked_bytes(
    cabinet: &mut (impl Read + Seek),
    folder: &Folder,
    block_reserve: u8,
) -> io::Result<Option<u32>> {
    let data = at(cabinet, folder.first_block_at.into())?;
    let is_packed = folder.compression & COMPRESSION_TYPE != 0;
    let mut bytes = 0;
    for _ in 0..folder.blocks {
        let Ok([_, _, _, _, a, b, c, d]) = data.array() else {
            return Ok(None);
        };
        let [packed, unpacked] = [[a, b], [c, d]].map(u16::from_le_bytes);
        if packed != unpacked && !is_packed {
            return Err(wrong(format!(
                "a block of {unpacked} bytes stored in {packed}"
            )));
        }
        // 2^16 - 1 blocks of 2^16 - 1 bytes are less than 2^32.
        bytes += u32::from(unpacked);
        data.skip(i64::from(packed) + i64::from(block_reserve))?;
    }
    Ok(Some(bytes))
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
    fn text(&mut self) -> io::Result<String> {
        let mut text = Vec::new();
        loop {
            let [byte] = self.array()?;
            if byte == 0 {
                return Ok(String::from_utf8_lossy(&text).into_owned());
            }
            if text.len() == TEXT_BYTES_MAX {
                return Err(wrong(format!("a name of over {TEXT_BYTES_MAX} bytes")));
            }
            text.push(byte);
        }
    }
}

impl<R: Read + Seek> Numbers for R {}
