//! The lives of threads and processes, by which those are found that had an id at a time.

use facts::{ProcessLife, ThreadLife};
use rustc_hash::FxHashMap;

/// One life.
#[derive(Clone, Copy, Debug)]
struct Life {
    key: u32,
    create_ts_ns: Option<u64>,
    exit_ts_ns: Option<u64>,
}

impl Life {
    fn has(&self, ts_ns: u64) -> bool {
        self.create_ts_ns.is_none_or(|create| create <= ts_ns)
            && self.exit_ts_ns.is_none_or(|exit| exit >= ts_ns)
    }
}

/// Lives by ids.
#[derive(Clone, Debug, Default)]
pub struct Lives {
    by_id: FxHashMap<u32, Vec<Life>>,
    exits: FxHashMap<u32, u64>,
    creates: FxHashMap<u32, u64>,
}

impl Lives {
    /// Takes in a thread.
    pub fn add_thread(&mut self, life: &ThreadLife) {
        let times = (life.create_ts_ns, life.exit_ts_ns);
        self.add(life.thread.tid, life.thread.utid, times);
    }

    /// Takes in a process.
    pub fn add_process(&mut self, life: &ProcessLife) {
        self.add(life.pid, life.upid, (life.create_ts_ns, life.exit_ts_ns));
    }

    fn add(&mut self, id: u32, key: u32, (create_ts_ns, exit_ts_ns): (Option<u64>, Option<u64>)) {
        self.by_id.entry(id).or_default().push(Life {
            key,
            create_ts_ns,
            exit_ts_ns,
        });
        self.creates.extend(create_ts_ns.map(|ts_ns| (key, ts_ns)));
        self.exits.extend(exit_ts_ns.map(|ts_ns| (key, ts_ns)));
    }

    /// The key of who had an id at a time: of several, who was created last.
    pub fn key_at(&self, id: u32, ts_ns: u64) -> Option<u32> {
        let lives = self.by_id.get(&id)?.iter();
        let found = lives.filter(|life| life.has(ts_ns));
        // Of equal ones the first.
        let last = found.reduce(|a, b| {
            if b.create_ts_ns > a.create_ts_ns {
                b
            } else {
                a
            }
        });
        last.map(|life| life.key)
    }

    /// When who has a key was created, if that is recorded.
    pub fn create_ts_ns(&self, key: u32) -> Option<u64> {
        self.creates.get(&key).copied()
    }

    /// When who has a key ended, likewise.
    pub fn exit_ts_ns(&self, key: u32) -> Option<u64> {
        self.exits.get(&key).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_of_who_lives_and_was_created_last() {
        let mut lives = Lives::default();
        for (upid, create_ts_ns, exit_ts_ns) in [
            (1, None, Some(20)),
            (2, Some(20), Some(30)),
            (3, Some(40), None),
        ] {
            lives.add_process(&ProcessLife {
                upid,
                pid: 8,
                create_ts_ns,
                exit_ts_ns,
                ..ProcessLife::default()
            });
        }
        let found = [10, 20, 25, 35, 40].map(|ts_ns| lives.key_at(8, ts_ns));
        assert_eq!(found, [Some(1), Some(2), Some(2), None, Some(3)]);
        assert_eq!(lives.key_at(4, 10), None);
        assert_eq!(
            (lives.create_ts_ns(2), lives.exit_ts_ns(3)),
            (Some(20), None)
        );
    }
}
