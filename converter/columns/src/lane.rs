//! A table's way from facts to its file. Facts are collected, then written in parallel with the work that finds them.

use std::fmt;
use std::path::{Path, PathBuf};

use beside::{Beside, Work};

use crate::error::Error;
use crate::writer::Writer;

/// Facts that are handed over at once.
const HANDFUL_FACTS: usize = 1 << 14;
/// A handful is full when its facts hold so many bytes of further data. The facts themselves do not count.
const HANDFUL_BYTES: usize = 2 << 20;
/// Handfuls that may wait to be written: bounds memory where the disk is slow. They hold several record batches, so that what finds
/// facts need not wait while one is written.
const HANDFULS_WAITING_MAX: usize = 16;

/// Facts of one table under way to its file. Dropped before [`Lane::finish`], it leaves nothing.
pub struct Lane<W: Writer> {
    facts: Vec<W::Fact>,
    held_bytes: usize,
    writing: Beside<Writing<W>>,
    folder: PathBuf,
}

/// The work of a writer.
struct Writing<W>(W);

impl<W: Writer> Work for Writing<W> {
    type Item = Vec<W::Fact>;
    type Error = Error;

    fn take(&mut self, facts: &mut Vec<W::Fact>) -> Result<(), Error> {
        self.0.extend(facts)
    }
}

impl<W: Writer> Lane<W> {
    /// The way to a file in `folder`.
    pub fn to(folder: &Path, file: W) -> Self {
        Self {
            facts: Vec::new(),
            held_bytes: 0,
            writing: Beside::begin(Writing(file), HANDFULS_WAITING_MAX),
            folder: folder.to_owned(),
        }
    }

    /// Takes a fact.
    #[inline]
    pub fn push(&mut self, fact: W::Fact) {
        self.held_bytes += W::held_bytes(&fact);
        self.facts.push(fact);
        if self.facts.len() >= HANDFUL_FACTS || self.held_bytes >= HANDFUL_BYTES {
            self.hand_over();
        }
    }

    /// Writes what is left, and gives the file its name; answers its size in bytes.
    ///
    /// # Errors
    /// If something could not be written.
    pub fn finish(mut self) -> Result<u64, Error> {
        self.hand_over();
        self.writing.finish()?.0.finish()
    }

    fn hand_over(&mut self) {
        let empty = self.writing.done().unwrap_or_default();
        let facts = std::mem::replace(&mut self.facts, empty);
        self.held_bytes = 0;
        // After an error, which is told at the end, nothing is taken.
        self.writing.hand_over(facts);
    }
}

impl<W: Writer> fmt::Debug for Lane<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", W::NAME, self.folder.display())
    }
}
