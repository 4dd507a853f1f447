//! `etw_image`: programs, libraries and drivers in memory.

use arrow_array::types::{Int64Type, UInt32Type};
use arrow_schema::ArrowError;
use facts::Image;

use crate::column::{Column, flags, maybe_numbers, numbers, texts};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct Images;

impl Table for Images {
    type Fact = Image;
    const NAME: &'static str = "etw_image";

    fn columns(&self, images: &[Image]) -> Result<Vec<Column>, ArrowError> {
        let ts = |ts_ns: Option<u64>| ts_ns.map(u64::cast_signed);
        Ok(vec![
            maybe_numbers::<UInt32Type, _>("upid", images, |image| image.upid),
            flags("is_kernel", images, |image| Some(image.pid.is_none())),
            numbers::<Int64Type, _>("base", images, |image| image.base.cast_signed()),
            numbers::<Int64Type, _>("size_bytes", images, |image| image.size_bytes.cast_signed()),
            texts("path", images, |image| image.path.as_deref()),
            texts("pdb", images, |image| {
                Some(&image.symbols.as_ref()?.pdb_path)
            }),
            texts("guid", images, |image| Some(&image.symbols.as_ref()?.guid)),
            maybe_numbers::<UInt32Type, _>("age", images, |image| {
                Some(image.symbols.as_ref()?.age)
            }),
            maybe_numbers::<UInt32Type, _>("timestamp", images, |image| image.timestamp),
            maybe_numbers::<UInt32Type, _>("checksum", images, |image| image.checksum),
            texts("original_name", images, |image| {
                image.original_name.as_deref()
            }),
            maybe_numbers::<Int64Type, _>("load_ts", images, |image| ts(image.load_ts_ns)),
            maybe_numbers::<Int64Type, _>("unload_ts", images, |image| ts(image.unload_ts_ns)),
        ])
    }
}
