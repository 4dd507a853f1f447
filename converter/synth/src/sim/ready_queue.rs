//! The threads that want a processor, best first.

use std::collections::BTreeSet;

use super::arena::Key;
use super::thread::Thread;

/// Claim, arrival and thread.
type Entry = ((u8, u8), u64, Key<Thread>);

/// One queue for all processors, ordered by rank, priority, then arrival.
#[derive(Debug, Default)]
pub struct ReadyQueue {
    entries: BTreeSet<Entry>,
    arrivals: u64,
}

impl ReadyQueue {
    /// Adds a thread with its claim behind those of the same claim.
    pub fn push(&mut self, claim: (u8, u8), thread: Key<Thread>) {
        self.arrivals += 1;
        self.entries.insert((claim, self.arrivals, thread));
    }

    /// Takes out the best of the threads that may run.
    pub fn pop(&mut self, may_run: impl Fn(Key<Thread>) -> bool) -> Option<Key<Thread>> {
        let best = self.best(may_run)?;
        self.entries.remove(&best);
        Some(best.2)
    }

    /// The best claim of the threads that may run.
    #[must_use]
    pub fn best_claim(&self, may_run: impl Fn(Key<Thread>) -> bool) -> Option<(u8, u8)> {
        self.best(may_run).map(|(claim, _, _)| claim)
    }

    fn best(&self, may_run: impl Fn(Key<Thread>) -> bool) -> Option<Entry> {
        self.entries
            .iter()
            .copied()
            .find(|(_, _, thread)| may_run(*thread))
    }

    /// Takes out every thread that the test names.
    pub fn take(&mut self, mut wanted: impl FnMut(Key<Thread>) -> bool) -> Vec<Key<Thread>> {
        let taken: Vec<_> = self
            .entries
            .iter()
            .copied()
            .filter(|(_, _, thread)| wanted(*thread))
            .collect();
        for entry in &taken {
            self.entries.remove(entry);
        }
        taken.into_iter().map(|(_, _, thread)| thread).collect()
    }
}
