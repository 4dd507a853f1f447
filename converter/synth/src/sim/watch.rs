//! The known truth about one thread's waits in the ready state.

use super::arena::Key;
use super::thread::Thread;
use crate::events::scheduler::READY_FROM_DPC;

/// One wait in the ready state. Times are in ticks after the header event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyWait {
    /// When it was made ready.
    pub ready: i64,
    /// When it was switched in; `None` if that never came.
    pub switch_in: Option<i64>,
    /// When it had last been switched out, if it ever was.
    pub last_switch_out: Option<i64>,
    /// Thread and process that ran on the waking processor; `None` if it was preempted, so nobody woke it.
    pub waker: Option<(u32, u32)>,
    /// Woken from a DPC.
    pub in_dpc: bool,
    /// Processor it was switched in on.
    pub cpu: Option<u16>,
    /// Priority with which it was switched in.
    pub priority: u8,
    /// Rank at the switch-out that ended the run after this wait; `None` if that never came.
    pub rank: Option<u8>,
}

/// Follows one thread.
#[derive(Debug, Default)]
pub struct Watch {
    thread: Option<Key<Thread>>,
    last_switch_out: Option<i64>,
    waits: Vec<ReadyWait>,
}

impl Watch {
    /// All ready waits of the thread so far.
    #[must_use]
    pub fn waits(&self) -> &[ReadyWait] {
        &self.waits
    }

    pub(super) const fn follow(&mut self, thread: Key<Thread>) {
        self.thread = Some(thread);
    }

    pub(super) fn readied(&mut self, thread: Key<Thread>, now: i64, waker: (u32, u32), flags: u8) {
        self.begin(thread, now, Some(waker), flags & READY_FROM_DPC != 0);
    }

    pub(super) fn preempted(&mut self, thread: Key<Thread>, now: i64) {
        self.begin(thread, now, None, false);
    }

    fn begin(&mut self, thread: Key<Thread>, now: i64, waker: Option<(u32, u32)>, in_dpc: bool) {
        if self.thread == Some(thread) {
            self.waits.push(ReadyWait {
                ready: now,
                switch_in: None,
                last_switch_out: self.last_switch_out,
                waker,
                in_dpc,
                cpu: None,
                priority: 0,
                rank: None,
            });
        }
    }

    pub(super) fn switched_in(&mut self, key: Key<Thread>, now: i64, cpu: u16, thread: &Thread) {
        if self.thread == Some(key)
            && let Some(wait) = self.waits.last_mut()
        {
            wait.switch_in = Some(now);
            wait.cpu = Some(cpu);
            wait.priority = thread.priority;
        }
    }

    pub(super) fn switched_out(&mut self, key: Key<Thread>, now: i64, thread: &Thread) {
        if self.thread == Some(key) {
            self.last_switch_out = Some(now);
            if let Some(wait) = self.waits.last_mut() {
                wait.rank = Some(thread.rank);
            }
        }
    }
}
