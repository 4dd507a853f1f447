//! The ranks of threads, as a person reads them in ui.perfetto.dev.

#![allow(
    clippy::indexing_slicing,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use support::{Etl, IDLE, Out, converted, outline_of, waits};
use synth::events::thread::{ThreadChange, ThreadInfo};

const RANKED: u32 = 44;
const ORDINARY: u32 = 48;
const NOT_DESCRIBED: u32 = 52;

fn ranked(tid: u32, rank: u8) -> Out {
    Out { rank, ..waits(tid) }
}

/// Runs of three threads one after another on one CPU.
fn trace() -> Vec<u8> {
    let mut etl = Etl::new();
    for tid in [RANKED, ORDINARY] {
        let thread = ThreadInfo::new(40, tid, 8);
        etl.thread(10, ThreadChange::Start, &thread);
    }
    etl.switch(0, 20, IDLE, RANKED, 8)
        .switch(0, 30, ranked(RANKED, 0), ORDINARY, 8)
        .switch(0, 40, ranked(ORDINARY, 0), RANKED, 8)
        .switch(0, 50, ranked(RANKED, 2), NOT_DESCRIBED, 8)
        .switch(0, 60, ranked(NOT_DESCRIBED, 3), RANKED, 8)
        .switch(0, 70, ranked(RANKED, 2), 0, 0)
        .switch(0, 80, IDLE, RANKED, 8)
        .switch(0, 90, ranked(RANKED, 0), 0, 0);
    etl.finish()
}

#[test]
fn a_thread_that_has_another_rank_than_0_has_a_track_of_it_below_its_own() {
    let output = converted(&trace());
    let thread = &output.with("thread{pid:40,tid:44")[0];
    assert!(thread.contains("{uuid:68719476738 "), "{thread}");
    let tracks = output.with("name:\"rank\"");
    assert_eq!(tracks.len(), 1);
    assert!(tracks[0].starts_with("timestamp:1000004000 "), "{tracks:?}");
    assert!(
        tracks[0].contains(" parent_uuid:68719476738 "),
        "{tracks:?}"
    );
    assert_eq!(output.counter("rank"), [(4000, 2), (8000, 0)]);
}

#[test]
fn there_is_none_where_scheduling_is_apart() {
    assert!(outline_of(&trace()).with("name:\"rank\"").is_empty());
}
