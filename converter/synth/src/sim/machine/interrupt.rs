//! DPCs and ISRs: while one lasts, its processor neither lets its thread go on nor switches.

use std::io::{Seek, Write};

use super::{Due, Machine};
use crate::events::interrupt::InterruptKind;
use crate::file::writer::WriteError;

/// An interrupt that is to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupt {
    /// Processor that it takes.
    pub cpu: u16,
    /// When it begins, in ticks after the header event; later if another is still under way there.
    pub time: i64,
    /// How long it takes in ticks.
    pub ticks: i64,
    /// What it is.
    pub kind: InterruptKind,
    /// Address of its routine.
    pub routine: u64,
}

impl<W: Write + Seek> Machine<W> {
    /// Adds an interrupt that will take a processor.
    pub fn add_interrupt(&mut self, interrupt: Interrupt) {
        let index = self.interrupts.len();
        self.interrupts.push(interrupt);
        self.schedule(interrupt.time, Due::InterruptStart { index });
    }

    /// When the interrupt that a processor is in ends, if it is in one.
    pub(super) fn interrupted_until(&self, cpu: u16) -> Option<i64> {
        let place = self.cpus.get(usize::from(cpu))?;
        (place.interrupted_until > self.now).then_some(place.interrupted_until)
    }

    pub(super) fn interrupt_starts(&mut self, index: usize) {
        let Some(cpu) = self.interrupts.get(index).map(|interrupt| interrupt.cpu) else {
            return;
        };
        if let Some(until) = self.interrupted_until(cpu) {
            return self.schedule(until, Due::InterruptStart { index });
        }
        self.charge(cpu);
        let now = self.now;
        let (Some(interrupt), Some(place)) = (
            self.interrupts.get_mut(index),
            self.cpus.get_mut(usize::from(cpu)),
        ) else {
            return;
        };
        interrupt.time = now;
        place.interrupted_until = now + interrupt.ticks;
        place.charged_until = place.interrupted_until;
        let end = place.interrupted_until;
        self.schedule(end, Due::InterruptEnd { index });
    }

    /// Logs it, and lets the thread that it interrupted go on.
    pub(super) fn interrupt_ends(&mut self, index: usize) -> Result<(), WriteError> {
        let Some(interrupt) = self.interrupts.get(index).copied() else {
            return Ok(());
        };
        self.log.interrupt(self.now, &interrupt)?;
        self.charge(interrupt.cpu);
        self.settle(interrupt.cpu)
    }
}
