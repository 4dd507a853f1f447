//! Where the bytes of a trace come from: a file read at positions, or memory.

use std::fs::File;
use std::io;

/// Bytes that can be read at any position by several threads at once.
#[derive(Debug)]
pub(crate) enum Source {
    File { file: File, size_bytes: u64 },
    Memory(Vec<u8>),
}

impl Source {
    pub(crate) fn from_file(file: File) -> io::Result<Self> {
        let size_bytes = file.metadata()?.len();
        Ok(Self::File { file, size_bytes })
    }

    pub(crate) fn size_bytes(&self) -> u64 {
        match self {
            Self::File { size_bytes, .. } => *size_bytes,
            Self::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Fills `out` from `offset` on; an error if the source ends before.
    pub(crate) fn read_exact_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        match self {
            Self::File { file, .. } => read_file_exact_at(file, offset, out),
            Self::Memory(bytes) => {
                let start = usize::try_from(offset).map_err(|_| io::ErrorKind::UnexpectedEof)?;
                let end = start
                    .checked_add(out.len())
                    .ok_or(io::ErrorKind::UnexpectedEof)?;
                let part = bytes.get(start..end).ok_or(io::ErrorKind::UnexpectedEof)?;
                out.copy_from_slice(part);
                Ok(())
            }
        }
    }
}

#[cfg(unix)]
fn read_file_exact_at(file: &File, offset: u64, out: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, offset)
}

#[cfg(windows)]
fn read_file_exact_at(file: &File, mut offset: u64, mut out: &mut [u8]) -> io::Result<()> {
    while !out.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, out, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                offset += count as u64;
                out = out.get_mut(count..).unwrap_or_default();
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Systems whose files are read by position in other ways, or by one thread at a time, as in WebAssembly.
#[cfg(not(any(unix, windows)))]
fn read_file_exact_at(mut file: &File, offset: u64, out: &mut [u8]) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn both_sources_read_the_same_and_stop_at_the_end() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        for source in [
            Source::from_file(file).unwrap(),
            Source::Memory(b"0123456789".to_vec()),
        ] {
            let mut out = [0; 4];
            source.read_exact_at(6, &mut out).unwrap();
            assert_eq!((&out, source.size_bytes()), (b"6789", 10));
            for offset in [7, u64::MAX] {
                assert!(source.read_exact_at(offset, &mut out).is_err());
            }
        }
    }
}
