#![no_main]

use libfuzzer_sys::fuzz_target;

mod scratch;
#[path = "../../etl/tests/support/mod.rs"]
mod support;

/// Each event is its hook, version, ticks since the one before, processor and length, then its payload.
fn events(mut bytes: &[u8]) -> Vec<(u16, Vec<u8>)> {
    let mut events = Vec::new();
    let mut timestamp = support::START_RAW;
    while let Some(([low, high, version, ticks, cpu, length], rest)) = bytes.split_first_chunk() {
        let (payload, rest) = rest
            .split_at_checked(usize::from(*length))
            .unwrap_or((rest, &[]));
        timestamp += i64::from(*ticks);
        let hook = u16::from_le_bytes([*low, *high]);
        let event = support::system64(hook, u16::from(*version), timestamp, payload);
        events.push((u16::from(cpu & 1), event));
        bytes = rest;
    }
    events
}

fuzz_target!(|bytes: &[u8]| {
    let events = events(bytes);
    let of = |cpu: u16| {
        let own = events.iter().filter(|(its_cpu, _)| *its_cpu == cpu);
        support::TestBuffer::new(
            cpu,
            1 + i64::from(cpu),
            own.map(|(_, event)| event.clone()).collect(),
        )
    };
    scratch::convert(&support::trace(
        support::LogHeader::default(),
        &[of(0), of(1)],
    ));
});
