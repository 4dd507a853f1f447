//! Context switches and ready events of the simulated scenarios fit together.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use synth::scenario::{Load, Options, lock_screen, minimal, switches, wmi};

use crate::walk::{self, Event};

const CONTEXT_SWITCH: u16 = 0x0524;
const READY_THREAD: u16 = 0x0532;
const READY: u8 = 1;
const RUNNING: u8 = 2;
const TERMINATED: u8 = 4;
const WAITING: u8 = 5;

/// A context switch by its documented offsets.
pub struct Switch {
    pub new_tid: u32,
    pub old_tid: u32,
    pub old_rank: u8,
    pub old_state: u8,
}

pub fn switch(event: &Event) -> Option<Switch> {
    (event.hook == Some(CONTEXT_SWITCH)).then(|| Switch {
        new_tid: event.u32(0x00),
        old_tid: event.u32(0x04),
        old_rank: event.u8(0x0A),
        old_state: event.u8(0x0E),
    })
}

/// Follows every thread through the trace; panics where an event contradicts what came before.
fn check(file: &[u8], per_cpu_start_is_idle: bool) {
    let mut running = BTreeMap::new();
    let mut runnable = BTreeSet::new();
    let mut blocked = BTreeSet::new();
    for event in walk::by_time(&walk::buffers(file)) {
        if let Some(switch) = switch(&event) {
            let before = running.insert(event.cpu, switch.new_tid);
            let expected = before
                .or(per_cpu_start_is_idle.then_some(0))
                .unwrap_or(switch.old_tid);
            assert_eq!(
                switch.old_tid, expected,
                "old thread on {} at {}",
                event.cpu, event.ticks
            );
            assert_ne!(
                switch.old_tid, switch.new_tid,
                "switch to itself at {}",
                event.ticks
            );
            if switch.old_tid == 0 {
                assert_eq!(switch.old_state, RUNNING);
            } else {
                match switch.old_state {
                    READY => assert!(runnable.insert(switch.old_tid)),
                    WAITING | TERMINATED => assert!(blocked.insert(switch.old_tid)),
                    state => panic!("state {state} at {}", event.ticks),
                }
            }
            if switch.new_tid != 0 {
                // A thread whose last switch-out was before the trace may come without a ready event.
                let known = runnable.remove(&switch.new_tid);
                assert!(
                    known || !blocked.contains(&switch.new_tid),
                    "{} was not ready",
                    switch.new_tid
                );
            }
        } else if event.hook == Some(READY_THREAD) {
            let (tid, in_dpc) = (event.u32(0x00), event.u8(0x06) & 1 != 0);
            assert!(
                !running.values().any(|other| *other == tid),
                "{tid} was running when readied"
            );
            assert!(runnable.insert(tid), "{tid} was ready when readied");
            blocked.remove(&tid);
            if !in_dpc && let Some(waker) = running.get(&event.cpu) {
                assert_ne!(*waker, 0, "the idle thread wakes nobody but in a DPC");
            }
        }
    }
}

#[test]
fn minimal_is_consistent() {
    let (sink, _) = minimal::write(Cursor::new(Vec::new()), Options::default()).unwrap();
    check(&sink.into_inner(), true);
}

#[test]
fn switches_are_consistent_and_as_many_as_asked_for() {
    let load = Load {
        count: 20_000,
        cpu_count: 16,
    };
    let (sink, truth) = switches::write(Cursor::new(Vec::new()), Options::default(), load).unwrap();
    check(&sink.into_inner(), false);
    assert_eq!(truth.context_switches, 20_000);
}

#[test]
fn as_many_threads_as_asked_for_share_the_same_work() {
    let load = Load {
        count: 40_000,
        cpu_count: 16,
    };
    let write = |threads| {
        let (sink, truth) =
            switches::write_of_threads(Cursor::new(Vec::new()), Options::default(), load, threads)
                .unwrap();
        let file = sink.into_inner();
        check(&file, false);
        let ran: BTreeSet<u32> = walk::by_time(&walk::buffers(&file))
            .iter()
            .filter_map(|event| switch(event).map(|switch| switch.new_tid))
            .collect();
        (ran.len() - 1, truth.end_ticks - truth.start_ticks)
    };
    let [(few, few_ticks), (many, many_ticks)] = [write(300), write(10_000)];
    // In so short a time not all wake, but of the few each does.
    assert_eq!(few, 300);
    assert!((5_000..=10_000).contains(&many), "{many} threads ran");
    assert!((0.8..1.25).contains(&(many_ticks as f64 / few_ticks as f64)));
}

#[test]
fn lock_screen_is_consistent_and_within_its_size() {
    let (sink, truth) = lock_screen::write(Cursor::new(Vec::new()), Options::default()).unwrap();
    check(&sink.into_inner(), false);
    assert!(truth.file_bytes < 25_000_000, "{} bytes", truth.file_bytes);
}

#[test]
fn wmi_is_consistent_and_within_its_size() {
    let (sink, truth) = wmi::write(Cursor::new(Vec::new()), Options::default()).unwrap();
    check(&sink.into_inner(), false);
    assert!(truth.file_bytes < 60_000_000, "{} bytes", truth.file_bytes);
}

#[test]
fn the_same_seed_gives_the_same_file() {
    let load = Load {
        count: 2_000,
        cpu_count: 2,
    };
    let write = |seed| {
        let options = Options {
            seed,
            ..Options::default()
        };
        switches::write(Cursor::new(Vec::new()), options, load)
            .unwrap()
            .0
            .into_inner()
    };
    assert_eq!(write(7), write(7));
    assert_ne!(write(7), write(8));
}
