//! Context switches: what they do to the state of their CPU and threads, and the facts that they yield.

use etw::{ContextSwitch, hook, thread_state};
use facts::{IdealCpu, ReadyWait, RunBefore, RunEnd, RunOutlook, RunStart, Sink, StackOf, Switch};

use crate::counters::Counters;
use crate::pass::open_run::Stay;
use crate::pass::order::Item;
use crate::pass::scheduling::Wait;
use crate::pass::state::Pass;
use crate::stacks::Halves;

/// Who leaves a CPU and who comes.
#[derive(Clone, Copy)]
struct Change {
    new_tid: u32,
    old_tid: u32,
    new_priority: i8,
    old_state: u8,
    old_wait_reason: u8,
}

impl Pass<'_> {
    /// Writes one scheduling event.
    #[inline]
    pub fn schedule(&mut self, raw: i64, item: &Item) {
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
        let written_tid = self.scheduling.cpu(cpu).written_tid();
        if written_tid.is_some_and(|tid| tid != switch.old_tid) {
            self.resume(raw, cpu, RunEnd::of(switch));
        }
        self.scheduling.cpu(cpu).count_run(raw);
        let planned = Change {
            new_tid: switch.new_tid,
            old_tid: switch.old_tid,
            new_priority: switch.new_priority,
            old_state: switch.old_state,
            old_wait_reason: switch.old_wait_reason,
        };
        let mut new_qos = switch.new_qos;
        let actual = match run {
            Some(run) if run.tid != switch.new_tid => {
                self.scheduling.corrected_switches += 1;
                new_qos = None;
                Change {
                    new_tid: run.tid,
                    new_priority: run.priority,
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
            self.run_before(ts_ns, RunEnd::of(switch));
        }
        self.ideal_cpu(ts_ns, switch);
        if let Some(counted) = self.scheduling.cpu(cpu).counted.take() {
            self.counted(ts_ns, switch.old_tid, &counted);
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

    /// Tells how far the hardware counters came in the run that has just ended.
    fn counted(&mut self, ts_ns: u64, tid: u32, counted: &Counters) {
        if let Some(rehearsal) = &mut self.rehearsal {
            rehearsal.counted(tid, *counted);
        }
        if self.writes_scheduling {
            self.emit.sinks.counted(ts_ns, counted.values());
        }
    }

    /// Writes a switch that tells no state: the written one is `Initialized`, as where events end. Where it is not known who
    /// comes, the idle thread stands for it.
    fn compact_switch(&mut self, raw: i64, cpu: u16, old: &RunEnd, run: Option<RunEnd>) {
        let written_tid = self.scheduling.cpu(cpu).written_tid();
        if written_tid.is_some_and(|tid| tid != old.tid) {
            self.resume(raw, cpu, *old);
        }
        let change = Change {
            new_tid: run.map_or(0, |run| run.tid),
            old_tid: old.tid,
            new_priority: run.map_or(0, |run| run.priority),
            old_state: thread_state::INITIALIZED,
            old_wait_reason: 0,
        };
        let stack = self.wait_stack(raw, cpu, change.new_tid);
        let ts_ns = self.write_switch(raw, cpu, &change, RunStart::default(), run, stack);
        if written_tid.is_none() && old.tid != 0 {
            self.run_before(ts_ns, *old);
        }
        if run.is_none() {
            self.run_unknown(ts_ns, cpu);
        }
        self.switched_out(raw, old.tid, RunEnd::STATE_NOT_RECORDED);
    }

    fn run_unknown(&mut self, ts_ns: u64, cpu: u16) {
        let state = self.scheduling.cpu(cpu);
        state.current_tid = None;
        if let Some(stay) = &mut state.stay {
            stay.is_unknown = true;
        }
        if let Some(rehearsal) = &mut self.rehearsal {
            rehearsal.run_unknown(cpu, ts_ns);
        }
        if self.writes_scheduling {
            self.emit.run_unknown(ts_ns, cpu);
        }
    }

    /// Tells how a run ended that was under way before its CPU's first switch.
    fn run_before(&mut self, ts_ns: u64, end: RunEnd) {
        let thread = self.emit.thread(end.tid);
        let known = self.scheduling.known(end.tid);
        known.utid = thread.utid;
        known.rank = end.rank;
        known.priority = Some(end.priority);
        // The thread may have been put aside by this very switch.
        if let Some(since) = known.ready.filter(|since| since.ts_ns == ts_ns) {
            known.ready = Some(known.ready_since(ts_ns, since.thread, since.waker));
        }
        let run = RunBefore { ts_ns, thread, end };
        if let Some(rehearsal) = &mut self.rehearsal {
            rehearsal.run_before(&run);
        }
        if self.writes_scheduling {
            self.emit.sinks.run_before(&run);
        }
    }

    /// Tells the ideal processor of a thread that is switched out, where it is not known yet or another than before.
    fn ideal_cpu(&mut self, ts_ns: u64, switch: &ContextSwitch) {
        let (tid, cpu) = (switch.old_tid, switch.old_ideal_cpu);
        if tid == 0 || self.scheduling.known(tid).ideal_cpu.replace(cpu) == Some(cpu) {
            return;
        }
        if self.writes_scheduling {
            let thread = self.emit.thread(tid);
            self.emit.sinks.ideal_cpu(&IdealCpu {
                ts_ns,
                thread,
                ideal_cpu: cpu,
            });
        }
    }

    /// Reports a switch with its stack. Answers when it was.
    fn write_switch(
        &mut self,
        raw: i64,
        cpu: u16,
        change: &Change,
        start: RunStart,
        run: Option<RunEnd>,
        stack: Option<Halves>,
    ) -> u64 {
        let ts_ns = self.emit.stamp(raw);
        let mut switch = Switch {
            ts_ns,
            cpu,
            new: self.emit.thread(change.new_tid),
            old: self.emit.thread(change.old_tid),
            new_priority: change.new_priority,
            old_state: change.old_state,
            old_wait_reason: change.old_wait_reason,
            begins: None,
        };
        let mut wait = None;
        if change.new_tid != 0 {
            (switch.begins, wait) = self.run_begins(&switch, start, run);
        }
        let is_end_told = self.scheduling.cpu(cpu).is_end_told();
        if self.writes_scheduling {
            self.emit.sinks.switch(&switch);
            self.end_stay(ts_ns, cpu, false);
            if let Some(wait) = &wait {
                self.emit.sinks.ready_wait(wait);
            }
        }
        if let Some(halves) = stack {
            let of = StackOf::Kernel(hook::CONTEXT_SWITCH.0);
            self.event_stack((raw, ts_ns), Some(cpu), (change.new_tid, halves), of, None);
        }
        if let Some(rehearsal) = &mut self.rehearsal {
            rehearsal.switch(&switch);
        }
        if change.old_tid != 0 {
            self.run_ends(&switch, is_end_told);
        }
        let state = self.scheduling.cpu(cpu);
        state.current_tid = Some(change.new_tid);
        state.stay = Some(Stay::of(&switch));
        state.run = run;
        if !state.held_back.is_empty() {
            self.write_held_back(raw, cpu);
        }
        ts_ns
    }

    /// The run that a switch begins, and the ready wait that it ends.
    #[inline]
    fn run_begins(
        &mut self,
        switch: &Switch,
        mut start: RunStart,
        end: Option<RunEnd>,
    ) -> (Option<RunOutlook>, Option<ReadyWait>) {
        let known = self.scheduling.known(switch.new.tid);
        let readied = std::mem::take(&mut known.wait).readied();
        start.ready = readied.map(|readied| readied.ready);
        let outlook = RunOutlook {
            start,
            end,
            rank_before: known.rank,
        };
        let wait = known.ready.take().map(|since| ReadyWait {
            ts_ns: since.ts_ns,
            te_ns: switch.ts_ns,
            thread: switch.new,
            waker: since.waker,
            ready: start.ready,
            last_switch_out_ns: since.left_ns,
            last_ready_ns: readied.and_then(|readied| readied.last_ns),
            priority: Some(switch.new_priority),
            rank_before: known.rank,
            rank_after: outlook.rank(),
            cpu: Some(switch.cpu),
        });
        known.utid = switch.new.utid;
        known.rank = outlook.rank();
        known.priority = end.map(|end| end.priority);
        (Some(outlook), wait)
    }

    /// What a switch does to the thread that it switches out. `is_end_told`: an event says how the thread's run ends.
    #[inline]
    fn run_ends(&mut self, switch: &Switch, is_end_told: bool) {
        let known = self.scheduling.known(switch.old.tid);
        let is_ready = matches!(
            switch.old_state,
            thread_state::READY | thread_state::STANDBY | thread_state::DEFERRED_READY
        );
        let since = known.ready_since(switch.ts_ns, switch.old, None);
        known.ready = is_ready.then_some(since);
        let is_blocked = match switch.old_state {
            thread_state::WAITING => true,
            thread_state::INITIALIZED => is_end_told,
            _ => false,
        };
        known.left = is_blocked.then_some((switch.old.utid, switch.ts_ns));
        if switch.old_state == thread_state::READY {
            known.wait = Wait::PutAside;
        }
    }

    /// Reports the run under way on a CPU, which ends.
    #[inline]
    fn end_stay(&mut self, ts_ns: u64, cpu: u16, is_over: bool) {
        let tick_ns = self.tick_ns;
        let state = self.scheduling.cpu(cpu);
        let Some(stay) = state.stay.take() else {
            return;
        };
        let ended = stay.ended(ts_ns, is_over, &mut state.gaps, tick_ns);
        for run in ended.iter().flatten() {
            self.emit.sinks.run(run);
        }
        if let Some(counted) = &state.counted {
            let up_to_here = ended.iter().flatten().filter(|run| run.te_ns == ts_ns);
            for run in up_to_here {
                self.run_sources.see(counted);
                for counter in counted.in_run(run) {
                    self.emit.sinks.run_counter(&counter);
                }
            }
        }
    }

    /// Reports what is under way where the recording ends: runs and ready waits. Reports which counters counted, too.
    pub fn end_scheduling(&mut self, end_ns: u64) {
        if !self.writes_scheduling {
            return;
        }
        for cpu in 0..self.scheduling.cpu_count() {
            self.end_stay(end_ns, cpu, true);
        }
        for wait in self.scheduling.open_waits(end_ns) {
            self.emit.sinks.ready_wait(&wait);
        }
        for source in self.run_sources.all() {
            self.emit.sinks.counter_source(&source);
        }
    }

    /// Ends the run that is under way where the CPU's events end: what the thread did next is not known, which the
    /// written state `Initialized`, that no running thread can go into, stands for.
    fn gap_start(&mut self, raw: i64, cpu: u16) {
        let written_tid = self.scheduling.cpu(cpu).written_tid();
        if let Some(old_tid) = written_tid.filter(|tid| *tid != 0) {
            let change = Change {
                new_tid: 0,
                old_tid,
                new_priority: 0,
                old_state: thread_state::INITIALIZED,
                old_wait_reason: 0,
            };
            self.write_switch(raw, cpu, &change, RunStart::default(), None, None);
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
        let written_tid = state.written_tid().unwrap_or(0);
        if let Some(run) = run.filter(|run| run.tid != written_tid) {
            self.resume(raw, cpu, run);
        }
    }

    /// Begins a run whose switch-in was lost.
    fn resume(&mut self, raw: i64, cpu: u16, run: RunEnd) {
        let change = Change {
            new_tid: run.tid,
            old_tid: self.scheduling.cpu(cpu).written_tid().unwrap_or(0),
            new_priority: run.priority,
            old_state: thread_state::INITIALIZED,
            old_wait_reason: 0,
        };
        self.write_switch(raw, cpu, &change, RunStart::default(), Some(run), None);
        self.scheduling.cpu(cpu).counters = None;
    }
}
