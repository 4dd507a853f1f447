//! Files in which nothing is missing, but something is twice or in another order: they tell the same as those that are sound.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::io::Cursor;

use support::{Etl, Output, converted, waits};
use synth::file::session::Session;
use synth::scenario::Options;
use synth::scenario::random::{self, Chaos};

const BUFFER: usize = 0x1000;
const EVENT: usize = 0x28;

/// Header buffer and six buffers, in turns of two CPUs; on each two threads take turns.
fn sound() -> Vec<u8> {
    let mut etl = Etl::of(Session {
        buffer_bytes: BUFFER as u32,
        ..Session::default()
    });
    for number in 0..600_i64 {
        let cpu = (number % 2) as u16;
        let pair = [8 + 8 * u32::from(cpu), 12 + 8 * u32::from(cpu)];
        let [old, new] = if number % 4 < 2 {
            pair
        } else {
            [pair[1], pair[0]]
        };
        etl.switch(cpu, 10 * (number + 1), waits(old), new, 9);
    }
    etl.finish()
}

/// The packets of a trace without those of its counts of events and buffers.
fn told(output: &Output) -> Vec<&String> {
    let packets = output.packets.iter();
    packets
        .filter(|packet| !packet.contains("\"buffers_read\""))
        .collect()
}

fn buffer(etl: &[u8], number: usize) -> &[u8] {
    &etl[number * BUFFER..][..BUFFER]
}

/// The file with its buffers in another order.
fn reordered(numbers: &[usize]) -> Vec<u8> {
    let etl = sound();
    numbers
        .iter()
        .flat_map(|number| buffer(&etl, *number).to_vec())
        .collect()
}

#[track_caller]
fn assert_same(etl: &[u8]) {
    let (expected, found) = (converted(&sound()), converted(etl));
    assert_eq!(found.converted.losses, Vec::<String>::new());
    assert_eq!(told(&found), told(&expected));
    assert_eq!(found.converted.totals, expected.converted.totals);
}

#[test]
fn a_buffer_that_is_in_the_file_twice_counts_once() {
    assert_same(&reordered(&[0, 1, 2, 2, 3, 4, 5, 6]));
    assert_same(&reordered(&[0, 1, 2, 3, 4, 5, 6, 1, 5]));
}

#[test]
fn buffers_are_read_in_the_order_of_their_numbers() {
    assert_same(&reordered(&[0, 3, 2, 1, 4, 5, 6]));
    assert_same(&reordered(&[0, 6, 5, 4, 3, 2, 1]));
}

#[test]
fn an_event_a_little_out_of_time_at_the_edge_of_a_buffer_costs_nothing() {
    for cpu in [0, 1] {
        let mut etl = sound();
        let is_of_cpu = |number: &usize| etl[number * BUFFER + 0x28] == cpu;
        let own: Vec<usize> = (1..etl.len() / BUFFER).filter(is_of_cpu).collect();
        for pair in own.windows(2) {
            let [one, next] = [pair[0] * BUFFER, pair[1] * BUFFER];
            let end = u32::from_le_bytes([0, 1, 2, 3].map(|byte| etl[one + 0x30 + byte]));
            let (last, first) = (one + end as usize - EVENT, next + 0x48);
            for byte in 0..EVENT {
                etl.swap(last + byte, first + byte);
            }
        }
        assert_same(&etl);
    }
}

#[test]
fn a_random_machine_is_told_the_same_from_a_file_in_disorder() {
    for seed in 1..=16 {
        let options = Options {
            seed,
            compressed: seed % 2 == 0,
            merged: seed % 3 == 0,
            compact_switches: seed % 5 == 0,
            ..Options::default()
        };
        let written = |disorder| {
            let chaos = Chaos {
                events: 3000,
                lose_buffers: false,
                disorder,
                stacks: false,
            };
            let written: Result<(Cursor<Vec<u8>>, _), _> =
                random::write(Cursor::default(), options, chaos);
            written.expect("memory takes the trace")
        };
        let (sink, truth) = written(false);
        let expected = converted(sink.get_ref());
        let found = converted(written(true).0.get_ref());
        assert_eq!(found.converted.losses, Vec::<String>::new(), "seed {seed}");
        assert_eq!(found.converted.totals, expected.converted.totals);
        // Of threads that begin on two CPUs at one tick the file tells the order.
        if truth.random.is_some_and(|truth| truth.shares_ticks) {
            continue;
        }
        let (found, expected) = (told(&found), told(&expected));
        let mut pairs = found.iter().zip(&expected);
        let differs = pairs.find(|(found, expected)| found != expected);
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(found.len(), expected.len(), "seed {seed}");
    }
}
