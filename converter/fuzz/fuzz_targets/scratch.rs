//! A whole conversion of bytes, through files: run with `TMPDIR=/dev/shm`.

#![allow(dead_code, reason = "a target uses a part")]

use std::path::PathBuf;

use convert::{Error, Progress, ProgressStyle, Request};

/// A file of this process alone.
pub fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("outrank-fuzz-{}-{name}", std::process::id()))
}

/// Converts what is asked of a file of these bytes, and checks that the sums add up or that the error is one line that names
/// the file.
pub fn convert(bytes: &[u8], request: &Request) {
    let (input, output) = (path("in.etl"), path("out.pftrace"));
    if let Err(error) = std::fs::write(&input, bytes) {
        panic!("{}: {error}", input.display())
    }
    let progress = Progress::new(ProgressStyle::None);
    match convert::convert(&[&input], &output, request, false, &progress) {
        Ok(converted) => {
            let totals = converted.totals;
            assert_eq!(
                totals.converted + totals.generic + totals.skipped,
                totals.read
            );
        }
        Err(error @ (Error::Open(_) | Error::Selection { .. })) => {
            let message = error.to_string();
            assert!(
                message.contains("in.etl: ") && !message.contains('\n'),
                "{message}"
            );
        }
        Err(error) => panic!("{error}"),
    }
}
