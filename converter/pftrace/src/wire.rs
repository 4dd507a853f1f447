//! The protobuf wire format, appended to a byte vector.
//!
//! Source: protobuf.dev, "Encoding". Lengths are patched in place: messages known to stay short reserve one byte,
//! others four bytes of padded varint, so that nothing is measured first or moved afterwards.

/// Bytes reserved for the length of a message of unknown size; bounds it to 2^28 - 1 bytes.
const LONG_LENGTH_BYTES: usize = 4;

/// Longest message that [`Wire::short_message`] can hold, in bytes.
pub const SHORT_MESSAGE_MAX_BYTES: usize = 127;

/// Protobuf fields appended to a byte vector.
pub trait Wire {
    /// A bare base-128 varint.
    fn varint(&mut self, value: u64);
    /// A field of type `uint32`, `uint64`, `bool` or an enum.
    fn uint(&mut self, field: u32, value: u64);
    /// A field of type `int32` or `int64`: negative values take ten bytes.
    fn int(&mut self, field: u32, value: i64);
    /// A field of type `sint32` or `sint64` (zigzag).
    fn sint(&mut self, field: u32, value: i64);
    /// A field of type `string` or `bytes`.
    fn bytes(&mut self, field: u32, value: &[u8]);
    /// A nested message of any length up to 2^28 - 1 bytes.
    fn message(&mut self, field: u32, fill: impl FnOnce(&mut Vec<u8>));
    /// A nested message of at most [`SHORT_MESSAGE_MAX_BYTES`]; longer content would break the framing, so use it only
    /// for messages of bounded numbers.
    fn short_message(&mut self, field: u32, fill: impl FnOnce(&mut Vec<u8>));
}

const VARINT: u32 = 0;
const LENGTH_DELIMITED: u32 = 2;

impl Wire for Vec<u8> {
    #[inline]
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.push((value as u8) | 0x80);
            value >>= 7;
        }
        self.push(value as u8);
    }

    #[inline]
    fn uint(&mut self, field: u32, value: u64) {
        self.varint(u64::from(field << 3 | VARINT));
        self.varint(value);
    }

    #[inline]
    fn int(&mut self, field: u32, value: i64) {
        self.uint(field, value.cast_unsigned());
    }

    #[inline]
    fn sint(&mut self, field: u32, value: i64) {
        self.uint(field, ((value << 1) ^ (value >> 63)).cast_unsigned());
    }

    fn bytes(&mut self, field: u32, value: &[u8]) {
        self.varint(u64::from(field << 3 | LENGTH_DELIMITED));
        self.varint(value.len() as u64);
        self.extend_from_slice(value);
    }

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

    #[inline]
    fn short_message(&mut self, field: u32, fill: impl FnOnce(&mut Vec<u8>)) {
        self.varint(u64::from(field << 3 | LENGTH_DELIMITED));
        let at = self.len();
        self.push(0);
        fill(self);
        let length = self.len() - at - 1;
        debug_assert!(length <= SHORT_MESSAGE_MAX_BYTES);
        if let Some(reserved) = self.get_mut(at) {
            *reserved = length as u8;
        }
    }
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
