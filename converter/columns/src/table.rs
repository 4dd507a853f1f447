//! What a table is: its name, its columns, and the time that a row is of.

use std::fmt::Debug;

use arrow_array::types::Int64Type;
use arrow_schema::ArrowError;

use crate::column::{Column, numbers};
use crate::form::Form;

/// Rows of a record batch at most.
pub const BATCH_ROWS: usize = 1 << 16;

/// Key in a file's metadata: a JSON list of `["least ts", "greatest te"]` in ns, one for each record batch.
pub const SPANS: &str = "outrank.batches";

/// Key in a file's metadata, of tables of what lasts: a JSON list that has for each record batch the list of the least `ts` of each
/// [`BLOCK_ROWS`] rows, in ns after the least of the batch.
pub const STARTS: &str = "outrank.starts";

/// Key likewise: the greatest `te` of each [`BLOCK_ROWS`] rows.
pub const ENDS: &str = "outrank.ends";

/// Key in a file's metadata, of tables of what lasts: `te` where rows do not stand in the order of their ends.
pub const UNORDERED: &str = "outrank.unordered";

/// So many rows have one least `ts` in [`STARTS`], and one greatest `te` in [`ENDS`].
pub const BLOCK_ROWS: usize = 1 << 10;

/// A table that facts become rows of.
pub trait Table: Debug + Send + 'static {
    /// What a row is made of.
    type Fact: Debug + Send + 'static;

    /// The table's name, here and in SQL.
    const NAME: &'static str;

    /// Whether `ts` and `te` are its first columns, and `dur` stands between them: see [`columns_of`].
    const HAS_LENGTH: bool = false;

    /// Whether the first column numbers the rows from 0 on.
    const IS_NUMBERED: bool = false;

    /// The columns of some rows, without `dur` where it [`HAS_LENGTH`](Self::HAS_LENGTH); of none, names and types alone.
    ///
    /// # Errors
    /// If a column cannot hold them.
    fn columns(&self, facts: &[Self::Fact]) -> Result<Vec<Column>, ArrowError>;

    /// When a row begins and ends, in ns on the trace clock; `None` for tables whose rows are of no time.
    fn span_ns(_fact: &Self::Fact) -> Option<(u64, u64)> {
        None
    }
}

/// The columns of some rows as a file of a form has them.
///
/// # Errors
/// If a column cannot hold them.
pub fn columns_of<T: Table>(
    table: &T,
    form: Form,
    facts: &[T::Fact],
) -> Result<Vec<Column>, ArrowError> {
    let mut columns = table.columns(facts)?;
    if T::HAS_LENGTH && form != Form::Lean {
        columns.insert(1, dur::<T>(facts));
    }
    if T::IS_NUMBERED && form == Form::Lean {
        columns.remove(0);
    }
    Ok(columns)
}

/// When rows begin.
pub fn ts<T: Table>(facts: &[T::Fact]) -> Column {
    numbers::<Int64Type, _>("ts", facts, |fact| {
        let (ts_ns, _) = T::span_ns(fact).unwrap_or_default();
        ts_ns.cast_signed()
    })
}

/// How long rows last.
pub fn dur<T: Table>(facts: &[T::Fact]) -> Column {
    numbers::<Int64Type, _>("dur", facts, |fact| {
        let (ts_ns, te_ns) = T::span_ns(fact).unwrap_or_default();
        te_ns.saturating_sub(ts_ns).cast_signed()
    })
}
