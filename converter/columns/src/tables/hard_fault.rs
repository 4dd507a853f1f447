//! `etw_hard_fault`: waits for memory that had to be read from a disk.

use arrow_array::types::{Int64Type, UInt16Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::HardFault;

use crate::column::{Column, hex, maybe_numbers};
use crate::table::{Table, ts};

/// The table.
#[derive(Debug)]
pub struct HardFaults;

impl Table for HardFaults {
    type Fact = HardFault;
    const NAME: &'static str = "etw_hard_fault";

    fn columns(&self, faults: &[HardFault]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            ts::<Self>(faults),
            maybe_numbers::<Int64Type, _>("dur", faults, |fault| Some(fault.dur_ns?.cast_signed())),
            maybe_numbers::<UInt16Type, _>("cpu", faults, |fault| fault.asked.cpu),
            maybe_numbers::<UInt32Type, _>("utid", faults, |fault| fault.asked.utid),
            maybe_numbers::<UInt32Type, _>("upid", faults, |fault| fault.asked.upid),
            maybe_numbers::<UInt32Type, _>("file", faults, |fault| fault.asked.file),
            maybe_numbers::<Int64Type, _>("byte_offset", faults, |fault| {
                Some(fault.asked.byte_offset?.cast_signed())
            }),
            maybe_numbers::<UInt32Type, _>("size_bytes", faults, |fault| fault.asked.size_bytes),
            hex("address", faults, |fault| fault.address),
            maybe_numbers::<UInt32Type, _>("callsite", faults, |fault| fault.asked.callsite),
        ])
    }

    fn span_ns(fault: &HardFault) -> Option<(u64, u64)> {
        let ts_ns = fault.te_ns.saturating_sub(fault.dur_ns.unwrap_or(0));
        Some((ts_ns, fault.te_ns))
    }
}
