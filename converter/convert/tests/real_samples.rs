//! The profile of a real trace, against a count that is made here from the events themselves.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::collections::{BTreeMap, BTreeSet};

use convert::{Progress, ProgressStyle, Request};
use etl::{Event, EventId, HookId, TraceFile};
use support::profile::{Frame, Sample, samples};
use support::real_files;
use tempfile::TempDir;

const FILE: &str = "net.4.5.2.x64.etl.zip";
/// First address of the kernel's half.
const KERNEL: u64 = 1 << 63;
/// Module of an address outside all images.
const NONE: &str = "";

fn u64_at(event: &Event<'_>, at: usize) -> u64 {
    etl::bytes::u64_at(event.payload, at).expect("a real payload is whole")
}

fn u32_at(event: &Event<'_>, at: usize) -> u32 {
    etl::bytes::u32_at(event.payload, at).expect("a real payload is whole")
}

/// Calls `look` with the hook of each kernel event, in time order.
fn walk(trace: &TraceFile, mut look: impl FnMut(u16, &Event<'_>)) {
    let mut merge = trace.merge(|_| ());
    while let Some(event) = merge.next_event().and_then(|merged| merged.event()) {
        if let EventId::Kernel(HookId(hook)) = event.id {
            look(hook, &event);
        }
    }
}

/// An image for a time, by the events of version 2 and 8-byte pointers that this file has.
struct Image {
    pid: u32,
    base: u64,
    end: u64,
    from: i64,
    until: i64,
    path: String,
}

fn image(event: &Event<'_>) -> Image {
    let name = event.payload.get(0x38..).expect("a name");
    let units: Vec<u16> = name
        .chunks_exact(2)
        .map(|unit| u16::from_le_bytes(unit.try_into().expect("two bytes")))
        .take_while(|unit| *unit != 0)
        .collect();
    let base = u64_at(event, 0);
    Image {
        pid: if base >= KERNEL {
            0
        } else {
            u32_at(event, 0x10)
        },
        base,
        end: base + u64_at(event, 8),
        from: i64::MIN,
        until: i64::MAX,
        path: String::from_utf16_lossy(&units),
    }
}

/// Images, loads and unloads paired.
fn images(trace: &TraceFile) -> Vec<Image> {
    let mut images: Vec<Image> = Vec::new();
    walk(trace, |hook, event| {
        if !matches!(hook, 0x030A | 0x1402..=0x1404) {
            return;
        }
        let found = image(event);
        let open = images.iter_mut().find(|open| {
            (open.pid, open.base) == (found.pid, found.base) && open.until == i64::MAX
        });
        match open {
            Some(open) if hook != 0x030A => {
                // Loads leave out the volume; what comes later has the whole path.
                open.path = found.path;
                if hook == 0x1402 {
                    open.until = event.timestamp;
                }
            }
            _ => images.push(Image {
                from: if hook == 0x030A {
                    event.timestamp
                } else {
                    i64::MIN
                },
                until: if hook == 0x1402 {
                    event.timestamp
                } else {
                    i64::MAX
                },
                ..found
            }),
        }
    });
    images
}

/// Each thread's end and process. The file has no reused thread id.
fn threads(trace: &TraceFile) -> BTreeMap<u32, (i64, u32)> {
    let mut threads = BTreeMap::new();
    walk(trace, |hook, event| {
        if !matches!(hook, 0x0501..=0x0504) {
            return;
        }
        let (pid, tid) = (u32_at(event, 0), u32_at(event, 4));
        let (until, of) = threads.entry(tid).or_insert((i64::MAX, pid));
        assert_eq!(*of, pid, "thread {tid} is reused");
        if hook == 0x0502 {
            *until = event.timestamp;
        }
    });
    threads
}

type Counts = BTreeMap<(String, bool), usize>;

/// Samples by the module that their address is in, and whether that is the kernel's half.
fn expected(trace: &TraceFile) -> Counts {
    let (images, threads) = (images(trace), threads(trace));
    let mut counts = Counts::new();
    walk(trace, |hook, event| {
        if hook != 0x0F2E {
            return;
        }
        let (address, tid, raw) = (u64_at(event, 0), u32_at(event, 8), event.timestamp);
        let pid = threads
            .get(&tid)
            .filter(|(until, _)| raw < *until)
            .map(|(_, pid)| *pid);
        let own = |image: &&Image| {
            (image.base >= KERNEL || Some(image.pid) == pid)
                && (image.base..image.end).contains(&address)
                && (image.from..image.until).contains(&raw)
        };
        let path = images.iter().find(own).map_or(NONE, |image| &image.path);
        let key = (path.to_owned(), address >= KERNEL);
        *counts.entry(key).or_default() += 1;
    });
    counts
}

/// Number of moments of threads for which there is a stack but no sample.
fn stacks_of_others(trace: &TraceFile) -> usize {
    let (mut stacks, mut samples) = (BTreeSet::new(), BTreeSet::new());
    let mut merge = trace.merge(|_| ());
    while let Some(merged) = merge.next_event() {
        let event = &merged.event().expect("a merged event is there");
        let raw = event.timestamp.cast_unsigned();
        match event.id {
            EventId::Kernel(HookId(0x0F2E)) => {
                samples.insert((raw, u32_at(event, 8)));
            }
            EventId::Kernel(HookId(0x1820 | 0x1825 | 0x1826)) => {
                stacks.insert((u64_at(event, 0), u32_at(event, 0xC)));
            }
            // Describes other events, and is not written as one.
            EventId::Manifest(described) if described.id == 0xFFFE => {}
            _ => {
                let has_stack = event.extended().any(|item| {
                    let addresses = item.data.get(8..).unwrap_or_default();
                    item.item_type == 6 && addresses.iter().any(|byte| *byte != 0)
                });
                let own = event.acting.filter(|_| has_stack);
                stacks.extend(own.map(|(_, tid)| (raw, tid)));
            }
        }
    }
    stacks.difference(&samples).count()
}

/// Stacks by what they belong to.
fn kinds(stacks: &[Sample]) -> String {
    let mut kinds = BTreeMap::new();
    for stack in stacks {
        *kinds.entry(stack.of()).or_insert(0) += 1;
    }
    let lines: Vec<String> = kinds.iter().map(|(of, n)| format!("{n} {of}")).collect();
    lines.join("\n")
}

#[test]
fn every_sample_is_written_with_its_module() {
    let Some(folder) = real_files() else { return };
    let input = folder.join(FILE);
    let output = TempDir::new().expect("there is a temporary folder");
    let output = output.path().join("out.pftrace");
    let progress = Progress::new(ProgressStyle::None);
    convert::convert(&[&input], &output, &Request::default(), false, &progress)
        .expect("a real trace converts");
    let written = samples(&std::fs::read(&output).expect("there is an output"));
    let (stacks, samples): (Vec<_>, Vec<_>) =
        written.into_iter().partition(|sample| sample.is_of_event);
    assert_eq!(samples.len(), 79_528);
    let trace = TraceFile::open(&input).expect("a real trace opens");
    assert_eq!(stacks.len(), stacks_of_others(&trace));
    insta::assert_snapshot!(kinds(&stacks));
    let mut counts = Counts::new();
    for sample in &samples {
        let frame = sample.frames.first().expect("a sample has a frame");
        let image = Some(&frame.module).filter(|_| frame.is_image);
        let key = (image.cloned().unwrap_or_default(), sample.is_kernel);
        *counts.entry(key).or_default() += 1;
    }
    let expected = expected(&trace);
    for key in counts.keys().chain(expected.keys()) {
        assert_eq!(counts.get(key), expected.get(key), "{key:?}");
    }
    let kernel: BTreeSet<String> = images(&trace)
        .into_iter()
        .filter(|image| image.base >= KERNEL)
        .map(|image| image.path)
        .collect();
    let is_kernel = |frame: &Frame| {
        if frame.is_image {
            kernel.contains(&frame.module)
        } else {
            frame.rva >= KERNEL
        }
    };
    let with_stack = samples.iter().filter(|sample| sample.frames.len() > 1);
    assert_eq!(with_stack.count(), 6210);
    for sample in &samples {
        // Further out both may alternate: the window system calls back from the kernel.
        let innermost = sample.frames.first().map(is_kernel);
        assert_eq!(innermost, Some(sample.is_kernel), "{sample}");
    }
}

#[test]
fn every_stack_key_is_resolved() {
    let Some(folder) = real_files() else { return };
    let info =
        convert::info(&[folder.join(FILE)], &Request::default()).expect("a real trace has info");
    let info: serde_json::Value = serde_json::from_str(&info.to_json()).expect("info is JSON");
    let kinds = info.get("kinds").and_then(serde_json::Value::as_array);
    let mut stacks: Vec<String> = kinds
        .expect("info lists kinds")
        .iter()
        .filter(|kind| kind.get("provider").is_some_and(|name| name == "StackWalk"))
        .map(|kind| {
            let field = |name| kind.get(name).expect("a kind has it").to_string();
            [field("event"), field("count"), field("reason")].join(" ")
        })
        .collect();
    stacks.sort();
    insta::assert_snapshot!(stacks.join("\n"));
}
