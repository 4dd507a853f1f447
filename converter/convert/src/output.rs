//! The output file: written by a thread of its own under a temporary name, renamed at the end.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use tempfile::NamedTempFile;

use crate::error::Error;

/// Chunks that may wait for the disk: bounds memory where the disk is slow.
const CHUNKS_WAITING_MAX: usize = 4;

/// A file that comes into being whole or not at all: dropped before [`Output::finish`], it leaves nothing.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    chunks: Option<SyncSender<Vec<u8>>>,
    empty: Receiver<Vec<u8>>,
    writer: Option<JoinHandle<std::io::Result<Option<NamedTempFile>>>>,
    written_bytes: u64,
}

impl Output {
    /// Creates the temporary file beside `path`.
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
        let (chunks, incoming) = sync_channel(CHUNKS_WAITING_MAX);
        let (returned, empty) = channel();
        let writer = std::thread::spawn(move || write_chunks(file, &incoming, &returned));
        Self {
            path: path.to_owned(),
            chunks: Some(chunks),
            empty,
            writer: Some(writer),
            written_bytes: 0,
        }
    }

    /// A vector to collect the next chunk in, with the memory of one already written if there is one.
    pub fn empty_chunk(&self) -> Vec<u8> {
        self.empty.try_recv().unwrap_or_default()
    }

    /// Hands a chunk to the writing thread; waits if too many are under way.
    ///
    /// # Errors
    /// If an earlier chunk could not be written.
    pub fn write(&mut self, chunk: Vec<u8>) -> Result<(), Error> {
        self.written_bytes += chunk.len() as u64;
        let sent = self.chunks.as_ref().map(|chunks| chunks.send(chunk));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => self.join().map(|_| ()),
        }
    }

    /// Writes what is left and gives the file its name; answers its size in bytes.
    ///
    /// # Errors
    /// If it cannot be written or renamed.
    pub fn finish(mut self) -> Result<u64, Error> {
        let Some(file) = self.join()? else {
            return Ok(self.written_bytes);
        };
        let failed = |source| Error::Write {
            path: self.path.clone(),
            source,
        };
        let size_bytes = file.as_file().metadata().map_err(failed)?.len();
        file.persist(&self.path)
            .map_err(|error| failed(error.error))?;
        Ok(size_bytes)
    }

    fn join(&mut self) -> Result<Option<NamedTempFile>, Error> {
        self.chunks = None;
        let failed = |source| Error::Write {
            path: self.path.clone(),
            source,
        };
        match self.writer.take().map(JoinHandle::join) {
            Some(Ok(Ok(file))) => Ok(file),
            Some(Ok(Err(error))) => Err(failed(error)),
            Some(Err(_)) | None => Err(failed(std::io::Error::other("the writing thread ended"))),
        }
    }
}

impl Drop for Output {
    /// Waits for the writing thread, which owns the temporary file and removes it: the process may end right after.
    fn drop(&mut self) {
        let _ = self.join();
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
    let own = path.canonicalize().ok();
    let is_own = |input: &Path| own.is_some() && input.canonicalize().ok() == own;
    match inputs.iter().find(|input| is_own(input.as_ref())) {
        Some(input) => refuse(format!(
            "expected another file than the input {}",
            input.as_ref().display()
        )),
        None => Ok(()),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn write_chunks(
    mut file: Option<NamedTempFile>,
    incoming: &Receiver<Vec<u8>>,
    returned: &Sender<Vec<u8>>,
) -> std::io::Result<Option<NamedTempFile>> {
    for chunk in incoming {
        if let Some(file) = &mut file {
            file.write_all(&chunk)?;
        }
        // The other side may be done and take nothing back.
        let _ = returned.send(chunk);
    }
    if let Some(file) = &mut file {
        file.flush()?;
    }
    Ok(file)
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
