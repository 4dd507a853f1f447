//! Cabinets of one file: the form in which some symbol stores keep PDBs, named `.pd_`.

use std::fs::File;
use std::io::{self, BufReader, Error, ErrorKind, Read, Write};
use std::path::Path;

use cabinet::Cabinet;

use crate::resolve::PDB_BYTES_MAX;

/// Writes the one file of a cabinet to `out`.
///
/// # Errors
/// Fails if it is damaged, holds no file, or more than a PDB can have.
pub fn unpack(cabinet: &Path, out: &mut impl Write) -> io::Result<()> {
    let mut cabinet = Cabinet::open(BufReader::new(File::open(cabinet)?))?;
    let file = cabinet.files().first();
    let file =
        file.ok_or_else(|| Error::new(ErrorKind::InvalidData, "the cabinet holds no file"))?;
    let (folder, offset, size_bytes) = (file.folder, file.offset, file.size_bytes);
    let mut folder = cabinet.read_folder(folder)?;
    io::copy(&mut folder.by_ref().take(offset), &mut io::sink())?;
    let mut file = folder.take(size_bytes.min(PDB_BYTES_MAX + 1));
    if io::copy(&mut file, out)? > PDB_BYTES_MAX {
        return Err(Error::new(
            ErrorKind::InvalidData,
            "it is too large for a PDB",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::unpack;

    /// A cabinet of one stored file, in one block that says it holds `content_bytes`, as MS-CAB lays it out.
    fn cabinet_of(block: &[u8], content_bytes: u16) -> Vec<u8> {
        let length = u16::try_from(block.len()).unwrap();
        let (files_at, data_at) = (44_u32, 66_u32);
        let size = data_at + 8 + u32::from(length);
        let mut out = b"MSCF\0\0\0\0".to_vec();
        for number in [size, 0, files_at, 0] {
            out.extend(number.to_le_bytes());
        }
        // Version 1.3, one folder, one file, no flags, set 0, the first.
        out.extend([3, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
        out.extend(data_at.to_le_bytes());
        out.extend([1, 0, 0, 0]);
        out.extend(u32::from(content_bytes).to_le_bytes());
        out.extend([0; 12]);
        out.extend(b"a.pdb\0");
        out.extend([0; 4]);
        out.extend([length, content_bytes].map(u16::to_le_bytes).concat());
        out.extend(block);
        out
    }

    fn outcome(cabinet: &[u8]) -> Result<Vec<u8>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), cabinet).unwrap();
        let mut out = Vec::new();
        match unpack(file.path(), &mut out) {
            Ok(()) => Ok(out),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn the_one_file_is_unpacked() {
        assert_eq!(outcome(&cabinet_of(b"1234", 4)), Ok(b"1234".to_vec()));
    }

    #[test]
    fn a_cabinet_that_contradicts_itself_is_refused() {
        let told = Err("it names a block of 6 bytes stored in 4".to_owned());
        assert_eq!(outcome(&cabinet_of(b"1234", 6)), told);
    }
}
