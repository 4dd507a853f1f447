//! `etw_pmc_sample`: samples of hardware counters.

use arrow_array::types::{Int64Type, UInt16Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::CounterSample;

use crate::column::{Column, flags, maybe_numbers, numbers, texts};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct PmcSamples;

impl Table for PmcSamples {
    type Fact = CounterSample;
    const NAME: &'static str = "etw_pmc_sample";

    fn columns(&self, samples: &[CounterSample]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<Int64Type, _>("ts", samples, |s| s.ts_ns.cast_signed()),
            numbers::<UInt16Type, _>("cpu", samples, |s| s.cpu),
            numbers::<UInt32Type, _>("utid", samples, |s| s.thread.utid),
            numbers::<UInt16Type, _>("source", samples, |s| s.source),
            texts("source_name", samples, |s| s.source_name.as_deref()),
            flags("is_kernel", samples, |s| Some(s.is_kernel)),
            maybe_numbers::<UInt32Type, _>("callsite", samples, |s| s.callsite),
            maybe_numbers::<UInt32Type, _>("weight_events", samples, |s| s.weight_events),
        ])
    }

    fn span_ns(sample: &CounterSample) -> Option<(u64, u64)> {
        // An instant lasts 1 ns.
        Some((sample.ts_ns, sample.ts_ns + 1))
    }
}
