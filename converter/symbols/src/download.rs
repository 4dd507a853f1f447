//! Files from symbol servers, over HTTP.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

use crate::resolve::PDB_BYTES_MAX;

/// Servers send clients on to where files lie; more often than this is a loop.
const REDIRECTS_MAX: u32 = 5;
const CONNECTING_MAX: Duration = Duration::from_secs(15);
const ANSWERING_MAX: Duration = Duration::from_secs(60);
const SILENCE_MAX: Duration = Duration::from_secs(60);
const DOWNLOADING_MAX: Duration = Duration::from_secs(30 * 60);
/// Least time between two reports of progress.
const INTERVAL: Duration = Duration::from_millis(250);

/// Why a server gave no file.
#[derive(Debug, thiserror::Error)]
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
    /// It could not be reached, broke off, or led astray.
    #[error("{0}")]
    Http(#[from] ureq::Error),
    /// What it sent could not be read or kept.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// Asks servers for files.
#[derive(Debug, Default)]
pub struct Client;

impl Client {
    /// Writes the file at `url` to `out`, and tells how many bytes of how many are there.
    ///
    /// # Errors
    /// Fails if the server has none, or is too slow, too long or too roundabout.
    pub fn get(
        &self,
        url: &str,
        out: &mut impl Write,
        mut progress: impl FnMut(u64, Option<u64>),
    ) -> Result<(), DownloadError> {
        let mut response = agent(url).get(url).call()?;
        match response.status().as_u16() {
            200 => {}
            status @ (404 | 410) => return Err(DownloadError::NotThere(status)),
            status => return Err(DownloadError::Status(status)),
        }
        let total = response.body().content_length();
        if total.is_some_and(|total| total > PDB_BYTES_MAX) {
            return Err(DownloadError::TooLarge);
        }
        let mut body = response
            .body_mut()
            .with_config()
            .limit(PDB_BYTES_MAX)
            .reader();
        let mut piece = vec![0; 1 << 16];
        let mut done = 0;
        let mut told = Instant::now();
        progress(0, total);
        loop {
            let read = body.read(&mut piece)?;
            let Some(bytes) = piece.get(..read).filter(|bytes| !bytes.is_empty()) else {
                break;
            };
            out.write_all(bytes)?;
            done += read as u64;
            if told.elapsed() >= INTERVAL {
                told = Instant::now();
                progress(done, total);
            }
        }
        Ok(())
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
        .user_agent(concat!("outrank-symbols/", env!("CARGO_PKG_VERSION")))
        .tls_config(tls)
        .build()
        .new_agent()
}
