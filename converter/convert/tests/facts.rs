//! What a trace says of the machine and of the time of its recording.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use convert::Request;
use support::{Etl, converted, real_files, waits};
use synth::file::bytes::Pointer;
use synth::file::session::Session;

/// A fact of the instant `etw.trace`.
fn fact(session: Session, name: &str) -> String {
    let mut etl = Etl::of(session);
    etl.switch(0, 10, waits(8), 12, 9);
    let told = converted(&etl.finish()).with("\"schema\"").concat();
    let (_, value) = told
        .split_once(&format!("{{name:\"{name}\" "))
        .expect("the fact is told");
    value.split('}').next().unwrap_or_default().to_owned()
}

#[test]
fn pointers_are_as_wide_as_those_of_the_machine_whatever_program_wrote_the_file() {
    let width = |pointer, header_pointer| {
        let session = Session {
            pointer,
            header_pointer,
            ..Session::default()
        };
        fact(session, "pointer_bytes")
    };
    let [narrow, wide] = [Pointer::Four, Pointer::Eight];
    assert_eq!(width(wide, wide), "uint_value:8");
    assert_eq!(width(wide, narrow), "uint_value:8");
    assert_eq!(width(narrow, narrow), "uint_value:4");
}

#[test]
fn local_time_is_that_of_the_season() {
    let offset = |start_filetime| {
        let session = Session {
            start_filetime,
            ..Session::default()
        };
        fact(session, "utc_offset_minutes")
    };
    // 17 June and 17 December 2022.
    assert_eq!(offset(133_000_000_000_000_000), "int_value:120");
    assert_eq!(offset(133_158_000_000_000_000), "int_value:60");
}

/// The program that recorded it wrote `PerfView Start Time 7/28/2020 5:05:59 PM` into its own log.
#[test]
fn a_recording_of_july_is_in_daylight_time() {
    let Some(folder) = real_files() else { return };
    let info = convert::info(&[folder.join("net.4.5.2.x64.etl.zip")], &Request::default());
    let json = info.expect("a real trace has info").to_json();
    let info: serde_json::Value = serde_json::from_str(&json).expect("info is JSON");
    let offset = info.pointer("/clock/utc_offset_minutes");
    assert_eq!(offset.and_then(serde_json::Value::as_i64), Some(-420));
}
