//! Files from symbol servers, where the program has no network, as in WebAssembly: whoever runs it is asked to fetch them.

use std::io::{BufRead, Read};
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::bounds::{
    ANSWERING_MAX, CONNECTING_MAX, DOWNLOADING_MAX, INTERVAL, REDIRECTS_MAX, SILENCE_MAX,
    USER_AGENT,
};
use crate::download_error::DownloadError;
use crate::protocol::{Fetch, Outcome};
use crate::resolve::PDB_BYTES_MAX;

/// Longest reply in bytes.
const REPLY_BYTES_MAX: u64 = 1 << 16;

/// Asks whoever runs the program for files of servers.
#[derive(Debug, Default)]
pub struct Client {}

impl Client {
    /// Asks for the file at `url`, which is on `server`, by what it tells; it is written to `file` by the time that stdin holds
    /// the reply: a line with `null`, or with why there is none.
    ///
    /// # Errors
    /// Fails if the reply tells so, or there is none.
    pub fn get(
        &self,
        server: &str,
        url: &str,
        file: &mut NamedTempFile,
        tell: &mut dyn FnMut(Outcome),
    ) -> Result<(), DownloadError> {
        tell(Outcome::Fetch(Fetch {
            server: server.to_owned(),
            url: url.to_owned(),
            file: file.path().display().to_string(),
            user_agent: USER_AGENT,
            bytes_max: PDB_BYTES_MAX,
            redirects_max: REDIRECTS_MAX,
            connecting_max_ms: milliseconds(CONNECTING_MAX),
            answering_max_ms: milliseconds(ANSWERING_MAX),
            silence_max_ms: milliseconds(SILENCE_MAX),
            downloading_max_ms: milliseconds(DOWNLOADING_MAX),
            interval_ms: milliseconds(INTERVAL),
        }));
        let mut reply = String::new();
        let other = |error: &dyn std::error::Error| DownloadError::Other(error.to_string());
        let mut input = std::io::stdin().lock().take(REPLY_BYTES_MAX);
        input.read_line(&mut reply).map_err(|error| other(&error))?;
        if reply.is_empty() {
            return Err(DownloadError::Other("no server is asked here".to_owned()));
        }
        let failure: Option<DownloadError> =
            serde_json::from_str(&reply).map_err(|error| other(&error))?;
        failure.map_or(Ok(()), Err)
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
