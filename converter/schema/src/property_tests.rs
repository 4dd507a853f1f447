use super::*;
use crate::json::decode_json;

fn value(name: &str, in_type: u16) -> Property {
    let kind = PropertyKind::Value {
        in_type,
        out_type: 0,
        map: None,
    };
    Property {
        name: name.into(),
        kind,
        length: Size::Unset,
        count: Size::Unset,
        offset: 0,
    }
}

fn structure(name: &str, first: usize, members: usize) -> Property {
    let kind = PropertyKind::Struct { first, members };
    Property {
        name: name.into(),
        kind,
        length: Size::Unset,
        count: Size::Unset,
        offset: 0,
    }
}

fn json(properties: &[Property], top: usize, payload: &[u8]) -> String {
    let layout = layout(properties, top).expect("a sound list");
    let mut out = Vec::new();
    assert_eq!(decode_json(&layout, payload, 4, &mut out), Ok(0));
    String::from_utf8(out).expect("JSON is UTF-8")
}

fn refused(properties: &[Property], top: usize) -> &'static str {
    layout(properties, top).expect_err("no layout").expected
}

#[test]
fn counts_and_lengths_come_from_other_properties() {
    let count = value("count", in_type::UINT8);
    let array = Property {
        count: Size::Property(0),
        ..value("array", in_type::UINT16)
    };
    let text = Property {
        length: Size::Property(0),
        ..value("text", in_type::UNICODE_STRING)
    };
    let binary = Property {
        length: Size::Property(0),
        ..value("binary", in_type::BINARY)
    };
    let counted_binary = Property {
        count: Size::Property(0),
        ..value("bytes", in_type::BINARY)
    };
    assert_eq!(
        json(
            &[count, array, text, binary, counted_binary],
            5,
            b"\x02\x01\0\x02\0h\0i\0\xAB\xCD\xEF\x01"
        ),
        r#"{"count":2,"array":[1,2],"text":"hi","binary":"abcd","bytes":"ef01"}"#
    );
}

#[test]
fn structs_take_their_members_from_behind() {
    let top = [
        value("n", in_type::UINT8),
        Property {
            count: Size::Property(0),
            ..structure("s", 2, 2)
        },
    ];
    let members = [
        value("length", in_type::UINT8),
        Property {
            length: Size::Property(2),
            ..value("t", in_type::ANSI_STRING)
        },
    ];
    assert_eq!(
        json(&[top, members].concat(), 2, b"\x02\x01a\x02bc"),
        r#"{"n":2,"s":[{"length":1,"t":"a"},{"length":2,"t":"bc"}]}"#
    );
}

#[test]
fn types_of_wbem_classes_decode() {
    let types = [300, 301, 302, 303, 306, 307, 308, 309, 304];
    let properties: Vec<_> = types
        .iter()
        .map(|number| value(&number.to_string(), *number))
        .collect();
    let payload = b"\x02\0a\0\x01\0b\0\x02c\0\0\x01de\0f\x09\0\0\0\x01\0\0\0\xABg\0\0\0h\0";
    assert_eq!(
        json(&properties, types.len(), payload),
        r#"{"300":"a","301":"b","302":"c","303":"d","306":"e","307":"f","308":9,"309":"ab","304":"g\u0000h"}"#
    );
}

#[test]
fn references_that_cannot_be_followed_are_refused() {
    let before_its_use = "a count or length that stands before its use";
    let array = |of| Property {
        count: Size::Property(of),
        ..value("array", in_type::UINT8)
    };
    assert_eq!(
        refused(&[array(1), value("count", in_type::UINT8)], 2),
        before_its_use
    );
    assert_eq!(refused(&[array(0)], 1), before_its_use);
    assert_eq!(refused(&[array(9)], 1), "a property that exists");
    let text = value("count", in_type::ANSI_STRING);
    assert_eq!(
        refused(&[text, array(0)], 2),
        "an integer as count or length"
    );
    assert_eq!(refused(&[value("x", 999)], 1), "a documented type");
    let counts = (0..65).map(|_| value("count", in_type::UINT8));
    let arrays = (0..65).map(array);
    assert_eq!(
        refused(&counts.chain(arrays).collect::<Vec<_>>(), 130),
        "at most 64 counts and lengths"
    );
}

#[test]
fn structs_that_lead_nowhere_are_refused() {
    assert_eq!(
        refused(&[structure("s", 7, 1)], 1),
        "a property for every struct member"
    );
    assert_eq!(
        refused(&[structure("s", 0, 1)], 1),
        "structs nested at most 8 deep"
    );
    let wide = vec![structure("empty", 0, 0); 1024];
    let all = Property {
        kind: PropertyKind::Struct {
            first: 0,
            members: 1024,
        },
        ..structure("all", 0, 0)
    };
    assert_eq!(
        refused(&[wide, vec![all]].concat(), 1025),
        "at most 1024 fields"
    );
}
