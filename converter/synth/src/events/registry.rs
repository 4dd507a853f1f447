//! The registry, group 09: layout from ntwmi and MOF.

use crate::file::bytes::Bytes;
use crate::file::event::KernelEvent;

/// A key was opened, 090Bh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyOpened<'a> {
    /// Raw time at which that began.
    pub initial_ticks: i64,
    /// `NTSTATUS`.
    pub status: u32,
    /// Key control block that the name is relative to.
    pub key_control_block: u64,
    /// Name of the key.
    pub name: &'a str,
}

impl KernelEvent for KeyOpened<'_> {
    fn hook(&self) -> u16 {
        0x090B
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.i64(self.initial_ticks)
            .u32(self.status)
            .u32(0)
            .pointer(self.key_control_block)
            .wstr(self.name);
    }
}
