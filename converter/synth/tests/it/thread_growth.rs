//! Each thread takes longer to make than the one before, by what the truth says.

use std::io::Cursor;

use synth::scenario::Options;
use synth::scenario::thread_growth::{self, Growth};

use crate::walk;

const THREAD_START: u16 = 0x0501;

#[test]
fn a_creation_costs_as_much_more_as_the_truth_says() {
    let growth = Growth {
        threads: 2000,
        slope_ns: 200,
    };
    let options = Options::default();
    let (file, truth) = thread_growth::write(Cursor::new(Vec::new()), options, growth).unwrap();
    let truth = truth.thread_growth.unwrap();
    let made: Vec<i64> = walk::by_time(&walk::buffers(&file.into_inner()))
        .iter()
        .filter(|event| event.hook == Some(THREAD_START))
        .map(|event| event.ticks * 100)
        .collect();
    assert_eq!(made.len(), truth.threads as usize);
    // In addition to the truth, four switches each.
    for (index, pair) in made.windows(2).enumerate() {
        let cost_ns = pair[1] - pair[0];
        let least_ns = truth.base_ns + truth.slope_ns * (index as i64 + 1);
        assert!(
            (least_ns..least_ns + 40_000).contains(&cost_ns),
            "{index}: {cost_ns}"
        );
    }
}
