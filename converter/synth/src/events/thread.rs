//! Thread lifetime, group 05: layouts by version from ntwmi and MOF `Thread_TypeGroup1`.

use crate::file::bytes::Bytes;
use crate::file::event::KernelEvent;

/// What happened to a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadChange {
    /// It started; the header's thread is its creator.
    Start,
    /// It ended.
    End,
    /// It existed when the trace began.
    RundownStart,
    /// It existed when the trace ended.
    RundownEnd,
}

/// A thread as its events describe it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadInfo {
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// Address given to `CreateThread`.
    pub win32_start_address: u64,
    /// Bit mask of the processors it may run on.
    pub affinity: u64,
    /// Tag of the service it works for, 0 for none.
    pub sub_process_tag: u32,
    /// Base priority, 0 to 31.
    pub base_priority: u8,
    /// Page priority, 0 to 7.
    pub page_priority: u8,
    /// IO priority, 0 very low to 4 critical.
    pub io_priority: u8,
    /// Name, written by version 3 only; `None` writes the shorter form without a name field.
    pub name: Option<String>,
}

impl ThreadInfo {
    /// A nameless thread of normal page and IO priority.
    #[must_use]
    pub fn new(pid: u32, tid: u32, base_priority: u8) -> Self {
        Self {
            pid,
            tid,
            win32_start_address: 0x7FF6_1234_0000 + u64::from(pid) * 0x100,
            affinity: 0xFF,
            sub_process_tag: 0,
            base_priority,
            page_priority: 5,
            io_priority: 2,
            name: Some(String::new()),
        }
    }
}

/// Thread Start, End, DCStart or DCEnd, in versions 0 to 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadEvent<'a> {
    /// What happened.
    pub change: ThreadChange,
    /// Layout version; Windows 10 writes 3.
    pub version: u8,
    /// The thread.
    pub thread: &'a ThreadInfo,
}

impl KernelEvent for ThreadEvent<'_> {
    fn hook(&self) -> u16 {
        match self.change {
            ThreadChange::Start => 0x0501,
            ThreadChange::End => 0x0502,
            ThreadChange::RundownStart => 0x0503,
            ThreadChange::RundownEnd => 0x0504,
        }
    }

    fn version(&self) -> u8 {
        self.version
    }

    fn write(&self, out: &mut Bytes) {
        let thread = self.thread;
        if self.version == 0 {
            out.u32(thread.tid).u32(thread.pid);
            return;
        }
        out.u32(thread.pid).u32(thread.tid);
        if self.version == 1 && self.change == ThreadChange::End {
            return;
        }
        let stack = 0xFFFF_F480_0000_0000 + (u64::from(thread.tid) << 16);
        let user_stack = 0x00D0_0000_0000 + (u64::from(thread.tid) << 16);
        out.pointer(stack + 0x7000).pointer(stack + 0x1000);
        out.pointer(user_stack + 0x1_0000)
            .pointer(user_stack + 0xE000);
        out.pointer(if self.version >= 3 {
            thread.affinity
        } else {
            thread.win32_start_address
        });
        out.pointer(thread.win32_start_address);
        if self.version == 1 {
            out.i8(0);
            return;
        }
        out.pointer(0x0022_5000 + (u64::from(thread.tid) << 8))
            .u32(thread.sub_process_tag);
        if self.version < 3 {
            return;
        }
        out.u8(thread.base_priority)
            .u8(thread.page_priority)
            .u8(thread.io_priority)
            .u8(0);
        if let Some(name) = &thread.name {
            out.wstr(name);
        }
    }
}

/// Thread SetName, 0548h v2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadSetName<'a> {
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// The new name.
    pub name: &'a str,
}

impl KernelEvent for ThreadSetName<'_> {
    fn hook(&self) -> u16 {
        0x0548
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.u32(self.pid).u32(self.tid).wstr(self.name);
    }
}
