//! What a running thread does, step by step.

use std::io::{Seek, Write};

use super::{Due, Machine};
use crate::events::process::{ProcessChange, ProcessInfo};
use crate::events::scheduler::{READY_FROM_DPC, ReadyThread, ThreadState, WaitReason};
use crate::events::thread::ThreadChange;
use crate::file::event::Origin;
use crate::file::writer::WriteError;
use crate::sim::arena::Key;
use crate::sim::process::{NewProcess, NewThread, Process};
use crate::sim::thread::{State, Step, Thread, Turn, Work};

/// A run is never shorter than 2 µs.
const SHORTEST_RUN: i64 = 20;
/// How long a switch-out takes that a ready event overtakes: 3 µs.
const OVERTAKEN_BY: i64 = 30;

impl<W: Write + Seek> Machine<W> {
    /// Asks the running thread for steps until it has work, or hands the processor on until one has.
    pub(super) fn settle(&mut self, cpu: u16) -> Result<(), WriteError> {
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

    pub(super) fn take_step(
        &mut self,
        cpu: u16,
        key: Key<Thread>,
        step: Step,
    ) -> Result<(), WriteError> {
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
            Step::WaitOvertaken(reason) => self.block_overtaken(cpu, key, reason)?,
            Step::Sleep(reason, ticks) => self.block(cpu, key, reason, Some(now + ticks))?,
            Step::SleepUntil(reason, time) => self.block(cpu, key, reason, Some(time))?,
            Step::Create(process) => self.create(cpu, key, *process)?,
            Step::CreateThread(thread) => {
                let process = self.threads[key].process;
                self.create_thread(cpu, self.origin(key), process, *thread)?;
            }
            Step::BeginExit => self.begin_exit(cpu, key)?,
            Step::Exit => self.exit(cpu, key)?,
        }
        Ok(())
    }

    pub(super) fn block(
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

    /// The ready event comes first; the thread is ready from the switch on.
    fn block_overtaken(
        &mut self,
        cpu: u16,
        key: Key<Thread>,
        reason: WaitReason,
    ) -> Result<(), WriteError> {
        let next_cpu = (usize::from(cpu) + 1) % self.cpus.len().max(1);
        let event = ReadyThread {
            tid: self.threads[key].info.tid,
            adjust_reason: 0,
            adjust_increment: 0,
            flags: READY_FROM_DPC,
        };
        let waker_cpu = u16::try_from(next_cpu).unwrap_or(cpu);
        self.log.ready_thread(waker_cpu, self.now, &event)?;
        self.now += OVERTAKEN_BY;
        self.charge(cpu);
        self.hand_on(cpu, ThreadState::Waiting, reason)?;
        let now = self.now;
        let thread = &mut self.threads[key];
        thread.state = State::Ready;
        thread.waiting_since = now;
        thread.ready_since = now;
        self.watch
            .readied(key, &thread.info, now, (0, 0), READY_FROM_DPC);
        self.place(key);
        Ok(())
    }

    pub(super) fn create(
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
        for thread in new.threads {
            self.create_thread(cpu, by, process, thread)?;
        }
        Ok(())
    }

    fn create_thread(
        &mut self,
        cpu: u16,
        by: Origin,
        process: Key<Process>,
        (info, behaviour): NewThread,
    ) -> Result<(), WriteError> {
        let key = self.add_thread(Thread::new(process, info, behaviour), None);
        self.log
            .thread(cpu, self.now, by, ThreadChange::Start, &self.threads[key])?;
        self.make_ready(key, cpu, 0, 0)
    }

    fn is_last(&self, key: Key<Thread>) -> bool {
        self.processes[self.threads[key].process].live_threads == 1
    }

    /// Windows logs the end of a thread before the thread cleans up, and the end of a process after that.
    fn begin_exit(&mut self, cpu: u16, key: Key<Thread>) -> Result<(), WriteError> {
        if std::mem::replace(&mut self.threads[key].leaving, true) {
            return Ok(());
        }
        let by = self.origin(key);
        if self.is_last(key) {
            self.log.process_terminate(cpu, self.now, by, by.pid)?;
        }
        self.log
            .thread(cpu, self.now, by, ThreadChange::End, &self.threads[key])
    }

    pub(super) fn exit(&mut self, cpu: u16, key: Key<Thread>) -> Result<(), WriteError> {
        self.begin_exit(cpu, key)?;
        let by = self.origin(key);
        let last = self.is_last(key);
        self.threads[key].state = State::Ended;
        let process = self.threads[key].process;
        self.processes[process].live_threads -= 1;
        if last {
            let ending = &mut self.processes[process];
            ending.ended = true;
            ending.info.exit_status = 0;
            self.log
                .process(cpu, self.now, by, ProcessChange::End, ending)?;
        }
        self.hand_on(cpu, ThreadState::Terminated, WaitReason::WrTerminated)
    }

    pub(super) fn origin(&self, key: Key<Thread>) -> Origin {
        let info = &self.threads[key].info;
        Origin {
            tid: info.tid,
            pid: info.pid,
        }
    }
}
