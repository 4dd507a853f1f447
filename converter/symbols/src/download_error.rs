//! Why a server gave no file, in the same words whoever asks it.

use serde::Deserialize;

/// Why a server gave no file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DownloadError {
    /// It has none.
    #[error("not there (HTTP {0})")]
    NotThere(u16),
    /// It answered otherwise.
    #[error("HTTP {0}")]
    Status(u16),
    /// The file is larger than a PDB can be.
    #[error("too large for a PDB")]
    TooLarge,
    /// It sent on too often.
    #[error("too many redirects")]
    TooManyRedirects,
    /// It sent on from a safe address to an unsafe one.
    #[error("it sends on to an address without HTTPS")]
    Unsafe,
    /// Its name is not known.
    #[error("host not found")]
    NoHost,
    /// No server answers at its address.
    #[error("connection refused")]
    Refused,
    /// It took longer than it may.
    #[error("too slow")]
    TooSlow,
    /// It stopped before the end.
    #[error("the connection broke off")]
    BrokenOff,
    /// It could not be reached for another file.
    #[error("the server was not reached before")]
    NotReachedBefore,
    /// What it sent finds no room.
    #[error("no room is left to keep it")]
    NoRoom,
    /// Something else, in the words of the system.
    #[error("{0}")]
    Other(String),
}
