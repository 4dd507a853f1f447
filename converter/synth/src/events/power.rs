//! Sleep of the whole machine, group 12: layouts from ntwmi and MOF.

use crate::file::bytes::Bytes;
use crate::file::event::KernelEvent;

/// The machine is about to sleep, 1230h.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreSleep {
    /// The performance counter.
    pub counter: i64,
    /// Its rate in ticks per second.
    pub hz: i64,
}

impl KernelEvent for PreSleep {
    fn hook(&self) -> u16 {
        0x1230
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.i64(self.counter).i64(self.hz);
    }
}

/// The machine has woken, 1231h.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostSleep {
    /// The performance counter.
    pub counter: i64,
}

impl KernelEvent for PostSleep {
    fn hook(&self) -> u16 {
        0x1231
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.i64(self.counter);
    }
}
