//! Damaged traces: whatever the bytes are, a conversion ends with a trace or with one line, and never panics.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test helper that fails fails its test"
)]

use std::io::Cursor;
use std::path::Path;

use convert::{Error, Progress, ProgressStyle, Request};
use synth::scenario::{Options, minimal};
use tempfile::TempDir;

fn minimal(options: Options) -> Vec<u8> {
    let (sink, _) = minimal::write(Cursor::default(), options).expect("memory takes the trace");
    sink.into_inner()
}

/// Plain, compressed, and with compact context switches.
fn forms() -> [Vec<u8>; 3] {
    let plain = Options::default();
    let compressed = Options {
        compressed: true,
        ..plain
    };
    let compact = Options {
        compact_switches: true,
        ..plain
    };
    [plain, compressed, compact].map(minimal)
}

/// Converts the bytes; checks that the sums add up, or that the error is one line that names the file.
fn convert(folder: &Path, etl: &[u8]) {
    let (input, output) = (folder.join("trace.etl"), folder.join("trace.pftrace"));
    std::fs::write(&input, etl).expect("the temporary folder takes a file");
    match convert::convert(
        &[&input],
        &output,
        &Request::default(),
        false,
        &Progress::new(ProgressStyle::None),
    ) {
        Ok(converted) => {
            let totals = converted.totals;
            assert_eq!(
                totals.converted + totals.generic + totals.skipped,
                totals.read
            );
            std::fs::remove_file(&output).expect("there is an output");
        }
        Err(Error::Open(error)) => {
            let message = error.to_string();
            assert!(
                message.contains("trace.etl: ") && !message.contains('\n'),
                "{message}"
            );
            assert!(!output.exists());
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn truncated_anywhere() {
    let folder = TempDir::new().expect("there is a temporary folder");
    for whole in forms() {
        for length in (0..whole.len()).step_by(97) {
            convert(folder.path(), &whole[..length]);
        }
    }
}

#[test]
fn one_byte_changed_anywhere() {
    let folder = TempDir::new().expect("there is a temporary folder");
    for whole in forms() {
        // A prime step and four values meet every header field over the buffers.
        for (round, at) in (0..whole.len()).step_by(13).enumerate() {
            let mut changed = whole.clone();
            changed[at] = [0x00, 0xFF, 0x80, changed[at] ^ 0x01][round % 4];
            convert(folder.path(), &changed);
        }
    }
}
