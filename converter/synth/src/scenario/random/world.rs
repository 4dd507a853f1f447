//! The machine as it is, and what happens to it.

use std::io::{Seek, Write};
use std::rc::Rc;

use super::groups::{Affinity, Place};
use super::truth::{IdealCpuTruth, InterruptTruth, RunBeforeTruth, SpanTruth};
use crate::events::desktop::{freeze, thaw};
use crate::events::interrupt::{Interrupt, InterruptKind};
use crate::events::manifest::ManifestEvent;
use crate::events::power::{PostSleep, PreSleep};
use crate::events::priority::{PriorityKind, SetAffinity, SetPriority};
use crate::events::process::{ProcessChange, ProcessEvent, ProcessInfo};
use crate::events::profile::StackWalk;
use crate::events::scheduler::{
    ContextSwitch, KERNEL_STACK_SWAPPED_OUT, READY_FROM_DPC, RankOrCState, ReadyThread,
    ThreadState, WaitReason,
};
use crate::events::thread::{ThreadChange, ThreadEvent, ThreadInfo};
use crate::file::bytes::Pointer;
use crate::file::event::{At, Header, KernelEvent, Origin};
use crate::file::writer::{TraceWriter, WriteError};
use crate::sim::arena::{Arena, Key};
use crate::sim::rng::Rng;

const DRIVER: u64 = 0xFFFF_F800_1000_0000;
/// Where calls of the kernel are.
const KERNEL: u64 = 0xFFFF_F800_2000_0000;
const KERNEL_OF_32_BITS: u64 = 0x8200_0000;
/// Where calls of every program are.
const PROGRAM: u64 = 0x40_1000;
/// Flag of a ready event: the process is swapped out.
const PROCESS_SWAPPED_OUT: u8 = 4;

/// What a thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It is blocked.
    Blocked,
    /// It could run.
    Ready,
    /// It runs there.
    Running(Key<Cpu>),
    /// It is gone.
    Ended,
}

/// A processor.
#[derive(Debug)]
pub struct Cpu {
    pub index: u16,
    pub place: Place,
    /// What runs; `None` is the idle thread.
    pub running: Option<Key<Thread>>,
    /// The run that this is. `None` before the first switch: the trace does not report that run.
    pub run: Option<Key<Run>>,
    /// What interrupts it, the innermost last.
    pub interrupts: Vec<(InterruptKind, i64)>,
}

impl Cpu {
    /// Whether a DPC or ISR runs, instead of any thread. A threaded DPC counts as a thread.
    pub fn is_interrupted(&self) -> bool {
        self.interrupts
            .iter()
            .any(|(kind, _)| !matches!(kind, InterruptKind::ThreadedDpc))
    }
}

/// A process.
#[derive(Debug)]
pub struct Process {
    pub info: ProcessInfo,
    pub life: SpanTruth,
    /// Since when it is frozen.
    pub frozen_since: Option<i64>,
    pub freezes: Vec<SpanTruth>,
}

/// A thread.
#[derive(Debug)]
pub struct Thread {
    pub info: ThreadInfo,
    pub process: Key<Process>,
    /// Events of its own describe it: its start, its end, its rundowns.
    pub is_described: bool,
    pub life: SpanTruth,
    pub affinity: Affinity,
    pub priority: u8,
    pub rank: u8,
    /// Number within its group of the processor that it had best run on.
    pub ideal_cpu: u8,
    /// What of that was recorded last.
    pub recorded_ideal_cpu: Option<u8>,
    /// Rank and priority at the end of its last run, if that was in the trace.
    pub recorded: Option<(u8, u8)>,
    pub state: State,
    pub last_out: Option<i64>,
    /// Its latest wait in the ready state.
    pub wait: Option<Key<Wait>>,
    /// It must be read in before it can run.
    pub swapped_out: bool,
}

impl Thread {
    /// Smaller goes first.
    pub const fn claim(&self) -> (u8, u8) {
        (self.rank, 31 - self.priority)
    }
}

/// A stay on a processor.
#[derive(Debug)]
pub struct Run {
    pub cpu: u16,
    /// The one before it there; `None` for the first that is recorded.
    pub before: Option<Key<Run>>,
    /// `None` is the idle thread.
    pub thread: Option<Key<Thread>>,
    pub start: i64,
    pub end: Option<i64>,
    pub priority: u8,
    pub rank: Option<u8>,
    /// What the processor's hardware counters stood at when it began, and counted until it ended.
    pub counters: [u64; 2],
    pub counted: Option<[u64; 2]>,
    /// Priority at its end.
    pub old_priority: Option<u8>,
    pub old_state: Option<ThreadState>,
}

/// The processors for a while in which nothing happened.
#[derive(Debug)]
pub struct Moment {
    pub ticks: i64,
    pub asleep: bool,
    pub cpus: Vec<CpuMoment>,
}

/// A processor for that while.
#[derive(Debug, Clone, Copy)]
pub struct CpuMoment {
    pub run: Option<Key<Run>>,
    pub interrupted: bool,
}

/// A part of a wait.
#[derive(Debug)]
pub struct Part {
    pub start: i64,
    pub moment: Rc<Moment>,
    pub frozen: bool,
    pub affinity: Affinity,
}

/// A wait in the ready state.
#[derive(Debug)]
pub struct Wait {
    pub thread: Key<Thread>,
    pub ready: i64,
    /// Who readied it; `None` if it was put aside while it ran.
    pub readier: Option<Readier>,
    pub last_out: Option<i64>,
    /// The run that it ended with.
    pub run: Option<Key<Run>>,
    /// What was recorded last of rank and priority before it.
    pub recorded: Option<(u8, u8)>,
    /// It was said to be swapped out.
    pub swapped_out: bool,
    /// When it was readied again.
    pub readied_again: Option<i64>,
    pub parts: Vec<Part>,
}

/// Who readies a thread, on a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waker {
    /// Whoever runs there.
    Running(Key<Cpu>),
    /// A DPC there.
    Dpc(Key<Cpu>),
}

/// Who readied a thread.
#[derive(Debug, Clone, Copy)]
pub struct Readier {
    pub in_dpc: bool,
    /// `None` for a DPC and for the idle thread.
    pub thread: Option<Key<Thread>>,
    /// The run in which it did.
    pub run: Option<Key<Run>>,
}

/// How a thread leaves its processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    /// It blocks.
    Block(WaitReason),
    /// It could go on.
    PutAside(WaitReason),
    /// It ends.
    End,
}

/// The machine.
#[derive(Debug)]
pub struct World<W> {
    pub writer: TraceWriter<W>,
    pub now: i64,
    pub asleep: bool,
    pub cpus: Arena<Cpu>,
    pub processes: Arena<Process>,
    pub threads: Arena<Thread>,
    pub runs: Arena<Run>,
    pub runs_before: Vec<RunBeforeTruth>,
    pub waits: Arena<Wait>,
    pub interrupts: Vec<InterruptTruth>,
    pub sleeps: Vec<SpanTruth>,
    pub ideal_cpus: Vec<IdealCpuTruth>,
    /// The recording says the group and the number of each processor.
    pub tells_places: bool,
    /// Hardware counters are recorded with each switch.
    pub counts: bool,
    /// Draws the stacks that are recorded with switches and ready events; `None` where none are.
    pub stacks: Option<Rng>,
    pub events: u64,
}

impl<W: Write + Seek> World<W> {
    /// A machine of idle processors.
    pub fn new(writer: TraceWriter<W>, places: &[Place], tells_places: bool) -> Self {
        let mut cpus = Arena::default();
        for (index, place) in (0..).zip(places) {
            cpus.add(Cpu {
                index,
                place: *place,
                running: None,
                run: None,
                interrupts: Vec::new(),
            });
        }
        Self {
            writer,
            now: 0,
            asleep: false,
            cpus,
            processes: Arena::default(),
            threads: Arena::default(),
            runs: Arena::default(),
            runs_before: Vec::new(),
            waits: Arena::default(),
            interrupts: Vec::new(),
            sleeps: Vec::new(),
            ideal_cpus: Vec::new(),
            tells_places,
            counts: false,
            stacks: None,
            events: 0,
        }
    }

    /// Lets time pass in which nothing happens.
    pub fn pass(&mut self, ticks: i64) {
        let cpus = self.cpus.iter().map(|(_, cpu)| CpuMoment {
            run: cpu.run,
            interrupted: cpu.is_interrupted(),
        });
        let moment = Rc::new(Moment {
            ticks,
            asleep: self.asleep,
            cpus: cpus.collect(),
        });
        for (_, thread) in self.threads.iter() {
            if thread.state == State::Ready
                && let Some(wait) = thread.wait
            {
                self.waits[wait].parts.push(Part {
                    start: self.now,
                    moment: Rc::clone(&moment),
                    frozen: self.processes[thread.process].frozen_since.is_some(),
                    affinity: thread.affinity,
                });
            }
        }
        self.now += ticks;
    }

    /// Readies a blocked thread.
    pub fn ready(
        &mut self,
        thread: Key<Thread>,
        waker: Waker,
        swapped_out: bool,
    ) -> Result<(), WriteError> {
        let by = self.log_ready(thread, waker, swapped_out)?;
        self.become_ready(thread, Some(by), swapped_out);
        Ok(())
    }

    /// Readies a thread that is ready already; whatever it waited for on a disk has been read in.
    pub fn ready_again(&mut self, thread: Key<Thread>, waker: Waker) -> Result<(), WriteError> {
        self.log_ready(thread, waker, false)?;
        if let Some(wait) = self.threads[thread].wait {
            self.waits[wait].readied_again = Some(self.now);
        }
        self.threads[thread].swapped_out = false;
        Ok(())
    }

    /// Readies a thread that is about to block, and has it block so many ticks later.
    pub fn overtake(
        &mut self,
        thread: Key<Thread>,
        waker: Waker,
        ticks: i64,
        (cpu, new): (Key<Cpu>, Option<Key<Thread>>),
        reason: WaitReason,
    ) -> Result<(), WriteError> {
        let by = self.log_ready(thread, waker, false)?;
        self.pass(ticks);
        self.switch(cpu, new, Leave::Block(reason))?;
        self.become_ready(thread, Some(by), false);
        Ok(())
    }

    fn log_ready(
        &mut self,
        thread: Key<Thread>,
        waker: Waker,
        swapped_out: bool,
    ) -> Result<Readier, WriteError> {
        let (cpu, from_dpc) = match waker {
            Waker::Running(cpu) => (cpu, 0),
            Waker::Dpc(cpu) => (cpu, READY_FROM_DPC),
        };
        let stack = if swapped_out && self.now % 2 == 0 {
            KERNEL_STACK_SWAPPED_OUT
        } else if swapped_out {
            PROCESS_SWAPPED_OUT
        } else {
            0
        };
        let event = ReadyThread {
            tid: self.threads[thread].info.tid,
            adjust_reason: 0,
            adjust_increment: 0,
            flags: from_dpc | stack,
        };
        self.put(cpu, Header::PerfInfo, &event)?;
        self.put_stack(cpu, self.cpus[cpu].running)?;
        let in_dpc = matches!(waker, Waker::Dpc(_));
        let cpu = Some(&self.cpus[cpu]).filter(|_| !in_dpc);
        Ok(Readier {
            in_dpc,
            thread: cpu.and_then(|cpu| cpu.running),
            run: cpu.and_then(|cpu| cpu.run),
        })
    }

    fn become_ready(&mut self, key: Key<Thread>, readier: Option<Readier>, swapped_out: bool) {
        let thread = &mut self.threads[key];
        thread.state = State::Ready;
        thread.swapped_out = swapped_out;
        thread.wait = Some(self.waits.add(Wait {
            thread: key,
            ready: self.now,
            readier,
            last_out: thread.last_out,
            run: None,
            recorded: thread.recorded,
            swapped_out,
            readied_again: None,
            parts: Vec::new(),
        }));
    }

    /// Switches a processor to another thread, or to none.
    pub fn switch(
        &mut self,
        cpu: Key<Cpu>,
        new: Option<Key<Thread>>,
        leave: Leave,
    ) -> Result<(), WriteError> {
        let now = self.now;
        let old = self.cpus[cpu].running;
        let (old_state, reason) = match leave {
            Leave::Block(reason) => (ThreadState::Waiting, reason),
            Leave::PutAside(reason) => (ThreadState::Ready, reason),
            Leave::End => (ThreadState::Terminated, WaitReason::WrTerminated),
        };
        let incoming = new.map(|key| &self.threads[key]);
        let outgoing = old.map(|key| &self.threads[key]);
        let event = ContextSwitch {
            version: 4,
            new_tid: incoming.map_or(0, |thread| thread.info.tid),
            old_tid: outgoing.map_or(0, |thread| thread.info.tid),
            new_priority: incoming.map_or(0, |thread| thread.priority),
            old_priority: outgoing.map_or(0, |thread| thread.priority),
            rank_or_c_state: outgoing.map_or(RankOrCState::CState(1), |thread| {
                RankOrCState::Rank(thread.rank)
            }),
            new_priority_decrement: 0,
            old_wait_reason: outgoing.map_or(0, |_| reason as u8),
            old_wait_mode: outgoing.map_or(0, |_| 1),
            old_qos: 0,
            new_qos: 0,
            old_state: outgoing.map_or(ThreadState::Running, |_| old_state),
            old_ideal_cpu: outgoing.map_or(0, |thread| thread.ideal_cpu),
            new_wait_time: 1,
            old_remaining_quantum: 0,
        };
        let old_rank = outgoing.map(|thread| thread.rank);
        let new_priority = event.new_priority;
        let counters = self.counters(cpu);
        let header = if self.counts {
            Header::PerfInfoWithCounters(counters)
        } else {
            Header::PerfInfo
        };
        self.put(cpu, header, &event)?;
        self.put_stack(cpu, new)?;
        if let Some(run) = self.cpus[cpu].run {
            let counts = self.counts;
            let ended = &mut self.runs[run];
            ended.counted = counts.then(|| {
                let [first, second] = ended.counters;
                [counters[0] - first, counters[1] - second]
            });
            ended.end = Some(now);
            ended.rank = old_rank;
            ended.old_priority = Some(event.old_priority);
            ended.old_state = Some(event.old_state);
        }
        let run = self.runs.add(Run {
            cpu: self.cpus[cpu].index,
            before: self.cpus[cpu].run,
            thread: new,
            start: now,
            end: None,
            priority: new_priority,
            rank: None,
            counters,
            counted: None,
            old_priority: None,
            old_state: None,
        });
        self.cpus[cpu].run = Some(run);
        self.cpus[cpu].running = new;
        if let Some(key) = new {
            let thread = &mut self.threads[key];
            thread.state = State::Running(cpu);
            if let Some(wait) = thread.wait {
                self.waits[wait].run = Some(run);
            }
        }
        if let Some(key) = old {
            let end_ns = self.ns(now);
            let is_first = self.runs[run].before.is_none();
            let thread = &mut self.threads[key];
            thread.last_out = Some(now);
            thread.recorded = Some((thread.rank, thread.priority));
            let ideal_cpu = thread.ideal_cpu;
            if thread.recorded_ideal_cpu.replace(ideal_cpu) != Some(ideal_cpu) {
                self.ideal_cpus.push(IdealCpuTruth {
                    tid: thread.info.tid,
                    pid: thread.info.pid,
                    out_ns: end_ns,
                    ideal_cpu,
                });
            }
            if is_first {
                self.runs_before.push(RunBeforeTruth {
                    tid: thread.info.tid,
                    pid: thread.info.pid,
                    end_ns,
                    rank: thread.rank,
                });
            }
            match leave {
                Leave::Block(_) => thread.state = State::Blocked,
                Leave::PutAside(_) => self.become_ready(key, None, false),
                Leave::End => thread.state = State::Ended,
            }
        }
        Ok(())
    }

    pub fn begin_interrupt(&mut self, cpu: Key<Cpu>, kind: InterruptKind) {
        let now = self.now;
        self.cpus[cpu].interrupts.push((kind, now));
    }

    /// Ends the innermost interrupt of a processor, if there is one.
    pub fn end_interrupt(&mut self, cpu: Key<Cpu>) -> Result<(), WriteError> {
        let Some((kind, start)) = self.cpus[cpu].interrupts.pop() else {
            return Ok(());
        };
        self.interrupts.push(InterruptTruth {
            cpu: self.cpus[cpu].index,
            kind: match kind {
                InterruptKind::Dpc => "dpc",
                InterruptKind::ThreadedDpc => "threaded_dpc",
                InterruptKind::TimerDpc => "timer_dpc",
                InterruptKind::Isr { .. } | InterruptKind::IsrMsi { .. } => "isr",
            },
            start_ns: self.ns(start),
            end_ns: self.ns(self.now),
        });
        let event = Interrupt {
            kind,
            initial_ticks: self.ticks(start),
            routine: DRIVER + 0x10,
        };
        self.put(cpu, Header::PerfInfo, &event)
    }

    /// Freezes a process, or thaws one that is frozen.
    pub fn freeze_or_thaw(&mut self, cpu: Key<Cpu>, key: Key<Process>) -> Result<(), WriteError> {
        let now_ns = self.ns(self.now);
        let frozen_since_ns = self.processes[key].frozen_since.map(|start| self.ns(start));
        let now = self.now;
        let process = &mut self.processes[key];
        let pid = process.info.pid;
        let event = if frozen_since_ns.is_some() {
            process.frozen_since = None;
            process.freezes.push(SpanTruth {
                start_ns: frozen_since_ns,
                end_ns: Some(now_ns),
            });
            thaw(pid)
        } else {
            process.frozen_since = Some(now);
            freeze(pid)
        };
        self.put_provider(cpu, &event)
    }

    pub fn set_affinity(
        &mut self,
        cpu: Key<Cpu>,
        key: Key<Thread>,
        (group, mask): (u16, u64),
    ) -> Result<(), WriteError> {
        let thread = &mut self.threads[key];
        thread.info.affinity = mask;
        thread.affinity = Affinity {
            group: Some(group),
            mask,
            is_group_recorded: true,
        };
        let tid = thread.info.tid;
        self.put(cpu, Header::PerfInfo, &SetAffinity { tid, group, mask })
    }

    /// Gives a thread another priority.
    pub fn set_priority(
        &mut self,
        cpu: Key<Cpu>,
        key: Key<Thread>,
        new: u8,
    ) -> Result<(), WriteError> {
        let thread = &mut self.threads[key];
        let old = std::mem::replace(&mut thread.priority, new);
        let event = SetPriority {
            kind: PriorityKind::Dynamic,
            tid: thread.info.tid,
            old,
            new,
        };
        self.put(cpu, Header::PerfInfo, &event)
    }

    /// The machine sleeps for so long.
    pub fn sleep(&mut self, cpu: Key<Cpu>, ticks: i64) -> Result<(), WriteError> {
        let start = self.now;
        let pre = PreSleep {
            counter: self.ticks(start),
            hz: self.writer.session().ticks_per_second(),
        };
        self.put(cpu, Header::PerfInfo, &pre)?;
        self.asleep = true;
        self.pass(ticks);
        self.asleep = false;
        let counter = self.ticks(self.now);
        self.put(cpu, Header::PerfInfo, &PostSleep { counter })?;
        self.sleeps.push(SpanTruth {
            start_ns: Some(self.ns(start)),
            end_ns: Some(self.ns(self.now)),
        });
        Ok(())
    }

    pub fn log_process(
        &mut self,
        cpu: Key<Cpu>,
        by: Origin,
        change: ProcessChange,
        key: Key<Process>,
    ) -> Result<(), WriteError> {
        let info = self.processes[key].info.clone();
        let event = ProcessEvent {
            change,
            version: 4,
            process: &info,
        };
        self.put(cpu, Header::System(by), &event)
    }

    pub fn log_thread(
        &mut self,
        cpu: Key<Cpu>,
        by: Origin,
        change: ThreadChange,
        key: Key<Thread>,
    ) -> Result<(), WriteError> {
        let info = self.threads[key].info.clone();
        let event = ThreadEvent {
            change,
            version: 3,
            thread: &info,
        };
        self.put(cpu, Header::System(by), &event)
    }

    /// Who runs on a processor, as events name it.
    pub fn origin(&self, cpu: Key<Cpu>) -> Origin {
        self.cpus[cpu].running.map_or(Origin::default(), |key| {
            let ThreadInfo { tid, pid, .. } = self.threads[key].info;
            Origin { tid, pid }
        })
    }

    /// What the hardware counters of a processor stand at: one goes with time, the other with the switches of all.
    fn counters(&self, cpu: Key<Cpu>) -> [u64; 2] {
        let index = u64::from(self.cpus[cpu].index);
        let switches = u64::try_from(self.runs.iter().count()).unwrap_or(0);
        [self.now.unsigned_abs() * 3 + index, switches * 7 + index]
    }

    fn put(
        &mut self,
        cpu: Key<Cpu>,
        header: Header,
        event: &impl KernelEvent,
    ) -> Result<(), WriteError> {
        self.events += 1;
        let at = At::new(self.cpus[cpu].index, self.ticks(self.now));
        self.writer.kernel(at, header, event)
    }

    /// Writes the stack of a thread for the event that was written last, of every second event.
    fn put_stack(&mut self, cpu: Key<Cpu>, of: Option<Key<Thread>>) -> Result<(), WriteError> {
        let Some(rng) = &mut self.stacks else {
            return Ok(());
        };
        if rng.below(2) == 0 {
            return Ok(());
        }
        let kernel = match self.writer.session().pointer {
            Pointer::Four => KERNEL_OF_32_BITS,
            Pointer::Eight => KERNEL,
        };
        // Few places, so that stacks share their outer calls.
        let mut calls = |base: u64| -> Vec<u64> {
            let depth = rng.below(4);
            (0..depth)
                .map(|_| base + 0x10 * u64::from(rng.below(5)))
                .collect()
        };
        let mut addresses = calls(kernel);
        addresses.push(kernel);
        addresses.extend(calls(PROGRAM));
        let (pid, tid) = of.map_or((0, 0), |key| {
            let ThreadInfo { tid, pid, .. } = self.threads[key].info;
            (pid, tid)
        });
        let event_ticks = self.ticks(self.now);
        let event = StackWalk {
            event_ticks,
            pid,
            tid,
            addresses,
        };
        let at = At::new(self.cpus[cpu].index, event_ticks);
        self.writer.kernel(at, Header::PerfInfo, &event)
    }

    fn put_provider(&mut self, cpu: Key<Cpu>, event: &ManifestEvent) -> Result<(), WriteError> {
        self.events += 1;
        let at = At::new(self.cpus[cpu].index, self.ticks(self.now));
        let by = self.origin(cpu);
        self.writer.provider(at, by, &event.event())
    }

    /// A time in ns after the header event.
    pub fn ns(&self, time: i64) -> i64 {
        self.writer.session().ns_since_start(self.ticks(time))
    }

    fn ticks(&self, time: i64) -> i64 {
        self.writer.session().start_ticks + time
    }
}
