//! What a table is: its name, its columns, and the time that a row is of.

use std::fmt::Debug;

use arrow_schema::ArrowError;

use crate::column::Column;

/// Rows of a record batch at most.
pub const BATCH_ROWS: usize = 1 << 16;

/// Key in a file's metadata: a JSON list of `[least ts, greatest te]` in ns, one for each record batch.
pub const SPANS: &str = "outrank.spans";

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

    /// When a row begins and ends, in ns on the trace clock; 0 and the end of all times for what is of no time.
    fn span_ns(fact: &Self::Fact) -> (u64, u64);
}
