//! Ready-thread events (hook 0532).
//!
//! Source: Microsoft docs, "ReadyThread class"; `ntwmi.h`. No pointers: the same in both widths.

use crate::payload::Short;

/// A thread is made ready to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReadyThread {
    /// The thread made ready.
    pub tid: u32,
    /// 0 none, 1 the increment decays step by step, 2 it decays at once.
    pub adjust_reason: u8,
    /// Priority added.
    pub adjust_increment: i8,
    /// [`ReadyThread::FROM_DPC`] and others.
    pub flags: u8,
}

/// Bytes up to the flags; one spare byte follows.
const BYTES_MIN: usize = 7;

impl ReadyThread {
    /// Readied from a DPC: the thread current on that CPU was only interrupted and is no cause.
    pub const FROM_DPC: u8 = 1;
    /// The kernel stack is swapped out: a second ready event follows once it is back.
    pub const KERNEL_STACK_SWAPPED_OUT: u8 = 2;
    /// The process's address space is swapped out.
    pub const PROCESS_SWAPPED_OUT: u8 = 4;
    /// The readier tried to switch to the thread directly.
    pub const DIRECT_SWITCH_ATTEMPT: u8 = 8;

    /// Decodes any version.
    ///
    /// # Errors
    /// [`Short`] below 7 bytes.
    #[inline]
    pub fn decode(payload: &[u8]) -> Result<Self, Short> {
        let Some(&[t0, t1, t2, t3, reason, increment, flags]) = payload.first_chunk::<BYTES_MIN>()
        else {
            return Err(Short {
                needed_bytes: BYTES_MIN,
                found_bytes: payload.len(),
            });
        };
        Ok(Self {
            tid: u32::from_le_bytes([t0, t1, t2, t3]),
            adjust_reason: reason,
            adjust_increment: increment.cast_signed(),
            flags,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wake_with_a_boost_from_a_dpc() {
        assert_eq!(
            ReadyThread::decode(&[0x34, 0x12, 0, 0, 1, 2, 1, 0]),
            Ok(ReadyThread {
                tid: 0x1234,
                adjust_reason: 1,
                adjust_increment: 2,
                flags: ReadyThread::FROM_DPC,
            })
        );
    }

    #[test]
    fn six_bytes_are_too_few() {
        assert_eq!(
            ReadyThread::decode(&[0; 6]),
            Err(Short {
                needed_bytes: 7,
                found_bytes: 6
            })
        );
    }
}
