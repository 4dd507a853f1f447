//! How fast events are decoded to JSON: `cargo bench -p schema`.
//!
//! The input is every event that has a schema in a real trace, `../shared/etl/TraceLoggingTester.etl.gz` next to the
//! repository or the file named by the environment variable `SCHEMA_BENCH_FILE`.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use etl::{Buffer, Event, TraceFile};
use schema::{SchemaCollector, Schemas, decode_json};

fn main() {
    divan::main();
}

struct Input {
    buffers: Vec<Buffer>,
    schemas: Schemas,
}

static INPUT: LazyLock<Option<Input>> = LazyLock::new(|| {
    let own =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/etl/TraceLoggingTester.etl.gz");
    let path = std::env::var_os("SCHEMA_BENCH_FILE").map_or(own, PathBuf::from);
    let Ok(trace) = TraceFile::open(&path) else {
        eprintln!("SKIPPED: {} cannot be read", path.display());
        return None;
    };
    let buffers = (0..trace.buffers().len()).filter_map(|index| {
        let mut buffer = Buffer::new();
        trace.read_buffer(index, &mut buffer).ok().map(|()| buffer)
    });
    let buffers: Vec<_> = buffers.collect();
    let schemas = collect(&buffers);
    Some(Input { buffers, schemas })
});

fn events(buffers: &[Buffer]) -> impl Iterator<Item = Event<'_>> {
    buffers.iter().flat_map(Buffer::events)
}

fn collect(buffers: &[Buffer]) -> Schemas {
    let mut collector = SchemaCollector::new();
    events(buffers).for_each(|event| collector.add_event(&event));
    collector.finish()
}

/// Pass 1 over all events, those without schema included.
#[divan::bench(sample_count = 10)]
fn collect_schemas(bencher: Bencher<'_, '_>) {
    let Some(input) = &*INPUT else { return };
    bencher
        .counter(ItemsCount::new(events(&input.buffers).count()))
        .bench(|| collect(&input.buffers));
}

/// Finding the schema and writing the JSON of all events that have one.
#[divan::bench(sample_count = 10)]
fn find_and_decode_json(bencher: Bencher<'_, '_>) {
    let Some(input) = &*INPUT else { return };
    let described: Vec<_> = events(&input.buffers)
        .filter(|event| input.schemas.find(event).is_some())
        .collect();
    let payload_bytes: usize = described.iter().map(|event| event.payload.len()).sum();
    let mut json = Vec::new();
    bencher
        .counter(ItemsCount::new(described.len()))
        .counter(BytesCount::new(payload_bytes))
        .bench_local(|| {
            for event in &described {
                if let Some(schema) = input.schemas.find(event) {
                    json.clear();
                    let _ = decode_json(
                        &schema.layout,
                        event.payload,
                        event.pointer_bytes,
                        &mut json,
                    );
                    divan::black_box(&json);
                }
            }
        });
}
