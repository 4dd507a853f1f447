//! Random machines come to an end.

use std::io::Cursor;

use synth::scenario::Options;
use synth::scenario::random::{self, Chaos};

#[test]
fn a_machine_that_has_given_its_first_hundred_ids_goes_on() {
    let options = Options {
        seed: 3,
        ..Options::default()
    };
    let chaos = Chaos {
        events: 3000,
        lose_buffers: false,
        disorder: false,
        stacks: false,
    };
    let (_, truth) = random::write(Cursor::new(Vec::new()), options, chaos).unwrap();
    let truth = truth.random.unwrap();
    assert!(truth.processes.len() + truth.threads.len() > 100);
}
