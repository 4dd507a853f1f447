//! PDBs with known truth: the functions of a program with one section of code.

mod module;
mod msf;
mod native_image;
mod streams;

use std::fs;
use std::io;
use std::path::Path;

use crate::file::bytes::Guid;

pub use native_image::{NativeImagePdb, NativePublic};

/// A function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Function<'a> {
    /// Its name as the compiler writes it: `Namespace::Class::function`.
    pub name: &'a str,
    /// Its first instruction, less the address of the image. Not below [`CODE_RVA`].
    pub rva: u32,
    /// Length of its code in bytes.
    pub size_bytes: u32,
    /// The line of its first instruction; each further 16 bytes are the next line.
    pub line: u32,
}

/// A public symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Public<'a> {
    /// Its name as the linker sees it.
    pub name: &'a str,
    /// Its address, less that of the image. Not below [`CODE_RVA`].
    pub rva: u32,
}

/// What a PDB says of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pdb<'a> {
    /// Identifies the build.
    pub guid: Guid,
    /// How often the PDB was changed.
    pub age: u32,
    /// Length of the code in bytes, from [`CODE_RVA`] on.
    pub code_bytes: u32,
    /// Public symbols, by address: all that a public PDB has.
    pub publics: &'a [Public<'a>],
    /// The source file of the functions.
    pub file: &'a str,
    /// Functions, by address; none in a public PDB.
    pub functions: &'a [Function<'a>],
}

/// Where the code of a program begins, less the address of the image.
pub const CODE_RVA: u32 = 0x1000;

impl Pdb<'_> {
    /// Writes the file into a folder, as a symbol store keeps it: `NAME/GUIDAGE/NAME`. `guid` is that of the PDB as a number.
    ///
    /// # Errors
    /// Fails if the folder cannot be written.
    pub fn put_in_store(&self, store: &Path, name: &str, guid: u128) -> io::Result<()> {
        let folder = store.join(name).join(format!("{guid:032X}{:X}", self.age));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), self.bytes())
    }

    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        msf::file(&[
            Vec::new(),
            streams::information(self.guid, self.age),
            streams::no_types(),
            streams::modules(self),
            streams::no_types(),
            streams::names(self),
            streams::publics(self),
            streams::sections(self),
            module::module(self).bytes,
        ])
    }
}
