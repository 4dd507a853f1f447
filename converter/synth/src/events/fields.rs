//! Any event, its payload written down field by field: `u32=77 p=0xFFFFA00012345690 w=\Windows\a.dll`.
//!
//! | field | bytes |
//! |---|---|
//! | `u8` `u16` `u32` `u64` `i8` `i32` `i64` `f32` `f64` | a number, decimal or `0x` |
//! | `be16` | a number of two bytes in network order |
//! | `p` | a number as wide as a pointer |
//! | `t` | a raw timestamp, in ticks after the start |
//! | `a` `w` | 8-bit text, UTF-16 text, each with its zero; no blanks |
//! | `w16` | UTF-16 text in so many units |
//! | `guid` `ip4` `ip6` | in their usual text form |
//! | `sid` `rawsid` | Local System, behind a `TOKEN_USER` or alone |
//! | `z4` | so many zero bytes |
//! | `pad` | zero bytes up to a multiple of a pointer's width |

use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use crate::file::bytes::{Bytes, Guid, Pointer, Sid};
use crate::file::event::KernelEvent;

/// A field that is none of the above.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a field such as u32=77, found {0}")]
pub struct BadField(String);

/// A payload as text, known to be well-formed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    text: String,
    start_ticks: i64,
}

impl Fields {
    /// Checks the fields; `t` counts from `start_ticks`.
    ///
    /// # Errors
    /// The first field that is none.
    pub fn new(text: &str, start_ticks: i64) -> Result<Self, BadField> {
        let fields = Self {
            text: text.to_owned(),
            start_ticks,
        };
        for field in text.split_whitespace() {
            let mut out = Bytes::new(Pointer::Eight);
            fields
                .write_field(field, &mut out)
                .ok_or_else(|| BadField(field.to_owned()))?;
        }
        Ok(fields)
    }

    /// Writes all of them.
    pub fn write(&self, out: &mut Bytes) {
        for field in self.text.split_whitespace() {
            let _ = self.write_field(field, out);
        }
    }

    /// All of them, as bytes.
    #[must_use]
    pub fn bytes(&self, pointer: Pointer) -> Vec<u8> {
        let mut out = Bytes::new(pointer);
        self.write(&mut out);
        out.as_slice().to_vec()
    }

    fn write_field(&self, field: &str, out: &mut Bytes) -> Option<()> {
        let (kind, value) = field.split_once('=').unwrap_or((field, ""));
        match kind {
            "u8" => out.u8(number(value)?),
            "u16" => out.u16(number(value)?),
            "u32" => out.u32(number(value)?),
            "u64" => out.u64(number(value)?),
            "i8" => out.i8(value.parse().ok()?),
            "i32" => out.i32(value.parse().ok()?),
            "i64" => out.i64(value.parse().ok()?),
            "f32" => out.raw(&value.parse::<f32>().ok()?.to_le_bytes()),
            "f64" => out.raw(&value.parse::<f64>().ok()?.to_le_bytes()),
            "be16" => out.raw(&number::<u16>(value)?.to_be_bytes()),
            "p" => out.pointer(number(value)?),
            "t" => out.i64(self.start_ticks + value.parse::<i64>().ok()?),
            "a" => out.astr(value),
            "w" => out.wstr(value),
            "guid" => out.guid(guid(value)?),
            "ip4" => out.raw(&value.parse::<Ipv4Addr>().ok()?.octets()),
            "ip6" => out.raw(&value.parse::<Ipv6Addr>().ok()?.octets()),
            "sid" => out.token_user(&Sid::local_system()),
            "pad" => {
                let width = match out.pointer_width() {
                    Pointer::Four => 4,
                    Pointer::Eight => 8,
                };
                let bytes = out.as_slice().len();
                out.fill(bytes.next_multiple_of(width) - bytes, 0)
            }
            "rawsid" => out.sid(&Sid::local_system()),
            _ => match (kind.strip_prefix('w'), kind.strip_prefix('z')) {
                (Some(units), _) => out.wchars(value, units.parse().ok()?),
                (_, Some(bytes)) => out.fill(bytes.parse().ok()?, 0),
                _ => return None,
            },
        };
        Some(())
    }
}

fn number<T: TryFrom<u64>>(text: &str) -> Option<T> {
    let number = match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => u64::from_str(text).ok()?,
    };
    T::try_from(number).ok()
}

/// A GUID from its usual text.
#[must_use]
pub fn guid(text: &str) -> Option<Guid> {
    let digits = text.replace('-', "");
    let number = u128::from_str_radix(&digits, 16).ok()?;
    (digits.len() == 32).then(|| Guid::from_u128(number))
}

/// A kernel event, or one of another class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldsEvent {
    /// Its class, if that is not the one of its hook id.
    pub class: Option<Guid>,
    /// Hook id; of an event of another class, its type.
    pub hook: u16,
    /// Version.
    pub version: u8,
    /// Payload.
    pub fields: Fields,
}

impl KernelEvent for FieldsEvent {
    fn class(&self) -> Option<Guid> {
        self.class
    }

    fn hook(&self) -> u16 {
        self.hook
    }

    fn version(&self) -> u8 {
        self.version
    }

    fn write(&self, out: &mut Bytes) {
        self.fields.write(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str, pointer: Pointer) -> Result<Vec<u8>, BadField> {
        Ok(Fields::new(text, 1000)?.bytes(pointer))
    }

    #[test]
    fn each_field_is_written_as_it_says() {
        let text = "u16=0x102 be16=443 p=5 t=7 a=x w3=y z1 ip4=10.0.0.2";
        let pointer = [5, 0, 0, 0];
        let before = [2, 1, 1, 0xBB];
        let after = *b"\xEF\x03\0\0\0\0\0\0x\0y\0\0\0\0\0\0\x0A\0\0\x02";
        let narrow = [&before[..], &pointer, &after].concat();
        let wide = [&before[..], &pointer, &[0; 4], &after].concat();
        assert_eq!(bytes(text, Pointer::Four), Ok(narrow));
        assert_eq!(bytes(text, Pointer::Eight), Ok(wide));
    }

    #[test]
    fn what_is_no_field_is_refused() {
        for field in ["u8=256", "x=1", "u32", "guid=12", "w-1=a", "i8=128"] {
            let text = format!("u8=1 {field}");
            assert_eq!(
                bytes(&text, Pointer::Eight),
                Err(BadField(field.to_owned()))
            );
        }
    }
}
