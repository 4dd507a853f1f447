//! What becomes of processes that the user looks at or away from: layouts from the providers' manifests.

use super::manifest::{
    ManifestEvent,
    Value::{self, UInt32, UInt64},
};
use crate::file::bytes::Guid;

const KERNEL_PROCESS: Guid = Guid::from_u128(0x22fb2cd6_0e7b_422b_a0c7_2fad1fd0e716);
const WIN32K: Guid = Guid::from_u128(0x8c416c79_d49b_4f01_a467_e56d3aa8234c);

/// A process is frozen: Microsoft-Windows-Kernel-Process, event 11.
#[must_use]
pub fn freeze(pid: u32) -> ManifestEvent {
    freeze_change((11, (1, "win:Start")), pid)
}

/// A process is thawed: event 12.
#[must_use]
pub fn thaw(pid: u32) -> ManifestEvent {
    freeze_change((12, (2, "win:Stop")), pid)
}

fn freeze_change((id, opcode): (u16, (u8, &'static str)), pid: u32) -> ManifestEvent {
    ManifestEvent {
        provider: KERNEL_PROCESS,
        provider_name: "Microsoft-Windows-Kernel-Process",
        id,
        version: 0,
        task: (11, "ProcessFreeze"),
        opcode,
        keywords: 0x8000_0000_0000_0200,
        fields: vec![("FrozenProcessID", UInt32(pid))],
    }
}

/// The focus of a session goes to another process, 0 for none: Microsoft-Windows-Win32k, event 26.
#[must_use]
pub fn focus(session: u32, old_pid: u32, new_pid: u32) -> ManifestEvent {
    ManifestEvent {
        provider: WIN32K,
        provider_name: "Microsoft-Windows-Win32k",
        id: 26,
        version: 0,
        task: (26, "FocusedProcessChange"),
        opcode: (0, "win:Info"),
        keywords: 0x8000_0000_0000_2000,
        fields: vec![
            ("SessionId", UInt32(session)),
            ("OldProcessId", UInt32(old_pid)),
            ("NewProcessId", UInt32(new_pid)),
        ],
    }
}

/// A thread has the user lock alone, for which it waited so many ticks of the performance counter:
/// Microsoft-Windows-Win32k, event 163.
#[must_use]
pub fn user_lock_acquired(waited_ticks: u64, token: u64) -> ManifestEvent {
    user_lock(
        (163, "ExclusiveUserCrit"),
        vec![
            ("AcquireQpcCounts", UInt64(waited_ticks)),
            ("AcquireTimeMs", UInt32(0)),
            ("Token", UInt64(token)),
        ],
    )
}

/// A thread lets the user lock go, which it held for so many ticks: event 167.
#[must_use]
pub fn user_lock_released(held_ticks: u64, token: u64) -> ManifestEvent {
    user_lock(
        (167, "ReleaseUserCrit"),
        vec![
            ("HoldQpcCounts", UInt64(held_ticks)),
            ("HoldTimeMs", UInt32(0)),
            ("Token", UInt64(token)),
        ],
    )
}

fn user_lock(task: (u16, &'static str), fields: Vec<(&'static str, Value)>) -> ManifestEvent {
    ManifestEvent {
        provider: WIN32K,
        provider_name: "Microsoft-Windows-Win32k",
        id: task.0,
        version: 0,
        task,
        opcode: (0, "win:Info"),
        keywords: 0x8200_0000_1000_0000,
        fields,
    }
}
