//! Where a program has no network, as in WebAssembly, no symbol server is asked.

use std::io::Write;

/// Why a server gave no file.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// It has none.
    #[expect(
        dead_code,
        reason = "whoever looks for PDBs tells servers that answer from others"
    )]
    #[error("not there (HTTP {0})")]
    NotThere(u16),
    /// It cannot be reached.
    #[error("this reader of symbols has no network, and asks no server")]
    Http(()),
    /// What it sent could not be kept.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// Asks no server.
#[derive(Debug, Default)]
pub struct Client;

impl Client {
    /// Fails, whatever the address.
    ///
    /// # Errors
    /// Always: there is no network.
    pub fn get(
        &self,
        _url: &str,
        _out: &mut impl Write,
        _progress: impl FnMut(u64, Option<u64>),
    ) -> Result<(), DownloadError> {
        Err(DownloadError::Http(()))
    }
}
