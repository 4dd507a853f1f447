//! How fast buffers are inflated, walked and merged: `cargo bench -p etl`.
//!
//! The input is a trace of 16 processors in 64 KiB buffers: two million context switches of 40 bytes, or a trace
//! file named by the environment variable `ETL_BENCH_FILE`.

use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use etl::{Buffer, TraceFile};

#[path = "../tests/support/mod.rs"]
mod support;
use support::{LogHeader, START_RAW, TestBuffer, perfinfo64, trace};

const PROCESSORS: u32 = 16;
const BUFFERS_EACH: u32 = 77;
const EVENTS_EACH: u32 = 1630;

fn main() {
    divan::main();
}

/// Buffers in which every processor switches once in 16 ticks, on average.
fn buffers() -> impl Iterator<Item = TestBuffer> {
    (0..PROCESSORS * BUFFERS_EACH).map(|number| {
        let (round, processor) = (number / PROCESSORS, number % PROCESSORS);
        let events = (0..EVENTS_EACH).map(|event| {
            let step = round * EVENTS_EACH + event;
            let payload: Vec<u8> = (0..6u32)
                .flat_map(|word| (step * word % 977).to_le_bytes())
                .collect();
            let jitter = i64::from(step.wrapping_mul(2_654_435_761) >> 29);
            perfinfo64(
                0x0524,
                START_RAW + i64::from(step * 16 + processor) + jitter,
                &payload,
            )
        });
        TestBuffer::new(processor as u16, i64::from(number) + 1, events.collect())
    })
}

fn written(buffers: &[TestBuffer]) -> TraceFile {
    let header = LogHeader {
        buffer_bytes: 0x1_0000,
        ..LogHeader::default()
    };
    opened(TraceFile::from_bytes(trace(header, buffers)))
}

fn opened(trace: Result<TraceFile, etl::OpenError>) -> TraceFile {
    trace.unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(2)
    })
}

static PLAIN: LazyLock<TraceFile> = LazyLock::new(|| match std::env::var_os("ETL_BENCH_FILE") {
    Some(path) => opened(TraceFile::open(path.as_ref())),
    None => written(&buffers().collect::<Vec<_>>()),
});

static COMPRESSED: LazyLock<TraceFile> =
    LazyLock::new(|| written(&buffers().map(TestBuffer::compressed).collect::<Vec<_>>()));

fn walked(trace: &TraceFile) -> usize {
    let mut buffer = Buffer::new();
    (0..trace.buffers().len())
        .map(|index| {
            let _ = trace.read_buffer(index, &mut buffer);
            buffer
                .events()
                .map(|event| usize::from(event.cpu < 1024))
                .sum::<usize>()
        })
        .sum()
}

fn merged(trace: &TraceFile) -> u64 {
    let mut merge = trace.merge(|_| ());
    let mut sum = 0;
    while let Some(merged) = merge.next_event() {
        sum ^= merged.event().map_or(0, |event| event.timestamp);
    }
    divan::black_box(sum);
    merge.stats().events
}

#[divan::bench]
fn inflate(bencher: Bencher<'_, '_>) {
    let data: Vec<u8> = buffers()
        .next()
        .into_iter()
        .flat_map(|buffer| buffer.events.concat())
        .collect();
    let packed = support::compress::compress(&data);
    let mut output = vec![0; data.len()];
    bencher
        .counter(BytesCount::of_slice(&data))
        .bench_local(|| etl::inflate(&packed, &mut output));
}

#[divan::bench(sample_count = 5)]
fn walk(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(walked(&PLAIN)))
        .bench_local(|| walked(&PLAIN));
}

#[divan::bench(sample_count = 5)]
fn walk_compressed(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(walked(&COMPRESSED)))
        .bench_local(|| walked(&COMPRESSED));
}

#[divan::bench(sample_count = 5)]
fn merge(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(walked(&PLAIN)))
        .bench_local(|| merged(&PLAIN));
}

#[divan::bench(sample_count = 5)]
fn merge_compressed(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(walked(&COMPRESSED)))
        .bench_local(|| merged(&COMPRESSED));
}
