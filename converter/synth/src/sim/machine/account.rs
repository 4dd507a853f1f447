//! Why watched threads wait, from what the machine itself knows: the truth that verdicts are measured by.

use std::io::{Seek, Write};

use super::Machine;
use crate::sim::arena::Key;
use crate::sim::cpu::Cpu;
use crate::sim::thread::Thread;
use crate::sim::watch::Why;

impl<W: Write + Seek> Machine<W> {
    /// Lets time pass in which nothing happens.
    pub(super) fn go_to(&mut self, time: i64) {
        let passed = time - self.now;
        for (wait, thread) in self.watch.open_waits() {
            let why = self.why_waiting(thread);
            self.watch.charge(wait, why, passed);
        }
        self.now = time;
    }

    fn why_waiting(&self, key: Key<Thread>) -> Why {
        let thread = &self.threads[key];
        if let Some(why) = thread.held {
            return why;
        }
        if let Some(cpu) = self.cpus.iter().find(|cpu| cpu.standby == Some(key)) {
            return match cpu.running {
                _ if cpu.interrupted_until > self.now => Why::Interrupt,
                Some(_) => Why::PreemptionDelay,
                None => Why::IdleWakeUp,
            };
        }
        let goes_first = |cpu: &Cpu| {
            cpu.running
                .is_some_and(|running| self.threads[running].claim() <= thread.claim())
        };
        let by_rank_alone = |cpu: &Cpu| {
            cpu.running
                .is_some_and(|running| self.threads[running].priority < thread.priority)
        };
        let (usable, barred): (Vec<&Cpu>, Vec<&Cpu>) =
            self.cpus.iter().partition(|cpu| thread.may_use(cpu.index));
        if !barred.into_iter().all(goes_first) {
            Why::Affinity
        } else if usable.into_iter().any(by_rank_alone) {
            Why::Rank
        } else {
            Why::Priority
        }
    }
}
