use super::*;
use crate::json::decode_json;
use proptest::prelude::*;

/// Item `TRACE_LOGGING_SCHEMA` of an event named E with these fields.
fn schema(fields: &[u8]) -> Vec<u8> {
    let body = [&[0][..], b"E\0", fields].concat();
    let size = u16::try_from(body.len() + 2).expect("small").to_le_bytes();
    [&size[..], &body].concat()
}

fn json(fields: &[u8], payload: &[u8]) -> String {
    let schema = tracelogging_schema(&schema(fields), None).expect("a sound schema");
    let mut out = Vec::new();
    let decoded = decode_json(&schema.layout, payload, 8, &mut out);
    assert_eq!(decoded, Ok(0));
    String::from_utf8(out).expect("JSON is UTF-8")
}

fn refused(fields: &[u8]) -> String {
    tracelogging_schema(&schema(fields), None)
        .expect_err("no schema")
        .to_string()
}

#[test]
fn every_in_type_decodes() {
    let cases: [(&[u8], &[u8], &str); 24] = [
        (b"\x00", b"", "null"),
        (b"\x01", b"h\0i\0\0\0", "\"hi\""),
        (b"\x02", b"hi\0", "\"hi\""),
        (b"\x03", b"\xFF", "-1"),
        (b"\x04", b"\xFF", "255"),
        (b"\x05", b"\xFE\xFF", "-2"),
        (b"\x06", b"\xFE\xFF", "65534"),
        (b"\x07", b"\xFE\xFF\xFF\xFF", "-2"),
        (b"\x08", b"\xFE\xFF\xFF\xFF", "4294967294"),
        (b"\x09", b"\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF", "-2"),
        (
            b"\x0A",
            b"\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
            "\"18446744073709551614\"",
        ),
        (b"\x0B", b"\0\0\xC0\x3F", "1.5"),
        (b"\x0C", b"\0\0\0\0\0\0\xF8\x3F", "1.5"),
        (b"\x0D", b"\x01\0\0\0", "true"),
        (b"\x0E", b"\x02\0\xAB\xCD", "\"abcd\""),
        (
            b"\x0F",
            b"0123456789abcdef",
            "\"33323130-3534-3736-3839-616263646566\"",
        ),
        (b"\x10", b"\x00\x10\0\0\0\0\0\0", "\"0x1000\""),
        (
            b"\x11",
            b"\x87\xD6\x12\0\0\0\0\0",
            "\"1601-01-01T00:00:00.1234567Z\"",
        ),
        (
            b"\x12",
            b"\xEA\x07\x01\0\x06\0\x1F\0\x0C\0\x05\0\x09\0\x07\0",
            "\"2026-01-31T12:05:09.007\"",
        ),
        (b"\x13", b"\x01\x01\0\0\0\0\0\x05\x12\0\0\0", "\"S-1-5-18\""),
        (b"\x14", b"\x1F\0\0\0", "\"0x1f\""),
        (b"\x15", b"\x1F\0\0\0\0\0\0\0", "\"0x1f\""),
        (b"\x16", b"\x04\0h\0i\0", "\"hi\""),
        (b"\x17", b"\x02\0hi", "\"hi\""),
    ];
    for (in_type, payload, value) in cases {
        assert_eq!(
            json(&[b"f\0", in_type].concat(), payload),
            format!("{{\"f\":{value}}}")
        );
    }
}

#[test]
fn out_types_say_how_values_are_shown() {
    let cases: [(&[u8], &[u8], &str); 12] = [
        (b"\x84\x03", b"\x01", "true"),
        (b"\x86\x02", b"A\0", "\"A\""),
        (b"\xC6\x02", b"\x02\0h\0i\0", "\"hi\""),
        (b"\xA4\x02\x02\0", b"hi", "\"hi\""),
        (b"\x88\x04", b"\x1F\0\0\0", "\"0x1f\""),
        (b"\x86\x07", b"\x01\xBB", "443"),
        (b"\x88\x08", b"\x7F\0\0\x01", "\"127.0.0.1\""),
        (
            b"\x8E\x09",
            b"\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01",
            "\"::1\"",
        ),
        (
            b"\x8E\x0A",
            b"\x08\0\x02\0\x01\xBB\x7F\0\0\x01",
            "\"127.0.0.1:443\"",
        ),
        (b"\x87\x0F", b"\x05\0\x07\x80", "\"0x80070005\""),
        (b"\x90\x12", b"\x05\0\0\0\0\0\0\0", "5"),
        (b"\x88\x11", b"\xFF\xFF\xFF\xFF", "-1"),
    ];
    for (types, payload, value) in cases {
        assert_eq!(
            json(&[b"f\0", types].concat(), payload),
            format!("{{\"f\":{value}}}")
        );
    }
}

#[test]
fn structs_nest_and_repeat() {
    let point_of_x_and_y = b"point\0\xD8\x02x\0\x04y\0\x44after\0\x04";
    let two_points = b"\x02\0\x01\x01\0\x02\x03\x02\0\x04\x05\x06";
    assert_eq!(
        json(point_of_x_and_y, two_points),
        r#"{"point":[{"x":1,"y":[2]},{"x":3,"y":[4,5]}],"after":6}"#
    );
}

#[test]
fn tags_names_and_groups_are_read() {
    let item = b"\x08\0\x80\x01E\0\0\x00";
    let traits = b"\x17\0P\0\x13\0\x010123456789abcdef";
    let schema = tracelogging_schema(item, Some(traits)).expect("a sound schema");
    assert_eq!(
        (&*schema.provider_name, &*schema.name, schema.tags),
        ("P", "E", 1 << 14)
    );
    assert_eq!(
        schema.provider_group,
        Some(Guid::from_disk(*b"0123456789abcdef"))
    );
    assert_eq!(
        provider(b"\x04\0P"),
        Err(SchemaError::new(0, "the item's size"))
    );
    assert_eq!(
        provider(b"\x03\0P"),
        Err(SchemaError::new(2, "a provider name"))
    );
}

#[test]
fn schemas_that_overrun_or_are_not_documented_are_refused() {
    assert_eq!(refused(b"f"), "schema, byte 5: expected a field name");
    assert_eq!(refused(b"f\0"), "schema, byte 7: expected a field type");
    assert_eq!(refused(b"f\0\x88"), "schema, byte 8: expected a field type");
    assert_eq!(
        refused(b"f\0\x28\x01"),
        "schema, byte 8: expected a u16 count"
    );
    assert_eq!(
        refused(b"f\0\x68"),
        "schema, byte 8: expected a field without custom encoding"
    );
    assert_eq!(
        refused(b"f\0\x1F"),
        "schema, byte 7: expected a documented type"
    );
    assert_eq!(
        refused(b"s\0\x98\x02x\0\x04"),
        "schema, byte 12: expected a field name"
    );
    assert_eq!(
        refused(&b"s\0\x98\x01".repeat(9)),
        "schema, byte 41: expected structs nested at most 8 deep"
    );
    assert_eq!(
        refused(&b"f\0\x04".repeat(1025)),
        "schema, byte 3077: expected at most 1024 fields"
    );
}

proptest! {
    #[test]
    fn any_bytes_give_an_error_or_valid_json(item: Vec<u8>, fields: Vec<u8>, payload: Vec<u8>, narrow: bool) {
        let _ = provider(&item);
        for item in [item, schema(&fields)] {
            let Ok(schema) = tracelogging_schema(&item, Some(&payload)) else { continue };
            let mut out = Vec::new();
            let _ = decode_json(&schema.layout, &payload, if narrow { 4 } else { 8 }, &mut out);
            prop_assert!(serde_json::from_slice::<serde_json::Value>(&out).is_ok());
        }
    }
}
