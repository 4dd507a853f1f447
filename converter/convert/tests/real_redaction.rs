//! Of traces recorded on real machines: the words that a redaction lets stay, and no others.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::path::Path;

use convert::{Choices, Progress, ProgressStyle, Request};
use support::leak::words_that_stay;
use support::real_files;
use tempfile::TempDir;

fn convert(input: &Path, redact: Option<Choices>) -> Vec<u8> {
    let folder = TempDir::new().expect("there is a temporary folder");
    let output = folder.path().join("out.pftrace");
    let progress = Progress::new(ProgressStyle::None);
    let request = Request {
        redact,
        ..Request::default()
    };
    convert::convert(&[input], &output, &request, false, &progress).expect("a real trace converts");
    std::fs::read(&output).expect("there is an output")
}

#[test]
fn what_stays_of_real_traces() {
    let Some(folder) = real_files() else { return };
    for name in [
        "AMSITrace.etl",
        "SelfDescribingSingleEvent.etl",
        "ShutdownPerfDiagLogger.etl",
        "gcevents.etl.zip",
        "classic/image_data_64_v2.etl",
        "classic/process_data_64_v3.etl",
    ] {
        let path = folder.join(name);
        let plain = convert(&path, None);
        let redacted = convert(&path, Some(Choices::all()));
        let stay = words_that_stay(&plain, &redacted);
        insta::assert_snapshot!(name.replace('/', "_"), stay.join("\n"));
    }
}
