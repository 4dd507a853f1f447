//! `etw_callsite`: the tree of calls that all stacks are in.

use arrow_array::types::{UInt16Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::Call;

use crate::column::{Column, maybe_numbers, numbers};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct Callsites;

impl Table for Callsites {
    type Fact = Call;
    const NAME: &'static str = "etw_callsite";
    const IS_NUMBERED: bool = true;

    fn columns(&self, calls: &[Call]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<UInt32Type, _>("callsite", calls, |call| call.callsite),
            maybe_numbers::<UInt32Type, _>("caller", calls, |call| call.caller),
            numbers::<UInt16Type, _>("depth", calls, |call| call.depth),
            numbers::<UInt32Type, _>("frame", calls, |call| call.frame),
        ])
    }
}
