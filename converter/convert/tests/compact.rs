//! Compact context switches: each lies in the file before the event that holds it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::io::Cursor;

use convert::{Request, Time};
use support::{Etl, IDLE, Output, converted, converted_files, waits};
use synth::file::bytes::Pointer;
use synth::file::compact::{CompactSwitches, Leaving};
use synth::file::session::Session;
use synth::scenario::random::{self, Chaos};
use synth::scenario::{Options, minimal};

const ME: u32 = 100;
const OTHER: u32 = 200;

const COMPACT: Options = Options {
    seed: 1,
    pointer: Pointer::Eight,
    compressed: false,
    merged: false,
    compact_switches: true,
};
const WHOLE: Options = Options {
    compact_switches: false,
    ..COMPACT
};

fn minimal(options: Options) -> Vec<u8> {
    let (sink, _) = minimal::write(Cursor::default(), options).expect("memory takes the trace");
    sink.into_inner()
}

/// An event of switches: time, thread that leaves, its priority.
fn compact(etl: &Etl, switches: &[(i64, u32, u8)]) -> CompactSwitches {
    let (first, _, _) = switches[0];
    let mut event = CompactSwitches::new(etl.at(first));
    for &(ticks, tid, priority) in switches {
        let leaving = Leaving {
            tid,
            priority,
            wait_reason: 6,
            new_wait_time: 1,
        };
        assert!(event.push(etl.at(ticks), &leaving), "there is room");
    }
    event
}

/// Who comes and who leaves, and who is readied by whom: without what compact switches do not tell.
fn who(output: &Output) -> Vec<String> {
    let scheduling = output.scheduling().into_iter();
    scheduling
        .map(|line| match line.split_once(" priority") {
            Some((who, _)) => who.to_owned(),
            None => line,
        })
        .collect()
}

#[test]
fn every_packet_of_the_minimal_trace() {
    let output = converted(&minimal(COMPACT));
    insta::assert_snapshot!(output.packets.join("\n"));
    assert_eq!(output.converted.losses, Vec::<String>::new());
}

#[test]
fn the_same_runs_and_wakes_as_by_whole_switches() {
    let whole = who(&converted(&minimal(WHOLE)));
    for pointer in [Pointer::Four, Pointer::Eight] {
        for compressed in [false, true] {
            let options = Options {
                pointer,
                compressed,
                ..COMPACT
            };
            let told = who(&converted(&minimal(options)));
            // Who came last is not told: the idle thread stands for it.
            let (last, rest) = told.split_last().expect("there are switches");
            assert_eq!(rest, &whole[..rest.len()]);
            assert_eq!(last, "90003000 cpu 0: {new 0 old 0");
        }
    }
}

#[test]
fn random_machines_tell_the_same_runs_and_wakes() {
    let chaos = Chaos {
        events: 600,
        lose_buffers: false,
        disorder: false,
        stacks: false,
    };
    let mut compared = 0;
    for seed in 1..24 {
        let write = |options: Options| {
            let (sink, truth) =
                random::write(Cursor::default(), Options { seed, ..options }, chaos)
                    .expect("memory takes the trace");
            let etl: Vec<u8> = sink.into_inner();
            (etl, truth.random.expect("it is random"))
        };
        let (whole, truth) = write(WHOLE);
        // Of switches and wakes in one tick it is not known which came first.
        if truth.shares_ticks {
            continue;
        }
        let (compact, _) = write(COMPACT);
        let [whole, compact] = [whole, compact].map(|etl| converted(&etl));
        assert_eq!(who(&compact), who(&whole), "seed {seed}");
        assert_eq!(compact.converted.losses, Vec::<String>::new());
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn whole_switches_of_the_same_time_win() {
    let mut etl = Etl::new();
    etl.switch(0, 20, IDLE, ME, 8);
    let event = compact(&etl, &[(20, 0, 0), (30, ME, 8)]);
    etl.switch(0, 30, waits(ME), 0, 0);
    etl.put(0, 40, &event);
    let other = compact(&etl, &[(21, 0, 0), (41, OTHER, 8)]);
    etl.put(1, 50, &other);
    let output = converted(&etl.finish());
    assert_eq!(
        who(&output),
        [
            "2000 cpu 0: {new 100 old 0",
            "2100 cpu 1: {new 200 old 0",
            "3000 cpu 0: {new 0 old 100",
            "4100 cpu 1: {new 0 old 200",
        ]
    );
    let events = output.with("CompactCSwitch");
    assert_eq!(events.len(), 2, "{events:#?}");
    assert!(events[0].contains("converted"), "{events:#?}");
    assert!(events[1].contains("also recorded whole"), "{events:#?}");
    let totals = &output.converted.totals;
    assert_eq!(
        totals.read,
        totals.converted + totals.generic + totals.skipped
    );
    assert_eq!(totals.skipped, 1);
}

#[test]
fn whole_switches_may_follow_compact_ones() {
    let mut etl = Etl::new();
    let event = compact(&etl, &[(20, 0, 0), (30, ME, 9)]);
    etl.put(0, 40, &event);
    etl.switch(0, 60, waits(OTHER), ME, 8)
        .switch(0, 70, waits(ME), 0, 0);
    let output = converted(&etl.finish());
    assert_eq!(
        output.scheduling(),
        [
            "2000 cpu 0: {new 100 old 0 priority 9 INITIALIZED reason 0",
            "3000 cpu 0: {new 200 old 100 priority 9 INITIALIZED reason 0",
            "6000 cpu 0: {new 100 old 200 priority 8 WAITING reason 6",
            "7000 cpu 0: {new 0 old 100 priority 0 WAITING reason 6",
        ]
    );
}

#[test]
fn the_end_of_a_run_is_found_in_a_later_event() {
    let mut etl = Etl::new();
    let first = compact(&etl, &[(20, 0, 0)]);
    etl.put(0, 25, &first);
    for ticks in 30..400 {
        etl.ready(0, ticks, OTHER);
    }
    let second = compact(&etl, &[(410, ME, 12), (420, 0, 0), (430, OTHER, 3)]);
    etl.put(0, 500, &second);
    let output = converted(&etl.finish());
    assert_eq!(
        output.words_of_runs(&["rank", "switch_out_priority", "switch_out_state"]),
        [(2000, "- 12 -".to_owned()), (42000, "- 3 -".to_owned())]
    );
}

#[test]
fn what_happens_meanwhile_is_of_the_thread_that_runs_then() {
    let wakes = {
        let mut etl = Etl::new();
        let event = compact(&etl, &[(20, 0, 0), (30, ME, 8), (40, OTHER, 8)]);
        etl.ready(0, 25, OTHER);
        etl.put(0, 50, &event);
        who(&converted(&etl.finish()))
    };
    // The readier is the thread that runs, though its run is told later in the file.
    assert_eq!(
        wakes,
        [
            "2000 cpu 0: {new 100 old 0",
            "2500 cpu 0: waker 100 readies {200",
            "3000 cpu 0: {new 200 old 100",
            "4000 cpu 0: {new 0 old 200",
        ]
    );
}

#[test]
fn an_event_may_have_the_time_of_its_first_switch() {
    let mut etl = Etl::new();
    let event = compact(&etl, &[(20, 0, 0), (30, ME, 8), (40, OTHER, 8)]);
    etl.put(0, 20, &event).ready(0, 25, OTHER);
    let output = converted(&etl.finish());
    assert_eq!(
        who(&output),
        [
            "2000 cpu 0: {new 100 old 0",
            "2500 cpu 0: waker 100 readies {200",
            "3000 cpu 0: {new 200 old 100",
            "4000 cpu 0: {new 0 old 200",
        ]
    );
    assert_eq!(output.converted.losses, Vec::<String>::new());
}

/// What is written and lost of a CPU whose events hold these switches, after the payload was changed.
fn damaged(change: impl Fn(&mut Vec<u8>)) -> (Vec<String>, Vec<String>) {
    let mut etl = Etl::new();
    let first = compact(
        &etl,
        &[(20, 0, 0), (30, ME, 8), (40, OTHER, 8), (50, ME, 8)],
    );
    let mut payload = bytes_of(&first);
    change(&mut payload);
    etl.put(0, 60, &Raw(payload));
    let second = compact(&etl, &[(70, OTHER, 8), (80, 0, 0), (90, ME, 8)]);
    etl.put(0, 100, &second);
    let output = converted(&etl.finish());
    let totals = &output.converted.totals;
    assert_eq!(
        totals.read,
        totals.converted + totals.generic + totals.skipped
    );
    (who(&output), output.converted.losses)
}

/// A compact event of any bytes.
struct Raw(Vec<u8>);

impl synth::file::event::KernelEvent for Raw {
    fn hook(&self) -> u16 {
        0x0525
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut synth::file::bytes::Bytes) {
        out.raw(&self.0);
    }
}

fn bytes_of(event: &impl synth::file::event::KernelEvent) -> Vec<u8> {
    let mut bytes = synth::file::bytes::Bytes::new(Pointer::Eight);
    event.write(&mut bytes);
    bytes.as_slice().to_vec()
}

const BEFORE_DAMAGE: [&str; 3] = [
    "2000 cpu 0: {new 100 old 0",
    "3000 cpu 0: {new 200 old 100",
    "4000 cpu 0: {new 100 old 200",
];
const AFTER_LOST: [&str; 3] = [
    "7000 cpu 0: {new 0 old 200",
    AFTER_DAMAGE[0],
    AFTER_DAMAGE[1],
];
const AFTER_DAMAGE: [&str; 2] = ["8000 cpu 0: {new 100 old 0", "9000 cpu 0: {new 0 old 100"];

#[test]
fn sound_events_lose_nothing() {
    let (told, losses) = damaged(|_| ());
    let between = ["5000 cpu 0: {new 200 old 100", "7000 cpu 0: {new 0 old 200"];
    assert_eq!(told, [&BEFORE_DAMAGE[..], &between, &AFTER_DAMAGE].concat());
    assert_eq!(losses, Vec::<String>::new());
}

#[test]
fn after_a_cut_the_next_event_goes_on() {
    let (told, losses) = damaged(|payload| payload.truncate(payload.len() - 1));
    let between = [
        // The loss stands just before.
        "4001 cpu 0: {new 0 old 200",
        "7000 cpu 0: {new 200 old 0",
        "7001 cpu 0: {new 0 old 200",
    ];
    assert_eq!(
        told,
        [&BEFORE_DAMAGE[..2], &between, &AFTER_DAMAGE].concat()
    );
    assert_eq!(
        losses,
        ["1 events of compact context switches of CPU 0 end within a switch"]
    );
}

#[test]
fn a_thread_without_a_name_leaves_a_gap() {
    let (told, losses) = damaged(|payload| payload[8 + 4..8 + 8].fill(0));
    let expected = [
        "2000 cpu 0: {new 100 old 0",
        "3000 cpu 0: {new 0 old 100",
        // The loss stands just before.
        "4001 cpu 0: {new 100 old 0",
        "5000 cpu 0: {new 200 old 100",
        "7000 cpu 0: {new 0 old 200",
    ];
    assert_eq!(told, [&expected[..], &AFTER_DAMAGE].concat());
    assert_eq!(
        losses,
        ["1 compact context switches of CPU 0 are of threads that their events do not name"]
    );
}

#[test]
fn a_time_after_the_event_itself_is_dropped() {
    // The last switch is a lite one, its ticks in the upper 17 bits.
    let (told, losses) = damaged(|payload| {
        let last = payload.len() - 1;
        payload[last] = 0x7F;
    });
    let between = [
        "4000 cpu 0: {new 0 old 200",
        "7000 cpu 0: {new 200 old 0",
        "7001 cpu 0: {new 0 old 200",
    ];
    assert_eq!(
        told,
        [&BEFORE_DAMAGE[..2], &between, &AFTER_DAMAGE].concat()
    );
    assert_eq!(
        losses,
        [
            "1 compact context switches of CPU 0 dropped: they are later than the events that hold them"
        ]
    );
}

#[test]
fn switches_from_before_the_trace_are_dropped() {
    let (told, losses) = damaged(|payload| payload[..8].fill(0));
    assert_eq!(told, AFTER_LOST);
    assert_eq!(
        losses,
        ["4 compact context switches of CPU 0 dropped: they are earlier than the trace"]
    );
}

#[test]
fn an_event_that_holds_nothing_is_too_short() {
    let (told, losses) = damaged(|payload| payload.truncate(87));
    assert_eq!(told, AFTER_LOST);
    assert_eq!(
        losses,
        ["1 events Thread CompactCSwitch: payload shorter than its layout"]
    );
}

/// Switches of one CPU at 20, 40, 60, … in three events. The last event ends at 200.
fn long() -> Vec<u8> {
    let mut etl = Etl::new();
    for event in 0..3 {
        let switches = [0, 20, 40].map(|ticks| {
            let tid = if ticks == 20 { 0 } else { ME + event };
            (20 + i64::from(event) * 60 + ticks, tid, 8)
        });
        let ticks = switches[2].0 + 5;
        let event = compact(&etl, &switches);
        etl.put(0, ticks, &event);
    }
    etl.finish()
}

#[test]
fn a_range_has_the_switches_within_it() {
    let request = |from_ns, to_ns| Request {
        from: Some(Time::SinceStart(from_ns)),
        to: Some(Time::SinceStart(to_ns)),
        ..Request::default()
    };
    let of = |request: &Request| {
        let output = converted_files(&[("trace.etl", &long())], request).expect("it converts");
        let events = output.with("CompactCSwitch");
        let switches = output.with("context_switches")[0].clone();
        let (_, count) = switches
            .split_once("name:\"context_switches\"")
            .expect("their count is told");
        let count = count.split('}').next().expect("a value").to_owned();
        (who(&output), count, events.len(), output.converted.totals)
    };
    let (told, count, kinds, totals) = of(&request(10_000, 13_000));
    assert_eq!(
        told,
        [
            // The last runs before the range, and the one under way where it begins.
            "4000 cpu 0: {new 100 old 0",
            "6000 cpu 0: {new 101 old 100",
            "8000 cpu 0: {new 0 old 101",
            "10000 cpu 0: {new 101 old 0",
            "12000 cpu 0: {new 102 old 101",
        ]
    );
    assert!(count.ends_with(":2"), "{count}");
    // One event is converted, two are not selected.
    assert_eq!((kinds, totals.skipped), (2, 2));
    let after_the_last = converted_files(&[("trace.etl", &long())], &request(18_200, 18_400));
    let after_the_last = after_the_last.expect("it converts");
    assert_eq!(after_the_last.with("etw.run_unknown").len(), 1);
}

/// What `info` says of a trace that others choose a part by.
fn summary(etl: &[u8], request: &Request) -> [serde_json::Value; 3] {
    let folder = tempfile::TempDir::new().expect("there is a temporary folder");
    let path = folder.path().join("trace.etl");
    std::fs::write(&path, etl).expect("the temporary folder takes a file");
    let info = convert::info(&[path], request).expect("the trace opens");
    let json = serde_json::to_value(&info).expect("it is written as JSON");
    let timeline = &json["timeline"];
    [
        json["selection"]["context_switches"].clone(),
        json["choices"].clone(),
        [&timeline["context_switches"], &timeline["busy"]]
            .map(serde_json::Value::to_string)
            .join(" ")
            .into(),
    ]
}

#[test]
fn a_part_is_chosen_by_the_switches_that_events_hold() {
    let part = Request {
        from: Some(Time::SinceStart(60_000_000)),
        to: Some(Time::SinceStart(80_000_000)),
        ..Request::default()
    };
    let without = Request {
        skip: vec!["scheduling".to_owned()],
        ..Request::default()
    };
    for request in [Request::default(), part, without] {
        let [whole, compact] = [WHOLE, COMPACT].map(|form| summary(&minimal(form), &request));
        assert_eq!(compact, whole);
    }
}

#[test]
fn no_run_leads_over_a_lost_buffer() {
    let mut etl = Etl::new();
    let first = compact(&etl, &[(20, 0, 0), (30, ME, 8)]);
    etl.put(0, 35, &first);
    for ticks in 36..200 {
        etl.ready(0, ticks, OTHER);
    }
    let lost = compact(&etl, &[(40, OTHER, 8), (300, ME, 8)]);
    etl.put(0, 310, &lost).lose(0);
    let last = compact(&etl, &[(400, ME, 8), (410, 0, 0), (420, OTHER, 8)]);
    etl.put(0, 500, &last);
    let output = converted(&etl.finish());
    let switches: Vec<_> = who(&output)
        .into_iter()
        .filter(|line| !line.contains("readies"))
        .collect();
    assert_eq!(
        switches,
        [
            "2000 cpu 0: {new 100 old 0",
            "3000 cpu 0: {new 0 old 100",
            "40000 cpu 0: {new 100 old 0",
            "40001 cpu 0: {new 0 old 100",
            "41000 cpu 0: {new 200 old 0",
            "42000 cpu 0: {new 0 old 200",
        ]
    );
    assert_eq!(output.with("etw.run_unknown").len(), 2);
    assert_eq!(
        output.converted.losses,
        [
            "1 buffer is missing before the buffer at offset 0x2000",
            "buffers of CPU 0 may be missing before the one at offset 0x2000",
        ]
    );
}

/// A file with compact switches of one CPU.
fn file(session: Session, switches: &[(i64, u32, u8)]) -> Vec<u8> {
    let mut etl = Etl::of(session);
    let event = compact(&etl, switches);
    etl.put(0, 100, &event);
    etl.finish()
}

#[test]
fn two_files_do_not_both_tell_of_a_cpu_at_one_time() {
    let other = || Session {
        name: "Other".to_owned(),
        ..Session::default()
    };
    let one = file(Session::default(), &[(20, 0, 0), (40, ME, 8)]);
    let after = file(other(), &[(50, 0, 0), (60, OTHER, 8)]);
    let during = file(other(), &[(30, 0, 0), (60, OTHER, 8)]);
    let request = Request::default();
    let both = converted_files(&[("one.etl", &one), ("after.etl", &after)], &request);
    assert_eq!(
        who(&both.expect("they are of one recording")),
        [
            "2000 cpu 0: {new 100 old 0",
            "4000 cpu 0: {new 0 old 100",
            "5000 cpu 0: {new 200 old 0",
            "6000 cpu 0: {new 0 old 200",
        ]
    );
    let both = converted_files(&[("one.etl", &one), ("during.etl", &during)], &request);
    assert_eq!(
        both.err().as_deref(),
        Some(
            "during.etl: cannot be merged with one.etl: both hold context switches of the same time and processor"
        )
    );
}
