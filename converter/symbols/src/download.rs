//! Files from symbol servers, over HTTP.

use std::collections::HashSet;
use std::io::{ErrorKind, Read, Write};
use std::sync::Mutex;
use std::time::Instant;

use tempfile::NamedTempFile;
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

use crate::bounds::{
    ANSWERING_MAX, CONNECTING_MAX, DOWNLOADING_MAX, INTERVAL, REDIRECTS_MAX, SILENCE_MAX,
    USER_AGENT,
};
use crate::download_error::DownloadError;
use crate::protocol::Outcome;
use crate::resolve::PDB_BYTES_MAX;

/// Asks servers for files.
#[derive(Debug, Default)]
pub struct Client {
    /// Servers that could not be reached, by address: each is waited for once.
    unreachable: Mutex<HashSet<String>>,
}

impl Client {
    /// Writes the file at `url`, which is on `server`, to `file`, and tells how many bytes of how many are there.
    ///
    /// # Errors
    /// Fails if the server has none, or is too slow, too long or too roundabout.
    pub fn get(
        &self,
        server: &str,
        url: &str,
        file: &mut NamedTempFile,
        tell: &mut dyn FnMut(Outcome),
    ) -> Result<(), DownloadError> {
        if self.is_unreachable(server) {
            return Err(DownloadError::NotReachedBefore);
        }
        let mut response = agent(url).get(url).call().map_err(|error| {
            self.note_unreachable(server);
            kind_of(error)
        })?;
        match response.status().as_u16() {
            200 => {}
            status @ (404 | 410) => return Err(DownloadError::NotThere(status)),
            status => return Err(DownloadError::Status(status)),
        }
        let total_bytes = response.body().content_length();
        if total_bytes.is_some_and(|total| total > PDB_BYTES_MAX) {
            return Err(DownloadError::TooLarge);
        }
        let mut body = response
            .body_mut()
            .with_config()
            .limit(PDB_BYTES_MAX)
            .reader();
        let mut progress = |bytes| {
            tell(Outcome::Download {
                url: url.to_owned(),
                bytes,
                total_bytes,
            });
        };
        let mut piece = vec![0; 1 << 16];
        let mut done = 0;
        let mut told = Instant::now();
        progress(0);
        loop {
            let read = body
                .read(&mut piece)
                .map_err(|error| kind_of(error.into()))?;
            let Some(bytes) = piece.get(..read).filter(|bytes| !bytes.is_empty()) else {
                break;
            };
            file.write_all(bytes).map_err(|error| match error.kind() {
                ErrorKind::StorageFull => DownloadError::NoRoom,
                _ => DownloadError::Other(error.to_string()),
            })?;
            done += read as u64;
            if told.elapsed() >= INTERVAL {
                told = Instant::now();
                progress(done);
            }
        }
        Ok(())
    }

    fn is_unreachable(&self, server: &str) -> bool {
        self.unreachable
            .lock()
            .is_ok_and(|servers| servers.contains(server))
    }

    fn note_unreachable(&self, server: &str) {
        if let Ok(mut servers) = self.unreachable.lock() {
            servers.insert(server.to_owned());
        }
    }
}

/// A safe address may not lead to an unsafe one.
fn agent(url: &str) -> Agent {
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .build();
    Agent::config_builder()
        .http_status_as_error(false)
        .https_only(
            url.get(..6)
                .is_some_and(|start| start.eq_ignore_ascii_case("https:")),
        )
        .max_redirects(REDIRECTS_MAX)
        .max_redirects_will_error(true)
        .timeout_connect(Some(CONNECTING_MAX))
        .timeout_recv_response(Some(ANSWERING_MAX))
        .timeout_per_read(Some(SILENCE_MAX))
        .timeout_global(Some(DOWNLOADING_MAX))
        .user_agent(USER_AGENT)
        .tls_config(tls)
        .build()
        .new_agent()
}

fn kind_of(error: ureq::Error) -> DownloadError {
    match &error {
        ureq::Error::BodyExceedsLimit(_) => DownloadError::TooLarge,
        ureq::Error::TooManyRedirects => DownloadError::TooManyRedirects,
        ureq::Error::RequireHttpsOnly(_) => DownloadError::Unsafe,
        ureq::Error::HostNotFound => DownloadError::NoHost,
        ureq::Error::Timeout(_) => DownloadError::TooSlow,
        ureq::Error::Io(io) => match io.kind() {
            ErrorKind::ConnectionRefused => DownloadError::Refused,
            ErrorKind::TimedOut => DownloadError::TooSlow,
            ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof | ErrorKind::BrokenPipe => {
                DownloadError::BrokenOff
            }
            _ => DownloadError::Other(error.to_string()),
        },
        _ => DownloadError::Other(error.to_string()),
    }
}
