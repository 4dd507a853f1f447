//! `etw_loss`: what the recording lacks.

use arrow_array::types::{Int64Type, UInt16Type};
use arrow_schema::ArrowError;
use facts::Lost;

use crate::column::{Column, maybe_numbers, texts};
use crate::table::{Table, dur, ts};

/// The table.
#[derive(Debug)]
pub struct Losses;

impl Table for Losses {
    type Fact = Lost;
    const NAME: &'static str = "etw_loss";

    fn columns(&self, losses: &[Lost]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            ts::<Self>(losses),
            dur::<Self>(losses),
            maybe_numbers::<UInt16Type, _>("cpu", losses, |loss| loss.cpu),
            texts("kind", losses, |loss| Some(loss.kind)),
            maybe_numbers::<Int64Type, _>("count", losses, |loss| Some(loss.count?.cast_signed())),
            texts("message", losses, |loss| Some(&loss.message)),
        ])
    }

    fn span_ns(loss: &Lost) -> Option<(u64, u64)> {
        Some((loss.ts_ns, loss.te_ns))
    }
}
