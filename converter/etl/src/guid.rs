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
}

impl fmt::Display for Guid {
    /// Lower case with hyphens and without braces: `3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [d, c, b, a, x, e, h, g, i, j, rest @ ..] = self.0;
        let first = u32::from_be_bytes([a, b, c, d]);
        let second = u16::from_be_bytes([e, x]);
        let third = u16::from_be_bytes([g, h]);
        let fourth = u16::from_be_bytes([i, j]);
        write!(f, "{first:08x}-{second:04x}-{third:04x}-{fourth:04x}-")?;
        rest.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
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
