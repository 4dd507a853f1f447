use super::*;
use crate::json::decode_json;
use proptest::prelude::*;
use std::sync::Arc;

const PROVIDER: Guid = Guid::new(0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c);

/// A record that is written field by field; texts are appended.
struct Record(Vec<u8>);

impl Record {
    fn new(property_count: u32, top_count: u32) -> Self {
        let mut record = Self(vec![
            0;
            PROPERTIES_AT + PROPERTY_BYTES * property_count as usize
        ]);
        record.put(0, &PROVIDER.to_disk());
        record.put(0x10, &PROVIDER.to_disk());
        record.put(0x20, &[7, 0, 2, 16, 4, 10]);
        record.put(0x64, &property_count.to_le_bytes());
        record.put(0x68, &top_count.to_le_bytes());
        record
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn text(&mut self, at: usize, text: &str) {
        let offset = u32::try_from(self.0.len()).expect("small");
        self.put(at, &offset.to_le_bytes());
        self.0
            .extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
    }

    fn property(
        &mut self,
        index: usize,
        name: &str,
        flags: u32,
        numbers: [u16; 2],
        count_length: [u16; 2],
    ) {
        let at = PROPERTIES_AT + PROPERTY_BYTES * index;
        self.put(at, &flags.to_le_bytes());
        self.text(at + 4, name);
        self.put(at + 8, &numbers.map(u16::to_le_bytes).concat());
        self.put(at + 0x10, &count_length.map(u16::to_le_bytes).concat());
    }
}

/// Names, a mapped value, an array counted by another property, and a struct.
fn sample() -> Vec<u8> {
    let mut record = Record::new(5, 3);
    record.text(0x34, "Tea ");
    record.text(0x40, "Hot\0Cold\0");
    record.text(0x44, "Brew");
    record.text(0x48, "win:Start");
    record.property(0, "kind", 0, [8, 8], [1, 4]);
    record.text(PROPERTIES_AT + 12, "Kind");
    record.property(1, "cups", IS_STRUCT, [3, 2], [2, 0]);
    record.property(2, "note", 0, [1, 1], [1, 0]);
    record.property(3, "count", 0, [4, 4], [1, 1]);
    record.property(4, "sips", COUNT_BY_PROPERTY, [4, 4], [3, 1]);
    record.0
}

fn map() -> Vec<u8> {
    let mut record = Record(vec![0; 48]);
    record.put(0, &PROVIDER.to_disk());
    record.put(24, &2_u32.to_le_bytes());
    record.put(36, &1_u32.to_le_bytes());
    record.put(44, &2_u32.to_le_bytes());
    let name = "Kind\0green \0black \0"
        .encode_utf16()
        .flat_map(u16::to_le_bytes);
    record.0.extend(name);
    for (at, offset) in [(16, 32_u32), (32, 42), (40, 56)] {
        record.put(at, &offset.to_le_bytes());
    }
    record.0
}

#[test]
fn a_record_gives_names_and_layout() {
    let mut found = event_info(&sample()).expect("a sound record");
    assert_eq!(
        (found.key, found.version),
        (
            SchemaKey::Manifest {
                provider: PROVIDER,
                id: 7
            },
            2
        )
    );
    assert_eq!(
        (&*found.schema.provider_name, &*found.schema.name),
        ("Tea", "Brew/Start")
    );
    assert_eq!(
        (found.schema.task.as_deref(), found.schema.opcode.as_deref()),
        (Some("Brew"), Some("Start"))
    );
    assert_eq!(*found.schema.keywords, ["Hot".into(), "Cold".into()]);

    let named = event_map(&map()).expect("a sound map");
    assert_eq!((named.provider, &*named.name), (PROVIDER, "Kind"));
    let map = Arc::new(named.map);
    found
        .schema
        .layout
        .resolve_maps(&|name| (name == "Kind").then(|| map.clone()));
    let mut out = Vec::new();
    let payload = b"\x02\0\0\0\x02\x01\x02\x01\x03n\0\0\0";
    assert_eq!(
        decode_json(&found.schema.layout, payload, 8, &mut out),
        Ok(0)
    );
    assert_eq!(
        String::from_utf8_lossy(&out),
        r#"{"kind":"black","cups":[{"count":2,"sips":[1,2]},{"count":1,"sips":[3]}],"note":"n"}"#
    );
}

#[test]
fn a_record_of_a_class_is_known_by_type() {
    let mut record = Record::new(0, 0);
    record.put(0x30, &SOURCE_WBEM.to_le_bytes());
    let found = event_info(&record.0).expect("a sound record");
    assert_eq!(
        found.key,
        SchemaKey::Classic {
            class: PROVIDER,
            event_type: 10
        }
    );
    assert_eq!(&*found.schema.name, "Event 7");
}

#[test]
fn records_that_lead_out_of_themselves_are_refused() {
    let refused = |at: usize, number: u32| {
        let mut record = Record(sample());
        record.put(at, &number.to_le_bytes());
        event_info(&record.0).expect_err("no schema").to_string()
    };
    assert_eq!(
        refused(0x34, 0xFFFF),
        "schema, byte 52: expected an offset within the record"
    );
    assert_eq!(
        refused(0x40, 0xFFFF),
        "schema, byte 64: expected an offset within the record"
    );
    assert_eq!(
        refused(0x74, 0xFFFF),
        "schema, byte 116: expected an offset within the record"
    );
    assert_eq!(
        refused(0x64, 1025),
        "schema, byte 100: expected at most 1024 properties"
    );
    assert_eq!(
        refused(0x64, 1024),
        "schema, byte 244: expected an offset within the record"
    );
    assert_eq!(
        refused(0x68, 6),
        "schema, byte 104: expected no more properties at the top than in all"
    );
    assert_eq!(
        refused(0x30, 2),
        "schema, byte 48: expected the decoding source XML or WBEM"
    );
    assert_eq!(
        refused(0x70, COUNT_BY_PROPERTY),
        "schema, byte 112: expected a count or length that stands before its use"
    );
    let cut = event_info(&Record::new(1, 1).0[..0x70 + 23])
        .expect_err("no schema")
        .to_string();
    assert_eq!(cut, "schema, byte 112: expected a property of 24 bytes");
    let short = event_info(&sample()[..0x6B])
        .expect_err("no schema")
        .to_string();
    assert_eq!(
        short,
        "schema, byte 104: expected a TRACE_EVENT_INFO header of 112 bytes"
    );
}

#[test]
fn maps_that_lead_out_of_themselves_are_refused() {
    let refused = |at: usize, number: u32| {
        let mut record = Record(map());
        record.put(at, &number.to_le_bytes());
        event_map(&record.0).expect_err("no map").to_string()
    };
    assert_eq!(refused(16, 0), "schema, byte 16: expected a map name");
    assert_eq!(
        refused(16, 0xFFFF),
        "schema, byte 16: expected an offset within the record"
    );
    assert_eq!(
        refused(20, PATTERN_MAP),
        "schema, byte 20: expected a map of values"
    );
    assert_eq!(
        refused(24, u32::MAX),
        "schema, byte 24: expected as many entries as said"
    );
    assert_eq!(
        refused(40, 0xFFFF),
        "schema, byte 40: expected an offset within the record"
    );
}

proptest! {
    #[test]
    fn any_change_gives_an_error_or_valid_json(at in 0..300_usize, byte: u8, cut in 0..300_usize, payload: Vec<u8>) {
        let mut record = sample();
        if let Some(changed) = record.get_mut(at) {
            *changed = byte;
        }
        record.truncate(record.len().saturating_sub(cut.saturating_sub(200)));
        if let Ok(found) = event_info(&record) {
            let mut out = Vec::new();
            let _ = decode_json(&found.schema.layout, &payload, 8, &mut out);
            prop_assert!(serde_json::from_slice::<serde_json::Value>(&out).is_ok());
        }
        let mut record = map();
        if let Some(changed) = record.get_mut(at) {
            *changed = byte;
        }
        let _ = event_map(&record);
    }
}
