//! Decodes events by bundled layouts: every one in the real files next to the repository.

#![allow(
    clippy::expect_used,
    reason = "a real file that cannot be read fails the test"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::path::Path;

use etl::{Event, TraceFile};
use schema::{SchemaCollector, Schemas, TraceClock, decode_json, decode_json_timed};
use synth::file::event::At;
use synth::file::session::Session;
use synth::file::writer::TraceWriter;

/// The trace; `None`, with a loud message, where the folder of real files is absent.
fn open(name: &str) -> Option<TraceFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/etl");
    if !folder.is_dir() {
        eprintln!(
            "SKIPPED: no real .etl files, {} is absent",
            folder.display()
        );
        return None;
    }
    Some(TraceFile::open(&folder.join(name)).expect("a real file opens"))
}

fn each_event(trace: &TraceFile, mut take: impl FnMut(&Event<'_>)) {
    let mut merge = trace.merge(|_| ());
    while let Some(event) = merge.next_event().and_then(|merged| merged.event()) {
        take(&event);
    }
}

/// Name of the event, and its JSON or what is wrong with it; `None` without a schema.
fn decode(schemas: &Schemas, event: &Event<'_>) -> Option<(String, Result<String, String>)> {
    let schema = schemas.find(event)?;
    let name = format!("{}/{}", schema.provider_name, schema.name);
    let mut json = Vec::new();
    let decoded = match decode_json(
        &schema.layout,
        event.payload,
        event.pointer_bytes,
        &mut json,
    ) {
        Ok(0) => Ok(String::from_utf8(json).expect("JSON is UTF-8")),
        Ok(left_over) => Err(format!("{left_over} bytes left over")),
        Err(error) => Err(error.to_string()),
    };
    Some((name, decoded))
}

/// Every kind of event that has a bundled layout: how many there are, and what is wrong with the first that does not
/// decode without a byte left over.
fn kinds(name: &str) -> Option<String> {
    let trace = open(name)?;
    let bundled_only = Schemas::default();
    let mut kinds: BTreeMap<String, (u64, Option<String>)> = BTreeMap::new();
    each_event(&trace, |event| {
        if let Some((name, decoded)) = decode(&bundled_only, event) {
            let (count, fault) = kinds.entry(name).or_default();
            *count += 1;
            if fault.is_none() {
                *fault = decoded.err();
            }
        }
    });
    let line = |(name, (count, fault)): (String, (u64, Option<String>))| match fault {
        None => format!("{count:>6} {name}\n"),
        Some(fault) => format!("{count:>6} {name}: {fault}\n"),
    };
    Some(kinds.into_iter().map(line).collect())
}

/// The first event of each of these kinds.
fn first(name: &str, wanted: &[&str]) -> Option<String> {
    let trace = open(name)?;
    let bundled_only = Schemas::default();
    let mut found = BTreeMap::new();
    each_event(&trace, |event| {
        if let Some((name, decoded)) = decode(&bundled_only, event)
            && wanted.contains(&&*name)
        {
            found.entry(name).or_insert(decoded);
        }
    });
    let line = |(name, decoded): (String, Result<String, String>)| {
        let text = decoded.unwrap_or_else(|fault| fault);
        format!("{name} {text}\n")
    };
    Some(found.into_iter().map(line).collect())
}

/// A DPC event with a PERFINFO header for 64 bit.
fn dpc(ticks: i64, initial_ticks: i64) -> Vec<u8> {
    let header = [2, 0, 0x11, 0xC0, 0x20, 0, 0x44, 0x0F];
    let routine = 0xFFFF_F800_1234_5678_u64;
    [
        &header[..],
        &ticks.to_le_bytes(),
        &initial_ticks.to_le_bytes(),
        &routine.to_le_bytes(),
    ]
    .concat()
}

#[test]
fn raw_times_are_ns_where_the_clock_is_known() {
    let session = Session::default();
    let ticks_at = |ns| session.ticks_at(ns);
    let event = dpc(ticks_at(5_000_000), ticks_at(4_990_000));
    let at = At::new(0, ticks_at(5_000_000));
    let mut writer =
        TraceWriter::new(Cursor::new(Vec::new()), session.clone()).expect("memory takes it");
    writer.raw(at, &event).expect("memory takes it");
    let (file, _) = writer
        .finish(session.ticks_at(6_000_000))
        .expect("memory takes it");
    let trace = TraceFile::from_bytes(file.into_inner()).expect("a sound file");

    let clock = TraceClock {
        clock: &trace.clock(),
        start_ts: 1_000_000_000,
    };
    let mut decoded = Vec::new();
    each_event(&trace, |event| {
        if let Some(schema) = Schemas::default().find(event) {
            let mut json = Vec::new();
            decode_json_timed(&schema.layout, event.payload, 8, clock, None, &mut json)
                .expect("the payload fits");
            decoded.push(String::from_utf8(json).expect("JSON is UTF-8"));
        }
    });
    assert_eq!(
        decoded,
        [r#"{"InitialTime_ts":1004990000,"Routine":"0xfffff80012345678"}"#]
    );
}

#[test]
fn every_event_with_a_bundled_layout_decodes_whole() {
    let traces = [
        "ShutdownPerfDiagLogger.etl",
        "net.4.5.2.x64.etl.zip",
        "TraceLoggingTester.etl.gz",
        "diaghub.kernel.1.etl.gz",
        "gcevents.etl.zip",
        "AMSITrace.etl",
        "SelfDescribingSingleEvent.etl",
        "classic/test_data_32_v1.etl",
    ];
    for name in traces {
        if let Some(kinds) = kinds(name) {
            insta::assert_snapshot!(name, kinds);
        }
    }
}

/// A test program wrote 64-bit payloads, some with sizes of 4 bytes, under headers that say 32 bit.
#[test]
fn images_under_headers_of_another_width_do_not() {
    for version in 0..3 {
        let name = format!("classic/image_data_64_v{version}.etl");
        if let Some(kinds) = kinds(&name) {
            insta::assert_snapshot!(name, kinds);
        }
    }
}

#[test]
fn what_the_trace_says_goes_first() {
    let Some(trace) = open("net.4.5.2.x64.etl.zip") else {
        return;
    };
    let mut collector = SchemaCollector::new();
    each_event(&trace, |event| collector.add_event(event));
    let (schemas, bundled_only) = (collector.finish(), Schemas::default());
    let mut opcodes = Vec::new();
    each_event(&trace, |event| {
        if let Some(bundled) = bundled_only.find(event)
            && &*bundled.provider_name == "Microsoft-Windows-Kernel-Process"
        {
            let found = schemas.find(event).expect("the trace has one");
            opcodes.push((bundled.opcode.clone(), found.opcode.clone()));
        }
    });
    assert_eq!(
        opcodes,
        [(None, Some("Start".into())), (None, Some("Stop".into()))]
    );
}

/// Names and values of all kinds of the .NET runtime's events, but for stacks: descriptions say two frames of them.
#[test]
fn bundled_fields_of_the_runtime_are_those_that_a_trace_names() {
    let Some(trace) = open("net.4.5.2.x64.etl.zip") else {
        return;
    };
    let mut collector = SchemaCollector::new();
    each_event(&trace, |event| collector.add_event(event));
    let (schemas, bundled_only) = (collector.finish(), Schemas::default());
    let (mut kinds, mut compared) = (BTreeSet::new(), 0);
    each_event(&trace, |event| {
        let Some((own, bundled)) = schemas.find(event).zip(bundled_only.find(event)) else {
            return;
        };
        let is_of_runtime = own.provider_name.contains("-DotNETRuntime");
        if !is_of_runtime || std::ptr::eq(own, bundled) || &*own.name == "CLRStack/CLRStackWalk" {
            return;
        }
        assert_eq!(decode(&schemas, event), decode(&bundled_only, event));
        kinds.insert(own.name.clone());
        compared += 1;
    });
    assert_eq!((kinds.len(), compared), (48, 50_758));
}

#[test]
fn fields_have_plausible_values() {
    let wanted = [
        "DiskIo/Read",
        "FileIo/FileRundown",
        "KernelTraceControl-ImageID/DbgIdRSDS",
        "Memory/HardFault",
        "PerfInfo/CollectionStart",
        "Process/PerfCtrRundown",
        "SysConfig/LogDisk",
        "SysConfig/Network",
        "SysConfig/Platform",
        "SysConfig/Services",
        "TcpIp/SendIPV6",
        "UdpIp/Recv",
    ];
    if let Some(first) = first("net.4.5.2.x64.etl.zip", &wanted) {
        insta::assert_snapshot!(first);
    }
    let wanted = [
        "KernelTraceControl-ImageID/DbgIdDbg",
        "SysConfig/IRQ",
        "SysConfig/NumaNode",
        "SysConfig/PnP",
        "SysConfig/Processor",
        "SysConfig/ProcessorGroup",
    ];
    if let Some(first) = first("TraceLoggingTester.etl.gz", &wanted) {
        insta::assert_snapshot!(first);
    }
    let wanted = [
        "GCAllocationTick",
        "GCFitBucketInfo",
        "GCGlobalHeapHistory",
        "GCLOHCompact",
        "GCMarkWithType",
        "GCPerHeapHistory",
    ]
    .map(|event| format!("Microsoft-Windows-DotNETRuntime/GarbageCollection/{event}"));
    if let Some(first) = first("gcevents.etl.zip", &wanted.each_ref().map(String::as_str)) {
        insta::assert_snapshot!(first);
    }
}
