//! The loads for benchmarks hold what was asked for.

use std::io::Cursor;

use synth::scenario::{Load, Options, generic, stacks};

const LOAD: Load = Load {
    count: 1000,
    cpu_count: 4,
};

#[test]
fn a_generic_load_is_events_of_providers() {
    let sink = Cursor::new(Vec::new());
    let (_, truth) = generic::write(sink, Options::default(), LOAD).unwrap();
    assert_eq!((truth.provider_events, truth.cpu_count), (1000, 4));
}

#[test]
fn a_stack_load_is_samples_of_which_four_in_ten_have_two_halves() {
    let sink = Cursor::new(Vec::new());
    let (_, truth) = stacks::write(sink, Options::default(), LOAD).unwrap();
    let count = |hook: &str| truth.kernel_events[hook];
    assert_eq!(count("0f2e"), 1000);
    assert!((1350..1450).contains(&count("1820")));
}
