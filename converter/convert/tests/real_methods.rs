//! The .NET methods of a real trace, against a count that is made here from the events themselves.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::collections::BTreeMap;

use convert::{Progress, ProgressStyle, Request};
use etl::{Event, EventId, Guid, HookId, TraceFile};
use etw::{ClrMethod, ClrModule, ClrSubject};
use schema::{Schemas, decode_json};
use serde_json::{Value, json};
use support::profile::samples;
use support::real_files;
use tempfile::TempDir;

const FILE: &str = "net.4.5.2.x64.etl.zip";
const RUNTIME: Guid = Guid::new(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4);
const RUNDOWN: Guid = Guid::new(0xa669021c_c450_4609_a035_5af59af4df18);

fn u64_at(event: &Event<'_>, at: usize) -> u64 {
    etl::bytes::u64_at(event.payload, at).expect("a real payload is whole")
}

fn u32_at(event: &Event<'_>, at: usize) -> u32 {
    etl::bytes::u32_at(event.payload, at).expect("a real payload is whole")
}

/// Methods before an address that are looked at: one address had few.
const NEAR: usize = 16;

/// A method as the events of version 1 describe it.
struct Method {
    pid: u32,
    start: u64,
    end: u64,
    name: String,
}

fn method(event: &Event<'_>) -> Method {
    let text = event.payload.get(36..).expect("a name");
    let units = text.chunks_exact(2);
    let units: Vec<u16> = units
        .map(|unit| u16::from_le_bytes(unit.try_into().expect("two bytes")))
        .collect();
    let mut texts = units.split(|unit| *unit == 0).map(String::from_utf16_lossy);
    let mut next = || texts.next().expect("a type and a name");
    let (namespace, name) = (next(), next());
    let start = u64_at(event, 16);
    Method {
        pid: event.header_pid.expect("the runtime's process"),
        start,
        end: start + u64::from(u32_at(event, 24)),
        name: if namespace.is_empty() {
            name
        } else {
            format!("{namespace}.{name}")
        },
    }
}

/// What the events tell: methods of the rundown and loads, threads by their process, samples by address and thread.
#[derive(Default)]
struct Told {
    methods: Vec<Method>,
    unloaded: Vec<Method>,
    pids: BTreeMap<u32, u32>,
    samples: Vec<(u64, u32)>,
}

fn told(trace: &TraceFile) -> Told {
    let mut told = Told::default();
    let mut merge = trace.merge(|_| ());
    while let Some(event) = merge.next_event().and_then(|merged| merged.event()) {
        match event.id {
            EventId::Kernel(HookId(0x0F2E)) => {
                told.samples.push((u64_at(&event, 0), u32_at(&event, 8)));
            }
            EventId::Kernel(HookId(0x0501..=0x0504)) => {
                told.pids.insert(u32_at(&event, 4), u32_at(&event, 0));
            }
            EventId::Manifest(of) => match (of.provider, of.id) {
                (RUNTIME, 143) | (RUNDOWN, 144) => told.methods.push(method(&event)),
                (RUNTIME, 144) => told.unloaded.push(method(&event)),
                _ => {}
            },
            _ => {}
        }
    }
    told
}

/// The most frequent names, equal ones by name.
fn hottest(counts: &BTreeMap<String, usize>) -> Vec<String> {
    let mut all: Vec<_> = counts.iter().collect();
    all.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), (*name).clone()));
    let line = |(name, count): &(&String, &usize)| format!("{count} {name}");
    all.iter().take(15).map(line).collect()
}

#[test]
fn sampled_methods_are_those_that_the_events_name() {
    let Some(folder) = real_files() else { return };
    let input = folder.join(FILE);
    let trace = TraceFile::open(&input).expect("a real trace opens");
    let told = told(&trace);
    assert_eq!(told.methods.len(), 16_702 + 290);
    assert_eq!(told.unloaded.len(), 288);
    let mut expected = BTreeMap::new();
    let by_start = told.methods.iter().enumerate();
    let by_start: BTreeMap<_, _> = by_start
        .map(|(at, method)| ((method.pid, method.start, at), method))
        .collect();
    for (address, tid) in &told.samples {
        let pid = told.pids.get(tid).copied().unwrap_or_default();
        let near = by_start
            .range(..=(pid, *address, usize::MAX))
            .rev()
            .take(NEAR);
        let mut here = near
            .map(|(_, method)| method)
            .filter(|method| method.pid == pid && (method.start..method.end).contains(address));
        if let Some(first) = here.next() {
            // No address that was sampled has had two methods, so that time does not count here.
            assert!(here.all(|method| method.name == first.name), "{address:x}");
            *expected.entry(first.name.clone()).or_insert(0) += 1;
        }
    }
    let output = TempDir::new().expect("there is a temporary folder");
    let output = output.path().join("out.pftrace");
    let progress = Progress::new(ProgressStyle::None);
    convert::convert(&[&input], &output, &Request::default(), false, &progress)
        .expect("a real trace converts");
    let written = samples(&std::fs::read(&output).expect("there is an output"));
    let mut counts = BTreeMap::new();
    let (mut outside_images, mut named_there) = (0, 0);
    for sample in written.iter().filter(|sample| !sample.is_of_event) {
        let frame = sample.frames.first().expect("a sample has a frame");
        if !frame.is_image {
            outside_images += 1;
            named_there += usize::from(!frame.function.is_empty());
        }
        if !frame.function.is_empty() {
            *counts.entry(frame.function.clone()).or_insert(0) += 1;
        }
    }
    let named: usize = counts.values().sum();
    let summary = format!(
        "{named} samples in methods; {outside_images} outside all images, {named_there} of them in methods"
    );
    insta::assert_snapshot!(format!("{summary}\n{}", hottest(&counts).join("\n")));
    assert_eq!(counts, expected);
}

/// What names frames, as the fields of the event that tells it.
fn decoded(event: &Event<'_>) -> Option<Value> {
    let hex = |number: u64| format!("0x{number:x}");
    Some(match ClrSubject::of(event)? {
        ClrSubject::Method(_) => {
            let method = ClrMethod::decode(event.payload).expect("a real method is whole");
            json!({
                "ModuleID": hex(method.module_id),
                "MethodStartAddress": hex(method.start),
                "MethodSize": hex(method.size_bytes.into()),
                "MethodNamespace": method.namespace.to_text(),
                "MethodName": method.name.to_text(),
            })
        }
        subject @ (ClrSubject::Module | ClrSubject::DomainModule) => {
            let of_domain = subject == ClrSubject::DomainModule;
            let module =
                ClrModule::decode(of_domain, event.payload).expect("a real module is whole");
            json!({"ModuleID": hex(module.id), "ModuleILPath": module.il_path.to_text()})
        }
    })
}

#[test]
fn frames_are_named_by_the_fields_that_events_show() {
    let Some(folder) = real_files() else { return };
    let trace = TraceFile::open(&folder.join(FILE)).expect("a real trace opens");
    let bundled_only = Schemas::default();
    let mut compared = 0;
    let mut merge = trace.merge(|_| ());
    while let Some(event) = merge.next_event().and_then(|merged| merged.event()) {
        let Some(Value::Object(expected)) = decoded(&event) else {
            continue;
        };
        let schema = bundled_only.find(&event).expect("the event is known here");
        let mut fields = Vec::new();
        decode_json(
            &schema.layout,
            event.payload,
            event.pointer_bytes,
            &mut fields,
        )
        .expect("the payload fits");
        let fields: Value = serde_json::from_slice(&fields).expect("fields are JSON");
        for (name, value) in expected {
            assert_eq!(fields[&name], value, "{name} of {}", schema.name);
        }
        compared += 1;
    }
    assert_eq!(compared, 16_702 + 290 + 288 + 27 + 26 + 1 + 2 + 2);
}
