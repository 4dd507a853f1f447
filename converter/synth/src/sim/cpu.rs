//! A simulated processor.

use super::arena::Key;
use super::thread::Thread;

/// One processor.
#[derive(Debug)]
pub struct Cpu {
    pub(super) index: u16,
    /// The thread on it; `None` = idle.
    pub(super) running: Option<Key<Thread>>,
    /// The thread it will switch to in a moment.
    pub(super) standby: Option<Key<Thread>>,
    /// Changes whenever the end of a run that is on the agenda no longer holds.
    pub(super) run: u64,
    pub(super) charged_until: i64,
    pub(super) idle_since: i64,
    /// When the DPC or ISR ends that it was in last.
    pub(super) interrupted_until: i64,
}

impl Cpu {
    pub(super) const fn new(index: u16, now: i64) -> Self {
        Self {
            index,
            running: None,
            standby: None,
            run: 0,
            charged_until: now,
            idle_since: now,
            interrupted_until: now,
        }
    }
}
