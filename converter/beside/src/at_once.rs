//! Work that is done as soon as it is handed over.

use std::collections::VecDeque;

use crate::Work;

pub(crate) struct AtOnce<W: Work> {
    work: Result<W, W::Error>,
    done: VecDeque<W::Item>,
}

impl<W: Work> AtOnce<W> {
    pub(crate) fn begin(work: W) -> Self {
        Self {
            work: Ok(work),
            done: VecDeque::new(),
        }
    }

    pub(crate) fn hand_over(&mut self, mut item: W::Item) -> bool {
        let Ok(work) = &mut self.work else {
            return false;
        };
        match work.take(&mut item) {
            Ok(()) => self.done.push_back(item),
            Err(error) => self.work = Err(error),
        }
        true
    }

    pub(crate) fn next(&mut self) -> Option<W::Item> {
        self.done.pop_front()
    }

    pub(crate) fn finish(self) -> Result<W, W::Error> {
        self.work
    }
}
