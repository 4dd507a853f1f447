//! Processes and threads over the whole trace: built in pass 1, written in pass 2.

mod facts;
mod incarnation;
mod record;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

pub use facts::{Facts, ProcessFacts, ThreadFacts, replace, text};
pub use incarnation::{Incarnation, Incarnations, Sign};
pub use record::{Record, Records, Subject};

/// A thread's incarnation and the process it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadLife {
    /// When it lived, and what is known of it.
    pub life: Incarnation<ThreadFacts>,
    /// Index in [`Lifetimes::processes`].
    pub process: usize,
}

/// All incarnations of processes and threads.
#[derive(Debug, Default)]
pub struct Lifetimes {
    /// Processes, and placeholders for those that only their threads name.
    pub processes: Vec<Incarnation<ProcessFacts>>,
    /// Threads. The idle threads are not among them: they have no ids of their own.
    pub threads: Vec<ThreadLife>,
    by_pid: FxHashMap<u32, Vec<usize>>,
}

impl Lifetimes {
    /// Builds the incarnations from the records of all buffers.
    pub fn build(mut records: Vec<Record>) -> Self {
        records.par_sort_by_key(Record::order);
        let mut processes = Incarnations::with_capacity(0);
        let mut threads = Incarnations::with_capacity(records.len());
        for record in records {
            match record.subject {
                Subject::Process(facts) => processes.add(record.raw, record.sign, *facts),
                Subject::Thread(facts) if facts.tid == 0 => {}
                Subject::Thread(facts) => threads.add(record.raw, record.sign, *facts),
            }
        }
        let mut owners = Owners::of(processes.into_vec());
        let threads = threads
            .into_vec()
            .into_iter()
            .map(|life| owners.thread(life))
            .collect();
        Self {
            processes: owners.processes,
            threads,
            by_pid: owners.by_pid,
        }
    }

    /// Whether a process of this id lives at some time of the trace.
    pub fn knows_pid(&self, pid: u32) -> bool {
        self.by_pid.contains_key(&pid)
    }

    /// The process that had a pid at a time, else the one before, else the first.
    pub fn process_of(&self, pid: u32, raw: i64) -> Option<usize> {
        latest_of(&self.processes, self.by_pid.get(&pid)?, raw)
    }

    /// The parent of a process, if it was alive when the process started: a parent's id may have been reused since.
    pub fn living_parent(&self, process: &Incarnation<ProcessFacts>) -> Option<u32> {
        let parent_pid = process
            .facts
            .parent_pid
            .filter(|pid| *pid != 0 && *pid != process.facts.pid)?;
        self.by_pid
            .get(&parent_pid)?
            .iter()
            .filter_map(|&index| self.processes.get(index))
            .any(|parent| {
                parent.from_raw <= process.from_raw && process.from_raw < parent.until_raw
            })
            .then_some(parent_pid)
    }
}

fn latest_of(
    processes: &[Incarnation<ProcessFacts>],
    candidates: &[usize],
    raw: i64,
) -> Option<usize> {
    let began = candidates.iter().rev().find(|&&index| {
        processes
            .get(index)
            .is_some_and(|process| process.from_raw <= raw)
    });
    began.or(candidates.first()).copied()
}

/// Finds the process of each thread.
struct Owners {
    processes: Vec<Incarnation<ProcessFacts>>,
    by_pid: FxHashMap<u32, Vec<usize>>,
}

impl Owners {
    fn of(processes: Vec<Incarnation<ProcessFacts>>) -> Self {
        let mut by_pid: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (index, process) in processes.iter().enumerate() {
            by_pid.entry(process.facts.pid).or_default().push(index);
        }
        Self { processes, by_pid }
    }

    fn thread(&mut self, mut life: Incarnation<ThreadFacts>) -> ThreadLife {
        let process = self
            .owner(life.facts.pid, life.seen_raw)
            .unwrap_or_else(|| self.placeholder(life.facts.pid));
        if let Some(owner) = self.processes.get(process) {
            life.from_raw = life.from_raw.max(owner.from_raw);
        }
        if life.create_raw.is_none() {
            life.from_raw = life.from_raw.max(self.end_of_same_id(&life));
        }
        ThreadLife { life, process }
    }

    /// The incarnation of a pid that was there at a time, else the one before, else the first.
    fn owner(&self, pid: u32, raw: i64) -> Option<usize> {
        latest_of(&self.processes, self.by_pid.get(&pid)?, raw)
    }

    /// When a thread can have begun that was not seen to start, if processes had its id before: both have their ids from one
    /// pool. Of a process whose end was lost no more is known than that it was there.
    fn end_of_same_id(&self, life: &Incarnation<ThreadFacts>) -> i64 {
        let same_id = self.by_pid.get(&life.facts.tid).into_iter().flatten();
        let processes = same_id.filter_map(|index| self.processes.get(*index));
        let ends = processes.map(|process| process.exit_raw.unwrap_or(process.from_raw));
        let before = ends.filter(|raw| (i64::MIN + 1..life.seen_raw).contains(raw));
        before.max().map_or(i64::MIN, |raw| raw + 1)
    }

    fn placeholder(&mut self, pid: u32) -> usize {
        let index = self.processes.len();
        self.processes.push(Incarnation {
            facts: ProcessFacts {
                pid,
                ..ProcessFacts::default()
            },
            create_raw: None,
            exit_raw: None,
            from_raw: i64::MIN,
            until_raw: i64::MAX,
            seen_raw: i64::MIN,
        });
        self.by_pid.insert(pid, vec![index]);
        index
    }
}

#[cfg(test)]
mod tests {
    use super::incarnation::Sign;
    use super::*;

    fn process(raw: i64, sign: Sign, pid: u32, parent_pid: u32) -> Record {
        let facts = ProcessFacts {
            pid,
            parent_pid: Some(parent_pid),
            ..ProcessFacts::default()
        };
        Record {
            raw,
            sign,
            subject: Subject::Process(Box::new(facts)),
        }
    }

    fn thread(raw: i64, sign: Sign, pid: u32, tid: u32) -> Record {
        let facts = ThreadFacts {
            pid,
            tid,
            ..ThreadFacts::default()
        };
        Record {
            raw,
            sign,
            subject: Subject::Thread(Box::new(facts)),
        }
    }

    #[test]
    fn threads_belong_to_the_incarnation_that_had_the_pid_then() {
        let lifetimes = Lifetimes::build(vec![
            thread(20, Sign::Start, 100, 8),
            process(10, Sign::Alive, 100, 4),
            process(30, Sign::End, 100, 4),
            process(40, Sign::Start, 100, 4),
            thread(40, Sign::Start, 100, 12),
            thread(90, Sign::Alive, 100, 16),
            thread(90, Sign::Alive, 200, 24),
        ]);
        let owners: Vec<_> = lifetimes
            .threads
            .iter()
            .map(|thread| (thread.life.facts.tid, thread.process, thread.life.from_raw))
            .collect();
        assert_eq!(
            owners,
            [(8, 0, 20), (12, 1, 40), (16, 1, 40), (24, 2, i64::MIN)]
        );
        let placeholder = &lifetimes.processes[2].facts;
        assert_eq!(
            *placeholder,
            ProcessFacts {
                pid: 200,
                ..ProcessFacts::default()
            }
        );
    }

    #[test]
    fn a_parent_that_ended_before_is_not_named() {
        let lifetimes = Lifetimes::build(vec![
            process(10, Sign::Alive, 4, 0),
            process(10, Sign::Alive, 100, 4),
            process(20, Sign::End, 4, 0),
            process(30, Sign::Start, 200, 4),
        ]);
        let parents: Vec<_> = lifetimes
            .processes
            .iter()
            .map(|process| lifetimes.living_parent(process))
            .collect();
        assert_eq!(parents, [None, Some(4), None]);
    }
}
