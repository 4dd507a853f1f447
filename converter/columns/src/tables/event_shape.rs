//! `etw_event_shape`: what many events have in common.

use arrow_array::types::{Int64Type, UInt8Type, UInt16Type};
use arrow_schema::ArrowError;

use crate::column::{Column, numbers, texts};
use crate::event::Shape;
use crate::table::Table;

/// The table. Its rows are numbered from 0.
#[derive(Debug)]
pub struct EventShapes;

impl Table for EventShapes {
    type Fact = Shape;
    const NAME: &'static str = "etw_event_shape";

    fn columns(&self, shapes: &[Shape]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            texts("kind", shapes, |shape| Some(&shape.kind)),
            numbers::<UInt16Type, _>("event_id", shapes, |shape| shape.header.id),
            numbers::<UInt8Type, _>("version", shapes, |shape| shape.header.version),
            numbers::<UInt8Type, _>("opcode", shapes, |shape| shape.header.opcode),
            numbers::<UInt16Type, _>("task", shapes, |shape| shape.header.task),
            numbers::<UInt8Type, _>("level", shapes, |shape| shape.header.level),
            numbers::<Int64Type, _>("keywords", shapes, |shape| {
                shape.header.keywords.cast_signed()
            }),
            texts("header", shapes, |shape| shape.more_header.as_deref()),
            texts("fields", shapes, |shape| Some(&shape.fields)),
        ])
    }
}
