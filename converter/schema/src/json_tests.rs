use super::*;
use crate::layout::{Count, Encoding, Extent, Format, MOST_SLOTS};
use crate::value::{Value, decode_value};

fn field(name: &str, encoding: Encoding) -> Field {
    Field::new(name, encoding, Format::Plain, Count::One)
}

fn layout<const N: usize>(fields: [Field; N]) -> Layout {
    Layout {
        fields: Box::new(fields),
    }
}

/// The JSON, and the error or the number of bytes left over.
fn decoded(layout: &Layout, payload: &[u8]) -> (String, String) {
    let mut out = Vec::new();
    let outcome = match decode_json(layout, payload, 8, &mut out) {
        Ok(left_over) => format!("{left_over} left over"),
        Err(error) => error.to_string(),
    };
    (String::from_utf8(out).expect("JSON is UTF-8"), outcome)
}

fn is(json: &str, outcome: &str) -> (String, String) {
    (json.to_owned(), outcome.to_owned())
}

#[test]
fn a_short_payload_gives_the_fields_it_has() {
    let layout = layout([field("a", Encoding::U16), field("b", Encoding::U32)]);
    assert_eq!(
        decoded(&layout, b"\x01\0\x02\0\0\0"),
        is(r#"{"a":1,"b":2}"#, "0 left over")
    );
    assert_eq!(
        decoded(&layout, b"\x01\0\x02\0\0\0\xFF"),
        is(r#"{"a":1,"b":2}"#, "1 left over")
    );
    let short = "payload, byte 2: expected 4 bytes for field b";
    assert_eq!(
        decoded(&layout, b"\x01\0\x02\0"),
        is(r#"{"a":1,"$rest":"0200"}"#, short)
    );
    let empty = "payload, byte 0: expected 2 bytes for field a";
    assert_eq!(decoded(&layout, b""), is(r#"{"$rest":""}"#, empty));
}

#[test]
fn texts_end_with_the_payload() {
    let layout = layout([field("wide", Encoding::Utf16(Extent::Terminated))]);
    assert_eq!(
        decoded(&layout, b"a\0b\0\0\0"),
        is(r#"{"wide":"ab"}"#, "0 left over")
    );
    assert_eq!(
        decoded(&layout, b"a\0b\0c"),
        is(r#"{"wide":"ab"}"#, "0 left over")
    );
    assert_eq!(decoded(&layout, b""), is(r#"{"wide":""}"#, "0 left over"));
    assert_eq!(
        decoded(&layout, b"\"\0\x01\0"),
        is(r#"{"wide":"\"\u0001"}"#, "0 left over")
    );
}

#[test]
fn texts_of_fixed_length_end_at_their_zero() {
    let layout = layout([
        field("wide", Encoding::Utf16(Extent::Fixed(3))),
        field("after", Encoding::U8),
    ]);
    assert_eq!(
        decoded(&layout, b"a\0\0\0b\0\x07"),
        is(r#"{"wide":"a","after":7}"#, "0 left over")
    );
}

#[test]
fn an_impossible_sid_hides_what_follows() {
    let layout = layout([
        field("sid", Encoding::Sid),
        field("name", Encoding::Bytes8(Extent::Terminated)),
    ]);
    let error = "payload, byte 0: expected a SID for field sid";
    assert_eq!(
        decoded(&layout, b"\x01\x10abc\0"),
        is(r#"{"$rest":"011061626300"}"#, error)
    );
}

#[test]
fn a_wbem_sid_stands_behind_two_pointers_or_is_absent() {
    let layout = layout([
        field("sid", Encoding::TokenUserSid),
        field("after", Encoding::U8),
    ]);
    let sid = [&[1; 16][..], &[1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0], &[7]].concat();
    assert_eq!(
        decoded(&layout, &sid),
        is(r#"{"sid":"S-1-5-18","after":7}"#, "0 left over")
    );
    assert_eq!(
        decoded(&layout, b"\0\0\0\0\x07"),
        is(r#"{"sid":null,"after":7}"#, "0 left over")
    );
}

#[test]
fn arrays_end_where_the_payload_does() {
    let numbers = Field::new("numbers", Encoding::U16, Format::Plain, Count::Counted16);
    let layout = layout([numbers]);
    let error = "payload, byte 4: expected 2 bytes for field numbers";
    assert_eq!(
        decoded(&layout, b"\xFF\xFF\x01\0\x02"),
        is(r#"{"numbers":[1],"$rest":"02"}"#, error)
    );
}

#[test]
fn arrays_of_nothing_are_bounded() {
    let empty = Field::new(
        "s",
        Encoding::Struct(Box::default()),
        Format::Plain,
        Count::Counted16,
    );
    let nested = Field::new(
        "n",
        Encoding::Struct(Box::new([empty])),
        Format::Plain,
        Count::Fixed(0xFFFF),
    );
    let (json, error) = decoded(&layout([nested]), &b"\xFF\xFF".repeat(40));
    assert_eq!(
        error,
        "payload, byte 2: expected at most 65536 values for field n"
    );
    assert!(json.len() < 300_000, "{} bytes", json.len());
}

#[test]
fn names_that_repeat_without_end_are_bounded() {
    let member = field(&"x".repeat(1 << 16), Encoding::Null);
    let many = Field::new(
        "many",
        Encoding::Struct(Box::new([member])),
        Format::Plain,
        Count::Fixed(0x7FFF),
    );
    let (json, error) = decoded(&layout([many]), b"");
    assert_eq!(
        error,
        "payload, byte 0: expected at most 4 MiB of text for field many"
    );
    assert!(
        json.len() < MOST_JSON_BYTES + (1 << 17),
        "{} bytes",
        json.len()
    );
}

#[test]
fn a_slot_carries_counts_and_lengths() {
    let mut count = field("count", Encoding::U8);
    count.slot = Some(u8::try_from(MOST_SLOTS - 1).expect("small"));
    let slot = count.slot.expect("set above");
    let array = Field::new("array", Encoding::U8, Format::Plain, Count::Slot(slot));
    let binary = field("binary", Encoding::Binary(Extent::Slot(slot)));
    let layout = layout([count, array, binary]);
    let json = r#"{"count":2,"array":[1,2],"binary":"0304"}"#;
    assert_eq!(decoded(&layout, &[2, 1, 2, 3, 4]), is(json, "0 left over"));
}

#[test]
fn numbers_that_are_none_are_text() {
    let layout = layout([
        field("f", Encoding::F32),
        field("g", Encoding::F32),
        field("h", Encoding::F64),
    ]);
    let payload = [
        &f32::NAN.to_le_bytes()[..],
        &0.1_f32.to_le_bytes(),
        &f64::NEG_INFINITY.to_le_bytes(),
    ]
    .concat();
    assert_eq!(
        decoded(&layout, &payload),
        is(r#"{"f":"NaN","g":0.1,"h":"-inf"}"#, "0 left over")
    );
}

#[test]
fn addresses_of_other_families_stay_bytes() {
    let address = |bytes: &[u8]| {
        let mut out = Vec::new();
        push_socket_address(&mut out, bytes);
        String::from_utf8(out).expect("JSON is UTF-8")
    };
    let v6 = [&[23, 0, 1, 187][..], &[0; 4], &[0; 15], &[1], &[0; 4]].concat();
    assert_eq!(address(&v6), "\"[::1]:443\"");
    assert_eq!(
        address(&v6[..20]),
        format!("\"170001bb{}\"", "00".repeat(16))
    );
    assert_eq!(address(&[99, 0, 1]), "\"630001\"");
}

#[test]
fn a_tree_has_the_same_values() {
    let point = Field::new(
        "points",
        Encoding::Struct(Box::new([field("x", Encoding::U8)])),
        Format::Plain,
        Count::Fixed(2),
    );
    let layout = layout([point, field("name", Encoding::Bytes8(Extent::Terminated))]);
    let x = |value| Value::Struct(vec![("x", Value::Scalar(Scalar::U64(value)))]);
    let expected = Value::Struct(vec![
        ("points", Value::Array(vec![x(1), x(2)])),
        ("name", Value::Scalar(Scalar::Bytes8(b"n"))),
    ]);
    assert_eq!(decode_value(&layout, b"\x01\x02n\0", 8), Ok(expected));
}

#[test]
fn unknown_payloads_are_raw() {
    let mut out = Vec::new();
    raw_json(&[0, 0xAB], None, &mut out);
    assert_eq!(out, br#"{"$raw":"00ab"}"#);
}
