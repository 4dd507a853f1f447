//! Processes and threads coming and going: what is told of each.

use etw::thread_state;
use facts::{ProcessLife, RunEnd, Sink, ThreadLife};
use rustc_hash::FxHashSet;

use crate::error::Error;
use crate::first_times::{INITIAL_PARENTS_TS_NS, START_TS_NS};
use crate::pass::beginnings;
use crate::pass::lives::Ending;
use crate::pass::rehearsal::Rehearsal;
use crate::pass::state::Pass;

impl Pass<'_> {
    /// Writes everyone who was there before the trace: parents before children, as a parent named first would be made
    /// up by the importer.
    pub fn write_initial_lives(&mut self) -> Result<(), Error> {
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
            self.emit.sinks.idle_process(START_TS_NS);
        }
        for (index, process) in processes() {
            self.lives.open_processes.insert(process.facts.pid, index);
            self.sampling.spaces.begin_process(process.facts.pid, index);
            beginnings::process_begins(&mut self.emit, START_TS_NS, None, index, process);
        }
        for (_, process) in processes() {
            let parent_pid = lifetimes.living_parent(process);
            beginnings::process_origin(&mut self.emit, INITIAL_PARENTS_TS_NS, process, parent_pid);
        }
        for (index, thread) in lifetimes.threads.iter().enumerate() {
            if at_start(thread.life.from_raw) {
                self.thread_opened(index);
                let process = lifetimes.processes.get(thread.process);
                let described = (&thread.life, process);
                beginnings::initial_thread(&mut self.emit, None, described);
                self.write_full_chunk()?;
            }
        }
        Ok(())
    }

    /// Writes everyone who lives where the selected range begins, as [`Pass::write_initial_lives`] does.
    pub fn write_living(&mut self, rehearsal: &Rehearsal<'_>) {
        let lifetimes = self.lifetimes;
        let mut open: Vec<usize> = self.lives.open_processes.values().copied().collect();
        open.sort_unstable();
        let processes = || {
            let life = |&index: &usize| Some((index, lifetimes.processes.get(index)?));
            open.iter().filter_map(life)
        };
        if !self.lives.open_processes.contains_key(&0) {
            self.emit.sinks.idle_process(START_TS_NS);
        }
        for (index, process) in processes() {
            let create_ts_ns = rehearsal.processes_created.get(&index).copied();
            beginnings::process_begins(&mut self.emit, START_TS_NS, create_ts_ns, index, process);
        }
        for (_, process) in processes() {
            let parent_pid = lifetimes
                .living_parent(process)
                .filter(|pid| self.lives.open_processes.contains_key(pid));
            beginnings::process_origin(&mut self.emit, INITIAL_PARENTS_TS_NS, process, parent_pid);
        }
        let mut open: Vec<usize> = self.lives.open_threads.values().copied().collect();
        open.sort_unstable();
        for index in open {
            let create_ts_ns = rehearsal.threads_created.get(&index).copied();
            if let Some(thread) = lifetimes.threads.get(index) {
                let described = (&thread.life, lifetimes.processes.get(thread.process));
                beginnings::initial_thread(&mut self.emit, create_ts_ns, described);
            }
        }
    }

    pub fn open_process(&mut self, raw: i64, index: usize) {
        let Some(process) = self.lifetimes.processes.get(index) else {
            return;
        };
        if let Some(&earlier) = self.lives.open_processes.get(&process.facts.pid) {
            self.free_process(raw, earlier);
        }
        self.lives.open_processes.insert(process.facts.pid, index);
        self.sampling.spaces.begin_process(process.facts.pid, index);
        let create_ts_ns =
            beginnings::new_process(&mut self.emit, raw, index, process, self.lifetimes);
        if let (Some(rehearsal), Some(ts_ns)) = (&mut self.rehearsal, create_ts_ns) {
            rehearsal.processes_created.insert(index, ts_ns);
        }
    }

    pub fn open_thread(&mut self, raw: i64, index: usize) {
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
        let create_ts_ns = beginnings::new_thread(&mut self.emit, raw, described);
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
    pub fn end_thread(&mut self, raw: i64, index: usize) {
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
    pub fn switched_out(&mut self, raw: i64, tid: u32, state: u8) {
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
    pub fn end_lives(&mut self, raw: i64) {
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
    pub fn tell_undescribed(&mut self) {
        let mut told = FxHashSet::default();
        let undescribed: Vec<_> = self.emit.keys.undescribed().collect();
        for known in undescribed {
            let keys = &self.emit.keys;
            let index = known.upid.and_then(|upid| keys.index(upid));
            let process = index.and_then(|index| self.lifetimes.processes.get(index));
            let pid = keys.pid(known.upid);
            let process_name: Option<Box<str>> = match (process, pid) {
                (Some(process), _) => Some(beginnings::process_name(&process.facts).into()),
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
        self.emit.sinks.ended(ts_ns, tid);
    }

    /// A process ends after its threads. Threads whose own end was not recorded end with it; those that still clean up after
    /// their end live until their last switch-out.
    pub fn end_process(&mut self, raw: i64, index: usize) {
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
        self.emit.sinks.ended(ts_ns, pid);
    }
}
