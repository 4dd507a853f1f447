//! The machine: processors, the scheduler's rules, and simulated time.
//!
//! A thread made ready takes an idle processor if there is one, else that of the worst running thread if it is better,
//! else it queues. Better is: lower rank, then higher priority. A thread keeps its processor until it blocks, a better
//! thread comes, or its quantum ends while an equal one waits.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{Seek, Write};

use super::arena::{Arena, Key};
use super::cpu::Cpu;
use super::log::Log;
use super::process::{NewProcess, Process};
use super::ready_queue::ReadyQueue;
use super::rng::Rng;
use super::thread::{State, Step, Thread, Turn, Work};
use super::watch::Watch;
use crate::events::process::{ProcessChange, ProcessInfo};
use crate::events::scheduler::{
    AntiStarvationBoost, ContextSwitch, READY_FROM_DPC, RankOrCState, ReadyThread, ThreadState,
    WaitReason,
};
use crate::events::thread::ThreadChange;
use crate::file::event::Origin;
use crate::file::writer::{TraceWriter, WriteError, Written};

/// Ticks of a simulated millisecond: the machine's clock runs at 10 MHz.
pub const MS: i64 = 10_000;
/// Ticks of a simulated second.
pub const SECOND: i64 = 1_000 * MS;

const CONTEXT_SWITCH_VERSION: u8 = 4;
/// Two clock intervals of 15.625 ms, the quantum of a client Windows.
const QUANTUM: i64 = 312_500;
const CLOCK_INTERVAL: i64 = 156_250;
/// A run is never shorter than 2 µs.
const SHORTEST_RUN: i64 = 20;
const STARVING_AFTER: i64 = 4 * SECOND;
const STARVATION_PRIORITY: u8 = 15;
/// Boosts never lift a thread into the real-time priorities.
const MAX_BOOSTED_PRIORITY: u8 = 15;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Switch { cpu: u16 },
    RunEnd { cpu: u16, run: u64 },
    Timer { thread: Key<Thread>, wait: u64 },
    StarvationScan,
}

/// A simulated machine that logs what its scheduler does.
pub struct Machine<W> {
    now: i64,
    rng: Rng,
    cpus: Vec<Cpu>,
    threads: Arena<Thread>,
    processes: Arena<Process>,
    ready: ReadyQueue,
    agenda: BinaryHeap<Reverse<(i64, u64, Due)>>,
    agenda_count: u64,
    switch_limit: u64,
    switches: u64,
    watch: Watch,
    log: Log<W>,
}

impl<W: Write + Seek> Machine<W> {
    /// A machine with the session's processors, all idle, whose time begins at `start` ticks after the header event.
    pub fn new(writer: TraceWriter<W>, seed: u64, start: i64) -> Self {
        let cpu_count = u16::try_from(writer.session().cpu_count).unwrap_or(u16::MAX);
        let mut machine = Self {
            now: start,
            rng: Rng::new(seed),
            cpus: (0..cpu_count).map(|index| Cpu::new(index, start)).collect(),
            threads: Arena::default(),
            processes: Arena::default(),
            ready: ReadyQueue::default(),
            agenda: BinaryHeap::new(),
            agenda_count: 0,
            switch_limit: u64::MAX,
            switches: 0,
            watch: Watch::default(),
            log: Log::new(writer),
        };
        machine.schedule(start + SECOND, Due::StarvationScan);
        machine
    }

    /// Adds a process that has run since before the trace.
    pub fn add_process(&mut self, process: Process) -> Key<Process> {
        self.processes.add(process)
    }

    /// Adds a thread that waits since before the trace and first runs at `wake_at`, if ever.
    pub fn add_thread(&mut self, thread: Thread, wake_at: Option<i64>) -> Key<Thread> {
        self.processes[thread.process].live_threads += 1;
        let key = self.threads.add(Thread {
            waiting_since: self.now,
            ..thread
        });
        if let Some(time) = wake_at {
            self.schedule(
                time,
                Due::Timer {
                    thread: key,
                    wait: 0,
                },
            );
        }
        key
    }

    /// Records every ready wait of this thread.
    pub fn watch(&mut self, thread: Key<Thread>) {
        self.watch.follow(thread);
    }

    /// What is known of the watched thread.
    pub const fn watched(&self) -> &Watch {
        &self.watch
    }

    /// A process by its key.
    pub fn process(&self, key: Key<Process>) -> &Process {
        &self.processes[key]
    }

    /// A thread by its key.
    pub fn thread(&self, key: Key<Thread>) -> &Thread {
        &self.threads[key]
    }

    /// Ticks after the header event.
    pub const fn now(&self) -> i64 {
        self.now
    }

    /// The log.
    pub const fn log(&mut self) -> &mut Log<W> {
        &mut self.log
    }

    /// Stops after so many logged context switches, whatever [`Machine::run_until`] asks.
    pub const fn limit_switches(&mut self, limit: u64) {
        self.switch_limit = limit;
    }

    /// Writes all live processes and threads and says when the rundown was done.
    ///
    /// # Errors
    /// As [`TraceWriter::kernel`].
    pub fn rundown(&mut self, end: bool) -> Result<i64, WriteError> {
        let mut members = std::collections::BTreeMap::<Key<Process>, Vec<&Thread>>::new();
        for (_, thread) in self
            .threads
            .iter()
            .filter(|(_, thread)| thread.state != State::Ended)
        {
            members.entry(thread.process).or_default().push(thread);
        }
        let live = self.processes.iter().filter(|(_, process)| !process.ended);
        self.log.rundown(
            self.now,
            end,
            live.map(|(key, process)| (process, members.get(&key).cloned().unwrap_or_default())),
        )
    }

    /// Lets time pass until `end` or until the limit of switches; says whether it got to `end`.
    ///
    /// # Errors
    /// As [`TraceWriter::kernel`].
    pub fn run_until(&mut self, end: i64) -> Result<bool, WriteError> {
        while self.switches < self.switch_limit {
            match self.agenda.peek() {
                Some(Reverse((time, _, due))) if *time <= end => {
                    self.now = *time;
                    let due = *due;
                    self.agenda.pop();
                    self.handle(due)?;
                }
                _ => {
                    self.now = end;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Closes the trace at a time after the header event.
    ///
    /// # Errors
    /// As [`TraceWriter::finish`].
    pub fn finish(self, end: i64) -> Result<(W, Written), WriteError> {
        self.log.finish(end)
    }

    fn schedule(&mut self, time: i64, due: Due) {
        self.agenda_count += 1;
        self.agenda.push(Reverse((time, self.agenda_count, due)));
    }

    fn handle(&mut self, due: Due) -> Result<(), WriteError> {
        match due {
            Due::Switch { cpu } => self.preempt(cpu),
            Due::RunEnd { cpu, run } => self.run_ends(cpu, run),
            Due::Timer { thread, wait } => {
                let sleeper = &self.threads[thread];
                if sleeper.state != State::Waiting || sleeper.wait_count != wait {
                    return Ok(());
                }
                let cpu_count = self.cpus.len();
                let cpu =
                    u16::try_from(usize::from(sleeper.ideal_cpu) % cpu_count.max(1)).unwrap_or(0);
                self.make_ready(thread, cpu, 0, READY_FROM_DPC)
            }
            Due::StarvationScan => self.scan_for_starving(),
        }
    }

    fn make_ready(
        &mut self,
        key: Key<Thread>,
        cpu: u16,
        increment: i8,
        flags: u8,
    ) -> Result<(), WriteError> {
        let now = self.now;
        let waker = self
            .cpus
            .get(usize::from(cpu))
            .and_then(|cpu| cpu.running)
            .map(|key| &self.threads[key]);
        let waker = waker.map_or((0, 0), |thread| (thread.info.tid, thread.info.pid));
        let thread = &mut self.threads[key];
        thread.state = State::Ready;
        thread.ready_since = now;
        thread.wait_count += 1;
        let boosted = thread
            .info
            .base_priority
            .saturating_add_signed(increment)
            .min(MAX_BOOSTED_PRIORITY);
        thread.priority = thread.priority.max(boosted);
        let event = ReadyThread {
            tid: thread.info.tid,
            adjust_reason: i8::from(increment > 0),
            adjust_increment: increment,
            flags,
        };
        self.watch.readied(key, now, waker, flags);
        self.log.ready_thread(cpu, now, &event)?;
        self.place(key);
        Ok(())
    }

    /// Finds a processor for a ready thread, or queues it.
    fn place(&mut self, key: Key<Thread>) {
        let claim = self.threads[key].claim();
        let ideal = usize::from(self.threads[key].ideal_cpu) % self.cpus.len().max(1);
        let idle = |cpu: &Cpu| cpu.running.is_none() && cpu.standby.is_none();
        let preferred = self.cpus.get(ideal).filter(|cpu| idle(cpu));
        if let Some(cpu) = preferred
            .or_else(|| self.cpus.iter().find(|cpu| idle(cpu)))
            .map(|cpu| cpu.index)
        {
            let latency = self.rng.within(15..90);
            self.stand_by(key, cpu, latency);
            return;
        }
        let victim = self
            .cpus
            .iter()
            .filter(|cpu| cpu.standby.is_none())
            .filter_map(|cpu| {
                cpu.running
                    .map(|running| (self.threads[running].claim(), cpu.index))
            })
            .max();
        match victim {
            Some((worst, cpu)) if claim < worst => {
                let latency = self.rng.within(8..40);
                self.stand_by(key, cpu, latency);
            }
            _ => self.ready.push(claim, key),
        }
    }

    fn stand_by(&mut self, key: Key<Thread>, cpu: u16, latency: i64) {
        self.threads[key].state = State::Standby;
        if let Some(cpu) = self.cpus.get_mut(usize::from(cpu)) {
            cpu.standby = Some(key);
        }
        self.schedule(self.now + latency, Due::Switch { cpu });
    }

    /// Switches to the standby thread, if it still stands by.
    fn preempt(&mut self, cpu: u16) -> Result<(), WriteError> {
        let Some(place) = self.cpus.get_mut(usize::from(cpu)) else {
            return Ok(());
        };
        let Some(next) = place.standby.take() else {
            return Ok(());
        };
        let old = place.running;
        self.charge(cpu);
        self.switch(cpu, Some(next), ThreadState::Ready, WaitReason::WrPreempted)?;
        if let Some(old) = old {
            self.requeue(old);
        }
        self.settle(cpu)
    }

    fn requeue(&mut self, key: Key<Thread>) {
        let now = self.now;
        let thread = &mut self.threads[key];
        thread.state = State::Ready;
        thread.ready_since = now;
        self.watch.preempted(key, now);
        self.place(key);
    }

    /// Takes the time since the run began, or was last charged, from the running thread's work and quantum.
    fn charge(&mut self, cpu: u16) {
        let now = self.now;
        let Some(cpu) = self.cpus.get_mut(usize::from(cpu)) else {
            return;
        };
        let elapsed = now - std::mem::replace(&mut cpu.charged_until, now);
        let Some(key) = cpu.running else { return };
        let thread = &mut self.threads[key];
        thread.quantum_left -= elapsed;
        thread.work = match thread.work {
            Work::Ticks(left) if left > elapsed => Work::Ticks(left - elapsed),
            Work::Until(end) if end > now => Work::Until(end),
            _ => Work::Done,
        };
    }

    fn run_ends(&mut self, cpu: u16, run: u64) -> Result<(), WriteError> {
        if self
            .cpus
            .get(usize::from(cpu))
            .is_none_or(|place| place.run != run)
        {
            return Ok(());
        }
        self.charge(cpu);
        let running = self
            .cpus
            .get(usize::from(cpu))
            .and_then(|place| place.running);
        if let Some(key) = running.filter(|key| self.threads[*key].quantum_left <= 0) {
            let thread = &mut self.threads[key];
            thread.quantum_left = QUANTUM;
            let decay = if std::mem::take(&mut thread.starvation_boost) {
                thread.priority
            } else {
                1
            };
            thread.priority = thread
                .priority
                .saturating_sub(decay)
                .max(thread.info.base_priority);
            let claim = thread.claim();
            let contested = self.ready.best_claim().is_some_and(|best| best <= claim);
            if contested && thread.work != Work::Done {
                let next = self.ready.pop();
                self.switch(cpu, next, ThreadState::Ready, WaitReason::WrQuantumEnd)?;
                self.requeue(key);
            }
        }
        self.settle(cpu)
    }

    /// Asks the running thread for steps until it has work, or hands the processor on until one has.
    fn settle(&mut self, cpu: u16) -> Result<(), WriteError> {
        while let Some(key) = self
            .cpus
            .get(usize::from(cpu))
            .and_then(|place| place.running)
        {
            let now = self.now;
            let thread = &mut self.threads[key];
            if thread.work != Work::Done {
                let end = match thread.work {
                    Work::Until(end) => end.max(now + SHORTEST_RUN),
                    Work::Ticks(left) => now + left.max(SHORTEST_RUN),
                    Work::Done => now,
                };
                let end = end.min(now + thread.quantum_left.max(1));
                if let Some(place) = self.cpus.get_mut(usize::from(cpu)) {
                    place.run += 1;
                    let run = place.run;
                    self.schedule(end, Due::RunEnd { cpu, run });
                }
                return Ok(());
            }
            let step = thread.behaviour.next(Turn {
                now,
                me: key,
                rng: &mut self.rng,
            });
            self.take_step(cpu, key, step)?;
        }
        Ok(())
    }

    fn take_step(&mut self, cpu: u16, key: Key<Thread>, step: Step) -> Result<(), WriteError> {
        let now = self.now;
        match step {
            Step::Run(ticks) => self.threads[key].work = Work::Ticks(ticks),
            Step::RunUntil(end) => self.threads[key].work = Work::Until(end),
            Step::Rank(rank) => self.threads[key].rank = rank,
            Step::Wake { thread, increment } => {
                if self.threads[thread].state == State::Waiting {
                    self.make_ready(thread, cpu, increment, 0)?;
                } else {
                    self.threads[thread].signalled = true;
                }
            }
            Step::Wait(reason) => {
                if !std::mem::take(&mut self.threads[key].signalled) {
                    self.block(cpu, key, reason, None)?;
                }
            }
            Step::Sleep(reason, ticks) => self.block(cpu, key, reason, Some(now + ticks))?,
            Step::SleepUntil(reason, time) => self.block(cpu, key, reason, Some(time))?,
            Step::Create(process) => self.create(cpu, key, *process)?,
            Step::Exit => self.exit(cpu, key)?,
        }
        Ok(())
    }

    fn block(
        &mut self,
        cpu: u16,
        key: Key<Thread>,
        reason: WaitReason,
        wake_at: Option<i64>,
    ) -> Result<(), WriteError> {
        let now = self.now;
        let thread = &mut self.threads[key];
        thread.state = State::Waiting;
        thread.waiting_since = now;
        let wait = thread.wait_count;
        if let Some(time) = wake_at {
            self.schedule(time.max(now + 1), Due::Timer { thread: key, wait });
        }
        self.hand_on(cpu, ThreadState::Waiting, reason)
    }

    /// Gives the processor to the best thread that wants one, even if it stands by for another, or to the idle thread.
    fn hand_on(
        &mut self,
        cpu: u16,
        old_state: ThreadState,
        reason: WaitReason,
    ) -> Result<(), WriteError> {
        if let Some(own) = self
            .cpus
            .get_mut(usize::from(cpu))
            .and_then(|place| place.standby.take())
        {
            self.ready.push(self.threads[own].claim(), own);
        }
        let threads = &self.threads;
        let standing_by = self.cpus.iter_mut().filter_map(|place| {
            let claim = threads[place.standby?].claim();
            Some((claim, &mut place.standby))
        });
        let best = standing_by.min_by_key(|(claim, _)| *claim);
        let next = match (best, self.ready.best_claim()) {
            (Some((claim, standby)), queued) if queued.is_none_or(|queued| claim < queued) => {
                standby.take()
            }
            _ => self.ready.pop(),
        };
        self.switch(cpu, next, old_state, reason)
    }

    fn create(
        &mut self,
        cpu: u16,
        creator: Key<Thread>,
        new: NewProcess,
    ) -> Result<(), WriteError> {
        let by = self.origin(creator);
        let info = ProcessInfo {
            parent_pid: by.pid,
            ..new.info
        };
        let process = self.processes.add(Process::new(info));
        self.log.process(
            cpu,
            self.now,
            by,
            ProcessChange::Start,
            &self.processes[process],
        )?;
        for (info, behaviour) in new.threads {
            let key = self.add_thread(Thread::new(process, info, behaviour), None);
            self.log
                .thread(cpu, self.now, by, ThreadChange::Start, &self.threads[key])?;
            self.make_ready(key, cpu, 0, 0)?;
        }
        Ok(())
    }

    fn exit(&mut self, cpu: u16, key: Key<Thread>) -> Result<(), WriteError> {
        let by = self.origin(key);
        self.threads[key].state = State::Ended;
        let process = self.threads[key].process;
        self.processes[process].live_threads -= 1;
        let last = self.processes[process].live_threads == 0;
        if last {
            self.log.process_terminate(cpu, self.now, by, by.pid)?;
        }
        self.log
            .thread(cpu, self.now, by, ThreadChange::End, &self.threads[key])?;
        if last {
            let ending = &mut self.processes[process];
            ending.ended = true;
            ending.info.exit_status = 0;
            self.log
                .process(cpu, self.now, by, ProcessChange::End, ending)?;
        }
        self.hand_on(cpu, ThreadState::Terminated, WaitReason::WrTerminated)
    }

    fn origin(&self, key: Key<Thread>) -> Origin {
        let info = &self.threads[key].info;
        Origin {
            tid: info.tid,
            pid: info.pid,
        }
    }

    fn switch(
        &mut self,
        cpu: u16,
        new: Option<Key<Thread>>,
        old_state: ThreadState,
        reason: WaitReason,
    ) -> Result<(), WriteError> {
        let now = self.now;
        let Some(place) = self.cpus.get_mut(usize::from(cpu)) else {
            return Ok(());
        };
        let idle_ticks = now - place.idle_since;
        let old = std::mem::replace(&mut place.running, new);
        place.run += 1;
        place.charged_until = now;
        if new.is_none() {
            place.idle_since = now;
        }
        let mut event = ContextSwitch {
            version: CONTEXT_SWITCH_VERSION,
            new_tid: 0,
            old_tid: 0,
            new_priority: 0,
            old_priority: 0,
            rank_or_c_state: RankOrCState::CState(c_state(idle_ticks)),
            new_priority_decrement: 0,
            old_wait_reason: WaitReason::Executive as u8,
            old_wait_mode: 0,
            old_qos: 0,
            new_qos: 0,
            old_state: ThreadState::Running,
            old_ideal_cpu: u8::try_from(cpu % 256).unwrap_or(0),
            new_wait_time: 1,
            old_remaining_quantum: 0,
        };
        if let Some(thread) = old.map(|key| &self.threads[key]) {
            event.old_tid = thread.info.tid;
            event.old_priority = thread.priority;
            event.rank_or_c_state = RankOrCState::Rank(thread.rank);
            event.old_wait_reason = reason as u8;
            event.old_wait_mode = u8::from(is_user_wait(reason));
            event.old_qos = thread.qos;
            event.old_state = old_state;
            event.old_ideal_cpu =
                thread.ideal_cpu % u8::try_from(self.cpus.len()).unwrap_or(u8::MAX).max(1);
            event.old_remaining_quantum =
                i32::try_from(thread.quantum_left.max(0) / 1000).unwrap_or(0);
        }
        if let Some(thread) = new.map(|key| &mut self.threads[key]) {
            thread.state = State::Running;
            if thread.quantum_left <= 0 {
                thread.quantum_left = QUANTUM;
            }
            event.new_tid = thread.info.tid;
            event.new_priority = thread.priority;
            event.new_priority_decrement = thread.boost();
            event.new_qos = thread.qos;
            let waited = now.saturating_sub(thread.waiting_since) / CLOCK_INTERVAL;
            event.new_wait_time = u32::try_from(waited).unwrap_or(u32::MAX).max(1);
        }
        if let Some(key) = old {
            self.watch.switched_out(key, now, &self.threads[key]);
        }
        if let Some(key) = new {
            self.watch.switched_in(key, now, cpu, &self.threads[key]);
        }
        self.switches += u64::from(self.log.is_on());
        self.log.context_switch(cpu, now, &event)
    }

    /// The balance set manager: lifts threads of rank 0 that were ready for long. Those of a lower rank wait in queues of
    /// their scheduling group, which it does not look at.
    fn scan_for_starving(&mut self) -> Result<(), WriteError> {
        let now = self.now;
        let threads = &self.threads;
        let starving = self.ready.take(|key| {
            let thread = &threads[key];
            thread.rank == 0
                && thread.priority < STARVATION_PRIORITY
                && now - thread.ready_since > STARVING_AFTER
        });
        for key in starving {
            let thread = &mut self.threads[key];
            let old_priority = std::mem::replace(&mut thread.priority, STARVATION_PRIORITY);
            thread.starvation_boost = true;
            thread.quantum_left = QUANTUM;
            self.log.starvation(
                now,
                &AntiStarvationBoost {
                    tid: thread.info.tid,
                    cpu: 0,
                    old_priority,
                },
            )?;
            self.place(key);
        }
        self.schedule(now + SECOND, Due::StarvationScan);
        Ok(())
    }
}

/// The deeper the longer the processor idled.
const fn c_state(idle_ticks: i64) -> u8 {
    match idle_ticks {
        ..1_000 => 0,
        1_000..20_000 => 1,
        _ => 2,
    }
}

const fn is_user_wait(reason: WaitReason) -> bool {
    matches!(
        reason,
        WaitReason::UserRequest
            | WaitReason::WrQueue
            | WaitReason::WrLpcReply
            | WaitReason::WrAlertByThreadId
    )
}
