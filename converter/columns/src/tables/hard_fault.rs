//! `etw_hard_fault`: waits for memory that had to be read from a disk.

use arrow_array::types::Int64Type;
use arrow_schema::ArrowError;
use facts::HardFault;

use super::asked::{asked, callsite};
use crate::column::{Column, hex, maybe_numbers};
use crate::table::{Table, ts};

/// The table.
#[derive(Debug)]
pub struct HardFaults;

impl Table for HardFaults {
    type Fact = HardFault;
    const NAME: &'static str = "etw_hard_fault";

    fn columns(&self, faults: &[HardFault]) -> Result<Vec<Column>, ArrowError> {
        let mut columns = vec![
            ts::<Self>(faults),
            maybe_numbers::<Int64Type, _>("dur", faults, |fault| Some(fault.dur_ns?.cast_signed())),
        ];
        columns.extend(asked(faults, |fault| &fault.asked));
        columns.extend([
            hex("address", faults, |fault| fault.address),
            callsite(faults, |fault| &fault.asked),
        ]);
        Ok(columns)
    }

    fn span_ns(fault: &HardFault) -> Option<(u64, u64)> {
        let ts_ns = fault.te_ns.saturating_sub(fault.dur_ns.unwrap_or(0));
        Some((ts_ns, fault.te_ns))
    }
}
