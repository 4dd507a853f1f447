//! `etw_sample`: samples of the profile.

use arrow_array::types::{Int64Type, UInt8Type, UInt16Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::Sample;

use crate::column::{Column, flags, maybe_numbers, numbers};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct Samples;

impl Table for Samples {
    type Fact = Sample;
    const NAME: &'static str = "etw_sample";

    fn columns(&self, samples: &[Sample]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<Int64Type, _>("ts", samples, |s| s.ts_ns.cast_signed()),
            numbers::<UInt16Type, _>("cpu", samples, |s| s.cpu),
            numbers::<UInt32Type, _>("utid", samples, |s| s.thread.utid),
            maybe_numbers::<UInt8Type, _>("priority", samples, |s| s.priority),
            maybe_numbers::<UInt8Type, _>("rank", samples, |s| s.rank),
            flags("in_dpc", samples, |s| Some(s.in_dpc)),
            flags("in_isr", samples, |s| Some(s.in_isr)),
            flags("is_kernel", samples, |s| Some(s.is_kernel)),
            maybe_numbers::<UInt32Type, _>("callsite", samples, |s| s.callsite),
            maybe_numbers::<UInt32Type, _>("weight_ns", samples, |s| {
                s.weight_ns.and_then(|weight_ns| weight_ns.try_into().ok())
            }),
        ])
    }

    fn span_ns(sample: &Sample) -> Option<(u64, u64)> {
        // An instant lasts 1 ns.
        Some((sample.ts_ns, sample.ts_ns + 1))
    }
}
