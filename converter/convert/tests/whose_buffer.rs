//! The CPU of a missing buffer, where numbers alone do not say it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::collections::BTreeSet;

use support::{Etl, Output, converted, waits};
use synth::file::session::Session;

const BUFFER: usize = 0x1000;
const CPUS: u16 = 80;

/// On each CPU two threads take turns, on some faster than on others. Now and then another thread runs than was planned.
fn busy_machine() -> Vec<u8> {
    let mut etl = Etl::of(Session {
        cpu_count: u32::from(CPUS),
        buffer_bytes: BUFFER as u32,
        ..Session::default()
    });
    let threads = |cpu: u16| [0, 4].map(|more| 1000 + 8 * u32::from(cpu) + more);
    for ticks in 1..1500_i64 {
        for cpu in 0..CPUS {
            let period = 3 + i64::from(cpu % 17);
            let phase = ticks + i64::from(cpu);
            if phase % period == 0 {
                let turn = phase / period;
                let [old, new] = [turn, turn + 1].map(|turn| threads(cpu)[(turn % 2) as usize]);
                let is_planned = (turn * 7 + i64::from(cpu)) % 53 > 0;
                let planned = if is_planned { new } else { 9000 };
                etl.switch(cpu, ticks, waits(old), planned, 9);
            }
        }
    }
    etl.finish()
}

/// The CPU of a buffer.
fn cpu_of(buffer: &[u8]) -> u16 {
    u16::from(buffer[0x28])
}

/// The CPUs on which a stretch of time is told to be lost.
fn lost_on(output: &Output) -> BTreeSet<u16> {
    let losses = output.with("name:\"etw.loss\"");
    let cpus = losses.iter().filter_map(|loss| {
        let (_, cpu) = loss.split_once("{name:\"cpu\" uint_value:")?;
        cpu.split('}').next()?.parse().ok()
    });
    cpus.collect()
}

#[test]
fn one_lost_buffer_of_80_cpus_is_charged_to_the_cpu_that_lost_it() {
    let whole = busy_machine();
    let count = whole.len() / BUFFER;
    for number in (1..count).step_by(count / 8) {
        let mut etl = whole.clone();
        let cpu = cpu_of(&etl[number * BUFFER..]);
        drop(etl.drain(number * BUFFER..(number + 1) * BUFFER));
        let is_left = (1..count - 1).any(|other| cpu_of(&etl[other * BUFFER..]) == cpu);
        // Of a CPU that has no other buffer nothing is known.
        let expected = is_left.then_some(cpu).into_iter().collect();
        assert_eq!(lost_on(&converted(&etl)), expected, "buffer {number}");
    }
}

/// Behind the last number is no other that bounds the time in which its buffer was filled.
#[test]
fn the_last_buffer_of_all_may_be_of_any_cpu_whose_buffer_before_is_full() {
    let whole = busy_machine();
    let sequence = |number: usize| &whole[number * BUFFER + 0x18..number * BUFFER + 0x20];
    let numbers = 1..whole.len() / BUFFER;
    let last = numbers
        .max_by_key(|number| sequence(*number))
        .expect("buffers");
    let (from, to) = (last * BUFFER, (last + 1) * BUFFER);
    let cut = [&whole[..from], &whole[to..]].concat();
    let lost = &whole[from..to];

    let output = converted(&cut);
    let told = lost_on(&output);
    assert!(told.contains(&cpu_of(lost)), "{told:?}");
    for loss in output.with("{name:\"cpu\"") {
        assert!(loss.contains("may be missing"), "{loss}");
    }
    // With the buffer as another CPU's, nothing is missing: what is left tells these recordings not apart.
    for cpu in told.into_iter().step_by(5) {
        let mut buffer = lost.to_vec();
        buffer[0x28] = u8::try_from(cpu).expect("80 CPUs");
        let other = [&whole[..from], &buffer, &whole[to..]].concat();
        assert_eq!(lost_on(&converted(&other)), BTreeSet::new(), "CPU {cpu}");
    }
}
