//! The kernel group masks of a session (hooks 0005 and 0020): what could be in the trace.
//!
//! Source: `ntwmi.h` (`PERFINFO_GROUPMASK`), `EVENT_TRACE_FLAG_*` for mask 0.

use crate::payload::{Payload, Short};

/// Eight masks of enabled kernel event groups. A file holds several, all zero before rundown and after stop: OR them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupMasks(pub [u32; 8]);

impl GroupMasks {
    /// Decodes the masks of one extension event.
    ///
    /// # Errors
    /// [`Short`] below 32 bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, Short> {
        let mut payload = Payload::new(bytes);
        let mut masks = [0; 8];
        for mask in &mut masks {
            *mask = payload.u32().ok_or(Short {
                needed_bytes: 32,
                found_bytes: bytes.len(),
            })?;
        }
        Ok(Self(masks))
    }

    /// Adds the groups of another extension event.
    pub fn add(&mut self, other: Self) {
        for (mask, more) in self.0.iter_mut().zip(other.0) {
            *mask |= more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_of_several_events_add_up() {
        let bytes: Vec<u8> = (1..=9_u32).flat_map(u32::to_le_bytes).collect();
        let mut masks = GroupMasks([0x10; 8]);
        masks.add(GroupMasks::decode(&bytes).unwrap());
        assert_eq!(masks.0, [0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18]);
    }
}
