//! Little-endian bytes, and the variable-length fields of ETW payloads.

/// Width of a pointer, and with it the layout of every pointer-sized field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointer {
    /// 4-byte pointers, 32-bit header types.
    Four,
    /// 8-byte pointers, 64-bit header types.
    Eight,
}

impl Pointer {
    /// Width in bytes.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}

/// A GUID as its 16 bytes on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guid(pub [u8; 16]);

impl Guid {
    /// From the usual text `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` read as one number: the first three
    /// fields are stored little-endian, the rest in reading order.
    #[must_use]
    pub const fn from_u128(text: u128) -> Self {
        let [a, b, c, d, e, f, g, h, rest @ ..] = text.to_be_bytes();
        let [i, j, k, l, m, n, o, p] = rest;
        Self([d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p])
    }
}

/// A growing buffer of little-endian bytes that knows the pointer width it writes.
#[derive(Debug, Clone)]
pub struct Bytes {
    data: Vec<u8>,
    pointer: Pointer,
}

impl Bytes {
    /// An empty buffer.
    #[must_use]
    pub const fn new(pointer: Pointer) -> Self {
        Self {
            data: Vec::new(),
            pointer,
        }
    }

    /// What was written.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.data
    }

    /// Width of the pointers written.
    #[must_use]
    pub const fn pointer_width(&self) -> Pointer {
        self.pointer
    }

    /// Empties the buffer, keeps its memory, and sets the pointer width of what follows.
    pub fn restart(&mut self, pointer: Pointer) {
        self.data.clear();
        self.pointer = pointer;
    }

    /// Appends bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.data.extend_from_slice(bytes);
        self
    }

    /// Appends `count` bytes of one value.
    pub fn fill(&mut self, count: usize, value: u8) -> &mut Self {
        self.data.resize(self.data.len() + count, value);
        self
    }

    /// Appends one byte.
    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.raw(&[value])
    }

    /// Appends one signed byte.
    pub fn i8(&mut self, value: i8) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends two bytes.
    pub fn u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends four bytes.
    pub fn u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends four bytes, signed.
    pub fn i32(&mut self, value: i32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends eight bytes.
    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends eight bytes, signed.
    pub fn i64(&mut self, value: i64) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends a pointer-sized value; a 4-byte pointer keeps the low half.
    pub fn pointer(&mut self, value: u64) -> &mut Self {
        let bytes = value.to_le_bytes();
        let [a, b, c, d, ..] = bytes;
        match self.pointer {
            Pointer::Four => self.raw(&[a, b, c, d]),
            Pointer::Eight => self.raw(&bytes),
        }
    }

    /// Appends a GUID.
    pub fn guid(&mut self, guid: Guid) -> &mut Self {
        self.raw(&guid.0)
    }

    /// Appends UTF-16LE text and a zero unit.
    pub fn wstr(&mut self, text: &str) -> &mut Self {
        for unit in text.encode_utf16() {
            self.u16(unit);
        }
        self.u16(0)
    }

    /// Appends UTF-16LE text cut and zero-filled to `units` units.
    pub fn wchars(&mut self, text: &str, units: usize) -> &mut Self {
        for unit in text.encode_utf16().chain(std::iter::repeat(0)).take(units) {
            self.u16(unit);
        }
        self
    }

    /// Appends 8-bit text and a zero byte.
    pub fn astr(&mut self, text: &str) -> &mut Self {
        self.raw(text.as_bytes()).u8(0)
    }

    /// Appends the SID field of process events: a `TOKEN_USER` of two pointers, then the SID.
    pub fn token_user(&mut self, sid: &Sid) -> &mut Self {
        // The first pointer must not read as zero: zero means "no SID".
        self.pointer(0xFFFF_E001_2345_6780).pointer(0);
        self.sid(sid)
    }

    /// Appends a SID: revision, count, big-endian authority, sub-authorities.
    pub fn sid(&mut self, sid: &Sid) -> &mut Self {
        let [_, _, authority @ ..] = sid.authority.to_be_bytes();
        self.u8(1)
            .u8(u8::try_from(sid.sub_authorities.len()).unwrap_or(u8::MAX))
            .raw(&authority);
        for part in &sid.sub_authorities {
            self.u32(*part);
        }
        self
    }
}

/// A security identifier, `S-1-authority-sub…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sid {
    /// Identifier authority; 48 bits are written.
    pub authority: u64,
    /// Sub-authorities, at most 15 in a valid SID.
    pub sub_authorities: Vec<u32>,
}

impl Sid {
    /// S-1-5-18, Local System.
    #[must_use]
    pub fn local_system() -> Self {
        Self {
            authority: 5,
            sub_authorities: vec![18],
        }
    }

    /// An interactive account of the machine.
    #[must_use]
    pub fn user() -> Self {
        Self {
            authority: 5,
            sub_authorities: vec![21, 1_004_336_348, 1_177_238_915, 682_003_330, 1001],
        }
    }
}
