//! A table's way from facts to its file: they are collected, and a thread of the table's own writes them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use crate::error::Error;
use crate::writer::Writer;

/// Facts that are handed over at once.
const HANDFUL_FACTS: usize = 1 << 14;
/// Handfuls that may wait to be written: bounds memory where the disk is slow.
const HANDFULS_WAITING_MAX: usize = 4;

/// Facts of one table under way to its file. Dropped before [`Lane::finish`], it leaves nothing.
pub struct Lane<W: Writer> {
    facts: Vec<W::Fact>,
    handfuls: Option<SyncSender<Vec<W::Fact>>>,
    empty: Receiver<Vec<W::Fact>>,
    writer: Option<JoinHandle<Result<W, Error>>>,
    folder: PathBuf,
}

impl<W: Writer> Lane<W> {
    /// The way to a file in `folder`.
    pub fn to(folder: &Path, file: W) -> Self {
        let (handfuls, incoming) = sync_channel(HANDFULS_WAITING_MAX);
        let (returned, empty) = channel();
        let writer = std::thread::spawn(move || write_all(file, &incoming, &returned));
        Self {
            facts: Vec::new(),
            handfuls: Some(handfuls),
            empty,
            writer: Some(writer),
            folder: folder.to_owned(),
        }
    }

    /// Takes a fact.
    #[inline]
    pub fn push(&mut self, fact: W::Fact) {
        self.facts.push(fact);
        if self.facts.len() >= HANDFUL_FACTS {
            self.hand_over();
        }
    }

    /// Writes what is left, and gives the file its name; answers its size in bytes.
    ///
    /// # Errors
    /// If something could not be written.
    pub fn finish(mut self) -> Result<u64, Error> {
        self.hand_over();
        match self.join() {
            Some(Ok(file)) => file?.finish(),
            Some(Err(_)) | None => Err(Error::Write {
                path: self.folder.clone(),
                source: std::io::Error::other("the writing thread ended"),
            }),
        }
    }

    fn hand_over(&mut self) {
        let empty = self.empty.try_recv().unwrap_or_default();
        let facts = std::mem::replace(&mut self.facts, empty);
        if let Some(handfuls) = &self.handfuls {
            // The other side takes nothing after an error, which it tells at the end.
            let _ = handfuls.send(facts);
        }
    }

    fn join(&mut self) -> Option<std::thread::Result<Result<W, Error>>> {
        self.handfuls = None;
        Some(self.writer.take()?.join())
    }
}

impl<W: Writer> fmt::Debug for Lane<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", W::NAME, self.folder.display())
    }
}

impl<W: Writer> Drop for Lane<W> {
    /// Waits for the writing thread, which owns the temporary file and removes it: the process may end right after.
    fn drop(&mut self) {
        let _ = self.join();
    }
}

fn write_all<W: Writer>(
    mut file: W,
    handfuls: &Receiver<Vec<W::Fact>>,
    returned: &Sender<Vec<W::Fact>>,
) -> Result<W, Error> {
    for mut facts in handfuls {
        file.extend(&mut facts)?;
        // The other side may be done and take nothing back.
        let _ = returned.send(facts);
    }
    Ok(file)
}
