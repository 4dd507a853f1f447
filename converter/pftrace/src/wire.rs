//! The protobuf wire format, appended to a byte vector.
//!
//! Source: protobuf.dev, "Encoding". Lengths are patched in place: messages known to stay short reserve one byte and are
//! collected in a [`Short`], others four bytes of padded varint, so that nothing is measured first.

/// Bytes reserved for the length of a message of unknown size; bounds it to 2^28 - 1 bytes.
const LONG_LENGTH_BYTES: usize = 4;

/// Longest message that [`Wire::short_message`] can hold, in bytes.
pub const SHORT_MESSAGE_MAX_BYTES: usize = 127;

/// Protobuf fields appended to a byte vector.
pub trait Wire {
    /// A bare base-128 varint.
    fn varint(&mut self, value: u64);
    /// Bytes as they are.
    fn raw(&mut self, bytes: &[u8]);

    /// A field of type `uint32`, `uint64`, `bool` or an enum.
    #[inline]
    fn uint(&mut self, field: u32, value: u64) {
        self.varint(u64::from(field << 3 | VARINT));
        self.varint(value);
    }

    /// A field of type `int32` or `int64`: negative values take ten bytes.
    #[inline]
    fn int(&mut self, field: u32, value: i64) {
        self.uint(field, value.cast_unsigned());
    }

    /// A field of type `sint32` or `sint64` (zigzag).
    #[inline]
    fn sint(&mut self, field: u32, value: i64) {
        self.uint(field, ((value << 1) ^ (value >> 63)).cast_unsigned());
    }

    /// A field of type `string` or `bytes`.
    fn bytes(&mut self, field: u32, value: &[u8]) {
        self.varint(u64::from(field << 3 | LENGTH_DELIMITED));
        self.varint(value.len() as u64);
        self.raw(value);
    }

    /// A nested message of at most [`SHORT_MESSAGE_MAX_BYTES`]; what goes beyond is lost, so use it only for messages of
    /// bounded numbers.
    fn short_message(&mut self, field: u32, fill: impl FnOnce(&mut Short));
}

/// A nested message of any length up to 2^28 - 1 bytes.
pub trait LongMessage {
    /// Appends it.
    fn message(&mut self, field: u32, fill: impl FnOnce(&mut Vec<u8>));
}

const VARINT: u32 = 0;
const LENGTH_DELIMITED: u32 = 2;

impl Wire for Vec<u8> {
    #[inline]
    fn varint(&mut self, value: u64) {
        if value < 0x80 {
            self.push(value as u8);
        } else {
            push_long_varint(self, value);
        }
    }

    #[inline]
    fn raw(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    #[inline]
    fn short_message(&mut self, field: u32, fill: impl FnOnce(&mut Short)) {
        let mut short = Short::default();
        short.short_message(field, fill);
        short.append_to(self);
    }
}

/// Apart, so that numbers below 128 are written where they stand.
#[inline(never)]
fn push_long_varint(out: &mut Vec<u8>, value: u64) {
    if value >> 56 == 0 {
        let (word, count) = spread(value);
        let end = out.len() + count;
        out.extend_from_slice(&word.to_le_bytes());
        out.truncate(end);
    } else {
        let (word, _) = spread(value & ((1 << 56) - 1));
        out.extend_from_slice(&(word | CONTINUE).to_le_bytes());
        out.varint(value >> 56);
    }
}

impl LongMessage for Vec<u8> {
    fn message(&mut self, field: u32, fill: impl FnOnce(&mut Vec<u8>)) {
        self.varint(u64::from(field << 3 | LENGTH_DELIMITED));
        let start = self.len() + LONG_LENGTH_BYTES;
        self.extend_from_slice(&[0; LONG_LENGTH_BYTES]);
        fill(self);
        let length = self.len() - start;
        debug_assert!(length < 1 << (7 * LONG_LENGTH_BYTES));
        let padded = [
            length as u8 | 0x80,
            (length >> 7) as u8 | 0x80,
            (length >> 14) as u8 | 0x80,
            (length >> 21) as u8 & 0x7f,
        ];
        if let Some(reserved) = self.get_mut(start - LONG_LENGTH_BYTES..start) {
            reserved.copy_from_slice(&padded);
        }
    }
}

/// A place for a short message and its tag: a fixed array, so that appending checks nothing but its end.
#[derive(Clone, Copy, Debug)]
pub struct Short {
    bytes: [u8; SHORT_BYTES],
    length: usize,
}

/// Most short messages are not longer.
const BLOCK_BYTES: usize = 64;

/// A tag and a length, the longest message, and room to write a whole word at its end.
const SHORT_BYTES: usize = 8 + SHORT_MESSAGE_MAX_BYTES + 1 + size_of::<u64>();

impl Default for Short {
    #[inline]
    fn default() -> Self {
        Self {
            bytes: [0; SHORT_BYTES],
            length: 0,
        }
    }
}

impl Short {
    /// Copies whole blocks, whose size the compiler knows, and cuts what is too much.
    #[inline]
    fn append_to(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.length;
        let (first, rest) = self.bytes.split_at(BLOCK_BYTES);
        out.extend_from_slice(first);
        if self.length > BLOCK_BYTES {
            out.extend_from_slice(rest);
        }
        out.truncate(end);
    }

    /// Appends the first `count` bytes of a word.
    #[inline]
    fn word(&mut self, word: u64, count: usize) {
        let place = self.bytes.get_mut(self.length..);
        if let Some(place) = place.and_then(|place| place.first_chunk_mut()) {
            *place = word.to_le_bytes();
            self.length += count;
        }
    }
}

impl Wire for Short {
    #[inline]
    fn varint(&mut self, value: u64) {
        if value < 0x80 {
            self.word(value, 1);
        } else if value >> 56 == 0 {
            let (word, count) = spread(value);
            self.word(word, count);
        } else {
            let (word, _) = spread(value & ((1 << 56) - 1));
            self.word(word | CONTINUE, 8);
            self.varint(value >> 56);
        }
    }

    fn raw(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.word(byte.into(), 1);
        }
    }

    #[inline]
    fn short_message(&mut self, field: u32, fill: impl FnOnce(&mut Short)) {
        self.varint(u64::from(field << 3 | LENGTH_DELIMITED));
        let at = self.length;
        self.word(0, 1);
        fill(self);
        let length = self.length - at - 1;
        debug_assert!(length <= SHORT_MESSAGE_MAX_BYTES);
        if let Some(reserved) = self.bytes.get_mut(at) {
            *reserved = length as u8;
        }
    }
}

/// In each byte of a varint but the last.
const CONTINUE: u64 = 0x8080_8080_8080_8080;

/// The varint of a value of at most 56 bits, in the low bytes, and its length: without a loop over the bytes, whose number
/// no branch predictor knows.
#[inline]
fn spread(value: u64) -> (u64, usize) {
    // 28 bits to each half, 14 to each quarter, 7 to each byte.
    let halves = (value & 0x0FFF_FFFF) | (value & 0x00FF_FFFF_F000_0000) << 4;
    let quarters = (halves & 0x0000_3FFF_0000_3FFF) | (halves & 0x0FFF_C000_0FFF_C000) << 2;
    let bytes = (quarters & 0x007F_007F_007F_007F) | (quarters & 0x3F80_3F80_3F80_3F80) << 1;
    let count = (63 - (value | 1).leading_zeros()) / 7 + 1;
    let all_but_last = (1 << (8 * (count - 1))) - 1;
    (bytes | CONTINUE & all_but_last, count as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_bytes_the_specification_shows() {
        let mut out = Vec::new();
        out.uint(1, 150);
        out.sint(2, -1);
        out.int(3, -1);
        out.bytes(4, b"testing");
        assert_eq!(
            out,
            [
                &[0x08, 0x96, 0x01, 0x10, 0x01, 0x18][..],
                &[0xff; 9],
                &[0x01, 0x22, 0x07],
                b"testing"
            ]
            .concat()
        );
    }

    #[test]
    fn varints_of_all_lengths_end_with_the_byte_that_does_not_continue() {
        for bits in 0..64 {
            for value in [1 << bits, (1 << bits) - 1, 0x5555_5555_5555_5555 >> bits] {
                let mut expected = Vec::new();
                let mut rest: u64 = value;
                while rest >= 0x80 {
                    expected.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                expected.push(rest as u8);
                let mut out = Vec::new();
                out.varint(value);
                assert_eq!(out, expected, "{value}");
            }
        }
    }

    #[test]
    fn a_short_message_has_one_length_byte_and_a_long_one_four() {
        let mut out = Vec::new();
        out.short_message(3, |m| m.uint(1, 1));
        out.message(3, |m| m.uint(1, 1));
        assert_eq!(
            out,
            [0x1a, 2, 0x08, 1, 0x1a, 0x82, 0x80, 0x80, 0x00, 0x08, 1]
        );
    }
}
