//! Malformed files, kind by kind: what is refused, what is kept before and after the damage, and what is reported.
//! The rows are those of the table of malformed input that the file layer follows. `etl` and `schema` test the rest of
//! them, such as malformed schemas, next to their code.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::fmt::Write;

use support::{Etl, converted, waits};
use synth::events::fields::{Fields, FieldsEvent, guid};
use synth::events::system::RawKernelEvent;
use synth::file::event::{Header, Origin};
use synth::file::session::{Growth, Session};
use tempfile::TempDir;

const BUFFER: usize = 0x1000;
/// Where the log-file header's fields begin: behind the buffer's header and the event's.
const HEADER: usize = 0x68;
/// The first event of the first data buffer.
const EVENT: usize = BUFFER + 0x48;
const SWITCHES: i64 = 500;

/// A header buffer and five data buffers of one CPU, filled with context switches.
fn whole(compressed: bool) -> Vec<u8> {
    let mut etl = Etl::of(Session {
        buffer_bytes: BUFFER as u32,
        compressed,
        ..Session::default()
    });
    for number in 0..SWITCHES {
        let (old, new) = if number % 2 == 0 { (8, 12) } else { (12, 8) };
        etl.switch(0, 10 + number, waits(old), new, 9);
    }
    etl.finish()
}

fn put(etl: &mut [u8], at: usize, bytes: &[u8]) {
    etl.get_mut(at..at + bytes.len())
        .expect("the place is in the file")
        .copy_from_slice(bytes);
}

type Harm = fn(&mut Vec<u8>);
type HarmAt = fn(&mut Vec<u8>, usize);

/// Harm to a file whose buffers all have the same size.
const PLAIN: &[(&str, Harm)] = &[
    ("nothing", |_| {}),
    ("1 empty", Vec::clear),
    ("2 too short", |etl| etl.truncate(300)),
    ("3 text", |etl| *etl = b"not a trace ".repeat(100)),
    ("3 a cabinet", |etl| put(etl, 0, b"MSCF\0\0\0\0")),
    ("4 first buffer too small", |etl| {
        put(etl, 0, &[0x47, 0, 0, 0])
    }),
    ("4 first buffer too large", |etl| put(etl, 0, &[0xFF; 4])),
    ("5 preallocated tail", |etl| {
        etl.resize(etl.len() + 5 * BUFFER, 0)
    }),
    ("6 buffer size 0", |etl| put(etl, 2 * BUFFER, &[0; 4])),
    ("6 buffer size 47h", |etl| {
        put(etl, 2 * BUFFER, &[0x47, 0, 0, 0])
    }),
    ("6 buffer size too large", |etl| {
        put(etl, 2 * BUFFER, &[0, 0x20, 0, 0])
    }),
    ("6 buffer size huge", |etl| put(etl, 2 * BUFFER, &[0xFF; 4])),
    ("6 sector of zeros over a buffer's header", |etl| {
        put(etl, 2 * BUFFER, &[0; 512])
    }),
    ("6 sector of noise over a buffer's header", |etl| {
        put(etl, 2 * BUFFER, &[0xA5; 512])
    }),
    ("6 two buffers of zeros", |etl| {
        put(etl, 2 * BUFFER, &[0; 2 * BUFFER])
    }),
    ("6 bytes missing in mid-file", |etl| {
        drop(etl.drain(2 * BUFFER + 100..3 * BUFFER + 50))
    }),
    ("6 bytes too many in mid-file", |etl| {
        drop(etl.splice(2 * BUFFER..2 * BUFFER, [9; 77]))
    }),
    ("7 cut in a buffer", |etl| etl.truncate(3 * BUFFER + 1000)),
    ("7 cut in a buffer's header", |etl| {
        etl.truncate(3 * BUFFER + 60)
    }),
    ("8 data end 0", |etl| put(etl, 2 * BUFFER + 0x30, &[0; 4])),
    ("9 data end past the buffer", |etl| {
        put(etl, 2 * BUFFER + 0x30, &[0, 0x20, 0, 0])
    }),
    ("12 first buffer of another type", |etl| {
        put(etl, 0x36, &[0, 0])
    }),
    ("12 first event is another", |etl| put(etl, 0x4E, &[1, 3])),
    ("12 first event damaged", |etl| put(etl, 0x48, &[0xA5; 16])),
    ("13 pointer size 5", |etl| {
        put(etl, HEADER + 0x2C, &[5, 0, 0, 0])
    }),
    ("14 performance counter of 0 Hz", |etl| {
        put(etl, HEADER + 0x100, &[0; 8])
    }),
    ("15 clock type 9", |etl| {
        put(etl, HEADER + 0x110, &[9, 0, 0, 0])
    }),
    ("16 no start time", |etl| put(etl, HEADER + 0x108, &[0; 8])),
    ("17 not closed", |etl| put(etl, HEADER + 0x10, &[0; 8])),
    ("18 no buffers written, by the header", |etl| {
        put(etl, HEADER + 0x24, &[0; 4])
    }),
    ("19 event size 0", |etl| {
        put(etl, EVENT + 4 * 0x28 + 4, &[0, 0])
    }),
    ("19 event smaller than its header", |etl| {
        put(etl, EVENT + 4 * 0x28 + 4, &[8, 0])
    }),
    ("20 event past the data's end", |etl| {
        put(etl, EVENT + 4 * 0x28 + 4, &[0xFF, 0xFF])
    }),
    ("21 unknown event header", |etl| {
        put(etl, EVENT + 4 * 0x28 + 2, &[0x77, 0xC0])
    }),
    ("21 end marker", |etl| {
        put(etl, EVENT + 4 * 0x28, &[0xFF; 4])
    }),
    ("22 event before the start", |etl| {
        put(etl, EVENT + 4 * 0x28 + 8, &[1, 0, 0, 0, 0, 0, 0, 0])
    }),
    ("22 clock goes backwards", |etl| {
        put(etl, EVENT + 4 * 0x28 + 8, &[0x0A, 0, 0, 0])
    }),
    ("23 event years later", |etl| {
        put(etl, EVENT + 4 * 0x28 + 8, &[0xFF; 7])
    }),
    ("27 payload shorter than its layout", |etl| {
        put(etl, EVENT + 4 * 0x28 + 4, &[0x1C, 0])
    }),
    ("35 processor 1024", |etl| {
        put(etl, 2 * BUFFER + 0x28, &[0, 4])
    }),
    ("36 two recordings appended", |etl| etl.extend(whole(false))),
    ("37 a buffer missing", |etl| {
        drop(etl.drain(2 * BUFFER..3 * BUFFER))
    }),
    ("37 lost, by a buffer's flags", |etl| {
        put(etl, 2 * BUFFER + 0x34, &[0x26, 0])
    }),
    ("37 lost, by the header", |etl| {
        put(etl, HEADER + 0x30, &[7, 0, 0, 0])
    }),
    ("37 one sequence number twice", |etl| {
        put(etl, 2 * BUFFER + 0x18, &[3, 0, 0, 0])
    }),
    ("buffers of unknown type", |etl| {
        put(etl, 2 * BUFFER + 0x36, &[0x77, 0])
    }),
];

/// Harm to a file with compressed buffers, which lie at any offset; `second` is that of the second data buffer.
const COMPRESSED: &[(&str, HarmAt)] = &[
    ("nothing", |_, _| {}),
    ("6 buffer size 0", |etl, second| put(etl, second, &[0; 4])),
    ("6 zeros over a buffer's header", |etl, second| {
        put(etl, second, &[0; 0x48])
    }),
    ("7 cut in a buffer", |etl, second| {
        etl.truncate(second + 100)
    }),
    ("10 huge data end", |etl, second| {
        put(etl, second + 0x30, &[0, 0, 0, 0x7F])
    }),
    ("11 stream ends early", |etl, second| {
        put(etl, second + 0x30, &[0, 0x20, 0, 0])
    }),
    ("11 stream refers before its start", |etl, second| {
        put(etl, second + 0x48, &[0xFF; 8])
    }),
];

/// What a user gets of a file: the refusal, or what was read and what was told.
fn told(etl: &[u8]) -> String {
    let folder = TempDir::new().expect("there is a temporary folder");
    let path = folder.path().join("a.etl");
    std::fs::write(&path, etl).expect("the temporary folder takes a file");
    let folder = format!("{}/", folder.path().display());
    let info = match convert::info(&[&path], &convert::Request::default()) {
        Ok(info) => info.to_json(),
        Err(error) => return format!("  refused: {}\n", error.to_string().replace(&folder, "")),
    };
    let info: serde_json::Value = serde_json::from_str(&info).expect("info is JSON");
    let output = converted(etl);
    let in_trace = output.with("name:\"etw.loss\"").len();
    let losses = &output.converted.losses;
    let from_info: Vec<&str> = lines(&info, "losses").collect();
    assert!(losses.iter().all(|loss| from_info.contains(&loss.as_str())));
    assert!(in_trace >= from_info.len());
    let totals = output.converted.totals;
    let scheduling = output.scheduling();
    let times = |line: Option<&String>| {
        line.map_or("none".to_owned(), |line| line.split(' ').take(1).collect())
    };
    let mut out = format!(
        "  read {} = {} converted + {} skipped; from {} to {} ns\n",
        totals.read,
        totals.converted,
        totals.skipped,
        times(scheduling.first()),
        times(scheduling.last()),
    );
    for loss in losses {
        let _ = writeln!(out, "  lost: {loss}");
    }
    for note in lines(&info, "notes") {
        let _ = writeln!(out, "  note: {note}");
    }
    out
}

fn lines<'a>(info: &'a serde_json::Value, key: &str) -> impl Iterator<Item = &'a str> {
    let list = info.get(key).and_then(serde_json::Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(serde_json::Value::as_str)
}

#[test]
fn every_kind_of_malformed_file() {
    let mut out = String::new();
    let sound = whole(false);
    for (name, harm) in PLAIN {
        let mut etl = sound.clone();
        harm(&mut etl);
        let _ = write!(out, "{name}\n{}", told(&etl));
    }
    let sound = whole(true);
    let size_at =
        |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| sound[at + byte])) as usize;
    let second = size_at(0) + size_at(size_at(0));
    for (name, harm) in COMPRESSED {
        let mut etl = sound.clone();
        harm(&mut etl, second);
        let _ = write!(out, "compressed: {name}\n{}", told(&etl));
    }
    insta::assert_snapshot!(out);
}

/// Strings without end, counts that are too large, payloads that are too short or too long.
#[test]
fn malformed_payloads_keep_what_can_be_read() {
    let process = |name: &[u8]| {
        let ids = [
            0x11u64.to_le_bytes(),
            (8u64 | 4 << 32).to_le_bytes(),
            (1u64 | 259 << 32).to_le_bytes(),
        ];
        [ids.concat(), vec![0; 8], vec![0; 4], name.to_vec()].concat()
    };
    let too_large_sid = {
        let mut payload = process(b"");
        payload.truncate(36);
        payload.extend([1; 16]);
        payload.extend([1, 16, 0, 0, 0, 0, 0, 5]);
        payload.extend(b"app.exe\0");
        payload
    };
    let cases: [(&str, u16, u8, Vec<u8>); 8] = [
        ("25 SID of 16 parts", 0x0303, 4, too_large_sid),
        (
            "26 image name without end",
            0x0303,
            4,
            process(b"\0\0\0\0app"),
        ),
        (
            "26 command line with half a unit",
            0x0303,
            4,
            process(b"\0\0\0\0app\0a\0b"),
        ),
        (
            "26 command line with half a pair",
            0x0303,
            4,
            process(b"\0\0\0\0app\0\x00\xD8\0\0"),
        ),
        (
            "27 process without its name",
            0x0303,
            4,
            process(b"")[..20].to_vec(),
        ),
        (
            "28 longer thread",
            0x0503,
            9,
            [[8, 0, 0, 0, 9, 0, 0, 0].to_vec(), vec![7; 300]].concat(),
        ),
        ("27 thread of one number", 0x0503, 3, vec![8, 0, 0, 0]),
        ("33 stack of half an address", 0x1820, 2, vec![1; 20]),
    ];
    let mut out = String::new();
    for (name, hook, version, payload) in cases {
        let mut etl = Etl::new();
        etl.put(
            0,
            5,
            &RawKernelEvent {
                hook,
                version,
                payload,
            },
        );
        let output = converted(&etl.finish());
        let _ = writeln!(out, "{name}: {:?}", output.converted.losses);
        for line in output
            .with("process_tree")
            .iter()
            .chain(&output.with("name:\"etw.thread\""))
        {
            let _ = writeln!(out, "  {line}");
        }
    }
    insta::assert_snapshot!(out);
}

#[test]
fn what_the_session_recorded_of_losses_is_told_at_its_time() {
    let mut etl = Etl::new();
    let lost = |event_type| FieldsEvent {
        class: guid("6a399ae0-4bc6-4de9-870b-3657f8947e7e"),
        hook: event_type,
        version: 0,
        fields: Fields::new("", 0).expect("no fields are well-formed"),
    };
    for (ticks, event_type) in [(10, 0x20), (20, 0x21), (30, 0x22), (40, 0x23)] {
        etl.put_under(0, ticks, Header::Full(Origin::default()), &lost(event_type));
    }
    for ticks in 100..1200 {
        etl.put_under(0, ticks, Header::Full(Origin::default()), &lost(0x20));
    }
    let output = converted(&etl.finish());
    let losses = &output.converted.losses;
    assert_eq!(losses.len(), 1001);
    assert_eq!(
        losses[..3],
        [
            "the session recorded that it lost an event",
            "the session recorded that it lost a buffer",
            "the session recorded that it lost the file that backs it up",
        ]
    );
    assert_eq!(losses[1000], "the session recorded 103 further losses");
    let told = output.with("name:\"etw.loss\"");
    let last_ns = 1_000_000_000 + 119_900;
    for (at, ts, part) in [
        (0, 1_000_001_000, "string_value:\"lost_events\""),
        (1, 1_000_002_000, "string_value:\"lost_buffers\""),
        (1000, last_ns - 10_200, "{name:\"dur_ns\" uint_value:10200}"),
    ] {
        assert!(
            told[at].contains(&format!("timestamp:{ts} ")),
            "{}",
            told[at]
        );
        assert!(told[at].contains(part), "{}", told[at]);
    }
}

#[test]
fn a_circular_file_is_in_order_and_whole_but_for_what_was_overwritten() {
    let mut etl = Etl::of(Session {
        buffer_bytes: BUFFER as u32,
        growth: Growth::Circular { data_buffers: 3 },
        ..Session::default()
    });
    for number in 0..SWITCHES * 2 {
        let (old, new) = if number % 2 == 0 { (8, 12) } else { (12, 8) };
        etl.switch(0, 10 + number, waits(old), new, 9);
    }
    let output = converted(&etl.finish());
    assert_eq!(output.converted.losses, Vec::<String>::new());
    let runs = output.runs();
    assert!(runs.windows(2).all(|pair| pair[0] < pair[1]) && runs.len() > 200);
}
