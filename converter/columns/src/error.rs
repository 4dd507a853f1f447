//! What can go wrong where columns are written.

use std::path::PathBuf;

use arrow_schema::ArrowError;

/// Columns could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of a table.
    #[error("{path}: {source}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Rows that no batch can be made of.
    #[error("{path}: {source}", path = path.display())]
    Batch {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ArrowError,
    },
}
