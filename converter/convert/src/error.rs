//! Why a conversion fails.

use std::path::PathBuf;

/// A failed conversion: nothing was written. One line, naming the file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input cannot be read as a trace.
    #[error(transparent)]
    Open(#[from] etl::OpenError),
    /// The output cannot be written.
    #[error("{}: cannot be written: {source}", path.display())]
    Write {
        /// The output file.
        path: PathBuf,
        /// What the system reports.
        source: std::io::Error,
    },
    /// Something was lost, and `--strict` asks for all or nothing.
    #[error("{}: {message}", path.display())]
    Damaged {
        /// The input file.
        path: PathBuf,
        /// The first loss, and how many there are.
        message: String,
    },
    /// The user stopped it.
    #[error("{}: stopped", path.display())]
    Stopped {
        /// The input file.
        path: PathBuf,
    },
}
