//! Counts by provider and event of every real trace are those of a walk written here, which shares no code with the
//! readers under test.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "real traces are sound; a test that fails shall say so"
)]

use crate::support;

use std::collections::BTreeMap;
use std::path::Path;

use support::real::{FILES, unpacked};
use support::real_files;

/// Events by provider or class GUID, `kernel` for the kernel's own, and id.
type Counts = BTreeMap<(String, u16), u64>;

fn u16_at(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u16_at(bytes, at) | u16_at(bytes, at + 2) << 16
}

/// Plain LZ77 of MS-XCA, up to `size` bytes.
fn inflate(input: &[u8], size: usize) -> Vec<u8> {
    let (mut out, mut at, mut nibble) = (Vec::with_capacity(size), 0, None);
    let (mut flags, mut left) = (0, 0);
    while out.len() < size {
        if left == 0 {
            (flags, left, at) = (u32_at(input, at), 32, at + 4);
        }
        left -= 1;
        if flags >> left & 1 == 0 {
            out.push(input[at]);
            at += 1;
            continue;
        }
        let (distance, mut length) = ((u16_at(input, at) >> 3) + 1, u16_at(input, at) & 7);
        at += 2;
        if length == 7 {
            let more = match nibble.take() {
                Some(byte) => usize::from(byte >> 4),
                None => {
                    nibble = Some(input[at]);
                    at += 1;
                    usize::from(input[at - 1] & 15)
                }
            };
            length += more;
            if more == 15 {
                length += usize::from(input[at]);
                at += 1;
                if input[at - 1] == 255 {
                    (length, at) = (u16_at(input, at), at + 2);
                    if length == 0 {
                        (length, at) = (u32_at(input, at), at + 4);
                    }
                }
            }
        }
        for _ in 0..length + 3 {
            out.push(out[out.len() - distance]);
        }
    }
    out
}

fn guid(bytes: &[u8], at: usize) -> String {
    let byte = |index: usize| format!("{:02x}", bytes[at + index]);
    let part = |order: &[usize]| order.iter().map(|index| byte(*index)).collect::<String>();
    let parts: [&[usize]; 5] = [
        &[3, 2, 1, 0],
        &[5, 4],
        &[7, 6],
        &[8, 9],
        &[10, 11, 12, 13, 14, 15],
    ];
    parts.map(part).join("-")
}

/// Class GUIDs of kernel groups that real traces use (MOF); the only knowledge of events that this walk needs.
const CLASSES: [(&str, u16); 3] = [
    ("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c", 0x0300),
    ("2cb15d1d-5fc1-11d2-abe1-00a0c911f518", 0x1400),
    ("ce1dbfb4-137e-4da6-87b0-3f59aa102cbc", 0x0F00),
];

/// Whether an `EVENT_HEADER` event carries its own schema: extended item 0Bh.
fn describes_itself(event: &[u8]) -> bool {
    let (mut at, mut more) = (0x50, u16_at(event, 4) & 1 == 1);
    while more {
        if u16_at(event, at + 2) == 0x0B {
            return true;
        }
        more = u16_at(event, at + 4) & 1 == 1;
        at += u16_at(event, at);
    }
    false
}

/// Which event this is, and its size.
fn event_of(event: &[u8]) -> ((String, u16), usize) {
    let id = |at: usize| u16::from_le_bytes([event[at], event[at + 1]]);
    match (event[3], event[2]) {
        (0xC0, 1..=4 | 0x10 | 0x11) => (("kernel".to_owned(), id(6)), u16_at(event, 4)),
        (0xC0, 0x0A | 0x0B | 0x14 | 0x15) => {
            let (class, kind) = (guid(event, 0x18), u16::from(event[4]));
            let group = CLASSES.iter().find(|(name, _)| *name == class);
            let key = match group {
                // A loaded image has the hook id of the Process group.
                Some((_, 0x1400)) if kind == 10 => ("kernel".to_owned(), 0x030A),
                Some((_, group)) => ("kernel".to_owned(), group | kind),
                None => (class, kind),
            };
            (key, u16_at(event, 0))
        }
        (0xC0, 0x12 | 0x13) => {
            let number = if describes_itself(event) { 0 } else { id(0x28) };
            ((guid(event, 0x18), number), u16_at(event, 0))
        }
        marker => panic!("an event header {marker:02x?}"),
    }
}

fn walk(file: &[u8]) -> Counts {
    let mut counts = Counts::new();
    let mut at = 0;
    while at < file.len() {
        let buffer = &file[at..at + u32_at(file, at)];
        let end = u32_at(buffer, 0x30);
        let events = if u16_at(buffer, 0x34) & 0x40 != 0 {
            inflate(&buffer[0x48..], end - 0x48)
        } else {
            buffer[0x48..end].to_vec()
        };
        let mut next = 0;
        while next < events.len() {
            let (key, size) = event_of(&events[next..]);
            *counts.entry(key).or_default() += 1;
            next += size.next_multiple_of(8);
        }
        at += buffer.len();
    }
    counts
}

fn info(path: &Path) -> serde_json::Value {
    let json = convert::info(&[path], &convert::Request::default())
        .expect("a real trace has info")
        .to_json();
    serde_json::from_str(&json).expect("info is JSON")
}

fn told(info: &serde_json::Value) -> Counts {
    let mut counts = Counts::new();
    for kind in info["kinds"].as_array().expect("info lists kinds") {
        let provider = kind["provider_guid"].as_str().unwrap_or("kernel");
        let id = kind["id"]
            .as_u64()
            .and_then(|id| u16::try_from(id).ok())
            .expect("an id");
        *counts.entry((provider.to_owned(), id)).or_default() +=
            kind["count"].as_u64().expect("a count");
    }
    counts
}

/// Events left out, by reason, as shares of a thousand that each file must stay within.
const SKIPPED_PER_THOUSAND: u64 = 1;
#[test]
fn counts_are_those_of_an_independent_walk_and_nothing_is_unaccounted_for() {
    let Some(folder) = real_files() else { return };
    for name in FILES {
        let path = folder.join(name);
        let info = info(&path);
        let walked = walk(&unpacked(&path));
        assert_eq!(told(&info), walked, "{name}");
        let of = |fate: &str| info["events"][fate].as_u64().expect("a number");
        let read = of("read");
        assert_eq!(read, walked.values().sum::<u64>(), "{name}");
        assert_eq!(
            of("converted") + of("generic") + of("skipped"),
            read,
            "{name}"
        );
        let mut by_reason: BTreeMap<&str, u64> = BTreeMap::new();
        for kind in info["kinds"].as_array().expect("info lists kinds") {
            if let Some(reason) = kind["reason"].as_str() {
                *by_reason.entry(reason).or_default() += kind["count"].as_u64().expect("a count");
            }
        }
        println!("{name}: {read} read, skipped {by_reason:?}");
        assert_eq!(by_reason.values().sum::<u64>(), of("skipped"), "{name}");
        assert!(
            of("skipped") * 1000 <= read * SKIPPED_PER_THOUSAND,
            "{name}: {by_reason:?}"
        );
    }
}

#[test]
fn every_reason_to_skip_is_explained() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/encoding.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let source = include_str!("../src/fate.rs");
    let reasons = source
        .lines()
        .filter_map(|line| line.trim().strip_suffix("\",")?.split_once(" => \""))
        .map(|(_, reason)| reason)
        .filter(|reason| !["converted", "generic", "skipped"].contains(reason));
    let missing: Vec<&str> = reasons
        .filter(|reason| !page.contains(&format!("| `{reason}` |")))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}
