//! Process lifetime, group 03: layouts by version from ntwmi and MOF `Process_TypeGroup1`.

use crate::file::bytes::{Bytes, Sid};
use crate::file::event::KernelEvent;

/// Exit status of a process that runs, `STILL_ACTIVE`.
pub const STILL_ACTIVE: i32 = 259;

/// What happened to a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessChange {
    /// It started; the header's thread is its creator.
    Start,
    /// It ended; the header's thread is its last one.
    End,
    /// It ran when the trace began.
    RundownStart,
    /// It ran when the trace ended.
    RundownEnd,
    /// It had ended before the rundown, but something still holds it.
    Defunct,
}

/// A process as its events describe it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessInfo {
    /// Address of the process object, which no other process of the trace has.
    pub unique_key: u64,
    /// Process id.
    pub pid: u32,
    /// Process id of the creator.
    pub parent_pid: u32,
    /// Terminal session; `u32::MAX` for the idle and System processes.
    pub session_id: u32,
    /// Exit status; [`STILL_ACTIVE`] while it runs.
    pub exit_status: i32,
    /// User; `None` writes the form without a SID.
    pub sid: Option<Sid>,
    /// Image file name without its path.
    pub image: String,
    /// Command line.
    pub command_line: String,
    /// Package of a packaged application, else empty.
    pub package: String,
    /// Application id of a packaged application, else empty.
    pub application: String,
    /// 1 has application id, 2 WOW64, 4 protected, 8 packaged.
    pub flags: u32,
    /// Time of exit in 100 ns since 1601-01-01 UTC, 0 while it runs.
    pub exit_filetime: u64,
}

impl ProcessInfo {
    /// A running Local System process of session 0.
    #[must_use]
    pub fn new(pid: u32, parent_pid: u32, image: &str) -> Self {
        Self {
            unique_key: 0xFFFF_AB00_0000_0080 + (u64::from(pid) << 12),
            pid,
            parent_pid,
            session_id: 0,
            exit_status: STILL_ACTIVE,
            sid: Some(Sid::local_system()),
            image: image.to_owned(),
            command_line: String::new(),
            package: String::new(),
            application: String::new(),
            flags: 0,
            exit_filetime: 0,
        }
    }
}

/// Process Start, End, DCStart, DCEnd or Defunct, in versions 0 to 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessEvent<'a> {
    /// What happened.
    pub change: ProcessChange,
    /// Layout version; Windows 10 writes 4, and 5 for Defunct.
    pub version: u8,
    /// The process.
    pub process: &'a ProcessInfo,
}

impl KernelEvent for ProcessEvent<'_> {
    fn hook(&self) -> u16 {
        match self.change {
            ProcessChange::Start => 0x0301,
            ProcessChange::End => 0x0302,
            ProcessChange::RundownStart => 0x0303,
            ProcessChange::RundownEnd => 0x0304,
            ProcessChange::Defunct => 0x0327,
        }
    }

    fn version(&self) -> u8 {
        self.version
    }

    fn write(&self, out: &mut Bytes) {
        let process = self.process;
        if self.version == 0 {
            out.pointer(process.pid.into())
                .pointer(process.parent_pid.into());
        } else {
            out.pointer(process.unique_key)
                .u32(process.pid)
                .u32(process.parent_pid);
            out.u32(process.session_id).i32(process.exit_status);
        }
        if self.version >= 3 {
            out.pointer(0x1_2345_6000 + (u64::from(process.pid) << 12));
        }
        if self.version >= 4 {
            out.u32(process.flags);
        }
        match &process.sid {
            Some(sid) => out.token_user(sid),
            None => out.u32(0),
        };
        out.astr(&process.image);
        if self.version >= 2 {
            out.wstr(&process.command_line);
        }
        if self.version >= 4 {
            out.wstr(&process.package).wstr(&process.application);
        }
        if self.version >= 5 {
            out.u64(process.exit_filetime);
        }
    }
}

/// Process Terminate, 030Bh v2: the exit of a process begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessTerminate {
    /// The process.
    pub pid: u32,
}

impl KernelEvent for ProcessTerminate {
    fn hook(&self) -> u16 {
        0x030B
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.u32(self.pid);
    }
}
