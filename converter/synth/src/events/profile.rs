//! The sampled profile, group 0F, and stacks, group 18: layouts from ntwmi and MOF `SampledProfile`, `StackWalk_Event`.

use crate::file::bytes::Bytes;
use crate::file::event::KernelEvent;

/// SampledProfile, 0F2Eh, in versions 1 and 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampledProfile {
    /// Layout version; 1 ends before the flags.
    pub version: u8,
    /// Address of the instruction to be executed next.
    pub instruction_pointer: u64,
    /// The current thread.
    pub tid: u32,
    /// 1 in DPC, 2 in ISR.
    pub flags: u8,
    /// Priority of the thread, 0 to 31.
    pub priority: u8,
    /// Rank of the thread.
    pub rank: u8,
}

impl KernelEvent for SampledProfile {
    fn hook(&self) -> u16 {
        0x0F2E
    }

    fn version(&self) -> u8 {
        self.version
    }

    fn write(&self, out: &mut Bytes) {
        out.pointer(self.instruction_pointer).u32(self.tid).u16(1);
        if self.version >= 2 {
            out.u8(self.flags | self.priority << 3).u8(self.rank);
        }
    }
}

/// `PmcCounterProfile`, 0F2Fh v2: a sample of a hardware counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PmcSample {
    /// Address of the instruction to be executed next.
    pub instruction_pointer: u64,
    /// The current thread.
    pub tid: u32,
    /// Number of the counter.
    pub source: u16,
}

impl KernelEvent for PmcSample {
    fn hook(&self) -> u16 {
        0x0F2F
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.pointer(self.instruction_pointer)
            .u32(self.tid)
            .u16(self.source)
            .u16(0);
    }
}

/// A new interval of a source, 0F48h v3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetInterval {
    /// Number of the source; 0 is the timer.
    pub source: u32,
    /// In units of 100 ns, or of counted events.
    pub interval: u32,
    /// Name of the source.
    pub source_name: &'static str,
}

impl KernelEvent for SetInterval {
    fn hook(&self) -> u16 {
        0x0F48
    }

    fn version(&self) -> u8 {
        3
    }

    fn write(&self, out: &mut Bytes) {
        out.u32(self.source)
            .u32(self.interval)
            .u32(0)
            .wstr(self.source_name);
    }
}

/// Profile collection start, 0F49h v3, of the timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollectionStart {
    /// Interval in units of 100 ns.
    pub interval: u32,
}

impl KernelEvent for CollectionStart {
    fn hook(&self) -> u16 {
        0x0F49
    }

    fn version(&self) -> u8 {
        3
    }

    fn write(&self, out: &mut Bytes) {
        out.u32(0)
            .u32(self.interval)
            .u32(self.interval)
            .wstr("Timer");
    }
}

/// `StackWalk` Stack, 1820h v2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackWalk {
    /// Raw timestamp of the event that the stack belongs to.
    pub event_ticks: i64,
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// Addresses, the innermost first.
    pub addresses: Vec<u64>,
}

impl KernelEvent for StackWalk {
    fn hook(&self) -> u16 {
        0x1820
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.i64(self.event_ticks).u32(self.pid).u32(self.tid);
        for &address in &self.addresses {
            out.pointer(address);
        }
    }
}

/// `StackWalk` key of the kernel half, 1825h v2, or of the user half, 1826h v2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackKeyUse {
    /// Write the form of the kernel half.
    pub kernel: bool,
    /// Raw timestamp of the event that the stack belongs to.
    pub event_ticks: i64,
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// The key.
    pub key: u64,
}

impl KernelEvent for StackKeyUse {
    fn hook(&self) -> u16 {
        if self.kernel { 0x1825 } else { 0x1826 }
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.i64(self.event_ticks)
            .u32(self.pid)
            .u32(self.tid)
            .pointer(self.key);
    }
}

/// `StackWalk` key delete, 1823h v2, or rundown, 1824h v2: what a key stood for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackKeyDefinition {
    /// Write the rundown form.
    pub rundown: bool,
    /// The key.
    pub key: u64,
    /// Addresses, the innermost first.
    pub addresses: Vec<u64>,
}

impl KernelEvent for StackKeyDefinition {
    fn hook(&self) -> u16 {
        if self.rundown { 0x1824 } else { 0x1823 }
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.pointer(self.key);
        for &address in &self.addresses {
            out.pointer(address);
        }
    }
}

/// What the counters in the headers of events count, 0F30h (`PERFINFO_PMC_COUNTER_CONFIG`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PmcCounterConfig<'a>(pub &'a [&'a str]);

impl KernelEvent for PmcCounterConfig<'_> {
    fn hook(&self) -> u16 {
        0x0F30
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.u32(u32::try_from(self.0.len()).unwrap_or(u32::MAX));
        for name in self.0 {
            out.wstr(name);
        }
    }
}
