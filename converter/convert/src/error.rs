//! Why a conversion fails.

use std::path::PathBuf;

use crate::info::Info;

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
    /// Columns cannot be written.
    #[error(transparent)]
    Columns(#[from] columns::Error),
    /// The output has no place, or would take the place of something else.
    #[error("{}: cannot be written: {why}", path.display())]
    Place {
        /// The output file.
        path: PathBuf,
        /// What is there, and what was expected.
        why: String,
    },
    /// Something was lost, and `--strict` asks for all or nothing.
    #[error("{input}: {message}")]
    Damaged {
        /// The input, as [`input_name`](crate::input_name) has it.
        input: String,
        /// The first loss, and how many there are.
        message: String,
    },
    /// What the user selected is not in the trace.
    #[error("{input}: {message}")]
    Selection {
        /// The input, as [`input_name`](crate::input_name) has it.
        input: String,
        /// What is wrong with the selection.
        message: String,
    },
    /// More is selected than the caller can take.
    #[error("{input}: costs {cost}, more than {limit}: choose a part")]
    TooLarge {
        /// The input, as [`input_name`](crate::input_name) has it.
        input: String,
        /// What the selected events cost, by the caller's [`Budget`](crate::Budget).
        cost: u64,
        /// The most that may be.
        limit: u64,
        /// What the trace holds.
        info: Box<Info>,
    },
    /// Texts cannot be redacted.
    #[error(transparent)]
    NoRandomness(#[from] redact::NoRandomness),
    /// The user stopped it.
    #[error("{input}: stopped")]
    Stopped {
        /// The input, as [`input_name`](crate::input_name) has it.
        input: String,
    },
}
