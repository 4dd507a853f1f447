//! The sink: each fact goes to its table.

use std::path::Path;

use facts::{Interrupted, Lost, ProcessLife, ReadyWait, Run, Sink, ThreadLife};

use crate::error::Error;
use crate::form::Form;
use crate::lane::Lane;
use crate::tables::{Interrupts, Losses, Processes, ReadyWaits, Runs, Threads};

/// Columns of a recording. Dropped before [`Columns::finish`], they leave nothing.
#[derive(Debug)]
pub struct Columns {
    interrupts: Lane<Interrupts>,
    losses: Lane<Losses>,
    processes: Lane<Processes>,
    ready_waits: Lane<ReadyWaits>,
    runs: Lane<Runs>,
    threads: Lane<Threads>,
}

impl Columns {
    /// Begins files in `folder`, which must be there.
    ///
    /// # Errors
    /// If it cannot be written to.
    pub fn create(folder: &Path, form: Form) -> Result<Self, Error> {
        Ok(Self {
            interrupts: Lane::create(folder, form, Interrupts)?,
            losses: Lane::create(folder, form, Losses)?,
            processes: Lane::create(folder, form, Processes)?,
            ready_waits: Lane::create(folder, form, ReadyWaits::default())?,
            runs: Lane::create(folder, form, Runs::default())?,
            threads: Lane::create(folder, form, Threads)?,
        })
    }

    /// Writes what is left, and gives the files their names; answers the size of all in bytes.
    ///
    /// # Errors
    /// If a file could not be written.
    pub fn finish(self) -> Result<u64, Error> {
        Ok(self.interrupts.finish()?
            + self.losses.finish()?
            + self.processes.finish()?
            + self.ready_waits.finish()?
            + self.runs.finish()?
            + self.threads.finish()?)
    }
}

impl Sink for Columns {
    #[inline]
    fn run(&mut self, run: &Run) {
        self.runs.push(*run);
    }

    #[inline]
    fn ready_wait(&mut self, wait: &ReadyWait) {
        self.ready_waits.push(*wait);
    }

    fn interrupt(&mut self, interrupt: &Interrupted) {
        self.interrupts.push(interrupt.clone());
    }

    fn loss(&mut self, loss: &Lost) {
        self.losses.push(loss.clone());
    }

    fn process(&mut self, process: &ProcessLife) {
        self.processes.push(process.clone());
    }

    fn thread(&mut self, thread: &ThreadLife) {
        self.threads.push(thread.clone());
    }
}
