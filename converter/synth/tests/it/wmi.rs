//! The release of the WMI story's lock is in the file as its truth says.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use synth::file::bytes::Pointer;
use synth::scenario::{Options, wmi};
use synth::truth::ReleaseTruth;

use crate::scheduling::switch;
use crate::walk::{self, Event};

const START_TICKS: i64 = 68_719_476_736;

fn trace(options: Options) -> (Vec<Event>, ReleaseTruth) {
    let (sink, truth) = wmi::write(Cursor::new(Vec::new()), options).unwrap();
    let events = walk::by_time(&walk::buffers(&sink.into_inner()));
    (events, truth.release.unwrap())
}

fn with_seed(seed: u64) -> (Vec<Event>, ReleaseTruth) {
    trace(Options {
        seed,
        ..Options::default()
    })
}

fn ticks(ns: i64) -> i64 {
    START_TICKS + ns / 100
}

/// A ready event: when, who was woken, and by which thread; `None` = from a DPC.
#[derive(Clone, Copy)]
struct Wake {
    ticks: i64,
    tid: u32,
    by: Option<u32>,
}

fn wakes(events: &[Event]) -> Vec<Wake> {
    let mut running = BTreeMap::new();
    let mut wakes = Vec::new();
    for event in events {
        if let Some(switch) = switch(event) {
            running.insert(event.cpu, switch.new_tid);
        } else if event.hook == Some(0x0532) {
            let in_dpc = event.u8(6) & 1 != 0;
            let by = running.get(&event.cpu).copied().filter(|_| !in_dpc);
            wakes.push(Wake {
                ticks: event.ticks,
                tid: event.u32(0),
                by,
            });
        }
    }
    wakes
}

#[test]
fn the_holder_runs_for_all_of_the_time_and_then_wakes_the_chain() {
    for seed in 1..=3 {
        let (events, truth) = with_seed(seed);
        assert_eq!(
            (truth.taken_ns, truth.released_ns, truth.held_ns),
            (2_103_456_700, 43_673_456_700, 41_570_000_000)
        );
        let (taken, released) = (ticks(truth.taken_ns), ticks(truth.released_ns));
        let blocked = events
            .iter()
            .filter_map(|event| Some((event, switch(event)?)));
        let left = blocked
            .filter(|(event, switch)| {
                (taken..released).contains(&event.ticks)
                    && switch.old_tid == truth.holder.tid
                    && switch.old_state == 5
            })
            .count();
        assert_eq!(left, 0, "the holder blocked, seed {seed}");

        let all = wakes(&events);
        let mut by = truth.holder.tid;
        let mut since = released;
        for link in &truth.chain {
            let wake = all
                .iter()
                .find(|wake| wake.ticks >= since && wake.tid == link.tid)
                .unwrap();
            assert_eq!(wake.by, Some(by), "who woke {link:?}, seed {seed}");
            (by, since) = (link.tid, wake.ticks);
            if link.waits_for_disk {
                let dpc = all
                    .iter()
                    .find(|wake| wake.ticks > since && wake.tid == link.tid)
                    .unwrap();
                assert_eq!(dpc.by, None, "who ended the disk wait, seed {seed}");
                since = dpc.ticks;
            }
        }
        assert!(since - released < 100 * 10_000, "the chain takes {since}");
    }
}

#[test]
fn the_release_sets_as_many_threads_free_as_the_truth_says() {
    let (events, truth) = with_seed(1);
    assert_eq!((truth.threads, truth.processes), (410, 136));
    let mut pids = BTreeMap::new();
    for event in events.iter().filter(|event| event.hook == Some(0x0503)) {
        pids.insert(event.u32(4), event.u32(0));
    }
    let released = ticks(truth.released_ns);
    let mut freed = BTreeSet::from([truth.holder.tid]);
    for wake in wakes(&events) {
        let soon = (released..released + 100 * 10_000).contains(&wake.ticks);
        if soon && wake.by.is_some_and(|by| freed.contains(&by)) {
            freed.insert(wake.tid);
        }
    }
    freed.remove(&truth.holder.tid);
    let processes: BTreeSet<u32> = freed.iter().map(|tid| pids[tid]).collect();
    assert_eq!(
        (freed.len(), processes.len()),
        (truth.threads, truth.processes)
    );
}

#[test]
fn the_story_does_not_depend_on_the_file_options() {
    let options = Options {
        pointer: Pointer::Four,
        compressed: true,
        merged: true,
        ..Options::default()
    };
    assert_eq!(trace(options).1, with_seed(1).1);
}
