//! One table's file.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};
use arrow_select::concat::concat_batches;
use tempfile::NamedTempFile;

use crate::batch_file::BatchFile;
use crate::batch_times::BatchTimes;
use crate::column::Column;
use crate::error::Error;
use crate::form::Form;
use crate::table::{BATCH_ROWS, Table, columns_of};

/// Rows that columns are made of at once: these stay near the processor while one column after the other is made.
const ROWS_AT_ONCE: usize = 1 << 12;

/// What makes a file of facts.
pub trait Writer: Send + 'static {
    /// What it takes.
    type Fact: Send + 'static;

    /// The table's name, here and in SQL.
    const NAME: &'static str;

    /// Bytes of further data that a fact holds, where these may be many. The fact itself does not count.
    fn held_bytes(_fact: &Self::Fact) -> usize {
        0
    }

    /// Takes facts, and leaves an empty vector.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn extend(&mut self, facts: &mut Vec<Self::Fact>) -> Result<(), Error>;

    /// Writes what is left and gives the file its name; answers its size in bytes.
    ///
    /// # Errors
    /// If it cannot be written or renamed.
    fn finish(self) -> Result<u64, Error>;
}

/// Writes the rows of a table as they come; the file appears whole or not at all.
pub struct TableWriter<T: Table> {
    table: T,
    form: Form,
    path: PathBuf,
    /// The next batch in parts, how many rows these have, and when the rows begin and end.
    parts: Vec<RecordBatch>,
    part_rows: usize,
    times: Option<BatchTimes>,
    schema: Arc<Schema>,
    file: NamedTempFile,
    batches: BatchFile,
    written_times: Vec<BatchTimes>,
    /// Of what lasts, when the last row ended, and whether a row ended before the one that stands before it.
    last_te_ns: u64,
    is_unordered: bool,
}

impl<T: Table> TableWriter<T> {
    /// A table without rows in `folder`.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn create(folder: &Path, form: Form, table: T) -> Result<Self, Error> {
        let path = folder.join(format!("{}.{form}", T::NAME));
        let write = |source| Error::Write {
            path: path.clone(),
            source,
        };
        let mut builder = tempfile::Builder::new();
        let prefix = format!(".{}.", T::NAME);
        builder.prefix(&prefix).suffix(".partial");
        share(&mut builder);
        let file = builder.tempfile_in(folder).map_err(write)?;
        // By its name, since not every system can open again what is open.
        let opened = File::options().write(true).open(file.path());
        let opened = opened.map_err(write)?;
        let made = || {
            let columns = columns_of(&table, form, &[])?;
            let fields: Vec<_> = columns.iter().map(Column::field).collect();
            let schema = Arc::new(Schema::new(fields));
            let batches = BatchFile::begin(form, opened, &schema)?;
            Ok((schema, batches))
        };
        let (schema, batches) = made().map_err(|source| failed(&path, source))?;
        Ok(Self {
            table,
            form,
            path,
            parts: Vec::new(),
            part_rows: 0,
            times: None,
            schema,
            file,
            batches,
            written_times: Vec::new(),
            last_te_ns: 0,
            is_unordered: false,
        })
    }

    /// Makes columns of rows that belong to the next batch.
    fn take(&mut self, rows: &[T::Fact]) -> Result<(), ArrowError> {
        let columns = columns_of(&self.table, self.form, rows)?;
        let values = columns.into_iter().map(|column| column.values).collect();
        let part = RecordBatch::try_new(self.schema.clone(), values)?;
        self.parts.push(part);
        for (row, fact) in (self.part_rows..).zip(rows) {
            let Some(span_ns) = T::span_ns(fact) else {
                continue;
            };
            let times = self.times.get_or_insert_with(|| BatchTimes::of(span_ns));
            times.add(span_ns);
            if T::HAS_LENGTH {
                times.add_to_block(row, span_ns);
                self.is_unordered |= span_ns.1 < self.last_te_ns;
                self.last_te_ns = span_ns.1;
            }
        }
        self.part_rows += rows.len();
        Ok(())
    }

    /// Ends the batch that is under way.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end_batch(&mut self) -> Result<(), Error> {
        if self.part_rows == 0 {
            return Ok(());
        }
        let written = self.write();
        written.map_err(|source| failed(&self.path, source))
    }

    /// Writes the batch whose parts are there.
    fn write(&mut self) -> Result<(), ArrowError> {
        let batch = concat_batches(&self.schema, &self.parts)?;
        self.parts.clear();
        self.part_rows = 0;
        self.batches.write(&batch)?;
        self.written_times.extend(self.times.take());
        Ok(())
    }
}

impl<T: Table> Writer for TableWriter<T> {
    type Fact = T::Fact;
    const NAME: &'static str = T::NAME;

    fn extend(&mut self, rows: &mut Vec<T::Fact>) -> Result<(), Error> {
        let mut rest = rows.as_slice();
        while !rest.is_empty() {
            let room = BATCH_ROWS - self.part_rows;
            let (now, later) = rest.split_at(rest.len().min(room).min(ROWS_AT_ONCE));
            rest = later;
            let is_full = now.len() == room;
            let taken = self.take(now);
            let written = taken.and_then(|()| if is_full { self.write() } else { Ok(()) });
            written.map_err(|source| failed(&self.path, source))?;
        }
        rows.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<u64, Error> {
        self.end_batch()?;
        self.batches
            .finish(&self.written_times, self.is_unordered)
            .map_err(|source| failed(&self.path, source))?;
        let path = self.path;
        let write = |source| Error::Write {
            path: path.clone(),
            source,
        };
        let file = self.file.persist(&path);
        let file = file.map_err(|error| write(error.error))?;
        Ok(file.metadata().map_err(write)?.len())
    }
}

/// Writes rows without a list of them all.
///
/// # Errors
/// If the file cannot be written.
pub fn extend_in_batches<T: Table>(
    file: &mut TableWriter<T>,
    mut rows: impl Iterator<Item = T::Fact>,
) -> Result<(), Error> {
    loop {
        let mut some: Vec<_> = rows.by_ref().take(ROWS_AT_ONCE).collect();
        if some.is_empty() {
            return Ok(());
        }
        file.extend(&mut some)?;
    }
}

/// An error of a file's own; one of the system is told as such.
fn failed(path: &Path, source: ArrowError) -> Error {
    let path = path.to_owned();
    match source {
        ArrowError::IoError(_, source) => Error::Write { path, source },
        source => Error::Batch { path, source },
    }
}

/// Temporary files are private by default; this one becomes an ordinary file, within the user's umask.
#[cfg(unix)]
fn share(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn share(_builder: &mut tempfile::Builder<'_, '_>) {}
