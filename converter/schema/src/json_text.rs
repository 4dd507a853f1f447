//! JSON for texts and for values that JSON has no form for; everything is appended to one buffer.

use etl::Guid;
use etl::bytes::{push_ascii, utf16_text};

use crate::text::bytes8_text;
use crate::value_map::ValueMap;

/// Up to here a JavaScript number is exact.
const MOST_EXACT: u64 = 1 << 53;

/// The 8 hex digits of a number, all at once: a byte of a word each.
fn hex_digits(value: u32) -> [u8; 8] {
    let mut nibbles = u64::from(value);
    nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF;
    nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF;
    nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
    let digits = nibbles + 0x3030_3030_3030_3030 + letters * u64::from(b'a' - b'0' - 10);
    digits.to_be_bytes()
}

/// Two digits a byte.
pub(crate) fn push_hex_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    let (words, rest) = bytes.as_chunks();
    for word in words {
        out.extend_from_slice(&hex_digits(u32::from_be_bytes(*word)));
    }
    for byte in rest {
        let [.., high, low] = hex_digits(u32::from(*byte));
        out.extend_from_slice(&[high, low]);
    }
}

/// `"0x1f"`.
pub(crate) fn push_hex(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(b"\"0x");
    push_hex_digits(out, value);
    out.push(b'"');
}

/// `1f`.
#[inline]
fn push_hex_digits(out: &mut Vec<u8>, value: u64) {
    let mut digits = [0; 16];
    let (high, low) = digits.split_at_mut(8);
    high.copy_from_slice(&hex_digits((value >> 32) as u32));
    low.copy_from_slice(&hex_digits(value as u32));
    let zeros = (value | 1).leading_zeros() as usize / 4;
    out.extend_from_slice(digits.get(zeros..).unwrap_or_default());
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
    push_escaped(out, text.as_bytes());
    out.push(b'"');
}

/// Text of 8-bit units in quotes.
pub(crate) fn push_bytes8(out: &mut Vec<u8>, text: &[u8]) {
    push_string(out, &bytes8_text(text));
}

/// UTF-16 text in quotes.
pub(crate) fn push_utf16(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    let start = out.len();
    if push_ascii(text.as_chunks().0, out) {
        if has_escapes(out.get(start..).unwrap_or_default()) {
            let text = out.split_off(start);
            push_escaped(out, &text);
        }
    } else {
        out.truncate(start);
        push_escaped(out, utf16_text(text).as_bytes());
    }
    out.push(b'"');
}

/// Without branches, so that many bytes are told at once.
fn must_escape(byte: u8) -> bool {
    (byte < b' ') | (byte == b'"') | (byte == b'\\')
}

fn has_escapes(text: &[u8]) -> bool {
    text.iter()
        .fold(false, |found, byte| found | must_escape(*byte))
}

/// UTF-8 text, escaped.
fn push_escaped(out: &mut Vec<u8>, text: &[u8]) {
    if !has_escapes(text) {
        return out.extend_from_slice(text);
    }
    for run in text.split_inclusive(|byte| must_escape(*byte)) {
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
        push_escaped(out, name.as_bytes());
        before = b'|';
    }
    if value != named {
        out.extend_from_slice(b"|0x");
        push_hex_digits(out, (value & !named).into());
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
