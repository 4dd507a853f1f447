use super::*;
use crate::event::{EventId, HookId};
use crate::support::{TestBuffer, perfinfo64, put};

const LIMITS: TimeLimits = TimeLimits {
    start_raw: 100,
    absurd_after_raw: 1000,
};

fn event(hook: u16, timestamp: i64) -> Vec<u8> {
    perfinfo64(hook, timestamp, &[0; 3])
}

/// Reads `bytes` as the only buffer of a file; its data end is as claimed, or `data_end`.
fn read(bytes: &[u8], data_end: Option<u32>) -> Buffer {
    let mut info = BufferInfo::parse(bytes.first_chunk().unwrap(), 0).unwrap();
    info.data_end = data_end.unwrap_or(info.data_end);
    let mut buffer = Buffer::new();
    buffer.read(&Source::Memory(bytes.to_vec()), 7, info, LIMITS);
    buffer
}

fn hooks_and_times(buffer: &Buffer) -> Vec<(u16, i64)> {
    let hook = |id| match id {
        EventId::Kernel(HookId(hook)) => hook,
        other => panic!("no kernel event: {other:?}"),
    };
    buffer
        .events()
        .map(|event| (hook(event.id), event.timestamp))
        .collect()
}

fn kinds(buffer: &Buffer) -> Vec<DamageKind> {
    buffer
        .damage()
        .iter()
        .map(|damage| damage.kind.clone())
        .collect()
}

#[test]
fn events_come_one_after_the_other() {
    let bytes = TestBuffer::new(2, 1, vec![event(1, 100), event(2, 100), event(3, 105)]).bytes();
    let buffer = read(&bytes, None);
    assert_eq!(hooks_and_times(&buffer), [(1, 100), (2, 100), (3, 105)]);
    assert_eq!(
        (
            buffer.len(),
            buffer.index(),
            buffer.info().cpu,
            kinds(&buffer)
        ),
        (3, 7, 2, vec![])
    );
    assert_eq!(buffer.events().len(), 3);
    assert_eq!(buffer.event(1).unwrap().payload, [0; 3]);
    assert!(buffer.event(3).is_none());
}

#[test]
fn compressed_events_are_the_same_events() {
    let plain = TestBuffer::new(2, 1, (0..200).map(|time| event(1, 100 + time)).collect());
    let packed = plain.clone().compressed().bytes();
    assert!(packed.len() < plain.bytes().len() / 2);
    assert_eq!(
        hooks_and_times(&read(&packed, None)),
        hooks_and_times(&read(&plain.bytes(), None))
    );
}

#[test]
fn damaged_compression_keeps_the_events_before_it() {
    let mut bytes = TestBuffer::new(2, 1, (0..200).map(|time| event(1, 100 + time)).collect())
        .compressed()
        .bytes();
    let half = bytes.len() / 2;
    bytes.truncate(half);
    put(&mut bytes, 0, &u32::try_from(half).unwrap().to_le_bytes());
    let buffer = read(&bytes, None);
    assert!(buffer.len() > 10 && buffer.len() < 200);
    let expected = (100..).map(|time| (1, time)).take(buffer.len());
    assert_eq!(hooks_and_times(&buffer), expected.collect::<Vec<_>>());
    assert!(matches!(
        kinds(&buffer)[..],
        [DamageKind::Compressed {
            error: xpress::XpressError::InputEnds,
            ..
        }]
    ));
}

#[test]
fn an_empty_buffer_has_no_events() {
    let bytes = TestBuffer::new(0, 0, vec![event(1, 100)]).bytes();
    for data_end in [0, 0x47, 0x48] {
        let buffer = read(&bytes, Some(data_end));
        assert!(buffer.is_empty());
        assert_eq!(kinds(&buffer), []);
    }
}

#[test]
fn a_damaged_event_ends_the_buffer() {
    let whole = TestBuffer::new(0, 0, vec![event(1, 100), event(2, 101), event(3, 102)]).bytes();
    let second = 0x48 + 24;
    let damaged = |at: usize, new: &[u8]| {
        let mut bytes = whole.clone();
        put(&mut bytes, at, new);
        let buffer = read(&bytes, None);
        assert_eq!(hooks_and_times(&buffer), [(1, 100)]);
        kinds(&buffer)
    };
    let at = second as u32;
    assert_eq!(
        damaged(second + 4, &[0, 0]),
        [DamageKind::EventSize {
            at,
            expected: 16,
            found: 0
        }]
    );
    assert_eq!(
        damaged(second + 4, &[44, 0]),
        [DamageKind::EventPastEnd {
            at,
            left: 43,
            found: 44
        }]
    );
    assert_eq!(
        damaged(second, &[1, 0, 0x77, 0xC0]),
        [DamageKind::EventHeader {
            at,
            found: 0xC077_0001
        }]
    );
    assert_eq!(
        damaged(second, &[0xFF; 4]),
        [DamageKind::EventHeader {
            at,
            found: 0xFFFF_FFFF
        }]
    );
    // What was never written is filled so.
    assert_eq!(damaged(second, &vec![0xFF; whole.len() - second]), []);
}

#[test]
fn an_event_cut_with_its_buffer_is_no_further_damage() {
    let bytes = TestBuffer::new(0, 0, vec![event(1, 100), event(2, 101)]).bytes();
    let buffer = read(&bytes, Some(0x48 + 24 + 10));
    assert_eq!(
        (hooks_and_times(&buffer), kinds(&buffer)),
        (vec![(1, 100)], vec![])
    );
}

#[test]
fn odd_times_are_put_right_and_counted() {
    let events = vec![
        event(1, 50),
        event(2, 300),
        event(3, 200),
        event(4, 1001),
        event(5, 300),
        event(6, 400),
    ];
    let buffer = read(&TestBuffer::new(0, 0, events).bytes(), None);
    assert_eq!(
        hooks_and_times(&buffer),
        [(1, 100), (3, 200), (2, 300), (5, 300), (6, 400)]
    );
    assert_eq!(
        buffer.odd_times(),
        OddTimes {
            went_back: 1,
            before_start: 1,
            absurdly_late: 1
        }
    );
    assert_eq!(
        buffer.first_in_file().unwrap().id,
        EventId::Kernel(HookId(1))
    );
}

#[test]
fn a_message_without_time_has_that_of_the_event_before() {
    let message = vec![10, 0, 0, 0x90, 5, 0, 0, 0, 1, 2];
    let buffer = read(
        &TestBuffer::new(0, 0, vec![event(1, 150), message]).bytes(),
        None,
    );
    assert_eq!(
        buffer
            .events()
            .map(|event| event.timestamp)
            .collect::<Vec<_>>(),
        [150, 150]
    );
}

#[test]
fn a_buffer_that_cannot_be_read_is_damage() {
    let bytes = TestBuffer::new(0, 0, vec![event(1, 100)]).bytes();
    let info = BufferInfo {
        disk_bytes: 0x60,
        data_end: 0x60,
        offset: 0x1000,
        ..BufferInfo::default()
    };
    let mut buffer = read(&bytes, None);
    buffer.read(&Source::Memory(bytes), 0, info, LIMITS);
    assert!(buffer.is_empty());
    assert!(matches!(
        kinds(&buffer)[..],
        [DamageKind::Unreadable {
            expected_bytes: 0x60,
            ..
        }]
    ));
}
