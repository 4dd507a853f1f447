use std::io::{Cursor, Write};

use super::*;
use crate::damage::DamageLog;
use crate::event::{EventId, HookId};
use crate::source::Source;
use crate::support::{LogHeader, START_FILETIME, START_RAW, TestBuffer, perfinfo64, trace};
use crate::{LossKind, OpenError, TraceFile, buffer_flag};

const SECOND: i64 = 10_000_000;

/// The header of a file that begins so many seconds after another of the same recording.
fn later(seconds: i64) -> LogHeader {
    LogHeader {
        start_raw: START_RAW + seconds * SECOND,
        start_time: START_FILETIME + seconds * SECOND,
        end_time: START_FILETIME + 100 * SECOND,
        ..LogHeader::default()
    }
}

/// A file with ready-thread events of one processor: number, and seconds after the start of the recording.
fn file(header: LogHeader, cpu: u16, events: &[(u8, i64)]) -> Vec<u8> {
    let event = |&(number, second): &(u8, i64)| {
        perfinfo64(0x0500 | u16::from(number), START_RAW + second * SECOND, &[])
    };
    let buffer = TestBuffer::new(cpu, 1, events.iter().map(event).collect());
    trace(header, &[buffer])
}

fn opened(name: &str, bytes: Vec<u8>) -> EtlFile {
    EtlFile::open(name.to_owned(), Source::Memory(bytes), DamageLog::default()).unwrap()
}

/// Files in a folder, opened as one trace.
fn open_all(files: &[(&str, Vec<u8>)]) -> Result<TraceFile, OpenError> {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = files
        .iter()
        .map(|(name, content)| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            path
        })
        .collect();
    TraceFile::open_all(&paths)
}

fn zip(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Number, seconds after the start, processor and file of all events but the log-file headers.
fn events(trace: &TraceFile) -> Vec<(u8, i64, u16, u16)> {
    let mut merge = trace.merge(|_| ());
    let mut events = Vec::new();
    while let Some(merged) = merge.next_event() {
        let file = merged.buffer.info().file;
        let event = merged.event().unwrap();
        if let EventId::Kernel(hook @ HookId(0x0500..)) = event.id {
            let seconds = (event.timestamp - START_RAW) / SECOND;
            events.push((hook.event_type(), seconds, event.cpu, file));
        }
    }
    events
}

#[test]
fn files_of_one_recording_are_merged_by_time() {
    let kernel = file(later(0), 0, &[(1, 1), (2, 3), (3, 5)]);
    let user = file(later(2), 0, &[(4, 2), (5, 3), (6, 4)]);
    let trace = open_all(&[("a.user.etl", user), ("a.kernel.etl", kernel)]).unwrap();
    assert_eq!(
        events(&trace),
        [
            (1, 1, 0, 1),
            (4, 2, 0, 0),
            (5, 3, 0, 0),
            (2, 3, 0, 1),
            (6, 4, 0, 0),
            (3, 5, 0, 1)
        ]
    );
    assert_eq!(trace.clock().start_raw, START_RAW);
    assert_eq!(trace.header().session_name, "Session + Session");
    assert!(trace.file_name(0).unwrap().ends_with("a.user.etl"));
    assert_eq!(trace.file_name(2), None);
}

#[test]
fn losses_and_damage_tell_their_file() {
    let mut lossy = TestBuffer::new(1, 1, vec![perfinfo64(0x0532, START_RAW + 5, &[])]);
    lossy.flags |= buffer_flag::EVENTS_LOST;
    let lost = |header| LogHeader {
        events_lost: 3,
        ..header
    };
    let mut cut = trace(lost(later(1)), &[lossy]);
    cut.truncate(cut.len() - 4);
    let files = [
        ("a.etl", file(lost(later(0)), 0, &[(1, 1)])),
        ("b.etl", cut),
    ];
    let trace = open_all(&files).unwrap();
    assert_eq!(trace.header().events_lost, 6);
    let loss = trace.losses().first().unwrap();
    assert_eq!((loss.kind, loss.before_buffer), (LossKind::Events, 3));
    let damage: Vec<_> = trace
        .damage()
        .items()
        .iter()
        .map(|item| item.file)
        .collect();
    assert_eq!(damage, [1]);
}

#[test]
fn a_processor_is_unknown_only_in_the_file_that_mixes_them() {
    let mixed = LogHeader {
        mode: 0x1000_0001,
        ..later(1)
    };
    let files = [
        ("a.etl", file(later(0), 5, &[(1, 1)])),
        ("b.etl", file(mixed, 6, &[(2, 2)])),
    ];
    let trace = open_all(&files).unwrap();
    let mut merge = trace.merge(|_| ());
    let mut known = Vec::new();
    while let Some(event) = merge.next_event().and_then(|merged| merged.event()) {
        known.push(event.has_cpu.then_some(event.cpu));
    }
    assert_eq!(known, [Some(0), Some(5), None, None]);
}

#[test]
fn files_of_other_recordings_are_refused() {
    let first = opened("a.etl", file(later(0), 0, &[]));
    let minute = LogHeader {
        start_time: START_FILETIME + 60 * SECOND,
        ..later(0)
    };
    let booted = LogHeader {
        boot_time: START_FILETIME - 100 * SECOND,
        ..later(0)
    };
    let cases = [
        (
            LogHeader {
                clock_type: 2,
                ..later(1)
            },
            "one is timed by the performance counter, the other by the system time",
        ),
        (
            LogHeader {
                perf_freq_hz: 3_000_000,
                ..later(1)
            },
            "one has 10000000 ticks of the clock a second, the other 3000000",
        ),
        (
            LogHeader {
                cpu_count: 8,
                ..later(1)
            },
            "one has 2 processors, the other 8",
        ),
        (
            LogHeader {
                os_build: 22621,
                ..later(1)
            },
            "one has 19041 as build of Windows, the other 22621",
        ),
        (
            minute,
            "their clocks began 60 s apart, so that they are of different machines or starts of one",
        ),
        (booted, "their machines were started 99 s apart"),
        (later(0), "they are the same file"),
    ];
    for (header, why) in cases {
        let other = opened("b.etl", file(header, 0, &[]));
        let refused = check(&first, &other).unwrap_err().to_string();
        assert_eq!(refused, format!("cannot be merged with a.etl: {why}"));
    }
    assert!(check(&first, &opened("b.etl", file(later(50), 0, &[]))).is_ok());
}

#[test]
fn both_files_are_named_where_they_cannot_be_merged() {
    let other = LogHeader {
        cpu_count: 8,
        ..later(1)
    };
    let files = [
        ("a.etl", file(later(0), 0, &[])),
        ("b.etl", file(other, 0, &[])),
    ];
    let refused = open_all(&files).unwrap_err().to_string();
    let (path, reason) = refused.split_once(": cannot be merged with ").unwrap();
    assert!(path.ends_with("b.etl"), "{refused}");
    assert!(
        reason.ends_with("a.etl: one has 2 processors, the other 8"),
        "{refused}"
    );
}

#[test]
fn an_archive_gives_the_recording_of_its_largest_file_and_names_the_rest() {
    let other = LogHeader {
        cpu_count: 8,
        ..later(1)
    };
    let packed = zip(&[
        ("empty.etl", vec![]),
        ("other.etl", file(other, 0, &[(9, 9)])),
        ("kernel.etl", file(later(0), 0, &[(1, 1), (2, 3)])),
        ("user.etl", file(later(1), 1, &[(3, 2)])),
    ]);
    let trace = open_all(&[("a.diagsession", packed)]).unwrap();
    assert_eq!(events(&trace), [(1, 1, 0, 0), (3, 2, 1, 1), (2, 3, 0, 0)]);
    assert_eq!(
        trace.left_out(),
        [
            "empty.etl is left out: file is empty",
            "other.etl is left out: cannot be merged with kernel.etl: one has 2 processors, the other 8"
        ]
    );
    let alone = trace.without(1, 0, "no reason").unwrap();
    assert_eq!(events(&alone), [(1, 1, 0, 0), (2, 3, 0, 0)]);
    assert_eq!(alone.left_out().len(), 3);
}

#[test]
fn that_an_archive_is_cut_is_told_also_where_its_last_trace_is_left_out() {
    let other = LogHeader {
        cpu_count: 8,
        ..later(1)
    };
    let packed = |last: (&str, Vec<u8>)| {
        let kernel = ("kernel.etl", file(later(0), 0, &[(1, 1), (2, 3)]));
        let mut packed = zip(&[kernel, last, ("lost.etl", vec![1; 10])]);
        let at = packed.windows(8).position(|eight| eight == b"lost.etl");
        packed.truncate(at.unwrap() - 30);
        packed
    };
    let cut = "expected the directory of the ZIP archive at its end, found none; what came after this trace is missing";
    for (last, why) in [
        (
            file(other, 0, &[(9, 9)]),
            "cannot be merged with kernel.etl: one has 2 processors, the other 8",
        ),
        (vec![1; 600], "no log-file header"),
    ] {
        let size_bytes = last.len();
        let trace = open_all(&[("a.zip", packed(("last.etl", last)))]).unwrap();
        let [left_out, damage] = trace.left_out() else {
            panic!("{:?}", trace.left_out())
        };
        assert!(
            left_out.starts_with(&format!("last.etl is left out: {why}")),
            "{left_out}"
        );
        assert_eq!(
            damage,
            &format!("last.etl: offset {size_bytes:#x}: archive cut: {cut}")
        );
    }
}
