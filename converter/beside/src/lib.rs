//! Work that other work hands over. It runs on a thread of its own, or at once where a program has no threads.

mod at_once;
mod on_thread;

use std::fmt;

use at_once::AtOnce;
use on_thread::OnThread;

/// Whether a program can start threads: one of WebAssembly cannot.
pub const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// Work that takes one item after another.
pub trait Work: Send + 'static {
    /// What it is done on.
    type Item: Send + 'static;
    /// Why it cannot be gone on with.
    type Error: Send + 'static;

    /// Does the work on an item, which is given back afterwards.
    ///
    /// # Errors
    /// If no further item can be taken.
    fn take(&mut self, item: &mut Self::Item) -> Result<(), Self::Error>;
}

/// Work that is under way. Dropped, it is done on all items that were handed over, and no more.
pub struct Beside<W: Work>(Place<W>);

enum Place<W: Work> {
    OnThread(OnThread<W>),
    AtOnce(AtOnce<W>),
}

impl<W: Work> Beside<W> {
    /// Begins work on which at most `waiting_max` items may wait: who hands over more waits too.
    pub fn begin(work: W, waiting_max: usize) -> Self {
        Self(if HAS_THREADS {
            Place::OnThread(OnThread::begin(work, waiting_max))
        } else {
            Place::AtOnce(AtOnce::begin(work))
        })
    }

    /// Hands over an item; answers whether it was taken. It is not after an error, which [`Beside::finish`] tells.
    pub fn hand_over(&mut self, item: W::Item) -> bool {
        match &mut self.0 {
            Place::OnThread(work) => work.hand_over(item),
            Place::AtOnce(work) => work.hand_over(item),
        }
    }

    /// The next item on which the work is done, in the order in which they were handed over; waits for it. `None` if there
    /// is none any more, since the work met an error.
    pub fn wait(&mut self) -> Option<W::Item> {
        match &mut self.0 {
            Place::OnThread(work) => work.wait(),
            Place::AtOnce(work) => work.next(),
        }
    }

    /// The same, if the work on it is done already.
    pub fn done(&mut self) -> Option<W::Item> {
        match &mut self.0 {
            Place::OnThread(work) => work.done(),
            Place::AtOnce(work) => work.next(),
        }
    }

    /// Waits until the work is done on all items; answers what did it. A panic in the work is the caller's.
    ///
    /// # Errors
    /// The error that the work met.
    pub fn finish(self) -> Result<W, W::Error> {
        match self.0 {
            Place::OnThread(work) => work.finish(),
            Place::AtOnce(work) => work.finish(),
        }
    }
}

impl<W: Work> fmt::Debug for Beside<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Beside").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds numbers up to a limit, and puts the sum in the place of each.
    struct Sum {
        sum: u32,
        most: u32,
    }

    impl Work for Sum {
        type Item = u32;
        type Error = String;

        fn take(&mut self, item: &mut u32) -> Result<(), String> {
            self.sum += *item;
            *item = self.sum;
            match self.sum {
                sum if sum > self.most => Err(format!("{sum} is more than {}", self.most)),
                _ => Ok(()),
            }
        }
    }

    fn in_both_places(most: u32) -> [Beside<Sum>; 2] {
        let sum = || Sum { sum: 0, most };
        [
            Beside(Place::OnThread(OnThread::begin(sum(), 1))),
            Beside(Place::AtOnce(AtOnce::begin(sum()))),
        ]
    }

    #[test]
    fn items_come_back_in_their_order() {
        for mut work in in_both_places(100) {
            for item in [1, 2, 3] {
                assert!(work.hand_over(item));
            }
            assert_eq!(
                [work.wait(), work.wait(), work.wait()],
                [Some(1), Some(3), Some(6)]
            );
            assert_eq!(work.done(), None);
            assert_eq!(work.finish().map(|work| work.sum), Ok(6));
        }
    }

    #[test]
    fn after_an_error_nothing_is_taken() {
        for mut work in in_both_places(3) {
            assert!(work.hand_over(4));
            assert_eq!(work.wait(), None);
            assert!(!work.hand_over(1));
            let failed = work.finish().map(|work| work.sum);
            assert_eq!(failed, Err("4 is more than 3".to_owned()));
        }
    }
}
