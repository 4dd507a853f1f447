//! Text as it lies in payloads and schemas.

use std::borrow::Cow;

use etl::bytes::{u16_at, wide_string_at, zero_byte_at, zero_unit_at};

/// The 16-bit units of `bytes`; an odd last byte is left out.
pub(crate) fn utf16_units(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|unit| u16::from_le_bytes(*unit))
}

/// Text of 8-bit units: UTF-8, or else, being in some code page that the trace does not name, Latin-1.
pub(crate) fn bytes8_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// The bytes of `text` before its zero unit, or all of them.
pub(crate) fn before_zero16(text: &[u8]) -> &[u8] {
    zero_unit_at(text)
        .and_then(|end| text.get(..end))
        .unwrap_or(text)
}

/// The bytes of `text` before its zero byte, or all of them.
pub(crate) fn before_zero8(text: &[u8]) -> &[u8] {
    zero_byte_at(text)
        .and_then(|end| text.get(..end))
        .unwrap_or(text)
}

/// The zero-ended UTF-8 text at offset `at`, and the offset after it; `None` without a zero byte.
pub(crate) fn utf8_at(bytes: &[u8], at: usize) -> Option<(Cow<'_, str>, usize)> {
    let tail = bytes.get(at..)?;
    let end = zero_byte_at(tail)?;
    Some((String::from_utf8_lossy(tail.get(..end)?), at + end + 1))
}

/// The zero-ended UTF-16 text at offset `at`, without blanks at its end; `None` where that is past the end.
pub(crate) fn wide_text_at(bytes: &[u8], at: usize) -> Option<Box<str>> {
    wide_string_at(bytes, at).map(|(text, _)| text.trim_end().into())
}

/// The zero-ended UTF-16 texts from offset `at` up to an empty one.
pub(crate) fn wide_texts_at(bytes: &[u8], at: usize) -> Vec<Box<str>> {
    let mut texts = Vec::new();
    let mut at = at;
    while let Some((text, next)) = wide_string_at(bytes, at)
        && u16_at(bytes, at) != Some(0)
        && !text.is_empty()
    {
        texts.push(text.trim_end().into());
        at = next;
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn text_that_is_not_utf8_is_latin1() {
        assert_eq!(bytes8_text("Größe".as_bytes()), "Größe");
        assert_eq!(bytes8_text(b"Gr\xF6\xDFe"), "Größe");
    }

    #[test]
    fn an_odd_byte_is_left_out() {
        assert_eq!(utf16_units(b"a\0b\0c").collect::<Vec<_>>(), [0x61, 0x62]);
    }

    #[test]
    fn a_list_of_texts_ends_at_an_empty_one() {
        assert_eq!(
            wide_texts_at(&wide("one \0two\0\0three\0"), 0),
            ["one".into(), "two".into()]
        );
        assert_eq!(wide_texts_at(&wide("cut"), 0), ["cut".into()]);
        assert!(wide_texts_at(b"", 9).is_empty());
    }
}
