//! The threads that want a processor, best first.

use std::collections::BTreeSet;

use super::arena::Key;
use super::thread::Thread;

/// One queue for all processors, ordered by rank, priority, then arrival.
#[derive(Debug, Default)]
pub struct ReadyQueue {
    entries: BTreeSet<((u8, u8), u64, Key<Thread>)>,
    arrivals: u64,
}

impl ReadyQueue {
    /// Adds a thread with its claim behind those of the same claim.
    pub fn push(&mut self, claim: (u8, u8), thread: Key<Thread>) {
        self.arrivals += 1;
        self.entries.insert((claim, self.arrivals, thread));
    }

    /// Takes out the best thread.
    pub fn pop(&mut self) -> Option<Key<Thread>> {
        self.entries.pop_first().map(|(_, _, thread)| thread)
    }

    /// The best claim waiting.
    #[must_use]
    pub fn best_claim(&self) -> Option<(u8, u8)> {
        self.entries.first().map(|(claim, _, _)| *claim)
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
