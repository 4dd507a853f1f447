//! Who is alive at the time that pass 2 has come to.

use etl::TraceFile;
use rustc_hash::{FxHashMap, FxHashSet};

use super::head::has_samples;
use crate::index::Index;
use crate::lifetime::Lifetimes;

/// A thread is sampled for some milliseconds after its end event, as it cleans up: here up to 10 ms.
const LAST_BREATHS_PER_S: u64 = 100;

/// Who is alive in the written trace.
#[derive(Debug)]
pub struct Lives {
    pub open_threads: FxHashMap<u32, usize>,
    pub open_processes: FxHashMap<u32, usize>,
    /// Threads that live at some time of the trace.
    known_tids: FxHashSet<u32>,
    /// Threads whose end event came while they ran. They still clean up, and may wait for that: they are freed after
    /// their last switch-out.
    pub ending: Vec<Ending>,
    /// Threads that were switched out at the latest raw time of all switches, and run again.
    pub put_aside: PutAside,
    /// Whether switches tell the states that threads go into: compact ones do not.
    pub tells_states: bool,
    pub processes: Vec<ProcessState>,
}

/// Threads that were switched out at one raw time.
#[derive(Debug, Default)]
pub struct PutAside {
    pub raw: i64,
    pub tids: Vec<u32>,
}

/// The threads of a process, and how many of them are alive.
#[derive(Clone, Debug, Default)]
pub struct ProcessState {
    pub threads: Vec<usize>,
    pub open_threads: usize,
    pub has_ended: bool,
}

/// A thread that ends with its next switch-out; by its index.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    pub thread: usize,
    /// The next thread of that id, if it came before the switch-out.
    pub successor: Option<usize>,
}

impl Lives {
    /// No process and no thread is alive yet.
    pub fn new(lifetimes: &Lifetimes) -> Self {
        let mut processes = vec![ProcessState::default(); lifetimes.processes.len()];
        for (index, thread) in lifetimes.threads.iter().enumerate() {
            if let Some(process) = processes.get_mut(thread.process) {
                process.threads.push(index);
            }
        }
        Self {
            open_threads: FxHashMap::default(),
            open_processes: FxHashMap::default(),
            known_tids: lifetimes
                .threads
                .iter()
                .map(|thread| thread.life.facts.tid)
                .collect(),
            ending: Vec::new(),
            put_aside: PutAside::default(),
            tells_states: false,
            processes,
        }
    }

    /// Whether a process, by its index, lives now.
    pub fn is_open(&self, lifetimes: &Lifetimes, process: usize) -> bool {
        lifetimes
            .processes
            .get(process)
            .is_some_and(|life| self.open_processes.get(&life.facts.pid) == Some(&process))
    }

    /// The process of a thread: its own where it is known, else `named_pid`. `None` for a thread or process that does
    /// not live now but at another time: it would come to life twice.
    pub fn pid_of(&self, lifetimes: &Lifetimes, tid: u32, named_pid: Option<u32>) -> Option<u32> {
        if let Some(&open) = self.open_threads.get(&tid) {
            let thread = lifetimes.threads.get(open)?;
            return Some(thread.life.facts.pid);
        }
        let may_live =
            |pid: &u32| self.open_processes.contains_key(pid) || !lifetimes.knows_pid(*pid);
        named_pid.filter(|pid| !self.known_tids.contains(&tid) && may_live(pid))
    }
}

/// Until when threads live whose end is recorded.
#[derive(Clone, Copy, Debug)]
pub struct LastBreath {
    /// How long after its end event a thread may still be sampled, in ticks; 0 where switch-outs tell.
    pub ticks: i64,
    /// End of the trace.
    pub end_raw: i64,
}

impl LastBreath {
    /// By what a trace records.
    pub fn new(trace: &TraceFile, index: &Index) -> Self {
        let has_switches = index.streams.starts.iter().any(|start| start.run.is_some());
        let ticks = if has_switches || !has_samples(index) {
            0
        } else {
            trace.clock().ticks_per_s / LAST_BREATHS_PER_S
        };
        Self {
            ticks: i64::try_from(ticks).unwrap_or(0),
            end_raw: index.end_raw,
        }
    }

    /// Until when a thread lives that wrote its end event then.
    pub fn of(self, exit_raw: i64) -> i64 {
        let until_raw = exit_raw.saturating_add(self.ticks);
        until_raw.min(self.end_raw).max(exit_raw)
    }
}
