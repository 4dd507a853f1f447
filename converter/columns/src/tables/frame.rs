//! `etw_frame`: the instructions that stacks are of; `etw_frame_function`: the methods that they are in.

use arrow_array::types::{Int64Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::Frame;

use crate::column::{Column, numbers, texts};
use crate::table::Table;

/// The table of instructions.
#[derive(Debug)]
pub struct Frames;

impl Table for Frames {
    type Fact = Frame;
    const NAME: &'static str = "etw_frame";
    const IS_NUMBERED: bool = true;

    fn columns(&self, frames: &[Frame]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<UInt32Type, _>("frame", frames, |frame| frame.frame),
            numbers::<UInt32Type, _>("mapping", frames, |frame| frame.mapping),
            numbers::<Int64Type, _>("mapping_offset", frames, |frame| frame.offset.cast_signed()),
        ])
    }
}

/// The table of the methods of instructions, where the recording tells them.
#[derive(Debug)]
pub struct FrameFunctions;

impl Table for FrameFunctions {
    type Fact = Frame;
    const NAME: &'static str = "etw_frame_function";

    fn columns(&self, frames: &[Frame]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<UInt32Type, _>("frame", frames, |frame| frame.frame),
            texts("function", frames, |frame| {
                frame.function.as_ref().map(|function| &*function.name)
            }),
        ])
    }
}
