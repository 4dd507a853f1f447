//! JSON for texts and for values that JSON has no form for; everything is appended to one buffer.

use etl::Guid;

use crate::text::{bytes8_text, utf16_chars};
use crate::value_map::ValueMap;

const HEX: &[u8; 16] = b"0123456789abcdef";
/// Up to here a JavaScript number is exact.
const MOST_EXACT: u64 = 1 << 53;

fn push_hex_digit(out: &mut Vec<u8>, nibble: u8) {
    out.push(HEX.get(usize::from(nibble & 0xF)).copied().unwrap_or(b'0'));
}

/// Two digits a byte.
pub(crate) fn push_hex_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    for byte in bytes {
        push_hex_digit(out, byte >> 4);
        push_hex_digit(out, *byte);
    }
}

/// `"0x1f"`.
pub(crate) fn push_hex(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(b"\"0x");
    let digits = 16 - (value | 1).leading_zeros() / 4;
    for digit in (0..digits).rev() {
        let nibble = value >> (4 * digit) & 0xF;
        push_hex_digit(out, nibble.to_le_bytes()[0]);
    }
    out.push(b'"');
}

/// A number, or the text of one that a JavaScript number cannot hold exactly.
pub(crate) fn push_unsigned(out: &mut Vec<u8>, value: u64) {
    push_integer(out, itoa::Buffer::new().format(value), value);
}

/// As [`push_unsigned`].
pub(crate) fn push_signed(out: &mut Vec<u8>, value: i64) {
    push_integer(out, itoa::Buffer::new().format(value), value.unsigned_abs());
}

#[inline]
fn push_integer(out: &mut Vec<u8>, digits: &str, magnitude: u64) {
    let is_text = magnitude > MOST_EXACT;
    if is_text {
        out.push(b'"');
    }
    out.extend_from_slice(digits.as_bytes());
    if is_text {
        out.push(b'"');
    }
}

/// The digits of `value`, with zeros before them up to `width`.
pub(crate) fn push_padded(out: &mut Vec<u8>, value: u64, width: usize) {
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(value);
    out.extend(std::iter::repeat_n(
        b'0',
        width.saturating_sub(digits.len()),
    ));
    out.extend_from_slice(digits.as_bytes());
}

/// A GUID in quotes, lower case, without braces.
pub(crate) fn push_guid(out: &mut Vec<u8>, guid: Guid) {
    out.push(b'"');
    out.extend_from_slice(&guid.to_text());
    out.push(b'"');
}

/// A text in quotes, escaped.
pub(crate) fn push_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    push_escaped(out, text);
    out.push(b'"');
}

/// Text of 8-bit units in quotes.
pub(crate) fn push_bytes8(out: &mut Vec<u8>, text: &[u8]) {
    push_string(out, &bytes8_text(text));
}

/// UTF-16 text in quotes.
pub(crate) fn push_utf16(out: &mut Vec<u8>, text: &[u8]) {
    let (mut units, _) = text.as_chunks();
    out.push(b'"');
    if units
        .iter()
        .fold(true, |plain, unit| plain & is_plain_unit(unit))
    {
        out.extend(units.iter().map(|[low, _]| *low));
        units = &[];
    }
    while !units.is_empty() {
        // Copied as a run, being most of any text; the halves of a surrogate pair are never plain.
        let plain = units
            .iter()
            .position(|unit| !is_plain_unit(unit))
            .unwrap_or(units.len());
        let (run, rest) = units.split_at(plain);
        out.extend(run.iter().map(|[low, _]| *low));
        let other = rest.iter().position(is_plain_unit).unwrap_or(rest.len());
        let (run, rest) = rest.split_at(other);
        utf16_chars(run)
            .for_each(|character| push_escaped(out, character.encode_utf8(&mut [0; 4])));
        units = rest;
    }
    out.push(b'"');
}

fn is_plain_unit([low, high]: &[u8; 2]) -> bool {
    (*high == 0) & is_plain(*low)
}

/// Without branches, so that many are told at once.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b'\\')
}

fn must_escape(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

fn push_escaped(out: &mut Vec<u8>, text: &str) {
    for run in text.as_bytes().split_inclusive(|byte| must_escape(*byte)) {
        match run.split_last() {
            Some((last, plain)) if must_escape(*last) => {
                out.extend_from_slice(plain);
                push_escape(out, *last);
            }
            _ => out.extend_from_slice(run),
        }
    }
}

fn push_escape(out: &mut Vec<u8>, byte: u8) {
    match byte {
        b'"' | b'\\' => out.extend([b'\\', byte]),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\r' => out.extend_from_slice(b"\\r"),
        b'\t' => out.extend_from_slice(b"\\t"),
        _ => {
            out.extend_from_slice(b"\\u00");
            push_hex_bytes(out, &[byte]);
        }
    }
}

/// The name of a value; for flags the names of those that are set, with `|` between them and the unnamed rest in hex.
/// A value without name stays a number.
pub(crate) fn push_mapped(out: &mut Vec<u8>, value: u32, map: &ValueMap) {
    if let Some(name) = map.name(value) {
        return push_string(out, name);
    }
    let named = map.flags(value).fold(0, |named, (flag, _)| named | flag);
    if !map.is_bitmap() || named == 0 {
        return push_unsigned(out, value.into());
    }
    let mut before = b'"';
    for (_, name) in map.flags(value) {
        out.push(before);
        push_escaped(out, name);
        before = b'|';
    }
    if value != named {
        out.extend_from_slice(format!("|{:#x}", value & !named).as_bytes());
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(push: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        push(&mut out);
        String::from_utf8(out).expect("JSON is UTF-8")
    }

    #[test]
    fn integers_beyond_2_to_the_53_are_text() {
        assert_eq!(
            written(|out| push_unsigned(out, 1 << 53)),
            "9007199254740992"
        );
        assert_eq!(
            written(|out| push_unsigned(out, (1 << 53) + 1)),
            "\"9007199254740993\""
        );
        assert_eq!(
            written(|out| push_signed(out, i64::MIN)),
            "\"-9223372036854775808\""
        );
        assert_eq!(written(|out| push_signed(out, -7)), "-7");
    }

    #[test]
    fn hex_has_no_leading_zeros() {
        assert_eq!(written(|out| push_hex(out, 0)), "\"0x0\"");
        assert_eq!(written(|out| push_hex(out, 0x1F)), "\"0x1f\"");
        assert_eq!(
            written(|out| push_hex(out, u64::MAX)),
            "\"0xffffffffffffffff\""
        );
    }

    #[test]
    fn guids_are_written_as_they_are_displayed() {
        let guid = Guid::new(0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c);
        assert_eq!(written(|out| push_guid(out, guid)), format!("\"{guid}\""));
    }

    #[test]
    fn flags_are_joined_and_the_unnamed_rest_kept() {
        let map = ValueMap::new(true, vec![(1, "Read".into()), (2, "Write".into())]);
        assert_eq!(written(|out| push_mapped(out, 1, &map)), "\"Read\"");
        assert_eq!(
            written(|out| push_mapped(out, 0x43, &map)),
            "\"Read|Write|0x40\""
        );
        assert_eq!(written(|out| push_mapped(out, 0x40, &map)), "64");
    }

    proptest! {
        #[test]
        fn any_text_reads_back(text: String) {
            let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            for json in [written(|out| push_string(out, &text)), written(|out| push_utf16(out, &utf16))] {
                let read: Option<String> = serde_json::from_str(&json).ok();
                prop_assert_eq!(read.as_ref(), Some(&text));
            }
        }
    }
}
