//! GUIDs as they lie on disk.

use std::fmt;

use crate::bytes::array_at;

/// A GUID, kept in its on-disk byte order (three little-endian numbers, then eight bytes).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guid([u8; 16]);

impl Guid {
    /// A GUID from its text read as one hexadecimal number:
    /// `Guid::new(0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c)`.
    pub const fn new(text: u128) -> Self {
        let [a, b, c, d, e, f, g, h, rest @ ..] = text.to_be_bytes();
        let [i, j, k, l, m, n, o, p] = rest;
        Self([d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p])
    }

    /// A GUID from its 16 bytes on disk.
    pub const fn from_disk(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The GUID at offset `at` of `bytes`.
    #[inline]
    pub fn at(bytes: &[u8], at: usize) -> Option<Self> {
        array_at(bytes, at).map(Self)
    }

    /// The 16 bytes in the order in which the text shows them.
    pub const fn to_text_order(self) -> [u8; 16] {
        Self::new(u128::from_be_bytes(self.0)).0
    }

    /// The 16 bytes as they lie on disk.
    pub const fn to_disk(self) -> [u8; 16] {
        self.0
    }

    /// ASCII, lower case with hyphens and without braces: `3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c`.
    pub fn to_text(self) -> [u8; 36] {
        let [a, b, c, d, e, f, g, h, i, j, node @ ..] = self.to_text_order();
        let mut text = [b'-'; 36];
        let mut digits = text.as_mut_slice();
        let parts: [&[u8]; 5] = [&[a, b, c, d], &[e, f], &[g, h], &[i, j], &node];
        for part in parts {
            for byte in part {
                if let [high, low, rest @ ..] = digits {
                    *high = hex_digit(byte >> 4);
                    *low = hex_digit(byte & 0xF);
                    digits = rest;
                }
            }
            digits = digits.get_mut(1..).unwrap_or_default();
        }
        text
    }
}

fn hex_digit(nibble: u8) -> u8 {
    nibble + if nibble < 10 { b'0' } else { b'a' - 10 }
}

impl fmt::Display for Guid {
    /// As [`Guid::to_text`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.to_text()).unwrap_or_default())
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_disk_order() {
        let process = Guid::new(0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c);
        let disk = [
            0xd0, 0xa8, 0x6f, 0x3d, 0x05, 0xfe, 0xd0, 0x11, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7,
            0xba, 0x7c,
        ];
        assert_eq!(process.to_disk(), disk);
        assert_eq!(Guid::at(&disk, 0), Some(process));
        assert_eq!(Guid::at(&disk, 1), None);
        let text_order = 0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c_u128.to_be_bytes();
        assert_eq!(process.to_text_order(), text_order);
        assert_eq!(process.to_string(), "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
    }
}
