//! The known truth about the waits of some threads in the ready state.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::arena::Key;
use super::thread::Thread;
use crate::events::scheduler::READY_FROM_DPC;
use crate::events::thread::ThreadInfo;

/// Why a ready thread did not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// All processors ran threads that went first, one of them by rank alone.
    Rank,
    /// All processors ran threads that went first by priority.
    Priority,
    /// A processor that it may not use was idle or ran what had to yield.
    Affinity,
    /// The processor chosen for it was in a DPC or ISR.
    Interrupt,
    /// Its process was frozen.
    Frozen,
    /// Its kernel stack was being read in.
    SwappedOut,
    /// The idle processor chosen for it was waking up.
    IdleWakeUp,
    /// The processor chosen for it was putting a thread aside.
    PreemptionDelay,
    /// No event tells.
    NotExplained,
}

/// One wait in the ready state. Times are in ticks after the header event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyWait {
    /// Thread and process that waited.
    pub thread: (u32, u32),
    /// When it was made ready.
    pub ready: i64,
    /// When it was switched in; `None` if that never came.
    pub switch_in: Option<i64>,
    /// When it had last been switched out, if it ever was.
    pub last_switch_out: Option<i64>,
    /// Thread and process that ran on the waking processor; `None` if it was preempted, so that nothing woke it.
    pub waker: Option<(u32, u32)>,
    /// Woken from a DPC.
    pub in_dpc: bool,
    /// Processor it was switched in on.
    pub cpu: Option<u16>,
    /// Priority with which it was switched in.
    pub priority: u8,
    /// Rank with which it was switched in; `None` if that never came.
    pub rank: Option<u8>,
    /// What it divides into by why the thread did not run.
    pub shares: BTreeMap<Why, i64>,
}

#[derive(Debug, Default)]
struct Followed {
    last_switch_out: Option<i64>,
    /// Index of its latest wait.
    wait: Option<usize>,
}

/// Follows the threads of some ids.
#[derive(Debug, Default)]
pub struct Watch {
    tids: BTreeSet<u32>,
    threads: BTreeMap<Key<Thread>, Followed>,
    waits: Vec<ReadyWait>,
}

impl Watch {
    /// All ready waits of the threads so far.
    #[must_use]
    pub fn waits(&self) -> &[ReadyWait] {
        &self.waits
    }

    pub(super) fn follow(&mut self, tid: u32) {
        self.tids.insert(tid);
    }

    /// The waits that have not ended, by index.
    pub(super) fn open_waits(&self) -> Vec<(usize, Key<Thread>)> {
        self.threads
            .iter()
            .filter_map(|(key, followed)| {
                let index = followed.wait?;
                let is_open = self.waits.get(index)?.switch_in.is_none();
                is_open.then_some((index, *key))
            })
            .collect()
    }

    pub(super) fn charge(&mut self, wait: usize, why: Why, ticks: i64) {
        if ticks > 0
            && let Some(wait) = self.waits.get_mut(wait)
        {
            *wait.shares.entry(why).or_default() += ticks;
        }
    }

    pub(super) fn readied(
        &mut self,
        key: Key<Thread>,
        thread: &ThreadInfo,
        now: i64,
        waker: (u32, u32),
        flags: u8,
    ) {
        self.begin(key, thread, now, Some(waker), flags & READY_FROM_DPC != 0);
    }

    pub(super) fn preempted(&mut self, key: Key<Thread>, thread: &ThreadInfo, now: i64) {
        self.begin(key, thread, now, None, false);
    }

    fn begin(
        &mut self,
        key: Key<Thread>,
        thread: &ThreadInfo,
        now: i64,
        waker: Option<(u32, u32)>,
        in_dpc: bool,
    ) {
        if !self.tids.contains(&thread.tid) {
            return;
        }
        let followed = self.threads.entry(key).or_default();
        followed.wait = Some(self.waits.len());
        self.waits.push(ReadyWait {
            thread: (thread.tid, thread.pid),
            ready: now,
            switch_in: None,
            last_switch_out: followed.last_switch_out,
            waker,
            in_dpc,
            cpu: None,
            priority: 0,
            rank: None,
            shares: BTreeMap::new(),
        });
    }

    fn latest(&mut self, key: Key<Thread>) -> Option<&mut ReadyWait> {
        self.waits.get_mut(self.threads.get(&key)?.wait?)
    }

    pub(super) fn switched_in(&mut self, key: Key<Thread>, now: i64, cpu: u16, thread: &Thread) {
        if let Some(wait) = self.latest(key) {
            wait.switch_in = Some(now);
            wait.cpu = Some(cpu);
            wait.priority = thread.priority;
            wait.rank = Some(thread.rank);
        }
    }

    pub(super) fn switched_out(&mut self, key: Key<Thread>, now: i64) {
        if let Some(followed) = self.threads.get_mut(&key) {
            followed.last_switch_out = Some(now);
        }
    }
}
