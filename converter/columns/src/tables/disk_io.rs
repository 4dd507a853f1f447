//! `etw_disk_io`: what disks did.

use arrow_array::types::{Int64Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::{DiskDeed, DiskIo};

use super::asked::{asked, callsite};
use crate::column::{Column, Names, hex, maybe_numbers, texts};
use crate::table::{Table, ts};

/// The table, with the names that its columns share.
#[derive(Debug)]
pub struct DiskIos {
    kinds: Names,
    priorities: Names,
}

impl Default for DiskIos {
    fn default() -> Self {
        Self {
            kinds: Names::new(["read", "write", "flush"]),
            priorities: Names::new(["VeryLow", "Low", "Normal", "High", "Critical"]),
        }
    }
}

/// The place of a deed among the names.
fn number_of(deed: DiskDeed) -> u8 {
    match deed {
        DiskDeed::Read => 0,
        DiskDeed::Write => 1,
        DiskDeed::Flush => 2,
    }
}

impl Table for DiskIos {
    type Fact = DiskIo;
    const NAME: &'static str = "etw_disk_io";

    fn columns(&self, ios: &[DiskIo]) -> Result<Vec<Column>, ArrowError> {
        let mut columns = vec![
            ts::<Self>(ios),
            maybe_numbers::<Int64Type, _>("dur", ios, |io| Some(io.dur_ns?.cast_signed())),
            self.kinds
                .column("kind", ios, |io| Some(number_of(io.deed)))?,
        ];
        columns.extend(asked(ios, |io| &io.asked));
        columns.extend([
            maybe_numbers::<UInt32Type, _>("disk", ios, |io| io.disk),
            self.priorities
                .column("priority", ios, |io| io.priority?.checked_sub(1))?,
            texts("irp_flags", ios, |io| io.irp_flags.as_deref()),
            hex("irp", ios, |io| io.irp),
            callsite(ios, |io| &io.asked),
        ]);
        Ok(columns)
    }

    fn span_ns(io: &DiskIo) -> Option<(u64, u64)> {
        Some((io.ts_ns(), io.te_ns))
    }
}
