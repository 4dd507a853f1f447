//! `etw_file`: the paths of the files that requests name.

use arrow_array::types::UInt32Type;
use arrow_schema::ArrowError;
use facts::File;

use crate::column::{Column, numbers, texts};
use crate::table::Table;

/// The table.
#[derive(Debug)]
pub struct Files;

impl Table for Files {
    type Fact = File;
    const NAME: &'static str = "etw_file";

    fn columns(&self, files: &[File]) -> Result<Vec<Column>, ArrowError> {
        Ok(vec![
            numbers::<UInt32Type, _>("file", files, |of| of.file),
            texts("path", files, |of| Some(&of.path)),
        ])
    }
}
