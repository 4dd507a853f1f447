//! Of every synthetic scenario: the words that a redaction lets stay, and no others.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::io::Cursor;

use convert::{Choices, Request};
use support::converted_files;
use support::leak::words_that_stay;
use synth::file::session::Clock;
use synth::scenario::bounds::{Bound, Case};
use synth::scenario::random::Chaos;
use synth::scenario::routine::{Change, Routine};
use synth::scenario::switch_storm::Storm;
use synth::scenario::thread_growth::Growth;
use synth::scenario::user_lock::Hold;
use synth::scenario::{
    Load, Options, attention, bounds, counters, dotnet, exit_storm, generic, hot_loop, io,
    lock_screen, many_processors, minimal, random, routine, slow_disk, stacks, switch_storm,
    switches, symbols, thread_growth, user_lock, verdicts, wmi,
};

/// Converts with and without redaction, scheduling left out, since it has no texts.
fn stay(etl: &[u8]) -> String {
    let converted = |redact| {
        let request = Request {
            redact,
            skip: vec!["scheduling".to_owned()],
            ..Request::default()
        };
        let output = converted_files(&[("trace.etl", etl)], &request);
        output.expect("the trace converts").trace
    };
    let (plain, redacted) = (converted(None), converted(Some(Choices::all())));
    words_that_stay(&plain, &redacted).join("\n")
}

const LOAD: Load = Load {
    count: 500,
    cpu_count: 4,
};

const CHAOS: Chaos = Chaos {
    events: 2000,
    lose_buffers: false,
    disorder: false,
    stacks: false,
};

const ROUTINE: Routine = Routine {
    seconds: 1,
    change: Change::Process,
    size_percent: 100,
    is_steady: false,
    first_id: 0,
};

macro_rules! scenarios {
    ($($name:ident: $write:path $(, $with:expr)?;)+) => {
        $(
            #[test]
            fn $name() {
                let written = $write(Cursor::default(), Options::default() $(, $with)?);
                let (sink, _): (Cursor<Vec<u8>>, _) = written.expect("memory takes it");
                insta::assert_snapshot!(stay(sink.get_ref()));
            }
        )+

        const HELD: &[&str] = &[$(stringify!($name)),+];
    };
}

scenarios! {
    minimal: minimal::write;
    attention: attention::write, true;
    bounds: bounds::write, Case { bound: Bound::DriverStall, just_not: false };
    hot_loop: hot_loop::write, 953;
    many_processors: many_processors::write, Clock::SystemTime;
    random: random::write, CHAOS;
    counters: counters::write;
    verdicts: verdicts::write;
    lock_screen: lock_screen::write;
    wmi: wmi::write;
    switches: switches::write, LOAD;
    generic: generic::write, LOAD;
    stacks: stacks::write, LOAD;
    io: io::write, LOAD;
    routine: routine::write, ROUTINE;
    slow_disk: slow_disk::write, LOAD;
    dotnet: dotnet::write, 3;
    exit_storm: exit_storm::write, 20;
    switch_storm: switch_storm::write, Storm { count: 500, per_second: 100_000 };
    symbols: symbols::write;
    thread_growth: thread_growth::write, Growth { threads: 20, slope_ns: 200 };
    user_lock: user_lock::write, Hold { ms: 400, shows_messages: false };
}

#[test]
fn no_scenario_is_left_out() {
    let all = include_str!("../../synth/src/scenario/mod.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let mut held = HELD.to_vec();
    held.sort_unstable();
    assert_eq!(held, all.collect::<Vec<_>>());
}
