//! Cabinets of one file: the form in which some symbol stores keep PDBs, named `.pd_`.

use std::fs::File;
use std::io::{self, Error, ErrorKind, Read, Write};
use std::path::Path;

use crate::resolve::PDB_BYTES_MAX;

/// Writes the one file of a cabinet to `out`.
///
/// # Errors
/// Fails if it is damaged, holds no file, or more than a PDB can have.
pub fn unpack(cabinet: &Path, out: &mut impl Write) -> io::Result<()> {
    let mut cabinet = cab::Cabinet::new(File::open(cabinet)?)?;
    let name = cabinet
        .folder_entries()
        .flat_map(|folder| folder.file_entries())
        .map(|file| file.name().to_owned())
        .next()
        .ok_or_else(|| Error::new(ErrorKind::InvalidData, "the cabinet holds no file"))?;
    let mut file = cabinet.read_file(&name)?.take(PDB_BYTES_MAX + 1);
    if io::copy(&mut file, out)? > PDB_BYTES_MAX {
        return Err(Error::new(
            ErrorKind::InvalidData,
            "it is too large for a PDB",
        ));
    }
    Ok(())
}
