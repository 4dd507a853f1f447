use std::collections::HashSet;
use std::fmt::Write;

use proptest::collection::vec;
use proptest::prelude::*;

use super::table::{Column, Kind};
use super::*;
use crate::json::decode_json;

/// A payload with a different small number, or letter, in each field, and two elements in each array.
#[derive(Default)]
struct Sample {
    bytes: Vec<u8>,
    fields: u8,
}

impl Sample {
    fn of(columns: &[Column], pointer_bytes: usize) -> Vec<u8> {
        let mut sample = Self::default();
        sample.add(columns, pointer_bytes);
        sample.bytes
    }

    fn add(&mut self, columns: &[Column], pointer_bytes: usize) {
        for column in columns {
            self.fields += 1;
            match column.kind {
                Kind::I8 | Kind::U8 | Kind::Bool8 | Kind::Hex8 => self.number(1),
                Kind::I16 | Kind::U16 | Kind::Hex16 | Kind::Port => self.number(2),
                Kind::I32 | Kind::U32 | Kind::Hex32 | Kind::Bool32 | Kind::Ipv4 => self.number(4),
                Kind::I64 | Kind::U64 | Kind::Hex64 | Kind::FileTime => self.number(8),
                Kind::Ticks | Kind::TickCount => self.number(8),
                Kind::F32 => self.bytes.extend(f32::from(self.fields).to_le_bytes()),
                Kind::F64 => self.bytes.extend(f64::from(self.fields).to_le_bytes()),
                Kind::Ptr | Kind::Size => self.number(pointer_bytes),
                Kind::Guid | Kind::Ipv6 => self.number(16),
                Kind::Sid => self.bytes.extend(b"\x01\x01\0\0\0\0\0\x05\x12\0\0\0"),
                Kind::TokenUserSid => {
                    self.number(2 * pointer_bytes);
                    self.bytes.extend(b"\x01\x01\0\0\0\0\0\x05\x12\0\0\0");
                }
                Kind::Text8 => self.bytes.extend([b'`' + self.fields, 0]),
                Kind::Text16 => self.bytes.extend([b'`' + self.fields, 0, 0, 0]),
                Kind::Chars16(units) => {
                    self.bytes.extend([b'`' + self.fields, 0]);
                    self.zeros(2 * usize::from(units) - 2);
                }
                Kind::Chars16Of(_) => self.bytes.extend(b"x\0y\0"),
                Kind::Pad(bytes) => self.zeros(usize::from(bytes)),
                Kind::Rest => self.bytes.extend(b"xyz"),
                Kind::Count16(_) => self.bytes.extend([2, 0]),
                Kind::Count32(_) => self.bytes.extend([2, 0, 0, 0]),
                Kind::BytesOf(_) => self.bytes.extend(b"xy"),
                // A family that is not known.
                Kind::SocketAddressOf(_) => self.bytes.extend([0xFF; 2]),
                Kind::U32s(_) => (0..2).for_each(|_| self.number(4)),
                Kind::Hex64s(_) => (0..2).for_each(|_| self.number(8)),
                Kind::Ptrs(_) => (0..2).for_each(|_| self.number(pointer_bytes)),
                Kind::Guids(_) => (0..2).for_each(|_| self.number(16)),
                Kind::Texts16(_) => self.bytes.extend(b"x\0\0\0y\0\0\0"),
                Kind::Each(_, columns) => (0..2).for_each(|_| self.add(columns, pointer_bytes)),
            }
        }
    }

    fn number(&mut self, bytes: usize) {
        self.bytes.push(self.fields);
        self.zeros(bytes - 1);
    }

    fn zeros(&mut self, bytes: usize) {
        self.bytes.resize(self.bytes.len() + bytes, 0);
    }
}

/// The length of a payload and its JSON.
fn row(columns: &[Column], pointer_bytes: u8) -> String {
    let payload = Sample::of(columns, pointer_bytes.into());
    let mut json = Vec::new();
    let left_over = decode_json(&table::layout(columns), &payload, pointer_bytes, &mut json);
    assert_eq!(left_over, Ok(0));
    let json = String::from_utf8_lossy(&json);
    format!("{:>4} bytes {json}", payload.len())
}

#[test]
fn every_layout_in_both_widths() {
    let same_group = |(_, a, _): &(_, &str, _), (_, b, _): &(_, &str, _)| a == b;
    for tables in TABLES.chunk_by(same_group) {
        let mut rows = String::new();
        for entry in tables.iter().flat_map(|(_, _, entries)| *entries) {
            for (version, columns) in entry.versions {
                for (number, name) in entry.events {
                    write!(rows, "{number:04X} {name}  ").expect("memory takes it");
                }
                writeln!(rows, "version {version}").expect("memory takes it");
                let (wide, narrow) = (row(columns, 8), row(columns, 4));
                writeln!(rows, "  64 {wide}\n  32 {narrow}").expect("memory takes it");
            }
        }
        insta::assert_snapshot!(tables[0].1, rows);
    }
}

/// Lengths that the sources of the formats state, for 64 and 32 bit (§4).
#[test]
fn lengths_are_those_of_the_sources() {
    let stated = [
        (0x010A, 2, 48, 40),
        (0x010A, 3, 52, 44),
        (0x010E, 3, 28, 24),
        (0x0220, 2, 40, 32),
        (0x0320, 2, 104, 60),
        (0x0529, 2, 56, 48),
        (0x060A, 2, 40, 36),
        (0x061A, 2, 64, 60),
        (0x060B, 2, 32, 28),
        (0x061B, 2, 56, 52),
        (0x060F, 2, 48, 44),
        (0x061F, 2, 72, 68),
        (0x0B0A, 2, 808, 804),
        (0x0B0A, 3, 828, 820),
        (0x0B0B, 2, 568, 568),
        (0x0B0C, 2, 112, 112),
        (0x0B23, 2, 428, 428),
        (0x0050, 0, 48, 48),
    ];
    for (hook, version, wide, narrow) in stated {
        let entries = TABLES.iter().flat_map(|(_, _, entries)| *entries);
        let mut of_hook = entries.filter(|entry| entry.events.iter().any(|(id, _)| *id == hook));
        let entry = of_hook.next().expect("bundled");
        let mut of_version = entry.versions.iter().filter(|(known, _)| *known == version);
        let (_, columns) = of_version.next().expect("listed");
        let lengths = [8, 4].map(|pointer_bytes| Sample::of(columns, pointer_bytes).len());
        assert_eq!(lengths, [wide, narrow], "{hook:04X} version {version}");
    }
}

#[test]
fn every_event_stands_once_and_its_versions_ascend() {
    let mut seen = HashSet::new();
    for (index, (numbers, group, entries)) in TABLES.iter().enumerate() {
        for entry in *entries {
            assert!(entry.versions.is_sorted_by_key(|(version, _)| *version));
            for (number, name) in entry.events {
                assert!(
                    seen.insert((*group, *number)),
                    "{group} {name} stands twice"
                );
                let most = match numbers {
                    Numbers::Hooks => 0x1FFF,
                    Numbers::TypesOf(_) => 0xFF,
                    Numbers::IdsOf(_) => u16::MAX,
                };
                assert!(*number <= most, "table {index}: {name}");
            }
        }
    }
}

#[test]
fn the_version_decides_and_then_the_length() {
    let named = |version, layouts: &[&'static [Column]]| {
        let schemas = layouts.iter().map(|columns| EventSchema {
            name: format!("{version}, {} fields", columns.len()).into(),
            layout: table::layout(columns),
            ..EventSchema::default()
        });
        (version, schemas.collect())
    };
    let versions: Versions = Box::new([
        named(2, &[table::columns![A: U32]]),
        named(
            4,
            &[
                table::columns![A: U32, B: Ptr],
                table::columns![A: U32, B: Ptr, C: U8],
            ],
        ),
    ]);
    let name = |version, payload_bytes, pointer_bytes| {
        let schema = pick(&versions, version, &vec![0; payload_bytes], pointer_bytes);
        schema.map(|schema| &*schema.name)
    };
    assert_eq!(name(1, 4, 8), None);
    assert_eq!(name(2, 13, 8), Some("2, 1 fields"));
    assert_eq!(name(3, 4, 8), Some("2, 1 fields"));
    assert_eq!(name(4, 12, 8), Some("4, 2 fields"));
    assert_eq!(name(4, 13, 8), Some("4, 3 fields"));
    assert_eq!(name(9, 9, 4), Some("4, 3 fields"));
    assert_eq!(name(4, 1, 8), Some("4, 2 fields"));
}

proptest! {
    #[test]
    fn any_payload_gives_valid_json(payload in vec(any::<u8>(), 0..300)) {
        let all = BUNDLED.of_kernel.values().chain(BUNDLED.of_others.values());
        for (_, schema) in all.flat_map(|described| described.versions().iter()) {
            for EventSchema { layout, .. } in schema {
                let mut json = Vec::new();
                // Errors are as good as values here.
                drop(decode_json(layout, &payload, 4, &mut json));
                prop_assert!(serde_json::from_slice::<serde_json::Value>(&json).is_ok());
            }
        }
    }
}
