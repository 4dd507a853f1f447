//! A selected part: what is written of what happened before its range, and in it.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

mod support;

use convert::Request;
use support::{Etl, IDLE, Output, converted_files, preempted, waits};

/// Two threads take turns on CPU 0; a third waits for CPU 1, which one thread has from the start to the end.
fn trace() -> Vec<u8> {
    let mut etl = Etl::new();
    etl.switch(1, 5, IDLE, 112, 15)
        .switch(0, 10, IDLE, 104, 9)
        .ready(0, 15, 116)
        .switch(0, 20, preempted(104), 108, 9)
        .switch(0, 30, waits(108), 104, 9)
        .ready(0, 35, 108)
        .switch(0, 40, waits(104), 108, 9)
        .switch(1, 50, waits(112), 116, 9)
        .switch(0, 60, waits(108), 0, 0);
    etl.finish()
}

fn part(from: &str, to: &str) -> Output {
    let time = |text: &str| text.parse().expect("a time");
    let request = Request {
        from: Some(time(from)),
        to: Some(time(to)),
        ..Request::default()
    };
    converted_files(&[("trace.etl", &trace())], &request).expect("the trace converts")
}

#[test]
fn what_holds_where_the_range_begins_stands_at_its_own_time() {
    let output = part("3.2us", "5us");
    insta::assert_snapshot!(output.scheduling().join("\n"));
}

#[test]
fn the_runs_of_a_part_are_those_of_the_whole() {
    let whole = converted_files(&[("trace.etl", &trace())], &Request::default())
        .expect("the trace converts")
        .runs();
    // What is still under way at the end of the range is open there.
    let ended = |runs: &[(u64, u64, u64)], until_ns: u64| -> Vec<(u64, u64, u64)> {
        let within = runs.iter().filter(|(ts_ns, ..)| *ts_ns < until_ns);
        within.copied().collect()
    };
    let runs = part("3.2us", "5us").runs();
    assert!(runs.len() > 3, "{runs:?}");
    assert!(
        ended(&runs, 4000).iter().all(|run| whole.contains(run)),
        "{runs:?} {whole:?}"
    );
}

#[test]
fn a_range_of_a_recording_in_two_files_is_that_of_one() {
    let whole = part("3.2us", "5us");
    let mut cpus = [Etl::new(), Etl::new()];
    let [first, second] = &mut cpus;
    first
        .switch(0, 10, IDLE, 104, 9)
        .ready(0, 15, 116)
        .switch(0, 20, preempted(104), 108, 9)
        .switch(0, 30, waits(108), 104, 9)
        .ready(0, 35, 108)
        .switch(0, 40, waits(104), 108, 9)
        .switch(0, 60, waits(108), 0, 0);
    second
        .switch(1, 5, IDLE, 112, 15)
        .switch(1, 50, waits(112), 116, 9);
    let [first, second] = cpus.map(Etl::finish);
    let request = Request {
        from: "3.2us".parse().ok(),
        to: "5us".parse().ok(),
        ..Request::default()
    };
    let files: &[(&str, &[u8])] = &[("a.etl", &first), ("b.etl", &second)];
    let both = converted_files(files, &request).expect("they are one recording");
    assert_eq!(both.scheduling(), whole.scheduling());
    assert_eq!(both.runs(), whole.runs());
}
