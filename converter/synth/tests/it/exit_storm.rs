//! The exits of the storm are what its truth says, and wait for one another only where they need the lock.

use std::collections::BTreeMap;
use std::io::Cursor;

use synth::scenario::{Options, exit_storm};
use synth::truth::ExitStormTruth;

use crate::walk;

const TERMINATE: u16 = 0x030B;
const PROCESS_END: u16 = 0x0302;

fn storm(locked: u32) -> (Vec<u8>, ExitStormTruth) {
    let options = Options::default();
    let (file, truth) = exit_storm::write(Cursor::new(Vec::new()), options, locked).unwrap();
    (file.into_inner(), truth.exit_storm.unwrap())
}

#[test]
fn the_truth_has_the_beginning_and_the_end_of_each_exit() {
    let (file, truth) = storm(1000);
    let mut began = BTreeMap::new();
    let mut found = Vec::new();
    let mut start = None;
    for event in walk::by_time(&walk::buffers(&file)) {
        let start = *start.get_or_insert(event.ticks);
        match event.hook {
            Some(TERMINATE) => {
                began.insert(walk::u32_at(&event.payload, 0), event.ticks);
            }
            Some(PROCESS_END) => {
                let pid = walk::u32_at(&event.payload, 8);
                let ns = |ticks: i64| (ticks - start) * 100;
                found.push((pid, ns(began[&pid]), ns(event.ticks)));
            }
            _ => {}
        }
    }
    let told: Vec<_> = truth
        .exits
        .iter()
        .map(|exit| (exit.pid, exit.begin_ns, exit.end_ns))
        .collect();
    assert_eq!(told, found);
    assert_eq!(told.len(), 1000);
}

#[test]
fn all_but_the_first_are_handed_the_lock_and_the_suite_takes_five_times_as_long() {
    let handed = |truth: &ExitStormTruth| {
        let exits = truth.exits.iter();
        exits.filter(|exit| exit.handed.is_some()).count()
    };
    let ((_, storm), (_, calm)) = (storm(1000), storm(10));
    assert_eq!((handed(&storm), handed(&calm)), (999, 9));
    let ratio = storm.suite_ns as f64 / calm.suite_ns as f64;
    assert!((4.0..6.0).contains(&ratio), "{ratio}");
    assert!(storm.input_waited_ns > 1_500_000_000);
    assert!(calm.input_waited_ns < 20_000_000);
}
