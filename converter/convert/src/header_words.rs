//! What the log-file header of a trace says, in the words of the output.

use etl::{ClockType, LogFileHeader};

use crate::index::Index;

/// `qpc`, `system_time` or `cpu_cycles`.
pub fn clock_name(clock_type: ClockType) -> &'static str {
    match clock_type {
        ClockType::Qpc => "qpc",
        ClockType::SystemTime => "system_time",
        ClockType::CpuCycles => "cpu_cycles",
    }
}

/// Version of Windows as the log-file header has it: `10.0`, with the build in a field of its own.
pub fn os_version(header: &LogFileHeader) -> String {
    let [major, minor, ..] = header.version;
    format!("{major}.{minor}")
}

/// The group masks of the session, as hex words.
pub fn kernel_flags(index: &Index) -> String {
    index
        .group_masks
        .0
        .map(|mask| format!("{mask:08x}"))
        .join(" ")
}
