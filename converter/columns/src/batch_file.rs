//! A table's file, in any form.

use std::fs::File;
use std::io::BufWriter;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use crate::batch_times::{BatchTimes, ends, spans, starts};
use crate::form::Form;
use crate::table::{ENDS, SPANS, STARTS, UNORDERED};

/// A file that record batches are written to.
pub enum BatchFile {
    /// See [`Form::Arrow`].
    Arrow(Box<FileWriter<BufWriter<File>>>),
    /// See [`Form::Parquet`].
    Parquet(Box<ArrowWriter<BufWriter<File>>>),
}

impl BatchFile {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(form: Form, file: File, schema: &Arc<Schema>) -> Result<Self, ArrowError> {
        let file = BufWriter::new(file);
        Ok(match form {
            Form::Arrow | Form::Lean => Self::Arrow(Box::new(FileWriter::try_new(file, schema)?)),
            Form::Parquet => {
                let compressed = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .build();
                let writer = ArrowWriter::try_new(file, schema.clone(), Some(compressed))?;
                Self::Parquet(Box::new(writer))
            }
        })
    }

    /// Writes a batch.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        match self {
            Self::Arrow(file) => file.write(batch),
            Self::Parquet(file) => Ok(file.write(batch)?),
        }
    }

    /// Ends the file. `times`: those of each batch; empty for what is of no time. `is_unordered`: what lasts does not stand in the order of
    /// its ends.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self, times: &[BatchTimes], is_unordered: bool) -> Result<(), ArrowError> {
        match self {
            Self::Arrow(mut file) => {
                if !times.is_empty() {
                    file.write_metadata(SPANS, spans(times));
                }
                if times.iter().any(BatchTimes::has_blocks) {
                    file.write_metadata(STARTS, starts(times));
                    file.write_metadata(ENDS, ends(times));
                }
                if is_unordered {
                    file.write_metadata(UNORDERED, "te");
                }
                file.finish()
            }
            // Parquet keeps the least and the greatest value of each column itself.
            Self::Parquet(file) => Ok(file.close().map(drop)?),
        }
    }
}
