//! Thousands of damaged files: whatever is damaged, reading ends, in bounds and in order.

use etl::{Buffer, TraceFile};

#[cfg(test)]
mod support;
use support::mutate::{Random, mutate};
use support::{
    LogHeader, START_RAW, TestBuffer, classic, event_header64, perfinfo64, system64, trace,
};

const MUTATIONS: u64 = 20_000;
/// The smallest event is a message of 8 bytes.
const LEAST_EVENT_BYTES: usize = 8;

/// One event of each header type, in plain and in compressed buffers of two processors.
fn sample(mode: u32) -> Vec<u8> {
    let schema = [16, 0, 0xB, 0, 0, 0, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    let events = |start: i64| {
        vec![
            system64(0x0524, 4, start, &[1; 24]),
            perfinfo64(0x0532, start + 1, &[2; 8]),
            classic(0x14, [9; 16], 1, 3, start + 2, &[3; 4]),
            classic(0x15, [9; 16], 1, 3, start + 3, &[3; 4]),
            event_header64([7; 16], start + 4, &schema, b"payload"),
            vec![10, 0, 0, 0x90, 5, 0, 0, 0, 1, 2],
        ]
    };
    let buffers = [
        TestBuffer::new(0, 1, events(START_RAW)),
        TestBuffer::new(1, 2, events(START_RAW + 2)).compressed(),
        TestBuffer::new(0, 3, events(START_RAW + 10)).compressed(),
        TestBuffer {
            buffer_bytes: 0x400,
            ..TestBuffer::new(1, 4, events(START_RAW + 9))
        },
    ];
    trace(
        LogHeader {
            mode,
            ..LogHeader::default()
        },
        &buffers,
    )
}

/// Reads a file every way there is; answers how many events came, or `None` if it does not open.
fn read_whole(bytes: Vec<u8>) -> Option<u64> {
    let file_bytes = bytes.len();
    let trace = TraceFile::from_bytes(bytes).ok()?;
    let mut walked = 0;
    let mut buffer = Buffer::new();
    for (index, info) in trace.buffers().iter().enumerate() {
        assert!(info.offset < file_bytes as u64);
        assert_eq!(
            trace.read_buffer(index, &mut buffer).is_err(),
            !buffer.damage().is_empty()
        );
        assert!(buffer.len() * LEAST_EVENT_BYTES <= info.data_end as usize);
        for event in buffer.events() {
            assert!(event.payload.len() <= info.data_end as usize);
            assert!(event.extended().count() <= 64);
        }
        walked += buffer.len() as u64;
    }
    let mut merge = trace.merge(Buffer::len);
    let mut latest = i64::MIN;
    while let Some(merged) = merge.next_event() {
        assert!(merged.timestamp >= latest);
        latest = merged.timestamp;
    }
    let stats = merge.stats();
    assert!(stats.events <= walked);
    Some(stats.events)
}

#[test]
fn the_undamaged_samples_read_whole() {
    for mode in [1, 2, 0x1000_0001] {
        assert_eq!(read_whole(sample(mode)), Some(25));
    }
}

#[test]
fn every_truncation_reads_in_bounds() {
    let whole = sample(1);
    let mut events: Vec<Option<u64>> = (0..=whole.len())
        .map(|size| read_whole(whole.iter().take(size).copied().collect()))
        .collect();
    assert_eq!(
        (events.first(), events.last()),
        (Some(&None), Some(&Some(25)))
    );
    let by_length = events.clone();
    events.sort_unstable();
    assert_eq!(
        by_length, events,
        "a longer part of a file must not read fewer events"
    );
}

#[test]
fn every_mutation_reads_in_bounds() {
    let samples = [sample(1), sample(2), sample(0x1000_0001)];
    let mut random = Random(0x0E71);
    let mut opened = 0;
    for (sample, _) in samples.iter().cycle().zip(0..MUTATIONS) {
        let mut bytes = sample.clone();
        mutate(&mut bytes, &mut random);
        opened += u64::from(read_whole(bytes).is_some());
    }
    assert!(
        opened > MUTATIONS / 4,
        "only {opened} mutated files open: the sweep does not reach the buffers"
    );
}
