//! `etw_thread_affinity`: where threads could run.

use arrow_array::types::{Int64Type, UInt16Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::Affinity;

use crate::column::{Column, maybe_numbers, numbers, texts};
use crate::table::{Table, dur, ts};

/// The table.
#[derive(Debug)]
pub struct Affinities;

impl Table for Affinities {
    type Fact = Affinity;
    const NAME: &'static str = "etw_thread_affinity";

    fn columns(&self, affinities: &[Affinity]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            ts::<Self>(affinities),
            dur::<Self>(affinities),
            maybe_numbers::<UInt32Type, _>("utid", affinities, |span| span.utid),
            maybe_numbers::<UInt16Type, _>("cpu_group", affinities, |span| span.group),
            numbers::<Int64Type, _>("mask", affinities, |span| span.mask.cast_signed()),
            texts("cpus", affinities, |span| span.cpus.as_deref()),
            maybe_numbers::<UInt32Type, _>("by_utid", affinities, |span| span.by_utid),
        ])
    }

    fn span_ns(span: &Affinity) -> Option<(u64, u64)> {
        Some((span.ts_ns, span.te_ns))
    }
}
