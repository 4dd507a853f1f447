//! `etw_mapping`: what the instructions of stacks lie in.

use arrow_array::types::{Int64Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::Mapping;

use crate::column::{Column, flags, numbers, texts};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct Mappings;

impl Table for Mappings {
    type Fact = Mapping;
    const NAME: &'static str = "etw_mapping";

    fn columns(&self, mappings: &[Mapping]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<UInt32Type, _>("mapping", mappings, |of| of.mapping),
            texts("module", mappings, |of| of.path.as_deref()),
            numbers::<Int64Type, _>("start", mappings, |of| of.start.cast_signed()),
            numbers::<Int64Type, _>("size_bytes", mappings, |of| {
                of.end.wrapping_sub(of.start).cast_signed()
            }),
            flags("is_image", mappings, |of| Some(of.end != 0)),
            texts("guid", mappings, |of| of.guid.as_deref()),
        ])
    }
}
