//! DPCs and ISRs: one counter sample for each, and one instant for each routine.

use etl::HookId;
use etw::{Interrupt, InterruptSource};
use facts::{Interrupted, Sink, StackOf};
use rustc_hash::FxHashMap;

use super::Pass;
use super::emit::INITIAL_THREADS_TS_NS;
use crate::perfetto::{INTERRUPT_TRACKS, TRACE_TRACK};

/// Sources that are told apart; only a forged trace has more.
const SOURCES_MAX: usize = (1 << SOURCE_BITS) - 1;
const SOURCE_BITS: u32 = 17;
/// The longest duration that a counter sample has room for, 68.7 s. A longer one is also written in an event of its
/// own.
const DUR_MAX_NS: u64 = (1 << 36) - 1;

/// The number of each source that was written; the same routine in another image is another.
pub type Sources = FxHashMap<(InterruptSource, Option<usize>), u32>;

/// Packs source and duration into the 53 bits of a counter sample. Layout: `docs/encoding.md`.
fn interrupt_sample(source: u32, dur_ns: u64) -> u64 {
    u64::from(source) | dur_ns.min(DUR_MAX_NS) << SOURCE_BITS
}

impl Pass<'_> {
    /// Writes an interrupt where it ended. Scheduling events of the same raw time, which wait to be ordered, come after.
    pub(super) fn interrupt(&mut self, raw: i64, cpu: u16, hook: HookId, interrupt: &Interrupt) {
        if raw != self.tick.raw {
            self.end_tick();
        }
        self.unclaimed_stacks(raw);
        self.act_until(raw);
        let image = self.sampling.spaces.image_at(0, interrupt.source.routine);
        let source = self.interrupt_source(raw, interrupt.source, image);
        let ts_ns = self.emit.stamp(raw);
        let is_possible = raw.saturating_sub(interrupt.initial_raw) <= self.length_raw;
        let begin_ns = self.emit.ts_of(interrupt.initial_raw);
        let dur_ns = if is_possible {
            ts_ns.saturating_sub(begin_ns)
        } else {
            0
        };
        let facts = image.and_then(|image| self.sampling.spaces.facts(image));
        let from_ns = ts_ns.saturating_sub(dur_ns);
        self.emit.sinks.interrupt(&Interrupted {
            ts_ns: from_ns,
            te_ns: ts_ns,
            exclusive_ns: self.interrupt_nesting.exclusive_ns(cpu, from_ns, ts_ns),
            cpu,
            source: interrupt.source,
            module: facts.and_then(|facts| facts.path.clone()),
            rva: facts.map(|facts| interrupt.source.routine - facts.base),
        });
        if self.emit.sinks.perfetto.has_scheduling() {
            if dur_ns >= DUR_MAX_NS {
                self.write_long_interrupt(ts_ns, cpu, dur_ns);
            }
            self.emit.packets().counter(
                ts_ns,
                INTERRUPT_TRACKS + u64::from(cpu),
                interrupt_sample(source, dur_ns),
            );
        }
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

    fn write_long_interrupt(&mut self, ts_ns: u64, cpu: u16, dur_ns: u64) {
        self.emit
            .packets()
            .instant(ts_ns, TRACE_TRACK, "etw.long_interrupt", |values| {
                values.uint("cpu", u64::from(cpu));
                values.uint("dur_ns", dur_ns);
            });
    }

    /// The number of a source, which is written first if it is new; 0 where there are too many.
    fn interrupt_source(&mut self, raw: i64, source: InterruptSource, image: Option<usize>) -> u32 {
        if let Some(&number) = self.interrupt_sources.get(&(source, image)) {
            return number;
        }
        if self.interrupt_sources.len() >= SOURCES_MAX {
            return 0;
        }
        let number = self.interrupt_sources.len() as u32 + 1;
        self.interrupt_sources.insert((source, image), number);
        let ts_ns = self.emit.stamp(raw);
        self.write_interrupt_source(ts_ns, number, source, image);
        number
    }

    /// Writes the sources that were met before the selected range.
    pub(super) fn write_interrupt_sources(&mut self) {
        let mut sources: Vec<_> = self
            .interrupt_sources
            .iter()
            .map(|(&(source, image), &number)| (number, source, image))
            .collect();
        sources.sort_unstable_by_key(|(number, ..)| *number);
        for (number, source, image) in sources {
            self.write_interrupt_source(INITIAL_THREADS_TS_NS, number, source, image);
        }
    }

    fn write_interrupt_source(
        &mut self,
        ts_ns: u64,
        number: u32,
        source: InterruptSource,
        image: Option<usize>,
    ) {
        let facts = image.and_then(|image| self.sampling.spaces.facts(image));
        self.emit
            .packets()
            .instant(ts_ns, TRACE_TRACK, "etw.interrupt_source", |values| {
                values.uint("source", u64::from(number));
                values.string("kind", source.kind.name());
                values.uint("routine", source.routine);
                values.string("module", facts.and_then(|facts| facts.path.as_deref()));
                values.uint("rva", facts.map(|facts| source.routine - facts.base));
                values.uint("return_value", source.return_value.map(u64::from));
                values.uint("vector", source.vector.map(u64::from));
                values.uint("message", source.message.map(u64::from));
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_holds_source_and_duration_and_is_exact_in_a_double() {
        assert_eq!(interrupt_sample(3, 5), 3 | 5 << 17);
        assert_eq!(
            interrupt_sample(SOURCES_MAX as u32, u64::MAX),
            (1 << 53) - 1
        );
    }
}
