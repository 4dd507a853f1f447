//! What one file of a server may take.

use std::time::Duration;

/// Servers send clients on to where files lie; more often than this is a loop.
pub const REDIRECTS_MAX: u32 = 5;
/// Until a server is connected to.
pub const CONNECTING_MAX: Duration = Duration::from_secs(15);
/// From then on until it answers.
pub const ANSWERING_MAX: Duration = Duration::from_secs(60);
/// Between two pieces of its answer.
pub const SILENCE_MAX: Duration = Duration::from_secs(60);
/// All together.
pub const DOWNLOADING_MAX: Duration = Duration::from_secs(30 * 60);
/// Least time between two reports of progress.
pub const INTERVAL: Duration = Duration::from_millis(250);
/// How a server knows the program.
pub const USER_AGENT: &str = concat!("outrank-symbols/", env!("CARGO_PKG_VERSION"));
