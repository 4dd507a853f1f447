//! From the events of a synthetic file to schemas: which schema an event gets.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "the file is written here"
)]

use std::io::Cursor;

use etl::{Buffer, TraceFile};
use schema::{SchemaCollector, Schemas, decode_json};
use synth::file::bytes::Guid;
use synth::file::event::{At, Origin, ProviderEvent};
use synth::file::session::Session;
use synth::file::writer::TraceWriter;

const PROVIDER: Guid = Guid::from_u128(0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c);
const METADATA: Guid = Guid::from_u128(0xbbccf6c1_6cd1_48c4_80ff_839482e37671);
const TRACE_LOGGING_SCHEMA: u16 = 0x0B;
const MANIFEST_EVENT_ID: u16 = 0xFFFE;

/// What is logged by one process.
enum Logged {
    Manifest {
        id: u16,
        version: u8,
        payload: Vec<u8>,
    },
    TraceLogging {
        schema: Vec<u8>,
        payload: Vec<u8>,
    },
    Metadata {
        event_type: u8,
        record: Vec<u8>,
    },
}

fn trace(events: &[Logged]) -> TraceFile {
    let session = Session::default();
    let start = session.start_ticks;
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), session).expect("memory takes it");
    let origin = Origin { tid: 8, pid: 4 };
    for (ticks, event) in (start..).zip(events) {
        let at = At::new(0, ticks);
        let provider = |id, version, extended, payload: &Vec<u8>| ProviderEvent {
            provider: PROVIDER,
            id,
            version,
            channel: 0,
            level: 4,
            opcode: 0,
            task: 0,
            keywords: 0,
            activity: Guid([0; 16]),
            extended,
            payload: payload.clone(),
        };
        let written = match event {
            Logged::Manifest {
                id,
                version,
                payload,
            } => writer.provider(at, origin, &provider(*id, *version, vec![], payload)),
            Logged::TraceLogging { schema, payload } => {
                let items = vec![(TRACE_LOGGING_SCHEMA, schema.clone())];
                writer.provider(at, origin, &provider(0, 0, items, payload))
            }
            Logged::Metadata { event_type, record } => {
                writer.raw(at, &full_header(*event_type, ticks, record))
            }
        };
        written.expect("memory takes it");
    }
    let (file, _) = writer.finish(start + 1000).expect("memory takes it");
    TraceFile::from_bytes(file.into_inner()).expect("a sound file")
}

/// An event of class `METADATA` with a `FULL_HEADER64`.
fn full_header(event_type: u8, ticks: i64, record: &[u8]) -> Vec<u8> {
    let size = u16::try_from(0x30 + record.len()).expect("small");
    let marker = [0x14, 0xC0, event_type, 0, 0, 0];
    let ids = [8, 0, 0, 0, 4, 0, 0, 0];
    let start = [
        &size.to_le_bytes()[..],
        &marker,
        &ids,
        &ticks.to_le_bytes(),
        &METADATA.0,
        &[0; 8],
    ];
    [start.concat(), record.to_vec()].concat()
}

fn buffers(trace: &TraceFile) -> Vec<Buffer> {
    let read = |index| {
        let mut buffer = Buffer::new();
        trace
            .read_buffer(index, &mut buffer)
            .expect("a sound buffer");
        buffer
    };
    (0..trace.buffers().len()).map(read).collect()
}

fn collected(trace: &TraceFile) -> Schemas {
    let mut collector = SchemaCollector::new();
    for buffer in buffers(trace) {
        buffer
            .events()
            .for_each(|event| collector.add_event(&event));
    }
    collector.finish()
}

/// The events that have a schema, as `name JSON`.
fn decoded(trace: &TraceFile, schemas: &Schemas) -> Vec<String> {
    let mut texts = Vec::new();
    for buffer in buffers(trace) {
        for event in buffer.events() {
            if let Some(schema) = schemas.find(&event) {
                let mut json = Vec::new();
                decode_json(
                    &schema.layout,
                    event.payload,
                    event.pointer_bytes,
                    &mut json,
                )
                .expect("it fits");
                texts.push(format!(
                    "{} {}",
                    schema.name,
                    String::from_utf8_lossy(&json)
                ));
            }
        }
    }
    texts
}

fn manifest(events: &str) -> Vec<u8> {
    let guid = "{3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c}";
    let templates = r#"<template tid="T"><data name="x" inType="win:UInt8"/></template>
        <template tid="U"><data name="x" inType="win:UInt8"/><data name="y" inType="win:UInt8"/></template>"#;
    format!(r#"<m><provider name="P" guid="{guid}">{events}{templates}</provider></m>"#)
        .into_bytes()
}

fn chunks(manifest: &[u8]) -> Vec<Logged> {
    let (first, second) = manifest.split_at(manifest.len() / 2);
    let chunk = |number: u8, text: &[u8]| [&[1, 1, 0, 0x5B, 2, 0, number, 0], text].concat();
    let logged = |payload| Logged::Manifest {
        id: MANIFEST_EVENT_ID,
        version: 1,
        payload,
    };
    vec![logged(chunk(1, second)), logged(chunk(0, first))]
}

/// A `TRACE_EVENT_INFO` of event 1 with a u8 named `embedded`, whose values a map names.
fn event_info() -> Vec<u8> {
    let mut record = vec![0; 0x70 + 24];
    let mut put = |at: usize, bytes: &[u8]| record[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &PROVIDER.0);
    put(0x20, &[1]);
    put(0x64, &[1, 0, 0, 0, 1]);
    put(0x70 + 4, &[0x88]);
    put(0x70 + 8, &[4, 0, 0, 0, 0x9A]);
    put(0x70 + 0x10, &[1]);
    record.extend("embedded\0M\0".encode_utf16().flat_map(u16::to_le_bytes));
    record
}

/// An `EVENT_MAP_INFO` named M, of the value 7.
fn map_info() -> Vec<u8> {
    let header = [
        [24, 0, 0, 0],
        [1, 0, 0, 0],
        [1, 0, 0, 0],
        [0; 4],
        [28, 0, 0, 0],
        [7, 0, 0, 0],
    ]
    .concat();
    let names = "M\0seven\0".encode_utf16().flat_map(u16::to_le_bytes);
    [PROVIDER.0.to_vec(), header, names.collect()].concat()
}

#[test]
fn a_schema_may_stand_after_its_events() {
    let event = |id, payload: &[u8]| Logged::Manifest {
        id,
        version: 0,
        payload: payload.to_vec(),
    };
    let mut events = vec![event(1, &[5]), event(2, &[6])];
    events.extend(chunks(&manifest(
        r#"<event value="1" symbol="One" template="T"/>"#,
    )));
    let trace = trace(&events);
    let schemas = collected(&trace);
    assert_eq!(decoded(&trace, &schemas), [r#"One {"x":5}"#]);
    assert_eq!((schemas.len(), schemas.problems().count()), (1, 0));
}

#[test]
fn an_event_gets_the_highest_version_that_is_not_above_its_own() {
    let versions = r#"<event value="1" version="1" symbol="V1" template="T"/>
        <event value="1" version="4" symbol="V4" template="U"/>"#;
    let event = |version| Logged::Manifest {
        id: 1,
        version,
        payload: vec![1, 2],
    };
    let trace = trace(&[event(1), event(3), event(4), event(9), event(0)]);
    let mut collector = SchemaCollector::new();
    collector
        .add_manifest(&manifest(versions))
        .expect("a sound manifest");
    let (v1, v4) = (r#"V1 {"x":1}"#, r#"V4 {"x":1,"y":2}"#);
    assert_eq!(decoded(&trace, &collector.finish()), [v1, v1, v4, v4, v1]);
}

#[test]
fn what_the_merge_embedded_comes_before_a_manifest() {
    let mut events = chunks(&manifest(r#"<event value="1" symbol="One" template="T"/>"#));
    events.push(Logged::Metadata {
        event_type: 0x20,
        record: event_info(),
    });
    events.push(Logged::Manifest {
        id: 1,
        version: 0,
        payload: vec![7],
    });
    events.push(Logged::Metadata {
        event_type: 0x21,
        record: map_info(),
    });
    let trace = trace(&events);
    assert_eq!(
        decoded(&trace, &collected(&trace)),
        [r#"Event 1 {"embedded":"seven"}"#]
    );
}

#[test]
fn tracelogging_events_of_one_provider_are_told_apart_by_their_schemas() {
    let event = |schema: &[u8]| Logged::TraceLogging {
        schema: schema.to_vec(),
        payload: vec![9],
    };
    let (a, b, bad) = (
        b"\x08\0\0A\0x\0\x04",
        b"\x08\0\0B\0x\0\x03",
        b"\x08\0\0C\0x\0\x1F",
    );
    let trace = trace(&[event(a), event(b), event(a), event(bad), event(bad)]);
    let schemas = collected(&trace);
    assert_eq!(
        decoded(&trace, &schemas),
        [r#"A {"x":9}"#, r#"B {"x":9}"#, r#"A {"x":9}"#]
    );
    assert_eq!(schemas.len(), 2);
    let problem = "TraceLogging: schema, byte 7: expected a documented type".to_owned();
    assert_eq!(schemas.problems().collect::<Vec<_>>(), [(problem, 2)]);
}

#[test]
fn collectors_of_parts_of_a_trace_are_put_together() {
    let mut events = chunks(&manifest(r#"<event value="1" symbol="One" template="T"/>"#));
    events.push(Logged::Manifest {
        id: 1,
        version: 0,
        payload: vec![7],
    });
    events.push(Logged::TraceLogging {
        schema: b"\x08\0\0A\0x\0\x04".to_vec(),
        payload: vec![8],
    });
    let trace = trace(&events);
    let mut collectors = [SchemaCollector::new(), SchemaCollector::new()];
    for buffer in buffers(&trace) {
        for (number, event) in buffer.events().enumerate() {
            collectors[number % 2].add_event(&event);
        }
    }
    let [mut first, second] = collectors;
    first.absorb(second);
    let schemas = first.finish();
    assert_eq!(
        decoded(&trace, &schemas),
        [r#"One {"x":7}"#, r#"A {"x":8}"#]
    );
    assert_eq!(schemas.problems().count(), 0);
}

#[test]
fn a_manifest_that_is_not_whole_is_told() {
    let mut events = chunks(&manifest(""));
    events.truncate(1);
    let problem =
        "EventSource manifest: schema, byte 0: expected all chunks of the manifest".to_owned();
    assert_eq!(
        collected(&trace(&events)).problems().collect::<Vec<_>>(),
        [(problem, 1)]
    );
}
