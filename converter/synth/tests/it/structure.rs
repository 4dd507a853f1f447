//! The rules of the format that every file must keep, whatever its options.

use std::collections::BTreeMap;
use std::io::Cursor;

use crate::walk;
use synth::events::system::Mark;
use synth::file::bytes::Pointer;
use synth::file::event::{At, Header, Origin};
use synth::file::session::{Growth, Session};
use synth::file::writer::TraceWriter;
use synth::scenario::{Load, Options, switches};

const LOAD: Load = Load {
    count: 8_000,
    cpu_count: 4,
};

fn write(options: Options) -> (Vec<u8>, synth::truth::Truth) {
    let (sink, truth) = switches::write(Cursor::new(Vec::new()), options, LOAD).unwrap();
    (sink.into_inner(), truth)
}

fn check(options: Options) {
    let (file, truth) = write(options);
    let buffers = walk::buffers(&file);
    let header = &buffers[0].events[0];

    assert_eq!(
        buffers.iter().map(|b| u64::from(b.file_bytes)).sum::<u64>(),
        truth.file_bytes
    );
    assert_eq!(file.len() as u64, truth.file_bytes);
    assert_eq!(header.u32(0x24) as usize, buffers.len(), "BuffersWritten");
    assert_eq!(truth.buffers as usize, buffers.len());
    assert_eq!(
        (buffers[0].kind, buffers[0].sequence, header.hook),
        (4, 0, Some(0))
    );
    assert_eq!(
        buffers.iter().map(|b| b.events.len() as u64).sum::<u64>(),
        truth.events
    );

    let mut sequences: Vec<i64> = buffers.iter().map(|buffer| buffer.sequence).collect();
    sequences.sort_unstable();
    assert_eq!(sequences, (0..buffers.len() as i64).collect::<Vec<_>>());

    let mut last_time = BTreeMap::new();
    for buffer in &buffers[1..] {
        assert_eq!((buffer.kind, buffer.flags & 0x20), (0, 0x20));
        for event in &buffer.events {
            let last = last_time.insert(buffer.cpu, event.ticks);
            assert!(
                last.unwrap_or(header.ticks) <= event.ticks,
                "time goes back on {}",
                buffer.cpu
            );
        }
    }
    let tail: Vec<u16> = buffers
        .iter()
        .rev()
        .take(4)
        .map(|buffer| buffer.flags & 1)
        .collect();
    assert_eq!(
        tail, [1; 4],
        "the buffers flushed at the end carry the flush marker"
    );
}

#[test]
fn a_direct_log_keeps_the_rules() {
    check(Options::default());
}

#[test]
fn a_32_bit_log_keeps_the_rules() {
    check(Options {
        pointer: Pointer::Four,
        ..Options::default()
    });
}

#[test]
fn a_compressed_merged_log_keeps_the_rules() {
    check(Options {
        compressed: true,
        merged: true,
        ..Options::default()
    });
}

#[test]
fn compression_changes_nothing_but_the_buffers() {
    let plain = walk::buffers(&write(Options::default()).0);
    let packed = walk::buffers(
        &write(Options {
            compressed: true,
            ..Options::default()
        })
        .0,
    );

    assert!(
        packed[1..]
            .iter()
            .all(|buffer| buffer.flags & 0x40 != 0 && buffer.file_bytes < 0x1_0000)
    );
    assert_eq!(
        (packed[0].flags & 0x40, packed[0].file_bytes % 0x200),
        (0, 0)
    );
    for (plain, packed) in plain.iter().zip(&packed).skip(1) {
        assert_eq!(plain.cpu, packed.cpu);
        let times =
            |buffer: &walk::Buffer| buffer.events.iter().map(|e| e.ticks).collect::<Vec<_>>();
        assert_eq!(times(plain), times(packed));
    }
}

#[test]
fn file_order_is_flush_order_and_not_sequence_order() {
    let (file, _) = write(Options::default());
    let buffers = walk::buffers(&file);
    assert!(
        buffers
            .windows(2)
            .all(|pair| pair[0].stamp <= pair[1].stamp)
    );
    assert!(
        buffers
            .windows(2)
            .any(|pair| pair[0].sequence > pair[1].sequence)
    );
}

#[test]
fn stamps_of_merged_files_are_file_times() {
    let (file, truth) = write(Options {
        merged: true,
        ..Options::default()
    });
    let buffers = walk::buffers(&file);
    for buffer in &buffers[1..] {
        let since_start = buffer.stamp - i64::try_from(truth.start_filetime).unwrap();
        assert!(
            (0..100_000_000).contains(&since_start),
            "{since_start} ticks of 100 ns"
        );
    }
}

#[test]
fn a_circular_file_overwrites_the_oldest_buffer_after_the_first() {
    let session = Session {
        buffer_bytes: 0x400,
        cpu_count: 1,
        growth: Growth::Circular { data_buffers: 3 },
        ..Session::default()
    };
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), session).unwrap();
    let start = writer.session().start_ticks;
    let text = "x".repeat(800);
    for number in 1..=5 {
        let at = At::new(0, start + number);
        writer
            .kernel(at, Header::System(Origin::default()), &Mark(&text))
            .unwrap();
    }
    let (sink, written) = writer.finish(start + 6).unwrap();

    let file = sink.into_inner();
    let sequences: Vec<i64> = walk::buffers(&file)
        .iter()
        .map(|buffer| buffer.sequence)
        .collect();
    assert_eq!(sequences, [0, 4, 5, 3]);
    assert_eq!(
        (file.len(), written.file_bytes, written.buffers),
        (0x1000, 0x1000, 4)
    );
}

#[test]
fn an_event_larger_than_a_buffer_is_refused() {
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), Session::default()).unwrap();
    let text = "x".repeat(0x1_0000);
    let result = writer.kernel(At::new(0, 0), Header::PerfInfo, &Mark(&text));
    assert_eq!(
        result.unwrap_err().to_string(),
        "an event of 65553 bytes does not fit into a buffer of 65536 bytes"
    );
}
