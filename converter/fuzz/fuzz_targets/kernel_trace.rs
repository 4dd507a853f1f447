//! A sound file around the payloads of kernel events, of the .NET runtime's, and of `Microsoft-Windows-Kernel-Process`.

use etw::{CLR_PROVIDER, CLR_RUNDOWN_PROVIDER, KERNEL_PROCESS_PROVIDER};

#[path = "../../etl/tests/support/mod.rs"]
mod support;

/// Groups that the kernel has not: events of the .NET runtime, of its rundown, and about processes, with the type for an id.
const RUNTIME: u8 = 0xC1;
const RUNDOWN: u8 = 0xC2;
const PROCESSES: u8 = 0xC3;
/// Where the id of an event is in its header.
const ID_AT: usize = 0x28;

fn event(hook: [u8; 2], version: u8, timestamp: i64, payload: &[u8]) -> Vec<u8> {
    let provider = match hook[1] {
        RUNTIME => CLR_PROVIDER,
        RUNDOWN => CLR_RUNDOWN_PROVIDER,
        PROCESSES => KERNEL_PROCESS_PROVIDER,
        _ => {
            return support::system64(u16::from_le_bytes(hook), version.into(), timestamp, payload);
        }
    };
    let mut event = support::event_header64(provider.to_disk(), timestamp, &[], payload);
    support::put(&mut event, ID_AT, &[hook[0]]);
    event
}

/// Each event is its hook, version, ticks since the one before, processor and length, then its payload.
fn events(mut bytes: &[u8]) -> Vec<(u16, Vec<u8>)> {
    let mut events = Vec::new();
    let mut timestamp = support::START_RAW;
    while let Some(([low, high, version, ticks, cpu, length], rest)) = bytes.split_first_chunk() {
        let (payload, rest) = rest
            .split_at_checked(usize::from(*length))
            .unwrap_or((rest, &[]));
        timestamp += i64::from(*ticks);
        let event = event([*low, *high], *version, timestamp, payload);
        events.push((u16::from(cpu & 1), event));
        bytes = rest;
    }
    events
}

/// The file, of two processors.
pub fn of_events(bytes: &[u8]) -> Vec<u8> {
    let events = events(bytes);
    let of = |cpu: u16| {
        let own = events.iter().filter(|(its_cpu, _)| *its_cpu == cpu);
        support::TestBuffer::new(
            cpu,
            1 + i64::from(cpu),
            own.map(|(_, event)| event.clone()).collect(),
        )
    };
    support::trace(support::LogHeader::default(), &[of(0), of(1)])
}
