//! Keys of threads and processes in all tables, one for each incarnation.
//!
//! They are what Perfetto's importer makes of the same facts (`process_tracker.cc`, v55): it counts threads and processes as they
//! are first mentioned, and gives each process a thread of the process's own id.

use std::collections::BTreeMap;

use facts::Thread;
use rustc_hash::{FxHashMap, FxHashSet};

use super::by_id::ById;

/// A thread that has an id now, and the key of its process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The thread.
    pub thread: Thread,
    /// Key of its process; `None` where nothing told it.
    pub upid: Option<u32>,
}

/// A process that has a key.
#[derive(Clone, Copy, Debug, Default)]
struct Named {
    pid: u32,
    /// Index in [`Lifetimes::processes`](crate::lifetime::Lifetimes) if it is described.
    index: Option<usize>,
    has_ended: bool,
}

/// The incarnations that have an id now, and how many keys were given.
#[derive(Debug)]
pub struct Keys {
    /// The latest thread of each id.
    threads: ById<Known>,
    /// All ids that a thread had.
    seen: FxHashSet<u32>,
    /// Those before it that have not ended, the latest last.
    earlier: FxHashMap<u32, Vec<Known>>,
    processes: ById<u32>,
    /// By key.
    named: Vec<Named>,
    /// Keys of processes that are described, by their index.
    described: FxHashMap<usize, u32>,
    thread_count: u32,
    /// Threads, by their keys, that events mention and nothing describes.
    undescribed: BTreeMap<u32, Known>,
}

impl Default for Keys {
    /// The idle thread and its process alone, which have the key 0.
    fn default() -> Self {
        let idle = Known {
            upid: Some(0),
            ..Known::default()
        };
        let mut threads = ById::default();
        threads.insert(0, idle);
        let mut processes = ById::default();
        processes.insert(0, 0);
        Self {
            threads,
            seen: FxHashSet::default(),
            earlier: FxHashMap::default(),
            processes,
            named: vec![Named::default()],
            described: FxHashMap::default(),
            thread_count: 1,
            undescribed: BTreeMap::new(),
        }
    }
}

impl Keys {
    /// The thread that has an id now; a new one if none has.
    #[inline]
    pub fn thread(&mut self, tid: u32) -> Thread {
        match self.alive(tid) {
            Some(known) => known.thread,
            None => self.new_thread(tid).thread,
        }
    }

    /// The thread that has an id now, if any has.
    pub fn known(&self, tid: u32) -> Option<Known> {
        self.alive(tid)
    }

    /// Whether the thread that has an id now is known to be of a process.
    pub fn knows(&self, tid: u32, pid: u32) -> bool {
        let known = self.latest(tid, |known| self.may_be_of(known, pid));
        known.is_some_and(|known| known.upid.is_some())
    }

    /// Whether a process has an id now.
    pub fn has_process(&self, pid: u32) -> bool {
        self.processes.has(pid)
    }

    fn may_be_of(&self, known: &Known, pid: u32) -> bool {
        known.upid.is_none() || self.pid(known.upid) == Some(pid)
    }

    /// The thread that has an id now, of a process, which is there too from now on.
    pub fn thread_of(&mut self, tid: u32, pid: u32) -> Known {
        let mut known = match self.latest(tid, |known| self.may_be_of(known, pid)) {
            Some(known) => known,
            None => self.new_thread(tid),
        };
        if known.upid.is_none() {
            let upid = self.process(pid);
            known.upid = Some(upid);
            self.belongs(known.thread, upid);
        }
        known
    }

    /// A described thread comes into being, or turns out to be there; `is_created` where its creation was recorded.
    pub fn begin_thread(&mut self, tid: u32, pid: u32, is_created: bool) -> Known {
        if is_created && let Some(before) = self.alive(tid) {
            self.remove(before.thread);
        }
        let known = self.thread_of(tid, pid);
        self.undescribed.remove(&known.thread.utid);
        known
    }

    /// A described process comes into being, or turns out to be there, `is_created` likewise; answers its key.
    pub fn begin_process(&mut self, pid: u32, index: usize, is_created: bool) -> u32 {
        if pid != 0 {
            self.processes.remove(pid);
        }
        // The importer takes a thread of that id which nothing described for the process's own.
        let is_taken = self.alive(pid).is_some_and(|known| known.upid.is_some());
        if is_created && is_taken {
            self.new_thread(pid);
        }
        let upid = self.process(pid);
        if let Some(named) = self.named.get_mut(upid as usize) {
            named.index = Some(index);
        }
        self.described.insert(index, upid);
        upid
    }

    /// The thread of this id ends, and the process of this id with it. Where an earlier one had ended already, the importer
    /// makes up another, which ends at once.
    pub fn end(&mut self, id: u32) {
        let known = match self.alive(id) {
            Some(known) => known,
            None if self.seen.contains(&id) => self.new_thread(id),
            None => return,
        };
        self.remove(known.thread);
        let upid = known.upid.filter(|_| self.pid(known.upid) == Some(id));
        if let Some(named) = upid.and_then(|upid| self.named.get_mut(upid as usize)) {
            named.has_ended = true;
            self.processes.remove(id);
        }
    }

    /// The threads, by their keys, that events mention and nothing describes. A thread that stands for a process is
    /// left out: Windows has no such thread.
    pub fn undescribed(&self) -> impl Iterator<Item = Known> {
        let is_own = |known: &&Known| {
            let tid = known.thread.tid;
            tid != u32::MAX && self.pid(known.upid) != Some(tid)
        };
        self.undescribed.values().filter(is_own).copied()
    }

    /// The id of a process, by its key.
    pub fn pid(&self, upid: Option<u32>) -> Option<u32> {
        Some(self.named.get(upid? as usize)?.pid)
    }

    /// Index of a process that is described, by its key.
    pub fn index(&self, upid: u32) -> Option<usize> {
        self.named.get(upid as usize)?.index
    }

    /// Key of a process that is described, by its index.
    pub fn described(&self, index: usize) -> Option<u32> {
        self.described.get(&index).copied()
    }

    fn new_thread(&mut self, tid: u32) -> Known {
        let utid = self.thread_count;
        self.thread_count = utid.saturating_add(1);
        let known = Known {
            thread: Thread { tid, utid },
            upid: None,
        };
        self.seen.insert(tid);
        if let Some(before) = self.threads.insert(tid, known) {
            self.earlier.entry(tid).or_default().push(before);
        }
        self.undescribed.insert(utid, known);
        known
    }

    /// The process that has an id now; a new one if none has.
    pub fn process(&mut self, pid: u32) -> u32 {
        if let Some(&upid) = self.processes.get(pid) {
            return upid;
        }
        let upid = self.named.len() as u32;
        self.named.push(Named {
            pid,
            ..Named::default()
        });
        self.processes.insert(pid, upid);
        let main = self.thread(pid);
        self.belongs(main, upid);
        upid
    }

    /// The thread that has an id now: one of a process that has ended, or whose id is another's, has it no more.
    #[inline]
    fn alive(&self, tid: u32) -> Option<Known> {
        self.latest(tid, |_| true)
    }

    /// The latest thread of an id that is alive and wanted.
    #[inline]
    fn latest(&self, tid: u32, is_wanted: impl Fn(&Known) -> bool) -> Option<Known> {
        let latest = self.threads.get(tid)?;
        let is_found = |known: &&Known| self.is_alive(known) && is_wanted(known);
        if is_found(&latest) {
            return Some(*latest);
        }
        let earlier = self.earlier.get(&tid)?;
        earlier.iter().rev().find(is_found).copied()
    }

    fn is_alive(&self, known: &Known) -> bool {
        let named = known.upid.and_then(|upid| self.named.get(upid as usize));
        named.is_none_or(|named| {
            let current = self.processes.get(named.pid).copied();
            !named.has_ended && (current.is_none() || current == known.upid)
        })
    }

    /// A thread has its id no more.
    fn remove(&mut self, thread: Thread) {
        let tid = thread.tid;
        let earlier = self.earlier.get_mut(&tid);
        if self.threads.get(tid).map(|latest| latest.thread) == Some(thread) {
            match earlier.and_then(Vec::pop) {
                Some(before) => self.threads.insert(tid, before),
                None => self.threads.remove(tid),
            };
        } else if let Some(earlier) = earlier {
            earlier.retain(|known| known.thread != thread);
        }
    }

    /// A thread turns out to be of a process.
    fn belongs(&mut self, thread: Thread, upid: u32) {
        let known = Known {
            thread,
            upid: Some(upid),
        };
        let earlier = self.earlier.get_mut(&thread.tid).into_iter().flatten();
        let latest = self.threads.get_mut(thread.tid);
        if let Some(of) = latest
            .into_iter()
            .chain(earlier)
            .find(|of| of.thread == thread)
        {
            *of = known;
        }
        if let Some(undescribed) = self.undescribed.get_mut(&thread.utid) {
            *undescribed = known;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_given_in_the_order_of_first_mention() {
        let mut keys = Keys::default();
        assert_eq!(keys.thread(0).utid, 0);
        assert_eq!(keys.begin_process(4, 0, false), 1);
        assert_eq!([0, 1].map(|index| keys.described(index)), [Some(1), None]);
        let known = keys.begin_thread(8, 4, false);
        assert_eq!((known.thread.utid, known.upid), (2, Some(1)));
        assert_eq!(keys.thread(12).utid, 3);
        assert_eq!(keys.thread(8).utid, 2);
        keys.end(8);
        assert_eq!(keys.begin_thread(8, 4, true).thread.utid, 4);
        let named = keys.thread_of(12, 16);
        assert_eq!((named.thread.utid, named.upid), (3, Some(2)));
    }

    #[test]
    fn a_thread_of_another_process_is_another_thread() {
        let mut keys = Keys::default();
        let one = keys.thread_of(12, 4);
        let other = keys.thread_of(12, 16);
        assert_eq!([one, other].map(|known| known.thread.utid), [1, 3]);
    }

    #[test]
    fn the_id_of_a_thread_that_ends_is_that_of_the_one_before() {
        let mut keys = Keys::default();
        keys.begin_process(12, 0, false);
        let other = keys.begin_thread(12, 4, false);
        assert_eq!(keys.thread(12), other.thread);
        keys.end(12);
        assert_eq!(keys.thread(12).utid, 1);
        keys.end(12);
        assert_eq!(keys.thread(12).utid, 4);
    }

    #[test]
    fn an_end_makes_up_a_thread_only_where_another_ended_before() {
        let mut keys = Keys::default();
        keys.end(12);
        assert_eq!(keys.thread(12).utid, 1);
        keys.end(12);
        keys.end(12);
        assert_eq!(keys.thread(16).utid, 3);
    }

    #[test]
    fn threads_that_are_only_mentioned_are_told_apart() {
        let mut keys = Keys::default();
        keys.begin_process(4, 0, false);
        keys.begin_thread(8, 4, false);
        keys.thread(12);
        keys.thread_of(20, 16);
        let told: Vec<_> = keys
            .undescribed()
            .map(|known| (known.thread.tid, known.upid, keys.pid(known.upid)))
            .collect();
        assert_eq!(told, [(12, None, None), (20, Some(2), Some(16))]);
    }
}
