//! The machine: processors, the scheduler's rules, and simulated time.
//!
//! A thread made ready takes an idle processor if there is one, else that of the worst running thread if it is better,
//! else it queues. Better is: lower rank, then higher priority. A thread keeps its processor until it blocks, a better
//! thread comes, or its quantum ends while an equal one waits.

mod account;
mod dispatch;
mod interrupt;
mod steps;
mod switch;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{Seek, Write};

pub use interrupt::Interrupt;

use super::arena::{Arena, Key};
use super::cpu::Cpu;
use super::log::Log;
use super::process::Process;
use super::ready_queue::ReadyQueue;
use super::rng::Rng;
use super::thread::{State, Thread};
use super::watch::{Watch, Why};
use crate::events::scheduler::{READY_FROM_DPC, ReadyThread};
use crate::file::writer::{TraceWriter, WriteError, Written};

/// Ticks of a simulated millisecond: the machine's clock runs at 10 MHz.
pub const MS: i64 = 10_000;
/// Ticks of a simulated second.
pub const SECOND: i64 = 1_000 * MS;

/// Two clock intervals of 15.625 ms, the quantum of a client Windows.
const QUANTUM: i64 = 312_500;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Switch { cpu: u16 },
    RunEnd { cpu: u16, run: u64 },
    Timer { thread: Key<Thread>, wait: u64 },
    InterruptStart { index: usize },
    InterruptEnd { index: usize },
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
    interrupts: Vec<Interrupt>,
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
            interrupts: Vec::new(),
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
    pub fn add_thread(&mut self, mut thread: Thread, wake_at: Option<i64>) -> Key<Thread> {
        self.processes[thread.process].live_threads += 1;
        let cpu_count = u32::try_from(self.cpus.len()).unwrap_or(u32::MAX);
        let all = u64::MAX >> 64_u32.saturating_sub(cpu_count).min(63);
        thread.info.affinity = thread.allowed.unwrap_or(all);
        thread.waiting_since = self.now;
        let key = self.threads.add(thread);
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

    /// Records every ready wait of the threads with this id.
    pub fn watch(&mut self, tid: u32) {
        self.watch.follow(tid);
    }

    /// Keeps a thread from all processors, ready or not.
    pub fn hold(&mut self, thread: Key<Thread>, why: Why) {
        self.threads[thread].held = Some(why);
    }

    /// Lets a thread run again. One whose stack was swapped out is made ready a second time.
    ///
    /// # Errors
    /// As [`TraceWriter::kernel`].
    pub fn release(&mut self, key: Key<Thread>) -> Result<(), WriteError> {
        let thread = &mut self.threads[key];
        let why = thread.held.take();
        if thread.state != State::Ready {
            return Ok(());
        }
        if why == Some(Why::SwappedOut) {
            let event = ReadyThread {
                tid: thread.info.tid,
                adjust_reason: 0,
                adjust_increment: 0,
                flags: READY_FROM_DPC,
            };
            self.log.ready_thread(0, self.now, &event)?;
        }
        self.place(key);
        Ok(())
    }

    /// What is known of the watched threads.
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
                    // One thing at a time: what follows from an event on another processor is later than it.
                    let next = self.now.saturating_add(1).max(*time);
                    let due = *due;
                    self.agenda.pop();
                    self.go_to(next);
                    self.handle(due)?;
                }
                _ => {
                    self.go_to(self.now.max(end));
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
        if let Due::Switch { cpu } | Due::RunEnd { cpu, .. } = due
            && let Some(until) = self.interrupted_until(cpu)
        {
            self.schedule(until, due);
            return Ok(());
        }
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
            Due::InterruptStart { index } => {
                self.interrupt_starts(index);
                Ok(())
            }
            Due::InterruptEnd { index } => self.interrupt_ends(index),
            Due::StarvationScan => self.scan_for_starving(),
        }
    }
}
