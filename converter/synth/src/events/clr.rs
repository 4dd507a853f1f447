//! Events of the .NET runtime (CLR) and of its rundown about methods and modules (Microsoft docs: "Method ETW Events",
//! "Loader ETW Events").

use crate::file::bytes::{Bytes, Guid, Pointer};
use crate::file::event::ProviderEvent;

/// `Microsoft-Windows-DotNETRuntime`.
const RUNTIME: Guid = Guid::from_u128(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4);
/// `Microsoft-Windows-DotNETRuntimeRundown`.
const RUNDOWN: Guid = Guid::from_u128(0xa669021c_c450_4609_a035_5af59af4df18);
const LEVEL_INFORMATION: u8 = 4;
const KEYWORD_LOADER: u64 = 0x8;
const KEYWORD_JIT: u64 = 0x10;
const TASK_METHOD: u16 = 9;
const TASK_LOADER: u16 = 10;
/// Method flag: it was compiled at run time.
const JITTED: u32 = 0x8;

/// When an event about a method or a module is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClrChange {
    /// It was loaded.
    Load,
    /// It is unloaded.
    Unload,
    /// It is there when the session begins.
    RundownStart,
    /// It is there when the session ends.
    RundownEnd,
}

/// The code of a method (`MethodLoadVerbose` and its like, version 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClrMethod<'a> {
    /// Address of its code.
    pub start: u64,
    /// Size of its code in bytes.
    pub size_bytes: u32,
    /// Id of its module.
    pub module_id: u64,
    /// Its type, with namespaces.
    pub namespace: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its signature.
    pub signature: &'a str,
}

impl ClrMethod<'_> {
    /// The event.
    #[must_use]
    pub fn event(&self, change: ClrChange) -> ProviderEvent {
        let mut payload = Bytes::new(Pointer::Eight);
        payload
            .u64(self.start ^ 0xFF)
            .u64(self.module_id)
            .u64(self.start)
            .u32(self.size_bytes)
            .u32(0x0600_0001)
            .u32(JITTED);
        payload
            .wstr(self.namespace)
            .wstr(self.name)
            .wstr(self.signature)
            .u16(9)
            .u64(0);
        let id = match change {
            ClrChange::Load | ClrChange::RundownStart => 143,
            ClrChange::Unload | ClrChange::RundownEnd => 144,
        };
        event(change, (id, 2), (TASK_METHOD, KEYWORD_JIT), &payload)
    }
}

/// A module of a process (`ModuleLoad` and its like, version 2, up to the paths).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClrModule<'a> {
    /// Its id in the process.
    pub id: u64,
    /// Path of its file.
    pub il_path: &'a str,
}

impl ClrModule<'_> {
    /// The event.
    #[must_use]
    pub fn event(&self, change: ClrChange) -> ProviderEvent {
        let mut payload = Bytes::new(Pointer::Eight);
        payload.u64(self.id).u64(self.id ^ 0xFF).u32(0).u32(0);
        payload.wstr(self.il_path).wstr("").u16(9);
        let id = match change {
            ClrChange::Load => 152,
            ClrChange::Unload | ClrChange::RundownStart => 153,
            ClrChange::RundownEnd => 154,
        };
        event(change, (id, 2), (TASK_LOADER, KEYWORD_LOADER), &payload)
    }
}

fn event(
    change: ClrChange,
    (id, version): (u16, u8),
    (task, keywords): (u16, u64),
    payload: &Bytes,
) -> ProviderEvent {
    let (provider, opcode) = match change {
        ClrChange::Load => (RUNTIME, 33),
        ClrChange::Unload => (RUNTIME, 34),
        ClrChange::RundownStart => (RUNDOWN, 35),
        ClrChange::RundownEnd => (RUNDOWN, 36),
    };
    ProviderEvent {
        provider,
        id,
        version,
        channel: 0,
        level: LEVEL_INFORMATION,
        opcode,
        task,
        keywords,
        activity: Guid([0; 16]),
        extended: Vec::new(),
        payload: payload.as_slice().to_vec(),
    }
}
