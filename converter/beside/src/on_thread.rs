//! Work on a thread of its own.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use crate::Work;

pub(crate) struct OnThread<W: Work> {
    /// `None` once the thread is to end.
    items: Option<SyncSender<W::Item>>,
    done: Receiver<W::Item>,
    thread: Option<JoinHandle<Result<W, W::Error>>>,
    ended: Option<Result<W, W::Error>>,
}

impl<W: Work> OnThread<W> {
    pub(crate) fn begin(work: W, waiting_max: usize) -> Self {
        let (items, incoming) = sync_channel(waiting_max);
        let (outgoing, done) = channel();
        let thread = thread::spawn(move || take_all(work, &incoming, &outgoing));
        Self {
            items: Some(items),
            done,
            thread: Some(thread),
            ended: None,
        }
    }

    pub(crate) fn hand_over(&mut self, item: W::Item) -> bool {
        let items = self.items.as_ref();
        items.is_some_and(|items| items.send(item).is_ok())
    }

    pub(crate) fn wait(&mut self) -> Option<W::Item> {
        let item = self.done.recv().ok();
        if item.is_none() {
            self.end();
        }
        item
    }

    pub(crate) fn done(&mut self) -> Option<W::Item> {
        self.done.try_recv().ok()
    }

    pub(crate) fn finish(mut self) -> Result<W, W::Error> {
        self.end();
        match self.ended.take() {
            Some(ended) => ended,
            None => unreachable!("a thread that was joined has ended"),
        }
    }

    /// Waits for the thread. Its panic belongs to the caller.
    fn end(&mut self) {
        self.items = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(ended)) => self.ended = Some(ended),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => {}
        }
    }
}

impl<W: Work> Drop for OnThread<W> {
    /// Waits for the thread: the work may own files, and the program may end right after.
    fn drop(&mut self) {
        self.items = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn take_all<W: Work>(
    mut work: W,
    incoming: &Receiver<W::Item>,
    outgoing: &Sender<W::Item>,
) -> Result<W, W::Error> {
    for mut item in incoming {
        work.take(&mut item)?;
        // The other side may be done and take nothing back.
        let _ = outgoing.send(item);
    }
    Ok(work)
}
