//! A selected part: what is written of what happened before its range, and in it.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use convert::Request;
use support::{Etl, IDLE, Output, converted_files, preempted, waits};
use synth::events::fields::{Fields, FieldsEvent};
use synth::events::power::{PostSleep, PreSleep};
use synth::events::process::{ProcessChange, ProcessInfo};

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
    let ended = |runs: &[(u64, u64, String)], until_ns: u64| -> Vec<(u64, u64, String)> {
        let within = runs.iter().filter(|(ts_ns, ..)| *ts_ns < until_ns);
        within.cloned().collect()
    };
    let runs = part("3.2us", "5us").runs();
    assert!(runs.len() > 3, "{runs:?}");
    assert!(
        ended(&runs, 4000).iter().all(|run| whole.contains(run)),
        "{runs:?} {whole:?}"
    );
}

#[test]
fn every_range_has_the_runs_of_the_whole_that_reach_into_it() {
    const END_NS: u64 = 6000;
    const STEP_NS: u64 = 300;
    let whole = converted_files(&[("trace.etl", &trace())], &Request::default())
        .expect("the trace converts")
        .runs();
    for from in (0..END_NS).step_by(STEP_NS as usize) {
        for to in (from + STEP_NS..=END_NS).step_by(STEP_NS as usize) {
            let runs = part(&format!("{from}ns"), &format!("{to}ns")).runs();
            for (ts_ns, cpu, words) in &runs {
                let same = whole.iter().find(|run| (run.0, run.1) == (*ts_ns, *cpu));
                let (_, _, expected) = same.expect("no other runs are there");
                assert!(
                    words == expected || !words.contains("switch_out_priority"),
                    "{from} to {to}: {ts_ns} on {cpu}: {words}, {expected}"
                );
            }
            let last_before = |cpu| {
                let before = whole
                    .iter()
                    .filter(move |run| run.0 <= from && run.1 == cpu);
                before.map(|run| run.0).max().unwrap_or(0)
            };
            let reaches_in = |run: &&(u64, u64, String)| run.0 < to && run.0 >= last_before(run.1);
            let missing: Vec<_> = whole
                .iter()
                .filter(reaches_in)
                .filter(|run| !runs.iter().any(|own| (own.0, own.1) == (run.0, run.1)))
                .collect();
            assert!(missing.is_empty(), "{from} to {to}: {missing:?}");
        }
    }
}

#[test]
fn a_thread_that_ran_before_the_first_switch_alone_keeps_how_that_ended() {
    let told = |output: &Output| -> Vec<String> {
        let packets = output.packets.iter();
        let told = packets.filter(|packet| packet.contains("etw.run_before"));
        told.cloned().collect()
    };
    let mut etl = Etl::new();
    etl.switch(0, 10, preempted(104), 108, 9)
        .switch(1, 12, waits(112), 0, 0)
        .switch(1, 14, IDLE, 112, 9)
        .switch(1, 16, waits(112), 0, 0)
        .switch(0, 60, waits(108), 0, 0);
    let etl = etl.finish();
    let convert = |from: Option<&str>| {
        let request = Request {
            from: from.and_then(|from| from.parse().ok()),
            ..Request::default()
        };
        converted_files(&[("trace.etl", &etl)], &request).expect("the trace converts")
    };
    let whole = told(&convert(None));
    assert_eq!(whole.len(), 2, "{whole:?}");
    // Thread 112 ran again, and what it did before does not matter any more.
    let part = told(&convert(Some("3us")));
    assert_eq!(Some(part.as_slice()), whole.get(..1));
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

#[test]
fn names_that_break_lines_stay_on_the_line_of_an_error() {
    let mut etl = Etl::new();
    let forged = ProcessInfo::new(7, 4, "a\r\nb\u{1b}[2J");
    etl.process(1, ProcessChange::RundownStart, &forged);
    let request = Request {
        processes: vec!["word".to_owned()],
        ..Request::default()
    };
    let error = converted_files(&[("trace.etl", &etl.finish())], &request).err();
    let expected = "trace.etl: --process word: no process has that name or id; there are a  b [2J";
    assert_eq!(error.as_deref(), Some(expected));
}

/// What is converted of a range.
fn part_of(etl: &[u8], from: &str, to: &str) -> Output {
    let request = Request {
        from: from.parse().ok(),
        to: to.parse().ok(),
        ..Request::default()
    };
    converted_files(&[("trace.etl", etl)], &request).expect("the trace converts")
}

#[test]
fn that_the_machine_sleeps_is_known_where_the_range_begins() {
    let mut etl = Etl::new();
    let pre = PreSleep {
        counter: 1,
        hz: 10_000_000,
    };
    etl.put(0, 10, &pre)
        .put(0, 50, &PostSleep { counter: 2 })
        .put(0, 70, &pre);
    let part = part_of(&etl.finish(), "3us", "6us");
    assert_eq!(
        part.messages(),
        [
            r#"Power/PreSleep {"PerformanceCounter":1,"PerformanceFrequency":10000000}"#,
            r#"Power/PostSleep {"PerformanceCounter":2}"#,
        ]
    );
    let packets = part.with("android_log").concat();
    assert!(
        packets.contains("timestamp:1655526400000001000"),
        "{packets}"
    );
    assert_eq!(part.converted.totals.skipped, 1);
}

/// A file's key and its name.
fn file_name(hook: u16, key: u64, name: &str) -> FieldsEvent {
    FieldsEvent {
        class: None,
        hook,
        version: 2,
        fields: Fields::new(&format!("p={key} w={name}"), 0).expect("the fields are well-formed"),
    }
}

#[test]
fn files_keep_their_names_in_a_range() {
    const CREATE: u16 = 0x0420;
    const DELETE: u16 = 0x0423;
    const RUNDOWN: u16 = 0x0424;
    let mut etl = Etl::new();
    for (ticks, hook, key, name) in [
        (5, CREATE, 1, "before"),
        (10, CREATE, 1, "kept"),
        (11, CREATE, 2, "gone"),
        (12, DELETE, 2, "gone"),
        (30, CREATE, 3, "within"),
        (50, DELETE, 4, "deleted-later"),
        (51, CREATE, 4, "created-later"),
        (52, RUNDOWN, 1, "kept"),
        (53, RUNDOWN, 4, "created-later"),
        (54, RUNDOWN, 5, "there"),
        (55, CREATE, 6, "later"),
        (56, DELETE, 6, "later"),
    ] {
        etl.put(0, ticks, &file_name(hook, key, name));
    }
    let part = part_of(&etl.finish(), "2us", "4us");
    let names: Vec<String> = part
        .messages()
        .iter()
        .map(|message| message.replace(['{', '}', '"'], ""))
        .collect();
    assert_eq!(
        names,
        [
            "FileIo/FileCreate FileKey:0x1,FileName:kept",
            "FileIo/FileCreate FileKey:0x3,FileName:within",
            "FileIo/FileDelete FileKey:0x4,FileName:deleted-later",
            "FileIo/FileRundown FileKey:0x1,FileName:kept",
            "FileIo/FileRundown FileKey:0x5,FileName:there",
        ]
    );
    let totals = part.converted.totals;
    // Converted are the header and all events but the one within the range.
    assert_eq!(
        (totals.converted, totals.generic, totals.skipped),
        (12, 1, 0)
    );
}
