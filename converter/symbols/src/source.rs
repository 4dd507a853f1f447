//! A PDB on disk, within bounds: no stream of it may be longer than the file.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Seek, SeekFrom};

use pdb_addr2line::pdb::{Source, SourceSlice, SourceView};

/// A file that is read piece by piece. A damaged or hostile PDB may name the same page many times over, so that a small file
/// would fill the memory.
#[derive(Debug)]
pub struct BoundedFile {
    file: File,
    len: u64,
}

impl BoundedFile {
    /// The file, of this length in bytes.
    pub fn new(file: File, len: u64) -> Self {
        Self { file, len }
    }

    fn read(&mut self, slices: &[SourceSlice]) -> Result<Vec<u8>, Error> {
        let total = slices
            .iter()
            .try_fold(0_u64, |sum, slice| sum.checked_add(slice.size as u64));
        let outside = slices.iter().any(|slice| {
            let end = slice.offset.checked_add(slice.size as u64);
            end.is_none_or(|end| end > self.len)
        });
        let Some(total) = total.filter(|total| *total <= self.len && !outside) else {
            return Err(Error::new(
                ErrorKind::InvalidData,
                "a stream is longer than the file",
            ));
        };
        let mut bytes = vec![0; usize::try_from(total).unwrap_or(usize::MAX)];
        let mut left = bytes.as_mut_slice();
        for slice in slices {
            let (piece, after) = left.split_at_mut_checked(slice.size).unwrap_or_default();
            self.file.seek(SeekFrom::Start(slice.offset))?;
            self.file.read_exact(piece)?;
            left = after;
        }
        Ok(bytes)
    }
}

#[derive(Debug)]
struct Bytes(Vec<u8>);

impl SourceView<'_> for Bytes {
    fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

impl<'s> Source<'s> for BoundedFile {
    fn view(
        &mut self,
        slices: &[SourceSlice],
    ) -> Result<Box<dyn SourceView<'s> + Send + Sync>, Error> {
        Ok(Box::new(Bytes(self.read(slices)?)))
    }
}
