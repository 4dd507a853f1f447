//! Traces recorded on real machines: everything is read, and every event has a fate.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::path::Path;

use convert::{Converted, Progress, ProgressStyle, Request};
use support::real::FILES;
use support::real_files;
use tempfile::TempDir;

fn convert(input: &Path) -> Converted {
    let folder = TempDir::new().expect("there is a temporary folder");
    let output = folder.path().join("out.pftrace");
    let progress = Progress::new(ProgressStyle::None);
    let converted = convert::convert(&[input], &output, &Request::default(), false, &progress)
        .expect("a real trace converts");
    let written = std::fs::metadata(&output)
        .expect("there is an output")
        .len();
    assert_eq!(converted.output_bytes, written);
    converted
}

/// Events of providers, the kernel's own aside, that are kept as generic events.
fn provider_events(input: &Path) -> u64 {
    let json = convert::info(&[input], &Request::default())
        .expect("a real trace has info")
        .to_json();
    let info: serde_json::Value = serde_json::from_str(&json).expect("info is JSON");
    let kinds = info.get("kinds").and_then(serde_json::Value::as_array);
    let is_kept = |kind: &&serde_json::Value| {
        kind.get("fate").is_some_and(|fate| fate == "generic")
            && kind
                .get("provider_guid")
                .is_some_and(|guid| !guid.is_null())
    };
    kinds
        .expect("info lists kinds")
        .iter()
        .filter(is_kept)
        .filter_map(|kind| kind.get("count")?.as_u64())
        .sum()
}

/// The real traces in `folder` and those below it, by their paths from there, in order.
fn traces_in(folder: &Path, below: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder.join(below)).expect("the folder is read") {
        let entry = entry.expect("the folder is read");
        let name = entry.file_name().into_string().expect("names are Unicode");
        let path = Path::new(below).join(name).display().to_string();
        if entry.path().is_dir() {
            found.extend(traces_in(folder, &path));
        } else if !path.ends_with(".md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn no_real_trace_is_left_out_of_the_tests() {
    let Some(folder) = real_files() else { return };
    assert_eq!(traces_in(&folder, ""), FILES);
}

/// Of the provider events, `TraceLoggingTester` has 47,170 and `net.4.5.2` 774 in the classic form (identities of images aside); the others are as
/// many as the schema crate counts, without the four events that carry manifests.
#[test]
fn all_events_are_read_and_accounted_for() {
    let Some(folder) = real_files() else { return };
    let expected = [
        ("AMSITrace.etl", 21, 1, 19),
        ("SelfDescribingSingleEvent.etl", 23, 1, 19),
        ("ShutdownPerfDiagLogger.etl", 17_078, 17_008, 0),
        (
            "TraceLoggingTester.etl.gz",
            172_716,
            77_168,
            47_170 + 47_490 + 70,
        ),
        ("diaghub.kernel.1.etl.gz", 16_335, 15_910, 1),
        ("gcevents.etl.zip", 71, 1, 69),
        ("net.4.5.2.x64.etl.zip", 179_474, 104_049, 774 + 68_139),
        ("classic/image_data_64_v0.etl", 27, 27, 0),
        ("classic/image_data_64_v1.etl", 27, 27, 0),
        ("classic/image_data_64_v2.etl", 27, 27, 0),
        ("classic/process_data_64_v2.etl", 9, 9, 0),
        ("classic/process_data_64_v3.etl", 9, 9, 0),
        ("classic/test_data_32_v1.etl", 27, 27, 0),
    ];
    let mut names = expected.map(|(name, ..)| name);
    names.sort_unstable();
    assert_eq!(names, FILES);
    for (name, read, converted, of_providers) in expected {
        let path = folder.join(name);
        let totals = convert(&path).totals;
        assert_eq!((totals.read, totals.converted), (read, converted), "{name}");
        assert_eq!(provider_events(&path), of_providers, "{name}");
        let accounted = totals.converted + totals.generic + totals.skipped;
        assert_eq!((accounted, totals.skipped), (read, 0), "{name}");
    }
}

#[test]
fn only_the_trace_that_lost_events_says_so() {
    let Some(folder) = real_files() else { return };
    assert_eq!(
        convert(&folder.join("AMSITrace.etl")).losses,
        ["3 events were lost while recording, by the log-file header"]
    );
    assert_eq!(
        convert(&folder.join("net.4.5.2.x64.etl.zip")).losses,
        Vec::<String>::new()
    );
}
