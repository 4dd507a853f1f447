//! Processes and threads coming and going: when their packets are written.

use etl::TraceFile;
use etw::thread_state;
use facts::{ProcessLife, RunEnd, ThreadLife};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Pass;
use super::emit::{INITIAL_PARENTS_TS_NS, START_TS_NS};
use super::head::has_samples;
use super::life_packets as packets;
use super::rehearsal::Rehearsal;
use crate::error::Error;
use crate::index::Index;
use crate::lifetime::Lifetimes;

/// A thread is sampled for some milliseconds after its end event, as it cleans up: here up to 10 ms.
const LAST_BREATHS_PER_S: u64 = 100;

/// Something to be written at a time that is known before pass 2. Of one time, ends come last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// The selected range begins.
    BeginRange,
    /// A process begins; index in [`Lifetimes::processes`].
    OpenProcess(usize),
    /// A thread begins; index in [`Lifetimes::threads`].
    OpenThread(usize),
    /// An image is loaded; index in the pass's list.
    LoadImage(usize),
    /// An image is unloaded.
    UnloadImage(usize),
    /// A method of a .NET program has its addresses from now on; index in [`Methods::passing`](crate::methods::Methods).
    LoadMethod(usize),
    /// It has them no longer.
    UnloadMethod(usize),
    /// A loss; index in the pass's list.
    Loss(usize),
    /// A thread's end event.
    EndThread(usize),
    /// A process's end event.
    EndProcess(usize),
}

impl Action {
    /// Whether a thread or a process ends.
    pub fn is_end(&self) -> bool {
        matches!(self, Self::EndThread(_) | Self::EndProcess(_))
    }
}

/// Who is alive in the written trace.
#[derive(Debug)]
pub struct Lives {
    open_threads: FxHashMap<u32, usize>,
    open_processes: FxHashMap<u32, usize>,
    /// Threads that live at some time of the trace.
    known_tids: FxHashSet<u32>,
    /// Threads whose end event came while they ran. They still clean up, and may wait for that: they are freed after
    /// their last switch-out.
    ending: Vec<Ending>,
    /// Threads that were switched out at the latest raw time of all switches, and run again.
    put_aside: PutAside,
    /// Whether switches tell the states that threads go into: compact ones do not.
    tells_states: bool,
    processes: Vec<ProcessState>,
}

#[derive(Debug, Default)]
struct PutAside {
    raw: i64,
    tids: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct ProcessState {
    threads: Vec<usize>,
    open_threads: usize,
    has_ended: bool,
}

#[derive(Clone, Copy, Debug)]
struct Ending {
    thread: usize,
    /// The next thread of that id, if it came before the switch-out.
    successor: Option<usize>,
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
    fn of(self, exit_raw: i64) -> i64 {
        let until_raw = exit_raw.saturating_add(self.ticks);
        until_raw.min(self.end_raw).max(exit_raw)
    }
}

/// All beginnings and ends within the trace, in time order.
pub fn actions(lifetimes: &Lifetimes, last_breath: LastBreath) -> Vec<(i64, Action)> {
    let mut actions = Vec::new();
    for (index, process) in lifetimes.processes.iter().enumerate() {
        if process.from_raw != i64::MIN {
            actions.push((process.from_raw, Action::OpenProcess(index)));
        }
        actions.extend(process.exit_raw.map(|raw| (raw, Action::EndProcess(index))));
    }
    for (index, thread) in lifetimes.threads.iter().enumerate() {
        if thread.life.from_raw != i64::MIN {
            actions.push((thread.life.from_raw, Action::OpenThread(index)));
        }
        actions.extend(
            thread
                .life
                .exit_raw
                .map(|raw| (last_breath.of(raw), Action::EndThread(index))),
        );
    }
    actions
}

impl Pass<'_> {
    /// Writes everyone who was there before the trace: parents before children, as a parent named first would be made
    /// up by the importer.
    pub(super) fn write_initial_lives(&mut self) -> Result<(), Error> {
        let lifetimes = self.lifetimes;
        let at_start = |from_raw: i64| from_raw == i64::MIN;
        let processes = || {
            lifetimes
                .processes
                .iter()
                .enumerate()
                .filter(|(_, process)| at_start(process.from_raw))
        };
        if !processes().any(|(_, process)| process.facts.pid == 0) {
            packets::idle_process(&mut self.emit);
        }
        for (index, process) in processes() {
            self.lives.open_processes.insert(process.facts.pid, index);
            self.sampling.spaces.begin_process(process.facts.pid, index);
            packets::process_track(&mut self.emit, START_TS_NS, None, index, process);
        }
        for (_, process) in processes() {
            let parent_pid = lifetimes.living_parent(process);
            packets::process_tree(&mut self.emit, INITIAL_PARENTS_TS_NS, process, parent_pid);
        }
        for (index, thread) in lifetimes.threads.iter().enumerate() {
            if at_start(thread.life.from_raw) {
                self.thread_opened(index);
                let process = lifetimes.processes.get(thread.process);
                let described = (&thread.life, process);
                packets::initial_thread(&mut self.emit, None, index, described);
                self.write_full_chunk()?;
            }
        }
        Ok(())
    }

    /// Writes everyone who lives where the selected range begins, as [`Pass::write_initial_lives`] does.
    pub(super) fn write_living(&mut self, rehearsal: &Rehearsal<'_>) {
        let lifetimes = self.lifetimes;
        let mut open: Vec<usize> = self.lives.open_processes.values().copied().collect();
        open.sort_unstable();
        let processes = || {
            let life = |&index: &usize| Some((index, lifetimes.processes.get(index)?));
            open.iter().filter_map(life)
        };
        if !self.lives.open_processes.contains_key(&0) {
            packets::idle_process(&mut self.emit);
        }
        for (index, process) in processes() {
            let create_ts_ns = rehearsal.processes_created.get(&index).copied();
            packets::process_track(&mut self.emit, START_TS_NS, create_ts_ns, index, process);
        }
        for (_, process) in processes() {
            let parent_pid = lifetimes
                .living_parent(process)
                .filter(|pid| self.lives.open_processes.contains_key(pid));
            packets::process_tree(&mut self.emit, INITIAL_PARENTS_TS_NS, process, parent_pid);
        }
        let mut open: Vec<usize> = self.lives.open_threads.values().copied().collect();
        open.sort_unstable();
        for index in open {
            let create_ts_ns = rehearsal.threads_created.get(&index).copied();
            if let Some(thread) = lifetimes.threads.get(index) {
                let described = (&thread.life, lifetimes.processes.get(thread.process));
                packets::initial_thread(&mut self.emit, create_ts_ns, index, described);
            }
        }
    }

    pub(super) fn open_process(&mut self, raw: i64, index: usize) {
        let Some(process) = self.lifetimes.processes.get(index) else {
            return;
        };
        if let Some(&earlier) = self.lives.open_processes.get(&process.facts.pid) {
            self.free_process(raw, earlier);
        }
        self.lives.open_processes.insert(process.facts.pid, index);
        self.sampling.spaces.begin_process(process.facts.pid, index);
        let create_ts_ns =
            packets::new_process(&mut self.emit, raw, index, process, self.lifetimes);
        if let (Some(rehearsal), Some(ts_ns)) = (&mut self.rehearsal, create_ts_ns) {
            rehearsal.processes_created.insert(index, ts_ns);
        }
    }

    pub(super) fn open_thread(&mut self, raw: i64, index: usize) {
        let lifetimes = self.lifetimes;
        let Some(thread) = lifetimes.threads.get(index) else {
            return;
        };
        let tid = thread.life.facts.tid;
        let is_running = self.scheduling.is_running(tid);
        if let Some(&earlier) = self.lives.open_threads.get(&tid) {
            // One whose start was lost begins with the end event of the one before, which may still run.
            let exit_raw = lifetimes
                .threads
                .get(earlier)
                .and_then(|thread| thread.life.exit_raw);
            if is_running && exit_raw == Some(raw) {
                self.end_thread(raw, earlier);
            }
            let ending = &mut self.lives.ending;
            if let Some(at) = ending.iter().position(|ending| ending.thread == earlier) {
                if let Some(ending) = ending.get_mut(at).filter(|_| is_running) {
                    ending.successor = Some(index);
                    return;
                }
                ending.swap_remove(at);
            }
            self.free_thread(raw, earlier);
        } else if !is_running && self.scheduling.has_seen(tid) {
            // A thread that nothing describes had the id before.
            self.forget_thread(raw, tid);
        }
        // The importer takes a process's id for that of a thread of it.
        if let Some(&process) = self.lives.open_processes.get(&thread.life.facts.tid)
            && self
                .lives
                .processes
                .get(process)
                .is_some_and(|state| state.has_ended)
        {
            self.free_process(raw, process);
        }
        self.thread_opened(index);
        let described = (&thread.life, self.lifetimes.processes.get(thread.process));
        let create_ts_ns = packets::new_thread(&mut self.emit, raw, index, described);
        if let (Some(rehearsal), Some(ts_ns)) = (&mut self.rehearsal, create_ts_ns) {
            rehearsal.threads_created.insert(index, ts_ns);
        }
    }

    fn thread_opened(&mut self, index: usize) {
        let Some(thread) = self.lifetimes.threads.get(index) else {
            return;
        };
        self.lives.open_threads.insert(thread.life.facts.tid, index);
        if let Some(process) = self.lives.processes.get_mut(thread.process) {
            process.open_threads += 1;
        }
    }

    /// A thread writes its end event while it still runs.
    pub(super) fn end_thread(&mut self, raw: i64, index: usize) {
        let Some(thread) = self.lifetimes.threads.get(index) else {
            return;
        };
        let tid = thread.life.facts.tid;
        if self.lives.open_threads.get(&tid) != Some(&index) {
            return;
        }
        let is_ending = |ending: &Ending| ending.thread == index;
        // Its switch-out may have been recorded at the time of its end event.
        let put_aside = &self.lives.put_aside;
        let runs_on = put_aside.raw == raw && put_aside.tids.contains(&tid);
        if !runs_on && !self.scheduling.is_running(tid) {
            self.lives.ending.retain(|ending| !is_ending(ending));
            self.free_thread(raw, index);
        } else if !self.lives.ending.iter().any(is_ending) {
            self.lives.ending.push(Ending {
                thread: index,
                successor: None,
            });
        }
    }

    /// Called after every switch-out, with the state that the thread goes into.
    #[inline]
    pub(super) fn switched_out(&mut self, raw: i64, tid: u32, state: u8) {
        // After any other state it runs again. Where events were lost none is known, and none may follow.
        if !matches!(state, thread_state::TERMINATED | thread_state::INITIALIZED) {
            let put_aside = &mut self.lives.put_aside;
            if put_aside.raw != raw {
                put_aside.raw = raw;
                put_aside.tids.clear();
            }
            put_aside.tids.push(tid);
            self.lives.tells_states |= state != RunEnd::STATE_NOT_RECORDED;
            return;
        }
        if self.lives.ending.is_empty() {
            return;
        }
        let lifetimes = self.lifetimes;
        let is_tid = |ending: &Ending| {
            lifetimes
                .threads
                .get(ending.thread)
                .is_some_and(|thread| thread.life.facts.tid == tid)
        };
        if let Some(position) = self.lives.ending.iter().position(is_tid) {
            let ending = self.lives.ending.swap_remove(position);
            self.free_thread(raw, ending.thread);
            if let Some(successor) = ending.successor {
                self.open_thread(raw, successor);
            }
        }
    }

    /// Frees ended threads that were never switched out within the trace.
    pub(super) fn end_lives(&mut self, raw: i64) {
        for ending in std::mem::take(&mut self.lives.ending) {
            self.free_thread(raw, ending.thread);
        }
    }

    fn free_thread(&mut self, raw: i64, index: usize) {
        let Some(thread) = self.lifetimes.threads.get(index) else {
            return;
        };
        let tid = thread.life.facts.tid;
        self.lives.open_threads.remove(&tid);
        self.forget_thread(raw, tid);
        let Some(process) = self.lives.processes.get_mut(thread.process) else {
            return;
        };
        process.open_threads = process.open_threads.saturating_sub(1);
        if process.has_ended && process.open_threads == 0 {
            self.free_process(raw, thread.process);
        }
    }

    /// Reports threads that events name and nothing describes, and their processes.
    pub(super) fn tell_undescribed(&mut self) {
        let mut told = FxHashSet::default();
        let undescribed: Vec<_> = self.emit.keys.undescribed().collect();
        for known in undescribed {
            let keys = &self.emit.keys;
            let index = known.upid.and_then(|upid| keys.index(upid));
            let process = index.and_then(|index| self.lifetimes.processes.get(index));
            let pid = keys.pid(known.upid);
            let process_name: Option<Box<str>> = match (process, pid) {
                (Some(process), _) => Some(packets::process_name(&process.facts).into()),
                (None, Some(pid)) => Some(format!("pid {pid}").into()),
                (None, None) => None,
            };
            if let (Some(upid), Some(pid), None) = (known.upid, pid, process)
                && told.insert(upid)
            {
                self.emit.tell_process(&ProcessLife {
                    upid,
                    pid,
                    name: process_name.clone().unwrap_or_default(),
                    ..ProcessLife::default()
                });
            }
            self.emit.tell_thread(&ThreadLife {
                thread: known.thread,
                upid: known.upid,
                pid,
                process_name,
                ..ThreadLife::default()
            });
        }
    }

    fn forget_thread(&mut self, raw: i64, tid: u32) {
        self.scheduling.forget(tid);
        if let Some(rehearsal) = &mut self.rehearsal {
            rehearsal.forget(tid);
        }
        let ts_ns = self.emit.stamp(raw);
        self.emit.keys.end(tid);
        self.emit.packets().task_free(ts_ns, tid);
    }

    /// A process ends after its threads. Threads whose own end was not recorded end with it; those that still clean up after
    /// their end live until their last switch-out.
    pub(super) fn end_process(&mut self, raw: i64, index: usize) {
        let Some(process) = self.lives.processes.get_mut(index) else {
            return;
        };
        process.has_ended = true;
        let threads = std::mem::take(&mut process.threads);
        if process.open_threads == 0 {
            self.free_process(raw, index);
            return;
        }
        for thread in threads {
            let is_ending = |ending: &Ending| ending.thread == thread;
            if self.lives.tells_states && self.lives.ending.iter().any(is_ending) {
                continue;
            }
            let ends_later = self.lifetimes.threads.get(thread).is_some_and(|thread| {
                let exit_raw = thread.life.exit_raw.map(|raw| self.last_breath.of(raw));
                exit_raw.is_some_and(|exit_raw| exit_raw >= raw)
            });
            if !ends_later {
                self.end_thread(raw, thread);
            }
        }
    }

    fn free_process(&mut self, raw: i64, index: usize) {
        let Some(process) = self.lifetimes.processes.get(index) else {
            return;
        };
        let pid = process.facts.pid;
        if self.lives.open_processes.get(&pid) != Some(&index) {
            return;
        }
        self.lives.open_processes.remove(&pid);
        let ts_ns = self.emit.stamp(raw);
        self.emit.keys.end(pid);
        self.emit.packets().task_free(ts_ns, pid);
    }
}
