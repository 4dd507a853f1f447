//! Traces recorded on real machines: everything is read, and every event has a fate.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

mod support;

use std::path::Path;

use convert::{Converted, Progress, ProgressStyle, Totals};
use support::real_files;
use tempfile::TempDir;

fn convert(input: &Path) -> Converted {
    let folder = TempDir::new().expect("there is a temporary folder");
    let output = folder.path().join("out.pftrace");
    let progress = Progress::new(ProgressStyle::None);
    let converted =
        convert::convert(input, &output, false, &progress).expect("a real trace converts");
    let written = std::fs::metadata(&output)
        .expect("there is an output")
        .len();
    assert_eq!(converted.output_bytes, written);
    converted
}

#[test]
fn all_events_are_read_and_accounted_for() {
    let Some(folder) = real_files() else { return };
    let expected = [
        ("AMSITrace.etl", 21, 1),
        ("SelfDescribingSingleEvent.etl", 23, 1),
        ("ShutdownPerfDiagLogger.etl", 17_078, 3255),
        ("TraceLoggingTester.etl.gz", 172_716, 7120),
        ("diaghub.kernel.1.etl.gz", 16_335, 476),
        ("gcevents.etl.zip", 71, 1),
        ("net.4.5.2.x64.etl.zip", 179_474, 1430),
        ("classic/image_data_64_v0.etl", 27, 1),
        ("classic/image_data_64_v1.etl", 27, 1),
        ("classic/image_data_64_v2.etl", 27, 1),
        ("classic/process_data_64_v2.etl", 9, 9),
        ("classic/process_data_64_v3.etl", 9, 9),
        ("classic/test_data_32_v1.etl", 27, 1),
    ];
    for (name, read, converted) in expected {
        let totals = convert(&folder.join(name)).totals;
        assert_eq!(
            totals,
            Totals {
                read,
                converted,
                skipped: read - converted
            },
            "{name}"
        );
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
