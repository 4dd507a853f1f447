//! DPCs and ISRs, and the routines that they run.

use std::sync::Arc;

use etl::HookId;
use etw::{Interrupt, InterruptSource};
use facts::{InterruptRoutine, Interrupted, Sink, StackOf};

use crate::first_times::INITIAL_THREADS_TS_NS;
use crate::pass::state::Pass;

impl Pass<'_> {
    /// Writes an interrupt where it ended. Scheduling events of the same raw time, which wait to be ordered, come after.
    pub fn interrupt(&mut self, raw: i64, cpu: u16, hook: HookId, interrupt: &Interrupt) {
        if raw != self.tick.raw {
            self.end_tick();
        }
        self.unclaimed_stacks(raw);
        self.act_until(raw);
        let image = self.sampling.spaces.image_at(0, interrupt.source.routine);
        let number = self.interrupt_number(raw, interrupt.source, image);
        let ts_ns = self.emit.stamp(raw);
        let is_possible = raw.saturating_sub(interrupt.initial_raw) <= self.length_raw;
        let begin_ns = self.emit.ts_of(interrupt.initial_raw);
        let dur_ns = if is_possible {
            ts_ns.saturating_sub(begin_ns)
        } else {
            0
        };
        let (module, rva) = self.place_of_routine(interrupt.source, image);
        let from_ns = ts_ns.saturating_sub(dur_ns);
        self.emit.sinks.interrupt(&Interrupted {
            ts_ns: from_ns,
            te_ns: ts_ns,
            exclusive_ns: self.interrupt_nesting.exclusive_ns(cpu, from_ns, ts_ns),
            cpu,
            number,
            source: interrupt.source,
            module,
            rva,
        });
        if let Some(stack) = self.claims.of(raw, cpu, self.running_on(cpu)) {
            self.event_stack(
                (raw, ts_ns),
                Some(cpu),
                stack,
                StackOf::Kernel(hook.0),
                None,
            );
        }
    }

    /// The number of a source, which is told first if it is new; 0 where there are too many.
    fn interrupt_number(&mut self, raw: i64, source: InterruptSource, image: Option<usize>) -> u32 {
        if let Some(&number) = self.interrupt_sources.get(&(source, image)) {
            return number;
        }
        let number = self.interrupt_sources.len() as u32 + 1;
        if number > InterruptRoutine::NUMBER_MAX {
            return 0;
        }
        self.interrupt_sources.insert((source, image), number);
        let ts_ns = self.emit.stamp(raw);
        self.tell_interrupt_routine(ts_ns, number, source, image);
        number
    }

    /// Tells the routines that were met before the selected range.
    pub fn tell_interrupt_routines(&mut self) {
        let mut sources: Vec<_> = self
            .interrupt_sources
            .iter()
            .map(|(&(source, image), &number)| (number, source, image))
            .collect();
        sources.sort_unstable_by_key(|(number, ..)| *number);
        for (number, source, image) in sources {
            self.tell_interrupt_routine(INITIAL_THREADS_TS_NS, number, source, image);
        }
    }

    fn tell_interrupt_routine(
        &mut self,
        ts_ns: u64,
        number: u32,
        source: InterruptSource,
        image: Option<usize>,
    ) {
        let (module, rva) = self.place_of_routine(source, image);
        self.emit.sinks.interrupt_routine(&InterruptRoutine {
            ts_ns,
            number,
            source,
            module,
            rva,
        });
    }

    /// Path of the image of a routine, and its address less that of the image.
    fn place_of_routine(
        &self,
        source: InterruptSource,
        image: Option<usize>,
    ) -> (Option<Arc<str>>, Option<u64>) {
        let facts = image.and_then(|image| self.sampling.spaces.facts(image));
        let module = facts.and_then(|facts| facts.path.clone());
        (module, facts.map(|facts| source.routine - facts.base))
    }
}
