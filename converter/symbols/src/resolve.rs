//! Addresses to functions, by one PDB.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use msvc_demangler::DemangleFlags;
use pdb_addr2line::pdb::{self, PDB};
use pdb_addr2line::{Context, ContextPdbData, TypeFormatterFlags};

use crate::identity::PdbIdentity;
use crate::native_image::NativeImage;
use crate::protocol::{Named, Request};
use crate::source::BoundedFile;

/// A PDB larger than this is none that a tool can have written, in bytes: 4 GiB with pages of 4 KiB is the format's limit.
pub const PDB_BYTES_MAX: u64 = 1 << 32;
/// A PDB that takes longer than this is given up: the largest known take some seconds.
const READING_MAX: Duration = Duration::from_secs(120);

/// Why a PDB gives no functions.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// It is too large to be one.
    #[error("{0} bytes are too many for a PDB")]
    TooLarge(u64),
    /// It is of another build.
    #[error("of another build (GUID {0})")]
    OtherBuild(String),
    /// It is a PDB of .NET code, which knows no addresses.
    #[error("a portable PDB, which holds no addresses")]
    Portable,
    /// It is damaged, or not a PDB.
    #[error("not readable as a PDB: {0}")]
    Format(String),
    /// Reading it took too long.
    #[error("not read within {} s", READING_MAX.as_secs())]
    TooLong,
}

impl From<pdb::Error> for ReadError {
    fn from(error: pdb::Error) -> Self {
        Self::Format(error.to_string())
    }
}

impl From<pdb_addr2line::Error> for ReadError {
    fn from(error: pdb_addr2line::Error) -> Self {
        Self::Format(error.to_string())
    }
}

/// The functions at the addresses of a request, in the order asked for; those in no function are left out.
///
/// # Errors
/// Fails if the file is not that build of the PDB, or cannot be read.
pub fn resolve(
    path: &Path,
    identity: &PdbIdentity,
    request: &Request,
) -> Result<Vec<Named>, ReadError> {
    let (path, identity) = (path.to_owned(), identity.clone());
    let image_bytes = request.image_bytes;
    let at = request.rvas.iter().map(|&rva| (rva, rva));
    let before = |rva: &u32| (*rva, rva.saturating_sub(1));
    let probes: Vec<_> = at.chain(request.returns.iter().map(before)).collect();
    apart(move || {
        let mut pdb = open(&path, &identity)?;
        if NativeImage::is_meant(identity.name()) {
            let image = NativeImage::read(&mut pdb, image_bytes)?;
            let named = probes
                .into_iter()
                .filter_map(|(rva, probe)| method(&image, rva, probe));
            return Ok(named.collect());
        }
        let data = ContextPdbData::try_from_pdb(pdb)?;
        let context = data.make_context_with_formatter_flags(TypeFormatterFlags::NAME_ONLY)?;
        let named = probes
            .into_iter()
            .filter_map(|(rva, probe)| name(&context, rva, probe));
        Ok(named.collect())
    })
}

/// Checks that a file is that build.
///
/// # Errors
/// Fails if it is not, or cannot be read.
pub fn check(path: &Path, identity: &PdbIdentity) -> Result<(), ReadError> {
    let (path, identity) = (path.to_owned(), identity.clone());
    apart(move || open(&path, &identity).map(|_| ()))
}

/// Works in a thread of its own: the reader may panic over, or be long at, what a stranger wrote. In WebAssembly, which has no
/// threads, a panic ends the program: whoever runs it there has it read one PDB.
fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ReadError> + Send + 'static,
) -> Result<T, ReadError> {
    if cfg!(target_family = "wasm") {
        return work();
    }
    let (send, receive) = channel();
    // Where the caller no longer waits, the answer is of no use.
    thread::spawn(move || drop(send.send(work())));
    receive
        .recv_timeout(READING_MAX)
        .unwrap_or_else(|error| match error {
            RecvTimeoutError::Timeout => Err(ReadError::TooLong),
            RecvTimeoutError::Disconnected => Err(ReadError::Format("it is damaged".to_owned())),
        })
}

fn open(path: &Path, identity: &PdbIdentity) -> Result<PDB<'static, BoundedFile>, ReadError> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ReadError::Format("not a file".to_owned()));
    }
    if metadata.len() > PDB_BYTES_MAX {
        return Err(ReadError::TooLarge(metadata.len()));
    }
    match &start(&file)?[..] {
        start if start.starts_with(b"BSJB") => return Err(ReadError::Portable),
        start if start.starts_with(b"Microsoft C/C++ ") => {}
        _ => return Err(ReadError::Format("it begins as none".to_owned())),
    }
    let mut pdb = PDB::open(BoundedFile::new(file, metadata.len()))?;
    // The age in the file may be higher than that in the image: tools that rewrite a PDB count it up, and the build stays.
    let guid = pdb.pdb_information()?.guid.simple().to_string();
    if guid == identity.guid() {
        Ok(pdb)
    } else {
        Err(ReadError::OtherBuild(guid))
    }
}

/// The first bytes of a file: those that tell what it is.
fn start(file: &File) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(16).read_to_end(&mut start)?;
    Ok(start)
}

fn method(image: &NativeImage, rva: u32, probe: u32) -> Option<Named> {
    Some(Named {
        rva,
        function: image.method_at(probe)?.to_owned(),
        file: None,
        line: None,
    })
}

fn name(context: &Context<'_, '_>, rva: u32, probe: u32) -> Option<Named> {
    let frames = context.find_frames(probe).ok()??;
    // The outermost is the function that holds the instruction; the others were inlined into it.
    let frame = frames.frames.into_iter().next_back()?;
    Some(Named {
        rva,
        function: undecorate(frame.function?),
        file: frame.file.map(|file| file.into_owned()),
        line: frame.line,
    })
}

/// Public symbols carry the names that the linker sees.
fn undecorate(name: String) -> String {
    if !name.starts_with('?') {
        return name;
    }
    msvc_demangler::demangle(&name, DemangleFlags::NAME_ONLY).unwrap_or(name)
}
