//! A storm has the switches that were asked for, and most of them between the two threads of its truth.

use std::collections::BTreeMap;
use std::io::Cursor;

use synth::scenario::{Options, switch_storm};

use crate::walk;

#[test]
fn the_truth_counts_the_switches_between_the_pair() {
    let storm = switch_storm::Storm {
        count: 20_000,
        per_second: 2_000_000,
    };
    let (file, truth) =
        switch_storm::write(Cursor::new(Vec::new()), Options::default(), storm).unwrap();
    assert!((19_000..20_100).contains(&truth.context_switches));
    let mut between: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut wakes: BTreeMap<u32, u64> = BTreeMap::new();
    let events = walk::by_time(&walk::buffers(&file.into_inner()));
    for event in &events {
        let u32_at = |at| walk::u32_at(&event.payload, at);
        match event.hook {
            Some(0x0524) => *between.entry((u32_at(4), u32_at(0))).or_default() += 1,
            Some(0x0532) => *wakes.entry(u32_at(0)).or_default() += 1,
            _ => {}
        }
    }
    let told = truth.storm.unwrap();
    let (first, second) = (told.first.tid, told.second.tid);
    assert_eq!(between[&(first, second)], told.there);
    assert_eq!(between[&(second, first)], told.back);
    assert_eq!(
        wakes,
        BTreeMap::from([(first, told.back), (second, told.there)])
    );
    let most = between.values().copied().max();
    assert_eq!(most, Some(told.there.max(told.back)));
    assert!((7_000..8_100).contains(&(told.there + told.back)));
}
