//! The lock screen's wait is in the file as its truth says.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::sync::LazyLock;

use synth::file::bytes::Pointer;
use synth::scenario::{Options, lock_screen};
use synth::sim::watch::Why;
use synth::truth::WaitTruth;

use crate::scheduling::switch;
use crate::walk::{self, Event};

static DEFAULT: LazyLock<(Vec<Event>, WaitTruth)> = LazyLock::new(|| trace(Options::default()));

fn trace(options: Options) -> (Vec<Event>, WaitTruth) {
    let (sink, truth) = lock_screen::write(Cursor::new(Vec::new()), options).unwrap();
    (
        walk::by_time(&walk::buffers(&sink.into_inner())),
        truth.wait.unwrap(),
    )
}

/// A stay of a thread on a processor: when it began and ended, the thread, and its rank at the end.
struct Run {
    from: i64,
    to: i64,
    tid: u32,
    rank: u8,
}

fn runs(events: &[Event]) -> Vec<Run> {
    let mut since = BTreeMap::new();
    let mut runs = Vec::new();
    for event in events {
        if let Some(switch) = switch(event)
            && let Some(from) = since.insert(event.cpu, event.ticks)
        {
            runs.push(Run {
                from,
                to: event.ticks,
                tid: switch.old_tid,
                rank: switch.old_rank,
            });
        }
    }
    runs
}

#[test]
fn the_wait_is_exact_to_the_tick() {
    let (events, wait) = &*DEFAULT;
    let expected = WaitTruth {
        process: "LockApp.exe".to_owned(),
        waker_pid: 4,
        waker_in_dpc: false,
        last_switch_out_ticks: Some(68_719_476_736 + 116_261_234),
        ready_ticks: 68_719_476_736 + 303_331_234,
        switch_in_ticks: 68_719_476_736 + 498_261_234,
        ready_ns: 30_333_123_400,
        switch_in_ns: 49_826_123_400,
        ready_dur_ns: 19_493_000_000,
        since_last_ns: Some(38_200_000_000),
        priority: 14,
        rank: 2,
        shares_ns: BTreeMap::from([(Why::Rank, 19_493_000_000)]),
        ..wait.clone()
    };
    assert_eq!(*wait, expected);

    let ready: Vec<&Event> = events
        .iter()
        .filter(|event| {
            event.hook == Some(0x0532)
                && event.ticks == wait.ready_ticks
                && event.u32(0) == wait.tid
        })
        .collect();
    assert_eq!(ready.len(), 1);
    let on_waker_cpu = events
        .iter()
        .filter(|event| event.cpu == ready[0].cpu && event.ticks < wait.ready_ticks)
        .filter_map(switch)
        .next_back();
    assert_eq!(
        on_waker_cpu.map(|switch| switch.new_tid),
        Some(wait.waker_tid)
    );

    let next_run = runs(events)
        .into_iter()
        .find(|run| run.tid == wait.tid && run.from > wait.ready_ticks)
        .unwrap();
    assert_eq!((next_run.from, next_run.rank), (wait.switch_in_ticks, 0));
    assert!(next_run.to - next_run.from < 5_000, "a tiny bit of time");
}

#[test]
fn rank_0_keeps_every_processor_busy_meanwhile() {
    for seed in 1..=3 {
        let (events, wait) = trace(Options {
            seed,
            ..Options::default()
        });
        assert_eq!(wait.ready_dur_ns, 19_493_000_000, "seed {seed}");
        let all = runs(&events);
        let meanwhile = all
            .iter()
            .filter(|run| run.to > wait.ready_ticks && run.from < wait.switch_in_ticks);
        let mut busy_ticks = 0;
        let mut tids = BTreeSet::new();
        for run in meanwhile {
            assert_ne!(run.tid, 0, "idle from {} with seed {seed}", run.from);
            assert_eq!(
                run.rank, 0,
                "rank of {} at {} with seed {seed}",
                run.tid, run.to
            );
            busy_ticks += run.to.min(wait.switch_in_ticks) - run.from.max(wait.ready_ticks);
            tids.insert(run.tid);
        }
        assert_eq!(busy_ticks, 8 * 194_930_000, "seed {seed}");
        assert!(tids.len() > 30, "only {} threads ran", tids.len());
    }
}

#[test]
fn the_rank_gets_worse_once_and_is_0_again_after_the_run_that_follows_the_wait() {
    let (events, wait) = &*DEFAULT;
    let ranks: Vec<u8> = runs(events)
        .iter()
        .filter(|run| run.tid == wait.tid)
        .map(|run| run.rank)
        .collect();
    let changes: Vec<u8> = ranks
        .chunk_by(|a, b| a == b)
        .filter_map(|same| same.first().copied())
        .collect();
    assert_eq!(changes, [0, 2, 0], "{ranks:?}");
}

#[test]
fn a_process_id_and_a_thread_id_are_used_twice() {
    let (events, _) = &*DEFAULT;
    let starts = |hook: u16, at: usize| -> Vec<u32> {
        events
            .iter()
            .filter(|event| event.hook == Some(hook))
            .map(|event| event.u32(at))
            .collect()
    };
    assert_eq!(starts(0x0301, 0x08), [21_344, 21_344]);
    assert_eq!(starts(0x0302, 0x08), [21_344, 21_344]);
    assert_eq!(starts(0x0501, 0x04), [21_348, 21_352, 21_352, 21_360]);
}

#[test]
fn the_story_does_not_depend_on_the_file_options() {
    let (_, plain) = &*DEFAULT;
    let options = Options {
        pointer: Pointer::Four,
        compressed: true,
        merged: true,
        ..Options::default()
    };
    assert_eq!(trace(options).1, *plain);
}
