//! Who gets a processor: the rules of the scheduler.

use std::io::{Seek, Write};

use super::{Due, Machine, QUANTUM, SECOND};
use crate::events::scheduler::{
    AntiStarvationBoost, KERNEL_STACK_SWAPPED_OUT, ReadyThread, ThreadState, WaitReason,
};
use crate::file::writer::WriteError;
use crate::sim::arena::Key;
use crate::sim::cpu::Cpu;
use crate::sim::thread::{State, Thread, Work};
use crate::sim::watch::Why;

const STARVING_AFTER: i64 = 4 * SECOND;
const STARVATION_PRIORITY: u8 = 15;
/// Boosts never lift a thread into the real-time priorities.
const MAX_BOOSTED_PRIORITY: u8 = 15;

impl<W: Write + Seek> Machine<W> {
    pub(super) fn make_ready(
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
        let flags = match thread.held {
            Some(Why::SwappedOut) => flags | KERNEL_STACK_SWAPPED_OUT,
            _ => flags,
        };
        let event = ReadyThread {
            tid: thread.info.tid,
            adjust_reason: i8::from(increment > 0),
            adjust_increment: increment,
            flags,
        };
        self.watch.readied(key, &thread.info, now, waker, flags);
        self.log.ready_thread(cpu, now, &event)?;
        if self.threads[key].held.is_none() {
            self.place(key);
        }
        Ok(())
    }

    /// Finds a processor for a ready thread, or queues it.
    pub(super) fn place(&mut self, key: Key<Thread>) {
        let claim = self.threads[key].claim();
        let ideal = usize::from(self.threads[key].ideal_cpu) % self.cpus.len().max(1);
        let idle = |cpu: &Cpu| {
            cpu.running.is_none() && cpu.standby.is_none() && self.threads[key].may_use(cpu.index)
        };
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
            .filter(|cpu| cpu.standby.is_none() && self.threads[key].may_use(cpu.index))
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

    pub(super) fn stand_by(&mut self, key: Key<Thread>, cpu: u16, latency: i64) {
        self.threads[key].state = State::Standby;
        if let Some(cpu) = self.cpus.get_mut(usize::from(cpu)) {
            cpu.standby = Some(key);
        }
        self.schedule(self.now + latency, Due::Switch { cpu });
    }

    /// Switches to the standby thread, if it still stands by.
    pub(super) fn preempt(&mut self, cpu: u16) -> Result<(), WriteError> {
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

    pub(super) fn requeue(&mut self, key: Key<Thread>) {
        let now = self.now;
        let thread = &mut self.threads[key];
        thread.state = State::Ready;
        thread.ready_since = now;
        self.watch.preempted(key, &thread.info, now);
        self.place(key);
    }

    /// Takes the time since the run began, or was last charged, from the running thread's work and quantum.
    pub(super) fn charge(&mut self, cpu: u16) {
        let now = self.now;
        let Some(cpu) = self.cpus.get_mut(usize::from(cpu)) else {
            return;
        };
        let charged_until = cpu.charged_until.max(now);
        let elapsed = (now - std::mem::replace(&mut cpu.charged_until, charged_until)).max(0);
        let Some(key) = cpu.running else { return };
        let thread = &mut self.threads[key];
        thread.quantum_left -= elapsed;
        thread.work = match thread.work {
            Work::Ticks(left) if left > elapsed => Work::Ticks(left - elapsed),
            Work::Until(end) if end > now => Work::Until(end),
            _ => Work::Done,
        };
    }

    pub(super) fn run_ends(&mut self, cpu: u16, run: u64) -> Result<(), WriteError> {
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
            let done = thread.work == Work::Done;
            let threads = &self.threads;
            let may_run = |key: Key<Thread>| threads[key].may_use(cpu);
            let best = self.ready.best_claim(may_run);
            if !done && best.is_some_and(|best| best <= claim) {
                let next = self.ready.pop(may_run);
                self.switch(cpu, next, ThreadState::Ready, WaitReason::WrQuantumEnd)?;
                self.requeue(key);
            }
        }
        self.settle(cpu)
    }

    /// Gives the processor to the best thread that wants one, even if it stands by for another, or to the idle thread.
    pub(super) fn hand_on(
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
            let thread = &threads[place.standby?];
            thread
                .may_use(cpu)
                .then_some((thread.claim(), &mut place.standby))
        });
        let may_run = |key: Key<Thread>| threads[key].may_use(cpu);
        let best = standing_by.min_by_key(|(claim, _)| *claim);
        let next = match (best, self.ready.best_claim(may_run)) {
            (Some((claim, standby)), queued) if queued.is_none_or(|queued| claim < queued) => {
                standby.take()
            }
            _ => self.ready.pop(may_run),
        };
        self.switch(cpu, next, old_state, reason)
    }

    /// The balance set manager: lifts threads of rank 0 that were ready for long. Those of a lower rank wait in queues of
    /// their scheduling group, which it does not look at.
    pub(super) fn scan_for_starving(&mut self) -> Result<(), WriteError> {
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
