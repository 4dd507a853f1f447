//! The cabinet as if each folder held one file, all of it: the crate that unpacks reads only files, each by unpacking its folder
//! from the start, so that a folder of many files would be unpacked as often.

use std::io::{self, Read, Seek, SeekFrom};

use crate::directory::{Folder, Folders, HAS_RESERVES};
use crate::wrong;

const HEAD_BYTES: usize = 36;
const RESERVES_BYTES: usize = 4;
const FOLDER_BYTES: usize = 8;

/// The name of the file that is a whole folder.
pub(crate) fn name(folder: usize) -> String {
    folder.to_string()
}

/// A directory that stands before the cabinet `file`, whose blocks stay where they are behind it.
///
/// # Errors
/// If a block is then too far away, which is so near the 4 GiB that a cabinet can have.
pub(crate) fn before<R>(folders: &Folders, file: R) -> io::Result<Behind<R>> {
    let Folders {
        folders,
        block_reserve,
    } = folders;
    let mut files = Vec::new();
    for (index, folder) in folders.iter().enumerate() {
        files.extend(folder.size_bytes.unwrap_or(u32::MAX).to_le_bytes());
        files.extend([0; 4]);
        files.extend((index as u16).to_le_bytes());
        files.extend([0; 6]);
        files.extend(name(index).bytes());
        files.push(0);
    }
    let files_at = HEAD_BYTES + RESERVES_BYTES + FOLDER_BYTES * folders.len();
    let size = files_at + files.len();
    let mut head = b"MSCF\0\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    head.extend((files_at as u32).to_le_bytes());
    // Version 1.3, after a field that is not used.
    head.extend([0, 0, 0, 0, 3, 1]);
    let count = folders.len() as u16;
    // No set of cabinets.
    head.extend(
        [count, count, HAS_RESERVES, 0, 0]
            .map(u16::to_le_bytes)
            .concat(),
    );
    // Reserves of the head (2 bytes), of a folder, of a block.
    head.extend([0, 0, 0, *block_reserve]);
    for Folder {
        first_block_at,
        blocks,
        compression,
        ..
    } in folders
    {
        let at = first_block_at.checked_add(size as u32);
        let at = at.ok_or_else(|| wrong(format!("a block at {first_block_at}")))?;
        head.extend(at.to_le_bytes());
        head.extend([*blocks, *compression].map(u16::to_le_bytes).concat());
    }
    head.extend(files);
    Ok(Behind {
        head,
        file,
        position: 0,
    })
}

/// A file behind some bytes in memory.
pub(crate) struct Behind<R> {
    head: Vec<u8>,
    file: R,
    position: u64,
}

impl<R: Read + Seek> Read for Behind<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let in_head = usize::try_from(self.position).ok();
        let head = in_head.and_then(|at| self.head.get(at..));
        if let Some(mut head) = head.filter(|head| !head.is_empty()) {
            let count = head.read(out)?;
            self.seek(SeekFrom::Current(count as i64))?;
            return Ok(count);
        }
        let count = self.file.read(out)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl<R: Seek> Seek for Behind<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let head_bytes = self.head.len() as u64;
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(_) => Some(head_bytes + self.file.seek(to)?),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        if let Some(in_file) = self.position.checked_sub(head_bytes) {
            self.file.seek(SeekFrom::Start(in_file))?;
        }
        Ok(self.position)
    }

    fn stream_position(&mut self) -> io::Result<u64> {
        Ok(self.position)
    }
}
