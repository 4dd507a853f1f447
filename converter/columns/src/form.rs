//! The forms that a table's file can have.

use std::fmt;
use std::fs::File;
use std::io::BufWriter;
use std::str::FromStr;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use crate::batch_times::{BatchTimes, ends, spans, starts};
use crate::table::{ENDS, SPANS, STARTS, UNORDERED};

/// How a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// An Arrow IPC file, not compressed: any part of it is read where it lies.
    #[default]
    Arrow,
    /// The same without `dur` where `ts` and `te` are, and without the keys of rows that are numbered: for readers that work them
    /// out.
    Lean,
    /// Parquet, compressed: smaller, for what reads whole columns.
    Parquet,
}

impl Form {
    /// Those that a user may choose.
    pub const ALL: [Self; 2] = [Self::Arrow, Self::Parquet];

    /// What it is called, which is also how names of files end.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arrow | Self::Lean => "arrow",
            Self::Parquet => "parquet",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|form| form.name() == name);
        known.ok_or_else(|| format!("expected {}", Self::ALL.map(Self::name).join(" or ")))
    }
}

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
