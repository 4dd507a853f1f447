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
    let mut units = Vec::new();
    for pair in tail.chunks_exact(2) {
        let unit = u16_at(pair, 0)?;
        if unit == 0 {
            let next = at + 2 * (units.len() + 1);
            return Some((String::from_utf16_lossy(&units), next));
        }
        units.push(unit);
    }
    Some((String::from_utf16_lossy(&units), bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
