//! Decodes every event that describes itself in the real files next to the repository.

#![allow(
    clippy::expect_used,
    reason = "a real file that cannot be read fails the test"
)]

use std::collections::BTreeMap;
use std::path::Path;

use etl::{Event, EventId, TraceFile};
use schema::{SchemaCollector, Schemas, decode_json};

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

fn schemas(trace: &TraceFile) -> Schemas {
    let mut collector = SchemaCollector::new();
    each_event(trace, |event| collector.add_event(event));
    let schemas = collector.finish();
    assert_eq!(schemas.problems().collect::<Vec<_>>(), []);
    schemas
}

/// What became of the events that may have a schema: `kind: fate` and how many.
fn fates(trace: &TraceFile) -> BTreeMap<String, u64> {
    let schemas = schemas(trace);
    let mut fates = BTreeMap::new();
    let mut json = Vec::new();
    each_event(trace, |event| {
        let kind = match event.id {
            EventId::TraceLogging(_) => "TraceLogging",
            EventId::Manifest(_) => "manifest",
            _ => return,
        };
        let fate = match schemas.find(event) {
            None => "no schema".to_owned(),
            Some(schema) => {
                json.clear();
                let left_over = decode_json(
                    &schema.layout,
                    event.payload,
                    event.pointer_bytes,
                    &mut json,
                );
                assert!(
                    serde_json::from_slice::<serde_json::Value>(&json).is_ok(),
                    "{}",
                    schema.name
                );
                match left_over {
                    Ok(0) => "decoded".to_owned(),
                    Ok(_) => format!("left over in {}", schema.name),
                    Err(error) => format!("{}: {error}", schema.name),
                }
            }
        };
        *fates.entry(format!("{kind}: {fate}")).or_default() += 1;
    });
    fates
}

fn expected<const N: usize>(fates: [(&str, u64); N]) -> BTreeMap<String, u64> {
    fates.map(|(fate, count)| (fate.to_owned(), count)).into()
}

/// The first event of this name, as `provider: JSON`.
fn first(trace: &TraceFile, name: &str) -> String {
    let schemas = schemas(trace);
    let mut text = String::new();
    each_event(trace, |event| {
        if let Some(schema) = schemas
            .find(event)
            .filter(|schema| text.is_empty() && &*schema.name == name)
        {
            let mut json = Vec::new();
            decode_json(
                &schema.layout,
                event.payload,
                event.pointer_bytes,
                &mut json,
            )
            .expect("the payload fits");
            text = format!(
                "{}: {}",
                schema.provider_name,
                String::from_utf8_lossy(&json)
            );
        }
    });
    text
}

#[test]
fn tracelogging_events_decode_without_a_byte_left_over() {
    let Some(amsi) = open("AMSITrace.etl") else {
        return;
    };
    assert_eq!(fates(&amsi), expected([("TraceLogging: decoded", 19)]));
    let Some(single) = open("SelfDescribingSingleEvent.etl") else {
        return;
    };
    assert_eq!(fates(&single), expected([("TraceLogging: decoded", 1)]));
    assert_eq!(
        first(&single, "TestEvent"),
        r#"MySource: {"a":{"b":"Hello","c":"World!"}}"#
    );
}

#[test]
fn schemas_embedded_by_a_merge_cover_all_manifest_events() {
    let Some(trace) = open("TraceLoggingTester.etl.gz") else {
        return;
    };
    assert_eq!(
        fates(&trace),
        expected([("TraceLogging: decoded", 70), ("manifest: decoded", 47_490)])
    );
    insta::assert_snapshot!(first(
        &trace,
        "MarkBoolByteCharDoubleInt16Int32Int64SByteUInt16UInt32UInt64"
    ));
    insta::assert_snapshot!(first(&trace, "CLRLoaderRundown/ModuleDCEnd"));
}

/// The stacks of event 82 are longer than its schema says, and PerfView passes an argument that its manifest lacks. The
/// runtime's private provider is not described: its events are known here, but for those of one kind.
#[test]
fn embedded_schemas_and_event_source_manifests_decode() {
    let Some(trace) = open("net.4.5.2.x64.etl.zip") else {
        return;
    };
    let decoded_by_merge = 51_411;
    let decoded_by_event_source = 116;
    let known_here = 1363;
    assert_eq!(
        fates(&trace),
        expected([
            (
                "manifest: decoded",
                decoded_by_merge + decoded_by_event_source + known_here
            ),
            ("manifest: left over in CLRStack/CLRStackWalk", 14_983),
            ("manifest: left over in ClrEnableParameters", 2),
            ("manifest: no schema", 268),
        ])
    );
    insta::assert_snapshot!(first(&trace, "Type/BulkType"));
    insta::assert_snapshot!(first(&trace, "ProcessStart/Start"));
    insta::assert_snapshot!(first(&trace, "ProviderEnableParameters"));
}

#[test]
fn events_of_unmerged_traces_are_known_here_or_not_at_all() {
    let Some(gc) = open("gcevents.etl.zip") else {
        return;
    };
    assert_eq!(fates(&gc), expected([("manifest: decoded", 69)]));
    let Some(kernel) = open("diaghub.kernel.1.etl.gz") else {
        return;
    };
    assert_eq!(fates(&kernel), expected([("manifest: no schema", 1)]));
}
