//! A cursor over payload bytes, and the borrowed views it gives.

use std::borrow::Cow;
use std::fmt;

use etl::bytes::{utf16_text, utf16_text_in, zero_byte_at, zero_unit_at};

/// Width of pointer-sized fields, taken from the event's own header: one trace holds both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerWidth {
    /// 4 bytes.
    Bits32,
    /// 8 bytes.
    Bits64,
}

impl PointerWidth {
    /// Bytes of a pointer-sized field.
    pub fn bytes(self) -> usize {
        match self {
            Self::Bits32 => 4,
            Self::Bits64 => 8,
        }
    }

    /// The other width: some writers put 64-bit payloads under 32-bit headers.
    pub fn other(self) -> Self {
        match self {
            Self::Bits32 => Self::Bits64,
            Self::Bits64 => Self::Bits32,
        }
    }
}

/// A payload is shorter than the fields without which its event says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short {
    /// Bytes that the layout needs at least.
    pub needed_bytes: usize,
    /// Bytes that are there.
    pub found_bytes: usize,
}

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "payload of {} bytes, expected at least {}",
            self.found_bytes, self.needed_bytes
        )
    }
}

impl std::error::Error for Short {}

/// Reads little-endian fields one after another; `None` once the bytes run out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payload<'a> {
    rest: &'a [u8],
}

impl<'a> Payload<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*taken)
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn pointer(&mut self, width: PointerWidth) -> Option<u64> {
        match width {
            PointerWidth::Bits32 => self.u32().map(u64::from),
            PointerWidth::Bits64 => self.u64(),
        }
    }

    /// An 8-bit string up to its zero byte, or to the payload's end.
    pub fn ansi(&mut self) -> Option<Ansi<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = zero_byte_at(self.rest);
        let text = self.take(end.unwrap_or(self.rest.len()))?;
        if end.is_some() {
            self.take(1)?;
        }
        Some(Ansi { bytes: text })
    }

    /// A UTF-16 string up to its zero unit, or to the payload's end; an odd last byte is ignored.
    pub fn wide(&mut self) -> Option<Wide<'a>> {
        if self.rest.len() < 2 {
            return None;
        }
        match self.whole_wide() {
            None => {
                let bytes = self.take(self.rest.len() & !1)?;
                Some(Wide { bytes })
            }
            whole => whole,
        }
    }

    /// A UTF-16 string with its zero unit; `None` where that is cut off.
    pub fn whole_wide(&mut self) -> Option<Wide<'a>> {
        let bytes = self.take(zero_unit_at(self.rest)?)?;
        self.take(2)?;
        Some(Wide { bytes })
    }
}

/// An 8-bit string in the recording machine's code page.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Ansi<'a> {
    bytes: &'a [u8],
}

impl<'a> Ansi<'a> {
    /// The bytes, one for each character, or UTF-8.
    pub fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// As text: UTF-8 where it is, else byte by byte as Latin-1, since the code page is not recorded.
    pub fn to_text(self) -> Cow<'a, str> {
        match std::str::from_utf8(self.bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(self.bytes.iter().map(|&byte| char::from(byte)).collect()),
        }
    }

    /// True if there is no character.
    pub fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }
}

/// A UTF-16LE string.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Wide<'a> {
    bytes: &'a [u8],
}

impl<'a> Wide<'a> {
    /// A string of these bytes, without a zero at its end.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// The bytes, two for each unit.
    pub fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// As text; unpaired surrogates become U+FFFD.
    pub fn to_text(self) -> String {
        utf16_text(self.bytes)
    }

    /// [`Wide::to_text`] in the memory of another text.
    pub fn to_text_in(self, memory: String) -> String {
        utf16_text_in(self.bytes, memory)
    }

    /// True if there is no character.
    pub fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// The first UTF-16 unit.
    pub(crate) fn first_unit(self) -> Option<u16> {
        self.bytes.first_chunk().copied().map(u16::from_le_bytes)
    }
}

impl fmt::Debug for Ansi<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_text(), f)
    }
}

impl fmt::Debug for Wide<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_text(), f)
    }
}

/// A security identifier: revision 1, a 48-bit authority, at most 15 sub-authorities.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sid<'a> {
    authority: [u8; 6],
    sub_authorities: &'a [u8],
}

/// Source: Microsoft docs, `SID_MAX_SUB_AUTHORITIES`.
const SUB_AUTHORITIES_MAX: u8 = 15;

impl<'a> Payload<'a> {
    /// A bare SID; `None` if it is not one, or runs past the end.
    pub fn sid(&mut self) -> Option<Sid<'a>> {
        let mut ahead = *self;
        let (revision, count) = (ahead.u8()?, ahead.u8()?);
        if revision != 1 || count > SUB_AUTHORITIES_MAX {
            return None;
        }
        let sid = Sid {
            authority: ahead.array()?,
            sub_authorities: ahead.take(usize::from(count) * 4)?,
        };
        *self = ahead;
        Some(sid)
    }
}

impl fmt::Debug for Sid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Sid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let authority = self
            .authority
            .iter()
            .fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
        write!(f, "S-1-{authority}")?;
        let mut rest = Payload::new(self.sub_authorities);
        while let Some(sub_authority) = rest.u32() {
            write!(f, "-{sub_authority}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end_at_their_zero_or_at_the_end_of_the_payload() {
        let mut payload = Payload::new(b"ab\0c\0d\0\0\0e\0f");
        assert_eq!(
            payload.ansi().map(|s| s.to_text().into_owned()).as_deref(),
            Some("ab")
        );
        assert_eq!(payload.wide().map(Wide::to_text).as_deref(), Some("cd"));
        assert_eq!(payload.wide().map(Wide::to_text).as_deref(), Some("e"));
        assert_eq!(payload.rest(), b"f");
    }

    #[test]
    fn text_outside_its_encoding_is_kept_readable() {
        assert_eq!(Ansi { bytes: b"caf\xe9" }.to_text(), "café");
        assert_eq!(
            Wide {
                bytes: &[0x00, 0xd8, 0x41, 0x00]
            }
            .to_text(),
            "\u{fffd}A"
        );
    }

    #[test]
    fn a_sid_reads_as_windows_prints_it() {
        let bytes = [1, 2, 0, 0, 0, 0, 0, 5, 32, 0, 0, 0, 0x20, 2, 0, 0];
        let sid = Payload::new(&bytes).sid().map(|sid| sid.to_string());
        assert_eq!(sid.as_deref(), Some("S-1-5-32-544"));
        assert_eq!(Payload::new(&[1, 16, 0, 0, 0, 0, 0, 5]).sid(), None);
    }
}
