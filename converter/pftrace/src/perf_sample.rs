//! Profile samples.

use crate::field::perf_sample as field;
use crate::wire::{Short, Wire};

/// What a CPU was doing at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerfSample {
    /// The CPU.
    pub cpu: u16,
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// Whether it was in the kernel.
    pub is_kernel: bool,
    /// A callstack of [`Interned`](crate::Interned).
    pub callstack_iid: u64,
}

impl PerfSample {
    pub(crate) fn write(&self, out: &mut Short) {
        out.uint(field::CPU, u64::from(self.cpu));
        out.uint(field::PID, u64::from(self.pid));
        out.uint(field::TID, u64::from(self.tid));
        out.uint(field::CALLSTACK_IID, self.callstack_iid);
        let mode = if self.is_kernel {
            field::MODE_KERNEL
        } else {
            field::MODE_USER
        };
        out.uint(field::CPU_MODE, mode);
    }
}
