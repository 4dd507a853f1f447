//! Opens cabinets whose directory agrees with their data: the crate that unpacks them takes that for granted, and panics.
//!
//! Source: MS-CAB.

mod directory;
mod whole_folders;

use std::io::{self, Read, Seek};

use cab::Cabinet as Unpacker;

use directory::Directory;
use whole_folders::Behind;

/// A cabinet that is open for reading.
pub struct Cabinet<R> {
    files: Vec<FileEntry>,
    folders: Unpacker<Behind<R>>,
}

/// Where the content of a file is: files lie one after another in folders, which are packed whole.
#[derive(Debug)]
pub struct FileEntry {
    /// As it is stored, with its folders in the file system.
    pub name: String,
    /// The index of the packed folder.
    pub folder: usize,
    /// Where it begins in the unpacked folder.
    pub offset: u64,
    /// Its size, unpacked.
    pub size_bytes: u64,
}

impl<R: Read + Seek> Cabinet<R> {
    /// Opens a cabinet.
    ///
    /// # Errors
    /// If it is none, a file begins after the data of its folder, a block is stored in another size than it has, or the heads
    /// cannot be read. Data that end early are left for the unpacking to tell.
    pub fn open(mut file: R) -> io::Result<Self> {
        let Directory { files, folders } = directory::read(&mut file)?;
        file.rewind()?;
        Unpacker::new(&mut file)?;
        let folders = Unpacker::new(whole_folders::before(&folders, file)?)?;
        Ok(Self { files, folders })
    }

    /// Its files, in its order.
    pub fn files(&self) -> &[FileEntry] {
        &self.files
    }

    /// Unpacks a folder from its start: all of its files, each where its entry says. They may overlap in a forged cabinet.
    ///
    /// # Errors
    /// If there is no such folder, or its first block cannot be unpacked.
    pub fn read_folder(&mut self, folder: usize) -> io::Result<impl Read> {
        self.folders.read_file(&whole_folders::name(folder))
    }
}

fn wrong(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it names {what}"))
}
