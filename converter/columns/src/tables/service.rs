//! `etw_service`: the services of Windows.

use arrow_array::types::{Int64Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::Service;

use crate::column::{Column, maybe_numbers, numbers, texts};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct Services;

impl Table for Services {
    type Fact = Service;
    const NAME: &'static str = "etw_service";

    fn columns(&self, services: &[Service]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<Int64Type, _>("ts", services, |service| service.ts_ns.cast_signed()),
            texts("name", services, |service| service.name.as_deref()),
            texts("display_name", services, |service| {
                service.display_name.as_deref()
            }),
            maybe_numbers::<UInt32Type, _>("pid", services, |service| service.pid),
            maybe_numbers::<UInt32Type, _>("sub_process_tag", services, |service| {
                service.sub_process_tag
            }),
            texts("state", services, |service| service.state.as_deref()),
        ])
    }
}
