//! `etw_counter_source`: the hardware counters that were recorded with context switches.

use arrow_array::types::UInt8Type;
use arrow_schema::ArrowError;
use facts::CounterSource;

use crate::column::{Column, numbers, texts};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct CounterSources;

impl Table for CounterSources {
    type Fact = CounterSource;
    const NAME: &'static str = "etw_counter_source";

    fn columns(&self, sources: &[CounterSource]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<UInt8Type, _>("counter", sources, |source| source.counter),
            texts("name", sources, |source| Some(&source.name)),
        ])
    }
}
