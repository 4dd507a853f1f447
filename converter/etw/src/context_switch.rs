//! Context switches, versions 1 to 5 (hook 0524).
//!
//! Source: Microsoft docs, "CSwitch class"; `ntwmi.h` (`WMI_CONTEXTSWAP`); public type information of `_WMI_CONTEXTSWAP` for
//! the bits of byte 13. Version 5 appends four bytes of unknown meaning, which are left alone. No pointers: the same in
//! both widths.

use crate::payload::Short;

/// One context switch. ETW writes it when the old thread is switched out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextSwitch {
    /// The thread that the scheduler planned to switch in; 0 is the idle thread.
    pub new_tid: u32,
    /// The thread switched out; 0 is the idle thread.
    pub old_tid: u32,
    /// Priority of the new thread, 0 to 31.
    pub new_priority: i8,
    /// Priority of the old thread, 0 to 31.
    pub old_priority: i8,
    /// C-state of the idle spell before, if the old thread is the idle thread and the version has it.
    pub previous_c_state: Option<u8>,
    /// Rank of the old thread, if it is not the idle thread and the version has it. 0 is best.
    pub old_rank: Option<u8>,
    /// How much of the new thread's priority is a boost that will decay; 0 where the version has it not.
    pub new_priority_decrement: i8,
    /// `KWAIT_REASON` of the old thread.
    pub old_wait_reason: u8,
    /// 0 kernel mode, 1 user mode.
    pub old_wait_mode: u8,
    /// `KTHREAD_STATE` of the old thread.
    pub old_state: u8,
    /// Quality-of-service level of the old thread; 0 where the version has it not.
    pub old_qos: u8,
    /// Quality-of-service level of the new thread; `None` where the version has it not.
    pub new_qos: Option<u8>,
    /// Ideal processor of the old thread: the low 8 bits of its number within its group.
    pub old_ideal_cpu: u8,
}

/// Bytes of version 1, the shortest.
const BYTES_MIN: usize = 16;

impl ContextSwitch {
    /// Decodes any version.
    ///
    /// # Errors
    /// [`Short`] below 16 bytes.
    #[inline]
    pub fn decode(version: u8, payload: &[u8]) -> Result<Self, Short> {
        let Some(bytes) = payload.first_chunk::<BYTES_MIN>() else {
            return Err(Short {
                needed_bytes: BYTES_MIN,
                found_bytes: payload.len(),
            });
        };
        let [
            n0,
            n1,
            n2,
            n3,
            o0,
            o1,
            o2,
            o3,
            new_priority,
            old_priority,
            rank,
            decrement,
            reason,
            flags,
            state,
            old_ideal_cpu,
        ] = *bytes;
        let old_tid = u32::from_le_bytes([o0, o1, o2, o3]);
        // Version 1 keeps quanta where later versions have rank and decrement.
        let ranked = version >= 2;
        // From version 3 on, the wait mode is bit 0 of its byte, and the QoS levels of old and new thread are bits 1 to 3 and
        // 4 to 6.
        let has_qos = version >= 3;
        Ok(Self {
            new_tid: u32::from_le_bytes([n0, n1, n2, n3]),
            old_tid,
            new_priority: new_priority.cast_signed(),
            old_priority: old_priority.cast_signed(),
            previous_c_state: (ranked && old_tid == 0).then_some(rank),
            old_rank: (ranked && old_tid != 0).then_some(rank),
            new_priority_decrement: if ranked { decrement.cast_signed() } else { 0 },
            old_wait_reason: reason,
            old_wait_mode: flags & 1,
            old_state: state,
            old_qos: if has_qos { flags >> 1 & 7 } else { 0 },
            new_qos: has_qos.then_some(flags >> 4 & 7),
            old_ideal_cpu,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAYLOAD: [u8; 24] = [
        0x34, 0x12, 0, 0, 0x78, 0x56, 0, 0, 14, 9, 2, 1, 6, 0x45, 5, 3, 0, 0, 0, 0, 0, 0, 0, 0,
    ];

    const VERSION_4: ContextSwitch = ContextSwitch {
        new_tid: 0x1234,
        old_tid: 0x5678,
        new_priority: 14,
        old_priority: 9,
        previous_c_state: None,
        old_rank: Some(2),
        new_priority_decrement: 1,
        old_wait_reason: 6,
        old_wait_mode: 1,
        old_state: 5,
        old_qos: 2,
        new_qos: Some(4),
        old_ideal_cpu: 3,
    };

    #[test]
    fn versions_differ_in_rank_and_qos() {
        assert_eq!(ContextSwitch::decode(4, &PAYLOAD), Ok(VERSION_4));
        assert_eq!(ContextSwitch::decode(5, &PAYLOAD), Ok(VERSION_4));
        let version_2 = ContextSwitch {
            old_qos: 0,
            new_qos: None,
            ..VERSION_4
        };
        assert_eq!(ContextSwitch::decode(2, &PAYLOAD), Ok(version_2));
        let version_1 = ContextSwitch {
            old_rank: None,
            new_priority_decrement: 0,
            ..version_2
        };
        assert_eq!(ContextSwitch::decode(1, &PAYLOAD), Ok(version_1));
    }

    #[test]
    fn a_version_of_the_future_is_decoded_up_to_what_it_appends() {
        let longer = [&PAYLOAD[..], &[0xEE; 12]].concat();
        assert_eq!(ContextSwitch::decode(7, &longer), Ok(VERSION_4));
    }

    #[test]
    fn the_rank_byte_is_a_c_state_when_the_idle_thread_goes() {
        let mut payload = PAYLOAD;
        payload[4..8].fill(0);
        let switch = ContextSwitch::decode(4, &payload).unwrap();
        assert_eq!((switch.previous_c_state, switch.old_rank), (Some(2), None));
    }

    #[test]
    fn fifteen_bytes_are_too_few() {
        assert_eq!(
            ContextSwitch::decode(4, &PAYLOAD[..15]),
            Err(Short {
                needed_bytes: 16,
                found_bytes: 15
            })
        );
    }
}
