use super::*;
use crate::support::{
    BUFFER_HEADER_BYTES as HEADER, LogHeader, TestBuffer, perfinfo64, put, trace,
};
use crate::{DamageKind, LossKind, buffer_flag};

fn refusal(bytes: Vec<u8>) -> String {
    TraceFile::from_bytes(bytes).unwrap_err().to_string()
}

fn small_trace() -> Vec<u8> {
    trace(
        LogHeader::default(),
        &[TestBuffer::new(
            1,
            1,
            vec![perfinfo64(0x0532, 1_000_010, &[0; 8])],
        )],
    )
}

#[test]
fn a_whole_trace_opens_undamaged() {
    let bytes = small_trace();
    let opened = TraceFile::from_bytes(bytes.clone()).unwrap();
    assert_eq!(
        (opened.size_bytes(), opened.buffers().len()),
        (bytes.len() as u64, 2)
    );
    assert_eq!(
        (opened.damage(), opened.losses()),
        (&DamageLog::default(), &[][..])
    );
    assert_eq!(opened.clock().ns_since_start(1_000_010), 1000);
    let mut buffer = Buffer::new();
    assert_eq!(opened.read_buffer(1, &mut buffer), Ok(()));
    assert_eq!(
        buffer.events().map(|event| event.cpu).collect::<Vec<_>>(),
        [1]
    );
}

#[test]
fn an_index_that_does_not_exist_is_an_empty_buffer() {
    let mut buffer = Buffer::new();
    assert_eq!(
        TraceFile::from_bytes(small_trace())
            .unwrap()
            .read_buffer(9, &mut buffer),
        Ok(())
    );
    assert!(buffer.is_empty());
}

#[test]
fn what_is_no_trace_is_refused_in_one_line() {
    assert_eq!(refusal(vec![]), "(memory): file is empty");
    assert_eq!(
        refusal(small_trace()[..100].to_vec()),
        "(memory): too short for an ETL header: expected at least 376 bytes at offset 0, found 100"
    );
    assert_eq!(
        refusal(b"The quick brown fox".repeat(50)),
        "(memory): not an ETL file: expected a buffer header at offset 0, found text"
    );
    let mut small = small_trace();
    put(&mut small, 0, &[0x47, 0, 0, 0]);
    assert_eq!(
        refusal(small),
        "(memory): not an ETL file: expected a buffer header at offset 0, found a buffer size of 71 bytes"
    );
    let mut large = small_trace();
    put(&mut large, 0, &0x1000_0001u32.to_le_bytes());
    assert_eq!(
        refusal(large),
        "(memory): not an ETL file: expected a buffer header at offset 0, found a buffer size of 268435457 bytes"
    );
}

#[test]
fn a_file_without_its_header_is_refused() {
    let mut other_type = small_trace();
    put(&mut other_type, 0x36, &[0, 0]);
    assert_eq!(
        refusal(other_type),
        "(memory): no log-file header: expected a buffer of type 4 (header) at offset 0x0, found type 0"
    );
    let mut other_event = small_trace();
    put(&mut other_event, HEADER + 6, &[5, 0]);
    assert_eq!(
        refusal(other_event),
        "(memory): no log-file header: expected event 0000 at offset 0x48, found Kernel(0005)"
    );
    let mut no_event = small_trace();
    put(&mut no_event, HEADER, &[1, 2, 3, 4]);
    assert_eq!(
        refusal(no_event),
        "(memory): no log-file header: expected event 0000 at offset 0x48, found unknown event header at 0x48: \
         expected a marker C0 or 90, found 0x04030201"
    );
    let mut short_event = small_trace();
    put(&mut short_event, HEADER + 4, &[0x80, 0]);
    assert_eq!(
        refusal(short_event),
        "(memory): no log-file header: expected event 0000 at offset 0x48, \
         found an event with only 96 bytes of payload"
    );
}

#[test]
fn fewer_buffers_than_the_header_says_are_a_loss_and_more_are_a_note() {
    let damage = |expected: u8| {
        let mut bytes = small_trace();
        put(&mut bytes, HEADER + 0x20 + 0x24, &[expected, 0, 0, 0]);
        let opened = TraceFile::from_bytes(bytes).unwrap();
        opened.damage().items().to_vec()
    };
    let missing = DamageKind::BuffersMissing {
        expected: 9,
        found: 2,
    };
    let more = DamageKind::BufferCount {
        expected: 1,
        found: 2,
    };
    assert!(missing.loses_events() && !more.loses_events());
    let end = small_trace().len() as u64;
    for (expected, offset, kind) in [(9, end, missing), (1, 0, more)] {
        assert_eq!(
            damage(expected),
            [Damage {
                file: 0,
                offset,
                kind
            }]
        );
    }
}

#[test]
fn a_number_of_processors_that_no_machine_has_is_that_of_those_with_events() {
    for (found, expected, notes) in [(2, 2, 0), (64, 64, 0), (0, 2, 1), (1025, 2, 1)] {
        let header = LogHeader {
            cpu_count: found,
            buffers_written: 2,
            ..LogHeader::default()
        };
        let event = perfinfo64(0x0532, 1_000_010, &[0; 8]);
        let opened = trace(header, &[TestBuffer::new(1, 1, vec![event])]);
        let opened = TraceFile::from_bytes(opened).unwrap();
        let kinds = opened.damage().items().iter().map(|item| &item.kind);
        let field = |kind: &&DamageKind| matches!(kind, DamageKind::HeaderField { .. });
        assert_eq!(
            (opened.header().cpu_count, kinds.filter(field).count()),
            (expected, notes)
        );
    }
}

#[test]
fn losses_are_found_in_the_buffer_headers() {
    let lossy = TestBuffer {
        flags: 0x20 | buffer_flag::BUFFER_LOST,
        ..TestBuffer::new(0, 4, vec![])
    };
    let opened = TraceFile::from_bytes(trace(LogHeader::default(), &[lossy])).unwrap();
    assert_eq!(
        opened.losses(),
        [
            Loss {
                before_buffer: 1,
                kind: LossKind::SequenceGap { missing: 3 }
            },
            Loss {
                before_buffer: 1,
                kind: LossKind::Buffers
            }
        ]
    );
}

#[test]
fn files_beyond_4_gib_are_read() {
    use std::io::{Seek, SeekFrom, Write};
    let mut first = TestBuffer::header(&LogHeader {
        buffers_written: 3,
        ..LogHeader::default()
    })
    .bytes();
    let mut second = TestBuffer::new(0, 1, vec![perfinfo64(0x0532, 1_000_010, &[0; 8])]).bytes();
    let third = TestBuffer::new(0, 2, vec![perfinfo64(0x0532, 1_000_020, &[0; 8])]).bytes();
    let second_bytes = 0xFFFF_F000u32;
    put(&mut second, 0, &second_bytes.to_le_bytes());
    let third_at = first.len() as u64 + u64::from(second_bytes);
    first.extend(second);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&first).unwrap();
    file.seek(SeekFrom::Start(third_at)).unwrap();
    file.write_all(&third).unwrap();
    let opened = TraceFile::open(file.path()).unwrap();
    assert_eq!(opened.damage(), &DamageLog::default());
    assert_eq!(opened.buffers()[2].offset, third_at);
    let mut merge = opened.merge(|_| ());
    let mut times = Vec::new();
    while let Some(merged) = merge.next_event() {
        times.push(merged.timestamp);
    }
    assert_eq!(times, [1_000_000, 1_000_010, 1_000_020]);
}

#[test]
fn a_missing_file_is_named() {
    let error = TraceFile::open("no/such.etl".as_ref()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no/such.etl: cannot be read: "),
        "{error}"
    );
}

#[test]
fn one_trace_serves_several_threads() {
    let opened = TraceFile::from_bytes(small_trace()).unwrap();
    let count = |opened: &TraceFile| {
        let mut buffer = Buffer::new();
        opened.read_buffer(1, &mut buffer).map(|()| buffer.len())
    };
    std::thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(|| count(&opened)));
        assert_eq!(threads.map(|thread| thread.join().unwrap()), [Ok(1), Ok(1)]);
    });
}
