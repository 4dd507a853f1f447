//! The trace itself (group 00), the machine (group 0B), marks, and any other kernel event.

use crate::file::bytes::Bytes;
use crate::file::event::KernelEvent;

/// `EventTrace` Extension, 0005h, or End extension, 0020h: which kernel events were on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extension {
    /// Write the End form.
    pub end: bool,
    /// Group masks (ntwmi `PERFINFO_GROUPMASK`).
    pub masks: [u32; 8],
    /// Kernel event version, e.g. 50h for Windows 10 19041.
    pub kernel_event_version: u32,
}

/// Masks of a session with process, thread, context switch, dispatcher and anti-starvation events.
pub const SCHEDULER_MASKS: [u32; 8] = [0x3, 0x204, 0x1, 0, 0, 0, 0, 0];

impl KernelEvent for Extension {
    fn hook(&self) -> u16 {
        if self.end { 0x0020 } else { 0x0005 }
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        for mask in self.masks {
            out.u32(mask);
        }
        out.u32(self.kernel_event_version);
    }
}

/// SysConfig CPU, 0B0Ah v3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CpuConfig {
    /// Nominal speed.
    pub mhz: u32,
    /// Processors.
    pub cpu_count: u32,
    /// Physical memory in MiB.
    pub memory_mib: u32,
    /// Name of the computer.
    pub computer: String,
}

impl KernelEvent for CpuConfig {
    fn hook(&self) -> u16 {
        0x0B0A
    }

    fn version(&self) -> u8 {
        3
    }

    fn write(&self, out: &mut Bytes) {
        out.u32(self.mhz)
            .u32(self.cpu_count)
            .u32(self.memory_mib)
            .u32(4096)
            .u32(0x1_0000);
        out.wchars(&self.computer, 256)
            .wchars("WORKGROUP", 134)
            .pointer(1);
        out.pointer(0x7FFF_FFFE_FFFF)
            .u16(9)
            .u16(6)
            .u16(0x9E0A)
            .u8(1)
            .u8(1)
            .u32(0);
    }
}

/// SysConfig ProcessorGroup, 0B1Ah v2: the processors of each group, as bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessorGroups(pub Vec<u64>);

impl KernelEvent for ProcessorGroups {
    fn hook(&self) -> u16 {
        0x0B1A
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.u32(u32::try_from(self.0.len()).unwrap_or(u32::MAX));
        for mask in &self.0 {
            out.pointer(*mask);
        }
    }
}

/// SysConfig ProcessorNumber, 0B1Bh v2: of each processor its group and its number in that, in the order in which buffers
/// number processors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessorNumbers(pub Vec<(u16, u8)>);

impl KernelEvent for ProcessorNumbers {
    fn hook(&self) -> u16 {
        0x0B1B
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.u32(u32::try_from(self.0.len()).unwrap_or(u32::MAX));
        for (group, number) in &self.0 {
            out.u16(*group).u8(*number).u8(0);
        }
    }
}

/// SysConfig Service, 0B0Fh v3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceConfig {
    /// Process of the service, 0 if stopped.
    pub pid: u32,
    /// Tag that its threads carry.
    pub sub_process_tag: u32,
    /// Short name.
    pub name: String,
    /// Name for people.
    pub display_name: String,
    /// Image of its process.
    pub process_name: String,
    /// Group of services that share a svchost.
    pub svchost_group: String,
}

impl KernelEvent for ServiceConfig {
    fn hook(&self) -> u16 {
        0x0B0F
    }

    fn version(&self) -> u8 {
        3
    }

    fn write(&self, out: &mut Bytes) {
        let state = if self.pid == 0 { 1 } else { 4 };
        out.u32(self.pid).u32(state).u32(self.sub_process_tag);
        out.wstr(&self.name)
            .wstr(&self.display_name)
            .wstr(&self.process_name);
        out.wstr("").wstr(&self.svchost_group);
    }
}

/// PerfInfo Mark, 0F22h v2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark<'a>(
    /// The text of the mark.
    pub &'a str,
);

impl KernelEvent for Mark<'_> {
    fn hook(&self) -> u16 {
        0x0F22
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.astr(self.0);
    }
}

/// Any kernel event with its payload as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawKernelEvent {
    /// Hook id.
    pub hook: u16,
    /// Version.
    pub version: u8,
    /// Payload.
    pub payload: Vec<u8>,
}

impl KernelEvent for RawKernelEvent {
    fn hook(&self) -> u16 {
        self.hook
    }

    fn version(&self) -> u8 {
        self.version
    }

    fn write(&self, out: &mut Bytes) {
        out.raw(&self.payload);
    }
}
