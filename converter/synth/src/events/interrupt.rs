//! Deferred procedure calls and interrupt service routines, group 0F: layouts from ntwmi and MOF `DPC`, `ISR`.

use crate::file::bytes::Bytes;
use crate::file::event::KernelEvent;

/// What interrupts the processor's thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterruptKind {
    /// A DPC, 0F44h.
    Dpc,
    /// A threaded DPC, 0F42h.
    ThreadedDpc,
    /// A DPC of a timer, 0F45h.
    TimerDpc,
    /// An ISR, 0F43h.
    Isr {
        /// Interrupt vector.
        vector: u16,
        /// The interrupt was its device's.
        handled: bool,
    },
    /// The ISR of a message-signalled interrupt, 0F32h, which was its device's.
    IsrMsi {
        /// Interrupt vector.
        vector: u16,
        /// Number of the message.
        message: u32,
    },
}

/// A DPC or an ISR, version 2. Windows writes it when it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupt {
    /// What it was.
    pub kind: InterruptKind,
    /// Raw timestamp at which it began.
    pub initial_ticks: i64,
    /// Address of its routine.
    pub routine: u64,
}

impl KernelEvent for Interrupt {
    fn hook(&self) -> u16 {
        match self.kind {
            InterruptKind::Dpc => 0x0F44,
            InterruptKind::ThreadedDpc => 0x0F42,
            InterruptKind::TimerDpc => 0x0F45,
            InterruptKind::Isr { .. } => 0x0F43,
            InterruptKind::IsrMsi { .. } => 0x0F32,
        }
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.i64(self.initial_ticks).pointer(self.routine);
        match self.kind {
            InterruptKind::Dpc | InterruptKind::ThreadedDpc | InterruptKind::TimerDpc => {}
            InterruptKind::Isr { vector, handled } => {
                out.u8(u8::from(handled)).u16(vector).u8(0);
            }
            InterruptKind::IsrMsi { vector, message } => {
                out.u8(1).u16(vector).u8(0).u32(message);
            }
        }
    }
}
