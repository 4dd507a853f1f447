//! The output file. It is written under a temporary name, in parallel with the work that makes its bytes. At the end it
//! gets its own name.

use std::io::Write;
use std::path::{Path, PathBuf};

use beside::{Beside, Work};
use tempfile::NamedTempFile;

use crate::error::Error;

/// Chunks that may wait for the disk: bounds memory where the disk is slow.
const CHUNKS_WAITING_MAX: usize = 4;

/// A file that comes into being whole or not at all: dropped before [`Output::finish`], it leaves nothing.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    /// `None` after an error.
    writing: Option<Beside<Chunks>>,
    written_bytes: u64,
}

/// Writes chunks one after another.
#[derive(Debug)]
struct Chunks {
    path: PathBuf,
    /// `None`: they are only counted.
    file: Option<NamedTempFile>,
}

impl Work for Chunks {
    type Item = Vec<u8>;
    type Error = Error;

    fn take(&mut self, chunk: &mut Vec<u8>) -> Result<(), Error> {
        let written = self.file.as_mut().map(|file| file.write_all(chunk));
        written.unwrap_or(Ok(())).map_err(|source| Error::Write {
            path: self.path.clone(),
            source,
        })
    }
}

impl Output {
    /// Creates the temporary file in the folder of `path`.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let folder = folder_of(path);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut builder = tempfile::Builder::new();
        let prefix = format!(".{name}.");
        builder.prefix(&prefix).suffix(".partial");
        share(&mut builder);
        let file = builder.tempfile_in(folder).map_err(|source| Error::Write {
            path: path.to_owned(),
            source,
        })?;
        Ok(Self::to(path, Some(file)))
    }

    /// An output whose bytes are only counted.
    pub fn counted() -> Self {
        Self::to(Path::new(""), None)
    }

    fn to(path: &Path, file: Option<NamedTempFile>) -> Self {
        let path = path.to_owned();
        let chunks = Chunks {
            path: path.clone(),
            file,
        };
        Self {
            path,
            writing: Some(Beside::begin(chunks, CHUNKS_WAITING_MAX)),
            written_bytes: 0,
        }
    }

    /// A vector to collect the next chunk in, with the memory of one already written if there is one.
    pub fn empty_chunk(&mut self) -> Vec<u8> {
        let written = self.writing.as_mut().and_then(Beside::done);
        written.unwrap_or_default()
    }

    /// Hands over a chunk to be written; waits if too many are under way.
    ///
    /// # Errors
    /// If an earlier chunk could not be written.
    pub fn write(&mut self, chunk: Vec<u8>) -> Result<(), Error> {
        self.written_bytes += chunk.len() as u64;
        let writing = self.writing.as_mut();
        if writing.is_some_and(|writing| writing.hand_over(chunk)) {
            return Ok(());
        }
        self.end().map(|_| ())
    }

    /// Writes what is left and gives the file its name; answers its size in bytes.
    ///
    /// # Errors
    /// If it cannot be written or renamed.
    pub fn finish(mut self) -> Result<u64, Error> {
        let Some(mut file) = self.end()? else {
            return Ok(self.written_bytes);
        };
        let failed = |source| Error::Write {
            path: self.path.clone(),
            source,
        };
        file.flush().map_err(failed)?;
        let size_bytes = file.as_file().metadata().map_err(failed)?.len();
        file.persist(&self.path)
            .map_err(|error| failed(error.error))?;
        Ok(size_bytes)
    }

    fn end(&mut self) -> Result<Option<NamedTempFile>, Error> {
        match self.writing.take() {
            Some(writing) => Ok(writing.finish()?.file),
            None => Err(Error::Write {
                path: self.path.clone(),
                source: std::io::Error::other("an earlier part could not be written"),
            }),
        }
    }
}

/// Tells before anything is read whether an output can be at `path`: it takes the place of what is there.
///
/// # Errors
/// If there is no folder for it, or it would take the place of an input or of what is no file.
pub fn check_place<P: AsRef<Path>>(path: &Path, inputs: &[P]) -> Result<(), Error> {
    let refuse = |why| {
        let path = path.to_owned();
        Err(Error::Place { path, why })
    };
    let folder = folder_of(path);
    if !folder.is_dir() {
        return refuse(format!("there is no folder {}", folder.display()));
    }
    let Ok(there) = path.metadata() else {
        return Ok(());
    };
    if !there.is_file() {
        let found = if there.is_dir() {
            "a folder"
        } else {
            "a device or a pipe"
        };
        return refuse(format!("expected the name of a file, found {found}"));
    }
    let is_own = |input: &Path| whole(input) == whole(path);
    match inputs.iter().find(|input| is_own(input.as_ref())) {
        Some(input) => refuse(format!(
            "expected another file than the input {}",
            input.as_ref().display()
        )),
        None => Ok(()),
    }
}

/// The path that a file has whatever leads to it; as it is where the system cannot tell.
fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Temporary files are private by default; this one becomes an ordinary file, within the user's umask.
#[cfg(unix)]
fn share(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn share(_builder: &mut tempfile::Builder<'_, '_>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_that_is_not_finished_leaves_nothing() {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let mut output = Output::create(&folder.path().join("x.pftrace")).expect("it is created");
        output.write(vec![0; 1 << 20]).expect("it is written");
        drop(output);
        let left = std::fs::read_dir(folder.path()).expect("it can be listed");
        assert_eq!(left.count(), 0);
    }
}
