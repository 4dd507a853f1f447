//! The hot loop is what its truth says, and as large as was asked for.

use std::collections::BTreeMap;
use std::io::Cursor;

use synth::scenario::{Options, hot_loop};

use crate::walk;

#[test]
fn the_truth_counts_the_samples_of_each_instruction_of_the_loop() {
    let (file, truth) = hot_loop::write(Cursor::new(Vec::new()), Options::default(), 953).unwrap();
    let truth = truth.hot_loop.unwrap();
    let mut found: BTreeMap<u64, u64> = BTreeMap::new();
    let mut of_process = 0;
    for event in walk::by_time(&walk::buffers(&file.into_inner())) {
        if event.hook != Some(0x0F2E) || walk::u32_at(&event.payload, 8) != truth.tid {
            continue;
        }
        of_process += 1;
        let address = walk::i64_at(&event.payload, 0).unsigned_abs();
        *found.entry(address - 0x7FFD_4000_0000).or_default() += 1;
    }
    let told: Vec<(u64, u64)> = truth
        .addresses
        .iter()
        .map(|address| (address.rva, address.samples))
        .collect();
    let within: Vec<(u64, u64)> = found
        .range(0x3_F2A0..=0x3_F2BE)
        .map(|(a, n)| (*a, *n))
        .collect();
    assert_eq!(told, within);
    assert_eq!(told.len(), 7);
    assert_eq!(of_process, truth.process_samples);
    let sum: u64 = told.iter().map(|(_, samples)| samples).sum();
    assert_eq!(sum, truth.loop_samples);
    assert!((0.94..0.97).contains(&(sum as f64 / of_process as f64)));
}
