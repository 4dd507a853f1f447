//! Little-endian reads that answer `None` instead of reading past the end.

/// The `N` bytes at offset `at`.
#[inline]
pub fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

/// The byte at offset `at`.
#[inline]
pub fn u8_at(bytes: &[u8], at: usize) -> Option<u8> {
    bytes.get(at).copied()
}

/// The 16-bit number at offset `at`.
#[inline]
pub fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    array_at(bytes, at).map(u16::from_le_bytes)
}

/// The 32-bit number at offset `at`.
#[inline]
pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    array_at(bytes, at).map(u32::from_le_bytes)
}

/// The 64-bit number at offset `at`.
#[inline]
pub fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    array_at(bytes, at).map(u64::from_le_bytes)
}

/// The signed 64-bit number at offset `at`.
#[inline]
pub fn i64_at(bytes: &[u8], at: usize) -> Option<i64> {
    array_at(bytes, at).map(i64::from_le_bytes)
}

/// The number of 4 or 8 bytes at offset `at`, as `pointer_bytes` says; `None` for another width.
#[inline]
pub fn pointer_at(bytes: &[u8], at: usize, pointer_bytes: u8) -> Option<u64> {
    match pointer_bytes {
        4 => u32_at(bytes, at).map(u64::from),
        8 => u64_at(bytes, at),
        _ => None,
    }
}

/// The UTF-16 text at offset `at` up to its zero unit or the end of `bytes`, and the offset after it.
/// Unpaired surrogates become U+FFFD; an odd last byte is left out of the text.
pub fn wide_string_at(bytes: &[u8], at: usize) -> Option<(String, usize)> {
    let tail = bytes.get(at..)?;
    let (text, next) = match zero_unit_at(tail) {
        Some(end) => (tail.get(..end)?, at + end + 2),
        None => (tail, bytes.len()),
    };
    Some((utf16_text(text), next))
}

/// The offset of the first zero byte.
#[inline]
pub fn zero_byte_at(bytes: &[u8]) -> Option<usize> {
    memchr::memchr(0, bytes)
}

const ZERO_BLOCK_UNITS: usize = 16;

/// The offset of the first zero unit of UTF-16 text.
#[inline]
pub fn zero_unit_at(bytes: &[u8]) -> Option<usize> {
    let (units, _) = bytes.as_chunks();
    // Whole blocks are looked through at once.
    let (blocks, _) = units.as_chunks::<ZERO_BLOCK_UNITS>();
    let has_zero = |block: &[[u8; 2]; ZERO_BLOCK_UNITS]| {
        block
            .iter()
            .fold(false, |found, unit| found | (*unit == [0, 0]))
    };
    let before = blocks.iter().take_while(|block| !has_zero(block)).count() * ZERO_BLOCK_UNITS;
    let rest = units.get(before..)?;
    let unit = rest.iter().position(|unit| *unit == [0, 0])?;
    Some(2 * (before + unit))
}

/// UTF-16 text, zero units and all. Unpaired surrogates become U+FFFD; an odd last byte is left out.
pub fn utf16_text(bytes: &[u8]) -> String {
    utf16_text_in(bytes, String::new())
}

/// [`utf16_text`] in the memory of another text.
pub fn utf16_text_in(bytes: &[u8], memory: String) -> String {
    let (units, _) = bytes.as_chunks();
    let mut ascii = memory.into_bytes();
    ascii.clear();
    if push_ascii(units, &mut ascii) {
        return String::from_utf8(ascii).unwrap_or_default();
    }
    let units = units.iter().map(|unit| u16::from_le_bytes(*unit));
    char::decode_utf16(units)
        .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// Appends UTF-16 text if all of it is ASCII; answers whether it is, and else leaves something to be thrown away.
#[inline]
pub fn push_ascii(units: &[[u8; 2]], out: &mut Vec<u8>) -> bool {
    out.reserve(units.len());
    let mut beyond_ascii = 0;
    let rest = push_low_bytes::<16>(units, out, &mut beyond_ascii);
    let rest = push_low_bytes::<4>(rest, out, &mut beyond_ascii);
    push_low_bytes::<1>(rest, out, &mut beyond_ascii);
    beyond_ascii == 0
}

/// Appends the low bytes of whole blocks of `N` units, all of a block at once, and gathers the bits that ASCII has not.
/// Answers the units that are left.
#[inline]
fn push_low_bytes<'a, const N: usize>(
    units: &'a [[u8; 2]],
    out: &mut Vec<u8>,
    beyond_ascii: &mut u8,
) -> &'a [[u8; 2]] {
    let (blocks, rest) = units.as_chunks::<N>();
    for block in blocks {
        let fold = |seen, [low, high]: &[u8; 2]| seen | low & 0x80 | high;
        *beyond_ascii |= block.iter().fold(0, fold);
        out.extend_from_slice(&block.map(|[low, _]| low));
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_ascii_or_not_wherever_its_units_are() {
        for length in 0..40 {
            let ascii = [b'A', 0].repeat(length);
            assert_eq!(utf16_text(&ascii), "A".repeat(length));
            for at in 0..length {
                let mut other = ascii.clone();
                other[2 * at..2 * at + 2].copy_from_slice(&0xE4_u16.to_le_bytes());
                let expected = format!("{}ä{}", "A".repeat(at), "A".repeat(length - at - 1));
                assert_eq!(utf16_text(&other), expected);
            }
        }
    }

    #[test]
    fn the_first_zero_unit_is_found_wherever_it_is() {
        for units in 0..50 {
            let text = [[0x41, 0].repeat(units), vec![0, 0, 0, 0, 0x41]].concat();
            assert_eq!(zero_unit_at(&text), Some(2 * units));
            assert_eq!(zero_unit_at(&text[..2 * units]), None);
        }
        assert_eq!(zero_unit_at(&[0x41, 0, 0, 0x41, 0]), None);
    }

    #[test]
    fn numbers_are_little_endian_and_never_past_the_end() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        assert_eq!(u16_at(&bytes, 1), Some(0x0302));
        assert_eq!(u32_at(&bytes, 5), Some(0x0908_0706));
        assert_eq!(u64_at(&bytes, 1), Some(0x0908_0706_0504_0302));
        assert_eq!(u64_at(&bytes, 2), None);
        assert_eq!(u32_at(&bytes, usize::MAX), None);
        assert_eq!(pointer_at(&bytes, 0, 4), Some(0x0403_0201));
        assert_eq!(pointer_at(&bytes, 0, 5), None);
    }

    #[test]
    fn wide_strings_end_at_zero_or_at_the_end() {
        let bytes = [b'a', 0, b'b', 0, 0, 0, b'c', 0, b'd'];
        assert_eq!(wide_string_at(&bytes, 0), Some(("ab".to_owned(), 6)));
        assert_eq!(wide_string_at(&bytes, 6), Some(("c".to_owned(), 9)));
        assert_eq!(wide_string_at(&bytes, 9), Some((String::new(), 9)));
        assert_eq!(wide_string_at(&bytes, 10), None);
        assert_eq!(
            wide_string_at(&[0x00, 0xD8], 0),
            Some(("\u{FFFD}".to_owned(), 2))
        );
    }
}
