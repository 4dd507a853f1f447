//! Reads one value at a time, first as it lies in the payload, then as its schema wants it shown.

use std::net::{Ipv4Addr, Ipv6Addr};

use etl::Guid;
use etl::bytes::{array_at, u32_at};

use crate::layout::{Encoding, Extent, Field, Format};
use crate::text::{before_zero8, before_zero16, utf16_units};
use crate::value::Scalar;

const MOST_SID_PARTS: usize = 15;

/// A value before its format is applied.
#[derive(Clone, Copy)]
pub(crate) enum Raw<'a> {
    /// An integer, sign-extended where `signed`, and its width in the payload.
    Integer { value: u64, bytes: u8, signed: bool },
    /// Anything else.
    Scalar(Scalar<'a>),
}

impl<'a> Raw<'a> {
    /// The value as a count or length.
    pub(crate) fn integer(self) -> Option<u64> {
        match self {
            Self::Integer { value, .. } => Some(value),
            Self::Scalar(_) => None,
        }
    }

    /// The value as `field` wants it shown.
    #[inline]
    pub(crate) fn formatted(self, field: &'a Field) -> Scalar<'a> {
        match self {
            Self::Integer {
                value,
                bytes,
                signed,
            } => {
                if let Some(map) = field.map.as_ref().and_then(|map| map.map.as_deref())
                    && let Ok(mapped) = u32::try_from(value & width_mask(bytes))
                {
                    return Scalar::Mapped(mapped, map);
                }
                formatted_integer(value, bytes, signed, field.format)
            }
            Self::Scalar(Scalar::Binary(binary)) => formatted_binary(binary, field.format),
            Self::Scalar(scalar) => scalar,
        }
    }
}

fn width_mask(bytes: u8) -> u64 {
    u64::MAX >> (64 - 8 * u32::from(bytes.clamp(1, 8)))
}

fn sign_extended(value: u64, bytes: u8) -> i64 {
    let unused = 64 - 8 * u32::from(bytes.clamp(1, 8));
    (value << unused).cast_signed() >> unused
}

#[inline]
fn formatted_integer<'a>(value: u64, bytes: u8, signed: bool, format: Format) -> Scalar<'a> {
    let unsigned = value & width_mask(bytes);
    match (format, bytes) {
        (Format::Hex, _) => Scalar::Hex(unsigned),
        (Format::Boolean, _) => Scalar::Bool(unsigned != 0),
        (Format::Signed, _) => Scalar::I64(sign_extended(value, bytes)),
        (Format::Unsigned, _) => Scalar::U64(unsigned),
        (Format::FileTime, 8) => Scalar::FileTime(unsigned),
        (Format::Port, 2) => Scalar::U64(unsigned >> 8 | (unsigned & 0xFF) << 8),
        (Format::Ipv4, 4) => {
            let [a, b, c, d, ..] = unsigned.to_le_bytes();
            Scalar::Ipv4(Ipv4Addr::new(a, b, c, d))
        }
        _ if signed => Scalar::I64(value.cast_signed()),
        _ => Scalar::U64(unsigned),
    }
}

fn formatted_binary(binary: &[u8], format: Format) -> Scalar<'_> {
    let address = |bytes: &[u8]| <[u8; 16]>::try_from(bytes).ok().map(Ipv6Addr::from);
    match format {
        Format::Ipv6 => address(binary).map_or(Scalar::Binary(binary), Scalar::Ipv6),
        Format::SocketAddress => Scalar::SocketAddress(binary),
        Format::Text => Scalar::Bytes8(before_zero8(binary)),
        _ => Scalar::Binary(binary),
    }
}

/// A place in a payload.
pub(crate) struct Reader<'a> {
    payload: &'a [u8],
    at: usize,
    pointer_bytes: u8,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(payload: &'a [u8], pointer_bytes: u8) -> Self {
        Self {
            payload,
            at: 0,
            pointer_bytes,
        }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn seek(&mut self, at: usize) {
        self.at = at;
    }

    /// Bytes not yet read.
    pub(crate) fn left(&self) -> usize {
        self.payload.len().saturating_sub(self.at)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let array = array_at(self.payload, self.at)?;
        self.at += N;
        Some(array)
    }

    #[inline]
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let taken = self.payload.get(self.at..)?.get(..bytes)?;
        self.at += bytes;
        Some(taken)
    }

    fn rest(&self) -> &'a [u8] {
        self.payload.get(self.at..).unwrap_or_default()
    }

    /// Reads one value; `length` gives the value kept in a slot. `None` where the payload is too short for it.
    #[inline]
    pub(crate) fn read(
        &mut self,
        encoding: &Encoding,
        length: impl Fn(u8) -> u64,
    ) -> Option<Raw<'a>> {
        let unsigned = |value: u64, bytes: u8| Raw::Integer {
            value,
            bytes,
            signed: false,
        };
        let signed = |value: i64, bytes: u8| Raw::Integer {
            value: value.cast_unsigned(),
            bytes,
            signed: true,
        };
        Some(match encoding {
            Encoding::Null | Encoding::Struct(_) => Raw::Scalar(Scalar::Null),
            Encoding::I8 => signed(i8::from_le_bytes(self.array()?).into(), 1),
            Encoding::U8 => unsigned(u8::from_le_bytes(self.array()?).into(), 1),
            Encoding::I16 => signed(i16::from_le_bytes(self.array()?).into(), 2),
            Encoding::U16 => unsigned(u16::from_le_bytes(self.array()?).into(), 2),
            Encoding::I32 => signed(i32::from_le_bytes(self.array()?).into(), 4),
            Encoding::U32 => unsigned(u32::from_le_bytes(self.array()?).into(), 4),
            Encoding::I64 => signed(i64::from_le_bytes(self.array()?), 8),
            Encoding::U64 => unsigned(u64::from_le_bytes(self.array()?), 8),
            Encoding::Pointer if self.pointer_bytes == 4 => {
                unsigned(u32::from_le_bytes(self.array()?).into(), 4)
            }
            Encoding::Pointer => unsigned(u64::from_le_bytes(self.array()?), 8),
            Encoding::F32 => Raw::Scalar(Scalar::F32(f32::from_le_bytes(self.array()?))),
            Encoding::F64 => Raw::Scalar(Scalar::F64(f64::from_le_bytes(self.array()?))),
            Encoding::Bool8 => Raw::Scalar(Scalar::Bool(self.array::<1>()? != [0])),
            Encoding::Bool32 => Raw::Scalar(Scalar::Bool(self.array::<4>()? != [0; 4])),
            Encoding::Guid => Raw::Scalar(Scalar::Guid(Guid::from_disk(self.array()?))),
            Encoding::FileTime => Raw::Scalar(Scalar::FileTime(u64::from_le_bytes(self.array()?))),
            Encoding::SystemTime => Raw::Scalar(Scalar::SystemTime(self.system_time()?)),
            Encoding::Sid => Raw::Scalar(Scalar::Sid(self.sid()?)),
            Encoding::TokenUserSid => Raw::Scalar(self.token_user_sid()?),
            Encoding::Utf16(extent) => Raw::Scalar(Scalar::Utf16(self.utf16(*extent, length)?)),
            Encoding::Bytes8(extent) => Raw::Scalar(Scalar::Bytes8(self.bytes8(*extent, length)?)),
            Encoding::Padding(bytes) => {
                self.take(usize::from(*bytes))?;
                Raw::Scalar(Scalar::Null)
            }
            Encoding::Binary(extent) => {
                Raw::Scalar(Scalar::Binary(self.sized(*extent, 1, length)?))
            }
        })
    }

    fn system_time(&mut self) -> Option<[u16; 8]> {
        let mut parts = [0; 8];
        let units = utf16_units(self.take(16)?);
        parts
            .iter_mut()
            .zip(units)
            .for_each(|(part, unit)| *part = unit);
        Some(parts)
    }

    fn sid(&mut self) -> Option<&'a [u8]> {
        let parts = usize::from(*self.rest().get(1)?);
        if parts > MOST_SID_PARTS {
            return None;
        }
        self.take(8 + 4 * parts)
    }

    /// A u32 of 0 says that there is none (§4.2).
    fn token_user_sid(&mut self) -> Option<Scalar<'a>> {
        if u32_at(self.payload, self.at)? == 0 {
            self.take(4)?;
            return Some(Scalar::Null);
        }
        self.take(2 * usize::from(self.pointer_bytes))?;
        self.sid().map(Scalar::Sid)
    }

    fn utf16(&mut self, extent: Extent, length: impl Fn(u8) -> u64) -> Option<&'a [u8]> {
        match extent {
            Extent::Terminated => {
                let text = before_zero16(self.rest());
                self.at = (self.at + text.len() + 2).min(self.payload.len());
                Some(text)
            }
            Extent::Fixed(_) | Extent::Slot(_) => self.sized(extent, 2, length).map(before_zero16),
            _ => self.sized(extent, 2, length),
        }
    }

    fn bytes8(&mut self, extent: Extent, length: impl Fn(u8) -> u64) -> Option<&'a [u8]> {
        match extent {
            Extent::Terminated => {
                let text = before_zero8(self.rest());
                self.at = (self.at + text.len() + 1).min(self.payload.len());
                Some(text)
            }
            Extent::Fixed(_) | Extent::Slot(_) => self.sized(extent, 1, length).map(before_zero8),
            _ => self.sized(extent, 1, length),
        }
    }

    fn sized(
        &mut self,
        extent: Extent,
        unit_bytes: usize,
        length: impl Fn(u8) -> u64,
    ) -> Option<&'a [u8]> {
        let bytes = match extent {
            Extent::Fixed(units) => usize::from(units) * unit_bytes,
            Extent::Slot(slot) => usize::try_from(length(slot))
                .ok()?
                .checked_mul(unit_bytes)?,
            Extent::Counted16 => usize::from(self.u16()?),
            Extent::CountedUnits16 => usize::from(self.u16()?) * unit_bytes,
            Extent::Counted16BigEndian => usize::from(u16::from_be_bytes(self.array()?)),
            Extent::Counted32 => usize::try_from(u32::from_le_bytes(self.array()?)).ok()?,
            Extent::Terminated | Extent::Rest => self.left(),
        };
        self.take(bytes)
    }
}

impl Encoding {
    /// What a payload lacks where a value of this encoding cannot be read.
    pub(crate) fn expected(&self) -> &'static str {
        match self {
            Self::Null | Self::Struct(_) => "nothing",
            Self::I8 | Self::U8 | Self::Bool8 => "1 byte",
            Self::I16 | Self::U16 => "2 bytes",
            Self::I32 | Self::U32 | Self::F32 | Self::Bool32 => "4 bytes",
            Self::I64 | Self::U64 | Self::F64 | Self::FileTime => "8 bytes",
            Self::Guid | Self::SystemTime => "16 bytes",
            Self::Pointer => "a pointer",
            Self::Sid | Self::TokenUserSid => "a SID",
            Self::Utf16(_) | Self::Bytes8(_) => "a text as long as said",
            Self::Binary(_) => "a binary as long as said",
            Self::Padding(_) => "padding",
        }
    }
}
