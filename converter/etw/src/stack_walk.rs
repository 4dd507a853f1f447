//! Call stacks: as addresses (hook 1820), or as keys (1825, 1826) whose addresses come later (1822 to 1824).
//!
//! Source: MOF class `StackWalk_Event`; `ntwmi.h`; read back from files of Windows 7 and 8. The stack of an event is an
//! event of its own, which names the first one by its timestamp.

use std::fmt;

use crate::payload::{Payload, PointerWidth, Short};

/// Whether an address is in the kernel's half of the address space; of a 32-bit machine, unless it was started with
/// 3 GB for user code.
pub fn is_kernel_address(address: u64, width: PointerWidth) -> bool {
    match width {
        PointerWidth::Bits32 => address >= 1 << 31,
        PointerWidth::Bits64 => address >= 1 << 63,
    }
}

/// No stack is deeper; Windows documents 192.
const FRAMES_MAX: usize = 256;

/// Addresses of a stack, the innermost first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Addresses<'a> {
    bytes: &'a [u8],
    width: PointerWidth,
}

impl fmt::Debug for Addresses<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addresses = self.iter().map(|address| format!("{address:#x}"));
        f.write_str(&addresses.collect::<Vec<_>>().join(" "))
    }
}

impl<'a> Addresses<'a> {
    pub(crate) fn of(bytes: &'a [u8], width: PointerWidth) -> Self {
        let most = FRAMES_MAX * width.bytes();
        Self {
            bytes: bytes.get(..most).unwrap_or(bytes),
            width,
        }
    }

    /// The addresses; zeros, which part the kernel half from the user half, are left out.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = u64> + 'a {
        self.bytes
            .chunks_exact(self.width.bytes())
            .map(|bytes| {
                bytes
                    .iter()
                    .rev()
                    .fold(0, |value, &byte| value << 8 | u64::from(byte))
            })
            .filter(|address| *address != 0)
    }

    /// Whether the innermost address is kernel code.
    pub fn is_kernel(self) -> bool {
        self.iter()
            .next()
            .is_some_and(|address| is_kernel_address(address, self.width))
    }
}

/// The stack of an event; the kernel half and the user half come as two of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackWalk<'a> {
    /// Raw timestamp of the event that the stack belongs to.
    pub event_raw: i64,
    /// Process id.
    pub pid: u32,
    /// The thread whose stack it is.
    pub tid: u32,
    /// The stack.
    pub addresses: Addresses<'a>,
}

/// The stack of an event as a key; the two halves come as two of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackKeyUse {
    /// Raw timestamp of the event that the stack belongs to.
    pub event_raw: i64,
    /// Process id.
    pub pid: u32,
    /// The thread whose stack it is.
    pub tid: u32,
    /// Stands for the stack that the key's next definition tells; keys are reused after that.
    pub key: u64,
}

/// What a key stood for up to now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackKeyDefinition<'a> {
    /// The key.
    pub key: u64,
    /// The stack.
    pub addresses: Addresses<'a>,
}

/// Timestamp, process and thread before the stack itself.
fn head(payload: &mut Payload<'_>) -> Option<(i64, u32, u32)> {
    Some((payload.u64()?.cast_signed(), payload.u32()?, payload.u32()?))
}

impl<'a> StackWalk<'a> {
    /// Decodes with the header's pointer width. A stack of 32-bit code in a 64-bit trace has wide addresses.
    ///
    /// # Errors
    /// [`Short`] if there is no address.
    pub fn decode(width: PointerWidth, bytes: &'a [u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        match head(&mut payload) {
            Some((event_raw, pid, tid)) if payload.rest().len() >= width.bytes() => Ok(Self {
                event_raw,
                pid,
                tid,
                addresses: Addresses::of(payload.rest(), width),
            }),
            _ => Err(Short {
                needed_bytes: 16 + width.bytes(),
                found_bytes: bytes.len(),
            }),
        }
    }
}

impl StackKeyUse {
    /// Decodes with the header's pointer width.
    ///
    /// # Errors
    /// [`Short`] if the key is not there.
    pub fn decode(width: PointerWidth, bytes: &[u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        match (head(&mut payload), payload.pointer(width)) {
            (Some((event_raw, pid, tid)), Some(key)) => Ok(Self {
                event_raw,
                pid,
                tid,
                key,
            }),
            _ => Err(Short {
                needed_bytes: 16 + width.bytes(),
                found_bytes: bytes.len(),
            }),
        }
    }
}

impl<'a> StackKeyDefinition<'a> {
    /// Decodes with the header's pointer width.
    ///
    /// # Errors
    /// [`Short`] if there is no address.
    pub fn decode(width: PointerWidth, bytes: &'a [u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        match payload.pointer(width) {
            Some(key) if payload.rest().len() >= width.bytes() => Ok(Self {
                key,
                addresses: Addresses::of(payload.rest(), width),
            }),
            _ => Err(Short {
                needed_bytes: 2 * width.bytes(),
                found_bytes: bytes.len(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: [u8; 16] = [
        0x82, 0x05, 0x66, 0xb0, 0xab, 0, 0, 0, 0x54, 7, 0, 0, 0xa0, 0x0d, 0, 0,
    ];

    fn bytes(tail: &[u64]) -> Vec<u8> {
        let tail: Vec<u8> = tail.iter().flat_map(|value| value.to_le_bytes()).collect();
        [&HEAD[..], &tail].concat()
    }

    #[test]
    fn a_stack_names_its_event_and_thread() {
        let bytes = bytes(&[0xffff_f800_0268_f318, 0, 0x7ff6_0000_1000]);
        let stack = StackWalk::decode(PointerWidth::Bits64, &bytes).unwrap();
        assert_eq!(
            (stack.event_raw, stack.pid, stack.tid),
            (0xab_b066_0582, 1876, 3488)
        );
        let addresses: Vec<u64> = stack.addresses.iter().collect();
        assert_eq!(addresses, [0xffff_f800_0268_f318, 0x7ff6_0000_1000]);
        assert!(stack.addresses.is_kernel());
    }

    #[test]
    fn a_key_and_its_definition() {
        let used = StackKeyUse::decode(PointerWidth::Bits64, &bytes(&[77])).unwrap();
        assert_eq!((used.tid, used.key), (3488, 77));
        let definition = [77, 0, 0, 0, 0x10, 0, 0, 0, 0x20, 0, 0, 0, 9];
        let defined = StackKeyDefinition::decode(PointerWidth::Bits32, &definition).unwrap();
        assert_eq!(defined.key, 77);
        assert_eq!(defined.addresses.iter().collect::<Vec<_>>(), [0x10, 0x20]);
        assert!(!defined.addresses.is_kernel());
    }

    #[test]
    fn a_stack_without_frames_is_too_short_and_one_with_too_many_is_cut() {
        let short = Short {
            needed_bytes: 24,
            found_bytes: 16,
        };
        assert_eq!(StackWalk::decode(PointerWidth::Bits64, &HEAD), Err(short));
        assert_eq!(StackKeyUse::decode(PointerWidth::Bits64, &HEAD), Err(short));
        let deep = bytes(&[8; 1000]);
        let stack = StackWalk::decode(PointerWidth::Bits64, &deep).unwrap();
        assert_eq!(stack.addresses.iter().count(), 256);
    }
}
