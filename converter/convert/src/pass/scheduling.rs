//! Context switches and ready events: the state of every CPU, and what is written of it.

use std::collections::VecDeque;

use etw::{ContextSwitch, ReadyThread, hook, thread_state};
use pftrace::TraceWriter;
use rustc_hash::FxHashMap;

use super::Pass;
use super::emit::{IDEAL_CPU_TRACK, QOS_TRACK, RANK_BEFORE_TRACK, RUN_TRACKS};
use super::head;
use super::order::{Item, Standing};
use crate::counters::Counters;
use crate::index::Streams;
use crate::run::{NOT_RECORDED, RunEnd, RunStart, STATE_NOT_RECORDED, run_sample};
use crate::sample::StackOf;
use crate::stacks::Halves;

/// Ready events that one CPU holds back at most; a forged trace could name its running thread without end.
const HELD_BACK_MAX: usize = 64;

/// What is running, and what waits to be written, by CPU and thread.
#[derive(Debug, Default)]
pub struct Scheduling {
    cpus: Vec<Cpu>,
    /// Threads stay, since they come again.
    threads: FxHashMap<u32, Known>,
    /// Switches in which another thread ran than was planned.
    pub corrected_switches: u64,
    /// A switch had a stack that was no other event's.
    has_wait_stacks: bool,
}

/// What is known of a thread between its runs.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    wait: Wait,
    /// Its rank at the end of its last run; `None` where that was not recorded.
    rank: Option<u8>,
    /// Its ideal processor, as written last.
    ideal_cpu: Option<u8>,
}

/// How a thread waits for a CPU.
#[derive(Clone, Copy, Debug, Default)]
enum Wait {
    /// It does not.
    #[default]
    No,
    /// It was put aside, and nothing made it ready since.
    PutAside,
    /// The last ready event since its last run.
    Readied(Readied),
}

impl Wait {
    fn readied(self) -> Option<Readied> {
        match self {
            Self::Readied(readied) => Some(readied),
            Self::No | Self::PutAside => None,
        }
    }
}

/// A ready event that has not led to a run yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readied {
    /// When its thread became ready, on the trace clock.
    pub ts_ns: u64,
    /// The last event, with what is kept of those before it.
    pub ready: ReadyThread,
}

#[derive(Clone, Debug, Default)]
struct Cpu {
    /// The thread that runs; `None` where nothing recorded tells.
    current_tid: Option<u32>,
    /// The end of its run, if the trace has it.
    run: Option<RunEnd>,
    /// The thread that the written trace says is running; `None` before the first switch.
    written_tid: Option<u32>,
    /// Ready events for the running thread: it is about to block, and they take effect just after.
    held_back: Vec<HeldBack>,
    /// Raw times of switches that are to come, and what the hardware counters had counted at them.
    counters_to_come: VecDeque<(i64, Counters)>,
    /// What they had counted at the switch before; `None` where that was lost or does not tell.
    counters: Option<Box<Counters>>,
}

#[derive(Clone, Copy, Debug)]
struct HeldBack {
    cpu: u16,
    waker_tid: u32,
    ready: ReadyThread,
    /// Whose stack was recorded with it, and that.
    stack: Option<(u32, Halves)>,
}

impl Scheduling {
    /// The CPUs as their streams begin: the old thread of the first switch was running before it.
    pub fn new(streams: &Streams) -> Self {
        let mut scheduling = Self::default();
        for start in &streams.starts {
            if start.is_lost {
                continue;
            }
            let cpu = scheduling.cpu(start.cpu);
            cpu.run = start.run;
            cpu.current_tid = start.run.map(|run| run.tid);
        }
        scheduling
    }

    /// Whether a thread is running on some CPU.
    pub fn is_running(&self, tid: u32) -> bool {
        self.cpus.iter().any(|cpu| cpu.current_tid == Some(tid))
    }

    /// The thread that runs on a CPU, where something recorded tells.
    pub fn current_tid(&self, cpu: u16) -> Option<u32> {
        self.cpus.get(usize::from(cpu))?.current_tid
    }

    /// How a thread stands to a CPU.
    pub fn standing(&self, tid: u32) -> Standing {
        match self.threads.get(&tid).map(|known| known.wait) {
            _ if self.is_running(tid) => Standing::Running,
            Some(Wait::PutAside | Wait::Readied(_)) => Standing::Ready,
            Some(Wait::No) | None => Standing::Blocked,
        }
    }

    /// Whether a thread of that id ran or was made ready, and has not ended since.
    pub fn has_seen(&self, tid: u32) -> bool {
        self.threads.contains_key(&tid)
    }

    /// A thread that ended is not ready any more.
    pub fn forget(&mut self, tid: u32) {
        self.threads.remove(&tid);
    }

    /// Takes in what the hardware counters of a CPU had counted at a switch that is to come.
    pub fn count(&mut self, cpu: u16, raw: i64, counters: Counters) {
        let to_come = &mut self.cpu(cpu).counters_to_come;
        to_come.push_back((raw, counters));
    }

    /// Begins to write: what was known before is not written yet.
    pub fn begin_range(&mut self) {
        self.corrected_switches = 0;
        for known in self.threads.values_mut() {
            known.ideal_cpu = None;
        }
    }

    /// Threads made ready that did not run up to now, the longest-waiting first.
    pub fn still_ready(&self) -> Vec<(u32, Readied)> {
        let mut threads: Vec<_> = self
            .threads
            .iter()
            .filter_map(|(&tid, known)| Some((tid, known.wait.readied()?)))
            .collect();
        threads.sort_by_key(|(tid, readied)| (readied.ts_ns, *tid));
        threads
    }

    #[inline]
    fn known(&mut self, tid: u32) -> &mut Known {
        self.threads.entry(tid).or_default()
    }

    #[inline]
    fn cpu(&mut self, cpu: u16) -> &mut Cpu {
        let index = usize::from(cpu);
        if self.cpus.len() <= index {
            self.cpus.resize_with(index + 1, Cpu::default);
        }
        #[expect(
            clippy::indexing_slicing,
            reason = "the vector was made long enough just above"
        )]
        &mut self.cpus[index]
    }
}

impl Cpu {
    /// How far the hardware counters came in the run that a switch of this time ends, if this and the switch before tell.
    #[inline]
    fn counted(&mut self, raw: i64) -> Option<Counters> {
        if self.counters.is_none() && self.counters_to_come.is_empty() {
            return None;
        }
        let before = self.counters.take();
        let next = self.counters_to_come.pop_front_if(|(of, _)| *of == raw);
        self.counters = next.map(|(_, counters)| Box::new(counters));
        self.counters.as_ref()?.since(before.as_ref()?)
    }
}

impl Pass<'_> {
    /// Writes one scheduling event.
    #[inline]
    pub(super) fn schedule(&mut self, raw: i64, item: &Item) {
        match item {
            Item::Switch { cpu, switch, run } => self.switch(raw, *cpu, switch, *run),
            Item::Compact { cpu, old, run } => self.compact_switch(raw, *cpu, old, *run),
            Item::Ready {
                cpu,
                ready,
                acting_tid,
            } => self.ready(raw, *cpu, ready, *acting_tid),
            Item::Sample { .. } if self.is_rehearsing() => drop(self.emit.stamp(raw)),
            Item::Sample { cpu, sample } => self.sample(raw, *cpu, sample),
            Item::Other { cpu, hook, tid } => self.other_stack(raw, *cpu, *hook, *tid),
            Item::GapStart { cpu } => self.gap_start(raw, *cpu),
            Item::GapEnd { cpu, run } => self.gap_end(raw, *cpu, *run),
        }
    }

    #[inline]
    fn switch(&mut self, raw: i64, cpu: u16, switch: &ContextSwitch, run: Option<RunEnd>) {
        let written_tid = self.scheduling.cpu(cpu).written_tid;
        if written_tid.is_some_and(|tid| tid != switch.old_tid) {
            self.resume(raw, cpu, RunEnd::of(switch));
        }
        let counted = self.scheduling.cpu(cpu).counted(raw);
        let planned = pftrace::ContextSwitch {
            new_tid: switch.new_tid,
            old_tid: switch.old_tid,
            new_priority: switch.new_priority,
            old_state: importable_state(switch.old_state),
            old_wait_reason: switch.old_wait_reason,
        };
        let mut new_qos = switch.new_qos;
        let actual = match run {
            Some(run) if run.tid != switch.new_tid => {
                self.scheduling.corrected_switches += 1;
                new_qos = None;
                pftrace::ContextSwitch {
                    new_tid: run.tid,
                    new_priority: run.priority(),
                    ..planned
                }
            }
            _ => planned,
        };
        let start = RunStart {
            ready: None,
            priority_decrement: switch.new_priority_decrement,
            c_state: switch.previous_c_state,
            qos: new_qos,
        };
        let stack = self.wait_stack(raw, cpu, actual.new_tid);
        let ts_ns = self.write_switch(raw, cpu, &actual, start, run, stack);
        if written_tid.is_none() && switch.old_tid != 0 {
            self.run_before(ts_ns, &RunEnd::of(switch));
        }
        self.ideal_cpu(ts_ns, switch);
        if let Some(counted) = counted {
            self.write_counted(ts_ns, switch.old_tid, &counted);
        }
        self.switched_out(raw, switch.old_tid, switch.old_state);
    }

    /// The stack of a switch: that of the thread which it switches in. Of several events of that thread and time it is the
    /// switch's only if other switches had stacks of their own.
    fn wait_stack(&mut self, raw: i64, cpu: u16, new_tid: u32) -> Option<Halves> {
        let is_contested = self.tick.contested.contains(&new_tid);
        if is_contested && !self.scheduling.has_wait_stacks {
            return None;
        }
        let stack = self.claims.of_thread(raw, cpu, new_tid);
        self.scheduling.has_wait_stacks |= stack.is_some() && !is_contested;
        stack
    }

    /// Writes how far the hardware counters came in the run that has just ended.
    fn write_counted(&mut self, ts_ns: u64, tid: u32, counted: &Counters) {
        if let Some(rehearsal) = &mut self.rehearsal {
            rehearsal.counted(tid, *counted);
        }
        if self.writes_scheduling {
            counted.write(&mut self.emit.writer, ts_ns);
        }
    }

    /// Writes a switch that tells no state: the written one is `Initialized`, as where events end. Where it is not known who
    /// comes, the idle thread stands for it.
    fn compact_switch(&mut self, raw: i64, cpu: u16, old: &RunEnd, run: Option<RunEnd>) {
        let written_tid = self.scheduling.cpu(cpu).written_tid;
        if written_tid.is_some_and(|tid| tid != old.tid) {
            self.resume(raw, cpu, *old);
        }
        let switch = pftrace::ContextSwitch {
            new_tid: run.map_or(0, |run| run.tid),
            old_tid: old.tid,
            new_priority: run.map_or(0, |run| run.priority()),
            old_state: thread_state::INITIALIZED,
            old_wait_reason: 0,
        };
        let stack = self.wait_stack(raw, cpu, switch.new_tid);
        let ts_ns = self.write_switch(raw, cpu, &switch, RunStart::default(), run, stack);
        if written_tid.is_none() && old.tid != 0 {
            self.run_before(ts_ns, old);
        }
        if run.is_none() {
            self.run_unknown(ts_ns, cpu);
        }
        self.switched_out(raw, old.tid, STATE_NOT_RECORDED);
    }

    fn run_unknown(&mut self, ts_ns: u64, cpu: u16) {
        self.scheduling.cpu(cpu).current_tid = None;
        if let Some(rehearsal) = &mut self.rehearsal {
            rehearsal.run_unknown(cpu, ts_ns);
        }
        if self.writes_scheduling {
            head::write_run_unknown(&mut self.emit.writer, ts_ns, cpu);
        }
    }

    /// Writes how a run ended that was under way before its CPU's first switch.
    fn run_before(&mut self, ts_ns: u64, end: &RunEnd) {
        let tid = end.tid;
        let sample = run_sample(&RunStart::default(), Some(end));
        self.scheduling.known(tid).rank = end.rank;
        if let Some(rehearsal) = &mut self.rehearsal {
            rehearsal.run_before(tid, sample);
        }
        if self.writes_scheduling {
            head::write_run_before(&mut self.emit.writer, ts_ns, tid, sample);
        }
    }

    /// Writes the ideal processor of a thread that is switched out, where it is not known yet or another than before.
    fn ideal_cpu(&mut self, ts_ns: u64, switch: &ContextSwitch) {
        let (tid, cpu) = (switch.old_tid, switch.old_ideal_cpu);
        if tid == 0 || self.scheduling.known(tid).ideal_cpu.replace(cpu) == Some(cpu) {
            return;
        }
        if self.writes_scheduling {
            let value = u64::from(tid) | u64::from(cpu) << u32::BITS;
            self.emit.writer.counter(ts_ns, IDEAL_CPU_TRACK, value);
        }
    }

    /// Writes a switch with its stack, and the sample of the run that it begins; answers when.
    fn write_switch(
        &mut self,
        raw: i64,
        cpu: u16,
        switch: &pftrace::ContextSwitch,
        mut start: RunStart,
        run: Option<RunEnd>,
        stack: Option<Halves>,
    ) -> u64 {
        let ts_ns = self.emit.stamp(raw);
        if self.writes_scheduling {
            self.emit.writer.context_switch(cpu, ts_ns, switch);
        }
        if let Some(halves) = stack {
            let of = StackOf::Kernel(hook::CONTEXT_SWITCH);
            self.event_stack((raw, ts_ns), Some(cpu), (switch.new_tid, halves), of, None);
        }
        let mut sample = None;
        if switch.new_tid != 0 {
            let known = self.scheduling.known(switch.new_tid);
            let wait = std::mem::take(&mut known.wait);
            start.ready = wait.readied().map(|readied| readied.ready);
            let rank = run.and_then(|run| run.rank);
            let rank_before = std::mem::replace(&mut known.rank, rank);
            let written = RunSample {
                value: run_sample(&start, run.as_ref()),
                rank_before: (rank_before != rank).then_some(rank_before),
                qos: start.other_qos(run.as_ref()),
            };
            if self.writes_scheduling {
                written.write(&mut self.emit.writer, cpu, ts_ns);
            }
            sample = Some(written);
        }
        if let Some(rehearsal) = &mut self.rehearsal {
            rehearsal.switch(cpu, ts_ns, switch, sample);
        }
        if switch.old_tid != 0 && switch.old_state == thread_state::READY {
            self.scheduling.known(switch.old_tid).wait = Wait::PutAside;
        }
        let state = self.scheduling.cpu(cpu);
        state.current_tid = Some(switch.new_tid);
        state.written_tid = Some(switch.new_tid);
        state.run = run;
        if !state.held_back.is_empty() {
            self.write_held_back(raw, cpu);
        }
        ts_ns
    }

    fn ready(&mut self, raw: i64, cpu: u16, ready: &ReadyThread, acting_tid: Option<u32>) {
        let from_dpc = ready.flags & ReadyThread::FROM_DPC != 0;
        let current_tid = self.scheduling.cpu(cpu).current_tid;
        // A DPC interrupts whatever thread is current: that thread is no cause.
        let waker_tid = if from_dpc {
            0
        } else {
            acting_tid.or(current_tid).unwrap_or(0)
        };
        let stack = self.claims.of(raw, cpu, acting_tid.or(current_tid));
        let event = HeldBack {
            cpu,
            waker_tid,
            ready: *ready,
            stack,
        };
        let on = self
            .scheduling
            .cpus
            .iter_mut()
            .find(|cpu| cpu.current_tid == Some(ready.tid));
        if let Some(on) = on {
            let will_block = on.run.is_some_and(|run| run.state != thread_state::READY);
            if will_block && on.held_back.len() < HELD_BACK_MAX {
                on.held_back.push(event);
                return;
            }
            self.write_ready_event(raw, &event);
            return;
        }
        self.write_ready(raw, &event);
    }

    /// Writes a ready event that makes its thread ready.
    fn write_ready(&mut self, raw: i64, event: &HeldBack) {
        let ts_ns = self.write_ready_event(raw, event);
        let mut since_ns = ts_ns;
        let mut ready = event.ready;
        // Windows makes a thread ready again once it is back in memory: the wait keeps that it was not, and who began it.
        if let Wait::Readied(before) = self.scheduling.known(ready.tid).wait {
            let kept = ReadyThread::KERNEL_STACK_SWAPPED_OUT | ReadyThread::PROCESS_SWAPPED_OUT;
            since_ns = before.ts_ns;
            ready.flags &= !ReadyThread::FROM_DPC;
            ready.flags |= before.ready.flags & (kept | ReadyThread::FROM_DPC);
        }
        if let Some(rehearsal) = &mut self.rehearsal {
            rehearsal.ready(event.cpu, ts_ns, ready.tid, event.waker_tid);
        }
        let readied = Readied {
            ts_ns: since_ns,
            ready,
        };
        self.scheduling.known(ready.tid).wait = Wait::Readied(readied);
    }

    /// Writes a ready event with its stack; answers when.
    fn write_ready_event(&mut self, raw: i64, event: &HeldBack) -> u64 {
        let ts_ns = self.emit.stamp(raw);
        let cpu = event.cpu;
        if self.writes_scheduling {
            self.emit
                .writer
                .ready_thread(cpu, ts_ns, event.ready.tid, event.waker_tid);
        }
        if let Some(stack) = event.stack {
            let of = StackOf::Kernel(hook::READY_THREAD);
            self.event_stack((raw, ts_ns), Some(cpu), stack, of, None);
        }
        ts_ns
    }

    fn write_held_back(&mut self, raw: i64, cpu: u16) {
        let mut held_back = std::mem::take(&mut self.scheduling.cpu(cpu).held_back);
        for event in held_back.drain(..) {
            self.write_ready(raw, &event);
        }
        self.scheduling.cpu(cpu).held_back = held_back;
    }

    /// Ends the run that is under way where the CPU's events end: what the thread did next is not known, which the
    /// written state `Initialized`, that no running thread can go into, stands for.
    fn gap_start(&mut self, raw: i64, cpu: u16) {
        if let Some(old_tid) = self.scheduling.cpu(cpu).written_tid.filter(|tid| *tid != 0) {
            let switch = pftrace::ContextSwitch {
                new_tid: 0,
                old_tid,
                new_priority: 0,
                old_state: thread_state::INITIALIZED,
                old_wait_reason: 0,
            };
            self.write_switch(raw, cpu, &switch, RunStart::default(), None, None);
            self.switched_out(raw, old_tid, thread_state::INITIALIZED);
        }
        let state = self.scheduling.cpu(cpu);
        state.current_tid = None;
        state.run = None;
        state.counters = None;
    }

    fn gap_end(&mut self, raw: i64, cpu: u16, run: Option<RunEnd>) {
        let state = self.scheduling.cpu(cpu);
        state.current_tid = run.map(|run| run.tid);
        state.run = run;
        // Before the CPU's first switch nothing is written of it: as if it had been idle.
        let written_tid = state.written_tid.unwrap_or(0);
        if let Some(run) = run.filter(|run| run.tid != written_tid) {
            self.resume(raw, cpu, run);
        }
    }

    /// Begins a run whose switch-in was lost.
    fn resume(&mut self, raw: i64, cpu: u16, run: RunEnd) {
        let switch = pftrace::ContextSwitch {
            new_tid: run.tid,
            old_tid: self.scheduling.cpu(cpu).written_tid.unwrap_or(0),
            new_priority: run.priority(),
            old_state: thread_state::INITIALIZED,
            old_wait_reason: 0,
        };
        self.write_switch(raw, cpu, &switch, RunStart::default(), Some(run), None);
        self.scheduling.cpu(cpu).counters = None;
    }
}

/// What is written of a run where it begins.
#[derive(Clone, Copy, Debug)]
pub struct RunSample {
    value: u64,
    /// The rank at the end of the thread's run before, where it is another than at the end of this one.
    rank_before: Option<Option<u8>>,
    /// The QoS level at its switch-in, where its end does not tell the same.
    qos: Option<u8>,
}

impl RunSample {
    /// Writes it on the tracks of a run that begins at `ts_ns`.
    #[inline]
    pub fn write(self, writer: &mut TraceWriter, cpu: u16, ts_ns: u64) {
        writer.counter(ts_ns, RUN_TRACKS + u64::from(cpu), self.value);
        if let Some(rank) = self.rank_before {
            let value = rank.unwrap_or(NOT_RECORDED).into();
            writer.counter(ts_ns, RANK_BEFORE_TRACK, value);
        }
        if let Some(qos) = self.qos {
            writer.counter(ts_ns, QOS_TRACK, qos.into());
        }
    }
}

/// The importer knows states 0 to 7; the later ones are kinds of waiting, and the run sample keeps them.
fn importable_state(state: u8) -> u8 {
    if state <= 7 {
        state
    } else {
        thread_state::WAITING
    }
}
