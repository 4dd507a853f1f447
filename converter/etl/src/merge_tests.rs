use super::*;
use crate::event::{EventId, HookId};
use crate::support::{LogHeader, START_RAW, TestBuffer, perfinfo64, put, trace};

/// A buffer of ready-thread events; the hook id's type numbers them.
fn buffer(cpu: u16, sequence: i64, events: &[(u8, i64)]) -> TestBuffer {
    let event = |&(number, after_start): &(u8, i64)| {
        perfinfo64(0x0500 | u16::from(number), START_RAW + after_start, &[])
    };
    TestBuffer::new(cpu, sequence, events.iter().map(event).collect())
}

/// Number, time after the start, and processor of all events but the log-file header.
fn merged(bytes: Vec<u8>) -> (Vec<(u8, i64, u16)>, MergeStats, DamageLog) {
    let trace = TraceFile::from_bytes(bytes).unwrap();
    let mut merge = trace.merge(|_| ());
    let mut events = Vec::new();
    while let Some(event) = merge.next_event().and_then(|merged| merged.event()) {
        if let EventId::Kernel(hook @ HookId(0x0500..)) = event.id {
            events.push((hook.event_type(), event.timestamp - START_RAW, event.cpu));
        }
    }
    (events, *merge.stats(), merge.damage().clone())
}

#[test]
fn processors_are_merged_by_time_then_processor_then_position() {
    let buffers = [
        buffer(2, 3, &[(1, 5), (2, 5), (3, 9)]),
        buffer(0, 1, &[(4, 1), (5, 5), (6, 7)]),
        buffer(2, 4, &[(7, 9), (8, 20)]),
        buffer(0, 2, &[(9, 8), (10, 30)]),
    ];
    let (events, stats, damage) = merged(trace(LogHeader::default(), &buffers));
    let numbers: Vec<u8> = events.iter().map(|(number, _, _)| *number).collect();
    assert_eq!(numbers, [4, 5, 1, 2, 6, 9, 3, 7, 8, 10]);
    assert_eq!((events[0], events[8]), ((4, 1, 0), (8, 20, 2)));
    assert_eq!(
        (stats.buffers, stats.events, stats.went_back, damage.total()),
        (5, 11, 0, 0)
    );
}

#[test]
fn circular_files_go_by_sequence_number() {
    let header = LogHeader {
        mode: 2,
        ..LogHeader::default()
    };
    let buffers = [
        buffer(0, 8, &[(1, 30)]),
        buffer(0, 6, &[(2, 10)]),
        buffer(0, 7, &[(3, 20)]),
    ];
    let (events, stats, _) = merged(trace(header, &buffers));
    assert_eq!(events, [(2, 10, 0), (3, 20, 0), (1, 30, 0)]);
    assert_eq!(stats.went_back, 0);
}

#[test]
fn buffers_that_mix_processors_are_one_stream() {
    let header = LogHeader {
        mode: 0x1000_0001,
        ..LogHeader::default()
    };
    let buffers = [buffer(1, 1, &[(1, 10), (2, 5)]), buffer(0, 2, &[(3, 20)])];
    let (events, stats, _) = merged(trace(header, &buffers));
    assert_eq!(events, [(2, 5, 1), (1, 10, 1), (3, 20, 0)]);
    assert_eq!(stats.went_back, 1);
}

#[test]
fn buffers_of_context_switches_are_filled_beside_the_others() {
    let of_switches = |sequence, events| TestBuffer {
        buffer_type: buffer_type::CONTEXT_SWAP,
        ..buffer(0, sequence, events)
    };
    let buffers = [
        buffer(0, 1, &[(1, 5), (2, 10)]),
        of_switches(2, &[(3, 1), (4, 12)]),
        buffer(0, 3, &[(5, 11), (6, 20)]),
        of_switches(4, &[(7, 15)]),
    ];
    let (events, stats, _) = merged(trace(LogHeader::default(), &buffers));
    let numbers: Vec<u8> = events.iter().map(|(number, _, _)| *number).collect();
    assert_eq!(numbers, [3, 1, 2, 5, 4, 7, 6]);
    assert_eq!(stats.went_back, 0);
}

#[test]
fn a_buffer_that_goes_back_is_clamped_and_counted() {
    let buffers = [buffer(0, 1, &[(1, 10)]), buffer(0, 2, &[(2, 4), (3, 12)])];
    let (events, stats, _) = merged(trace(LogHeader::default(), &buffers));
    assert_eq!(events, [(1, 10, 0), (2, 10, 0), (3, 12, 0)]);
    assert_eq!(stats.went_back, 1);
}

#[test]
fn events_before_the_start_or_years_late_are_counted() {
    let years = 10_000_000 * 3600 * 24 * 800;
    let buffers = [buffer(0, 1, &[(1, -5), (2, 10), (3, years), (4, 11)])];
    let (events, stats, _) = merged(trace(LogHeader::default(), &buffers));
    assert_eq!(events, [(1, 0, 0), (2, 10, 0), (4, 11, 0)]);
    assert_eq!(
        (stats.before_start, stats.dropped_late, stats.went_back),
        (1, 1, 0)
    );
}

#[test]
fn damaged_buffers_do_not_stop_the_others() {
    let buffers = [
        buffer(0, 1, &[(1, 1), (2, 2)]),
        buffer(0, 2, &[(3, 3)]),
        buffer(1, 3, &[(4, 4)]),
    ];
    let mut bytes = trace(LogHeader::default(), &buffers);
    let second_event = TestBuffer::header(&LogHeader::default()).bytes().len() + 0x48 + 16;
    put(&mut bytes, second_event, &[0; 4]);
    let (events, _, damage) = merged(bytes);
    assert_eq!(events, [(1, 1, 0), (3, 3, 0), (4, 4, 1)]);
    assert_eq!(damage.items().len(), 1);
    assert_eq!(
        damage.items()[0].kind,
        DamageKind::EventHeader { at: 0x58, found: 0 }
    );
}

#[test]
fn empty_and_unknown_buffers_are_passed() {
    let buffers = [
        buffer(0, 1, &[]),
        TestBuffer {
            buffer_type: buffer_type::EMPTY_MARKER,
            ..buffer(0, 2, &[(1, 1)])
        },
        TestBuffer {
            buffer_type: 9,
            ..buffer(0, 3, &[(2, 2)])
        },
    ];
    let (events, stats, _) = merged(trace(LogHeader::default(), &buffers));
    assert_eq!(events, [(2, 2, 0)]);
    assert_eq!((stats.buffers, stats.unknown_buffers), (3, 1));
}

#[test]
fn what_was_prepared_comes_with_each_event_of_its_buffer() {
    let buffers = [buffer(0, 1, &[(1, 1), (2, 3)]), buffer(1, 2, &[(3, 2)])];
    let trace = TraceFile::from_bytes(trace(LogHeader::default(), &buffers)).unwrap();
    let mut merge = trace.merge(|buffer| vec![buffer.index()]);
    let mut seen = Vec::new();
    while let Some(merged) = merge.next_event() {
        merged.prepared.push(merged.ordinal);
        seen.push(merged.prepared.clone());
    }
    assert_eq!(seen, [vec![0, 0], vec![1, 0], vec![2, 0], vec![1, 0, 1]]);
}

#[test]
fn where_their_beginnings_are_known_buffers_are_read_when_they_are_needed() {
    let buffers = [
        buffer(0, 1, &[(1, 1), (2, 5)]),
        buffer(1, 2, &[(3, 900)]),
        buffer(0, 3, &[(4, 6), (5, 1000)]),
        buffer(2, 4, &[]),
    ];
    let trace = TraceFile::from_bytes(trace(LogHeader::default(), &buffers)).unwrap();
    let mut buffer = Buffer::new();
    let first_times: Vec<Option<i64>> = (0..trace.buffers().len())
        .map(|index| {
            trace.read_buffer(index, &mut buffer).unwrap();
            buffer.timestamp(0)
        })
        .collect();
    let mut merge = trace.merge_known(|index| first_times[index as usize], |_| ());
    merge.limits.read_ahead = 0;
    let mut seen = Vec::new();
    while let Some(merged) = merge.next_event() {
        let time = merged.timestamp - START_RAW;
        let buffer = merged.buffer.index();
        seen.push((time, buffer, merge.stats().buffers));
    }
    let expected = [
        (0, 0, 1),
        (1, 1, 2),
        (5, 1, 2),
        (6, 3, 3),
        (900, 2, 4),
        (1000, 3, 4),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn a_buffer_that_does_not_begin_when_it_was_said_comes_in_order_all_the_same() {
    let buffers = [buffer(0, 1, &[(1, 10)]), buffer(1, 2, &[(2, 5)])];
    let trace = TraceFile::from_bytes(trace(LogHeader::default(), &buffers)).unwrap();
    let mut merge = trace.merge_known(|_| Some(START_RAW), |_| ());
    let mut seen = Vec::new();
    while let Some(merged) = merge.next_event() {
        seen.push((merged.timestamp - START_RAW, merged.buffer.index()));
    }
    assert_eq!(seen, [(0, 0), (5, 2), (10, 1)]);
}

#[test]
fn a_merge_may_be_left_before_its_end() {
    let buffers = [buffer(0, 1, &[(1, 1)]), buffer(1, 2, &[(2, 2)])];
    let trace = TraceFile::from_bytes(trace(LogHeader::default(), &buffers)).unwrap();
    drop(trace.merge(|_| ()));
    let mut merge = trace.merge(|_| ());
    assert!(merge.next_event().is_some());
}

#[test]
#[should_panic(expected = "prepare failed")]
fn a_panic_in_prepare_reaches_the_caller() {
    let trace = TraceFile::from_bytes(trace(LogHeader::default(), &[])).unwrap();
    let mut merge = trace.merge(|_| panic!("prepare failed"));
    while merge.next_event().is_some() {}
}

#[test]
fn processors_that_need_too_much_memory_are_left_out_and_reported() {
    let buffers = [
        buffer(0, 1, &[(1, 1)]),
        buffer(1, 2, &[(2, 2)]),
        buffer(1, 3, &[(3, 3)]),
        buffer(2, 4, &[(4, 4)]),
    ];
    let trace = TraceFile::from_bytes(trace(LogHeader::default(), &buffers)).unwrap();
    let mut merge = trace.merge(|_| ());
    merge.limits = Limits {
        read_ahead: 0,
        most: 0,
    };
    let mut cpus = Vec::new();
    while let Some(merged) = merge.next_event() {
        cpus.push(merged.buffer.info().cpu);
    }
    assert_eq!(cpus, [0, 0]);
    let places: Vec<_> = merge
        .damage()
        .items()
        .iter()
        .map(|damage| damage.offset)
        .collect();
    assert_eq!(
        places,
        [2, 3, 4].map(|index: usize| trace.buffers()[index].offset)
    );
    assert_eq!(
        merge.damage().items()[0].kind,
        DamageKind::MemoryLimit { limit_bytes: 0 }
    );
}
