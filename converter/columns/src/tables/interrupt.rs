//! `etw_interrupt`: deferred procedure calls and interrupt service routines.

use arrow_array::types::{Int64Type, UInt16Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::Interrupted;

use crate::column::{Column, maybe_numbers, numbers, texts};
use crate::table::{Table, dur, ts};

/// The table.
#[derive(Debug)]
pub struct Interrupts;

impl Table for Interrupts {
    type Fact = Interrupted;
    const NAME: &'static str = "etw_interrupt";

    fn columns(&self, interrupts: &[Interrupted]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            ts::<Self>(interrupts),
            dur::<Self>(interrupts),
            numbers::<UInt16Type, _>("cpu", interrupts, |i| i.cpu),
            texts("kind", interrupts, |i| Some(i.source.kind.name())),
            numbers::<Int64Type, _>("routine", interrupts, |i| i.source.routine.cast_signed()),
            texts("module", interrupts, |i| i.module.as_deref()),
            maybe_numbers::<Int64Type, _>("rva", interrupts, |i| Some(i.rva?.cast_signed())),
            maybe_numbers::<UInt16Type, _>("vector", interrupts, |i| i.source.vector),
            maybe_numbers::<UInt32Type, _>("return_value", interrupts, |i| i.source.return_value),
            maybe_numbers::<UInt32Type, _>("message", interrupts, |i| i.source.message),
            numbers::<Int64Type, _>("exclusive_ns", interrupts, |i| i.exclusive_ns.cast_signed()),
        ])
    }

    fn span_ns(interrupt: &Interrupted) -> Option<(u64, u64)> {
        Some((interrupt.ts_ns, interrupt.te_ns))
    }
}
