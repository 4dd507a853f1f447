//! What a table is: its name, its columns, and the time that a row is of.

use std::fmt::Debug;

use arrow_schema::ArrowError;

use crate::column::Column;

/// Rows of a record batch at most.
pub const BATCH_ROWS: usize = 1 << 16;

/// Key in a file's metadata: a JSON list of `["least ts", "greatest te"]` in ns, one for each record batch.
pub const SPANS: &str = "outrank.batches";

/// A table that facts become rows of.
pub trait Table: Debug + Send + 'static {
    /// What a row is made of.
    type Fact: Debug + Send + 'static;

    /// The table's name, here and in SQL.
    const NAME: &'static str;

    /// The columns of some rows; of none, names and types alone.
    ///
    /// # Errors
    /// If a column cannot hold them.
    fn columns(&self, facts: &[Self::Fact]) -> Result<Vec<Column>, ArrowError>;

    /// When a row begins and ends, in ns on the trace clock; `None` for tables whose rows are of no time.
    fn span_ns(_fact: &Self::Fact) -> Option<(u64, u64)> {
        None
    }
}
