//! Deferred procedure calls and interrupt service routines (hooks 0F32, 0F42 to 0F45, 0F5F).
//!
//! Source: `ntwmi.h`; MOF `DPC`, `ThreadedDPC`, `TimerDPC`, `ISR`, `ISR_MSI`. Windows writes each when it ends.

use etl::HookId;

use crate::hook;
use crate::payload::{Payload, PointerWidth, Short};

/// What interrupted the CPU's thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InterruptKind {
    /// A deferred procedure call.
    Dpc,
    /// A deferred procedure call that may run in a thread of its own.
    ThreadedDpc,
    /// A deferred procedure call of a timer.
    TimerDpc,
    /// An interrupt service routine.
    Isr,
}

impl InterruptKind {
    /// The kind that a hook stands for.
    pub fn of(hook: HookId) -> Option<Self> {
        match hook {
            hook::DPC => Some(Self::Dpc),
            hook::THREADED_DPC => Some(Self::ThreadedDpc),
            hook::TIMER_DPC => Some(Self::TimerDpc),
            hook::ISR | hook::ISR_MSI | hook::ISR_PASSIVE => Some(Self::Isr),
            _ => None,
        }
    }

    /// `dpc`, `threaded_dpc`, `timer_dpc` or `isr`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dpc => "dpc",
            Self::ThreadedDpc => "threaded_dpc",
            Self::TimerDpc => "timer_dpc",
            Self::Isr => "isr",
        }
    }
}

/// A DPC or an ISR that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interrupt {
    /// When it began, in raw ticks.
    pub initial_raw: i64,
    /// What ran, and for which interrupt.
    pub source: InterruptSource,
}

/// What an interrupt has in common with others of its routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InterruptSource {
    /// What it was.
    pub kind: InterruptKind,
    /// Address of its routine.
    pub routine: u64,
    /// What the routine answered: not 0 if the interrupt was its device's. `None` for DPCs.
    pub return_value: Option<u32>,
    /// Interrupt vector; `None` for DPCs, and in version 1.
    pub vector: Option<u16>,
    /// Number of a message-signalled interrupt.
    pub message: Option<u32>,
}

impl Interrupt {
    /// Decodes with the header's pointer width.
    ///
    /// # Errors
    /// [`Short`] if time and routine are not there.
    pub fn decode(
        kind: InterruptKind,
        version: u8,
        width: PointerWidth,
        bytes: &[u8],
    ) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        let (Some(initial), Some(routine)) = (payload.u64(), payload.pointer(width)) else {
            return Err(Short {
                needed_bytes: 8 + width.bytes(),
                found_bytes: bytes.len(),
            });
        };
        let mut source = InterruptSource {
            kind,
            routine,
            return_value: None,
            vector: None,
            message: None,
        };
        match kind {
            InterruptKind::Dpc | InterruptKind::ThreadedDpc | InterruptKind::TimerDpc => {}
            InterruptKind::Isr if version < 2 => source.return_value = payload.u32(),
            InterruptKind::Isr => {
                source.return_value = payload.u8().map(u32::from);
                source.vector = payload.u16();
                let _reserved = payload.u8();
                source.message = payload.u32();
            }
        }
        Ok(Self {
            initial_raw: initial.cast_signed(),
            source,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISR: InterruptSource = InterruptSource {
        kind: InterruptKind::Isr,
        routine: 0xffff_f800_1234_5678,
        return_value: Some(1),
        vector: Some(0x51),
        message: None,
    };

    fn decode(
        kind: InterruptKind,
        version: u8,
        bytes: &[u8],
    ) -> Result<(i64, InterruptSource), Short> {
        Interrupt::decode(kind, version, PointerWidth::Bits64, bytes)
            .map(|interrupt| (interrupt.initial_raw, interrupt.source))
    }

    #[test]
    fn an_isr_in_all_its_forms() {
        let msi = [
            7, 0, 0, 0, 0, 0, 0, 0, 0x78, 0x56, 0x34, 0x12, 0, 0xf8, 0xff, 0xff, 1, 0x51, 0, 0, 9,
            0, 0, 0,
        ];
        let message = Some(9);
        assert_eq!(
            decode(InterruptKind::Isr, 2, &msi),
            Ok((7, InterruptSource { message, ..ISR }))
        );
        assert_eq!(decode(InterruptKind::Isr, 2, &msi[..20]), Ok((7, ISR)));
        let version_1 = InterruptSource {
            return_value: Some(0x5101),
            vector: None,
            ..ISR
        };
        let old = [&msi[..17], &[0x51, 0, 0]].concat();
        assert_eq!(decode(InterruptKind::Isr, 1, &old), Ok((7, version_1)));
    }

    #[test]
    fn a_dpc_has_a_routine_only() {
        let dpc = [7, 0, 0, 0, 0, 0, 0, 0, 0x78, 0x56, 0x34, 0x92];
        let expected = InterruptSource {
            kind: InterruptKind::TimerDpc,
            routine: 0x9234_5678,
            return_value: None,
            vector: None,
            message: None,
        };
        assert_eq!(
            Interrupt::decode(InterruptKind::TimerDpc, 2, PointerWidth::Bits32, &dpc),
            Ok(Interrupt {
                initial_raw: 7,
                source: expected
            })
        );
        assert_eq!(
            decode(InterruptKind::Dpc, 2, &dpc),
            Err(Short {
                needed_bytes: 16,
                found_bytes: 12
            })
        );
    }
}
