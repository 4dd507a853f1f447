//! Keys of threads and processes in all tables, one for each incarnation.
//!
//! They are what Perfetto's importer makes of the same facts (`process_tracker.cc`, v55): it counts threads and processes as they
//! are first mentioned, and gives each process a thread of the process's own id.

use std::collections::BTreeMap;

use facts::Thread;
use rustc_hash::FxHashMap;

/// A thread that has an id now, and the key of its process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The thread.
    pub thread: Thread,
    /// Key of its process; `None` where nothing told it.
    pub upid: Option<u32>,
}

/// The incarnations that have an id now, and how many keys were given.
#[derive(Debug)]
pub struct Keys {
    threads: FxHashMap<u32, Known>,
    processes: FxHashMap<u32, u32>,
    /// The process of each key, by its id.
    pids: Vec<u32>,
    thread_count: u32,
    /// Threads, by their keys, that nothing but their mention tells of.
    undescribed: BTreeMap<u32, Known>,
}

impl Default for Keys {
    /// The idle thread and its process alone, which have the key 0.
    fn default() -> Self {
        let idle = Known {
            upid: Some(0),
            ..Known::default()
        };
        Self {
            threads: FxHashMap::from_iter([(0, idle)]),
            processes: FxHashMap::from_iter([(0, 0)]),
            pids: vec![0],
            thread_count: 1,
            undescribed: BTreeMap::new(),
        }
    }
}

impl Keys {
    /// The thread that has an id now; a new one if none has.
    #[inline]
    pub fn thread(&mut self, tid: u32) -> Thread {
        match self.threads.get(&tid) {
            Some(known) => known.thread,
            None => self.new_thread(tid).thread,
        }
    }

    /// The thread that has an id now, of a process, which is there too from now on.
    pub fn thread_of(&mut self, tid: u32, pid: u32) -> Known {
        let known = self.threads.get(&tid).copied();
        let is_of_other = |known: &Known| {
            known
                .upid
                .is_some_and(|upid| self.pid_of(upid) != Some(pid))
        };
        let mut known = match known.filter(|known| !is_of_other(known)) {
            Some(known) => known,
            None => self.new_thread(tid),
        };
        if known.upid.is_none() {
            known.upid = Some(self.process(pid));
            self.threads.insert(tid, known);
            if let Some(undescribed) = self.undescribed.get_mut(&known.thread.utid) {
                undescribed.upid = known.upid;
            }
        }
        known
    }

    /// A described thread comes into being, or turns out to be there; `is_created` where its creation was recorded.
    pub fn begin_thread(&mut self, tid: u32, pid: u32, is_created: bool) -> Known {
        if is_created {
            self.threads.remove(&tid);
        }
        let known = self.thread_of(tid, pid);
        self.undescribed.remove(&known.thread.utid);
        known
    }

    /// A process comes into being, or turns out to be there; answers its key.
    pub fn begin_process(&mut self, pid: u32) -> u32 {
        if pid == 0 {
            return 0;
        }
        self.threads.remove(&pid);
        self.processes.remove(&pid);
        self.process(pid)
    }

    /// The thread or process of this id ends.
    pub fn end(&mut self, id: u32) {
        self.threads.remove(&id);
        self.processes.remove(&id);
    }

    /// The threads, by their keys, that nothing but their mention tells of, each with the id of its process. Those that stand for a
    /// process are none of Windows.
    pub fn undescribed(&self) -> impl Iterator<Item = (Known, Option<u32>)> {
        let all = self.undescribed.values().map(|known| {
            let pid = known.upid.and_then(|upid| self.pid_of(upid));
            (*known, pid)
        });
        all.filter(|(known, pid)| known.thread.tid != u32::MAX && *pid != Some(known.thread.tid))
    }

    fn pid_of(&self, upid: u32) -> Option<u32> {
        self.pids.get(upid as usize).copied()
    }

    fn new_thread(&mut self, tid: u32) -> Known {
        let utid = self.thread_count;
        self.thread_count = utid.saturating_add(1);
        let known = Known {
            thread: Thread { tid, utid },
            upid: None,
        };
        self.threads.insert(tid, known);
        self.undescribed.insert(utid, known);
        known
    }

    /// The process that has an id now; a new one if none has.
    fn process(&mut self, pid: u32) -> u32 {
        if let Some(&upid) = self.processes.get(&pid) {
            return upid;
        }
        let upid = self.pids.len() as u32;
        self.pids.push(pid);
        self.processes.insert(pid, upid);
        let mut known = match self.threads.get(&pid) {
            Some(known) => *known,
            None => self.new_thread(pid),
        };
        known.upid = Some(upid);
        self.threads.insert(pid, known);
        if let Some(undescribed) = self.undescribed.get_mut(&known.thread.utid) {
            undescribed.upid = Some(upid);
        }
        upid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_given_in_the_order_of_first_mention() {
        let mut keys = Keys::default();
        assert_eq!(keys.thread(0).utid, 0);
        assert_eq!(keys.begin_process(4), 1);
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
    fn threads_that_are_only_mentioned_are_told_apart() {
        let mut keys = Keys::default();
        keys.begin_process(4);
        keys.begin_thread(8, 4, false);
        keys.thread(12);
        keys.thread_of(20, 16);
        let told: Vec<_> = keys
            .undescribed()
            .map(|(known, pid)| (known.thread.tid, known.upid, pid))
            .collect();
        assert_eq!(told, [(12, None, None), (20, Some(2), Some(16))]);
    }
}
