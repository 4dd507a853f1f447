//! Processes and threads: who they are, and when they came and went. `None` where nothing was recorded.

use crate::run::Thread;

/// One incarnation of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessLife {
    /// Its key in all tables.
    pub upid: u32,
    /// Process id.
    pub pid: u32,
    /// File name of its image; `pid N` where that was not recorded.
    pub name: Box<str>,
    /// Process id of the creator, which may be gone or reused.
    pub parent_pid: Option<u32>,
    /// Key of the creator, where that is known.
    pub parent_upid: Option<u32>,
    /// When it was created, if that was within the recording.
    pub create_ts_ns: Option<u64>,
    /// When it ended, likewise.
    pub exit_ts_ns: Option<u64>,
    /// The whole command line.
    pub command_line: Option<Box<str>>,
    /// Terminal session; `u32::MAX` is Windows' mark for none.
    pub session: Option<u32>,
    /// Names of the services that it hosts, with commas between.
    pub services: Option<Box<str>>,
    /// What it ended with.
    pub exit_code: Option<u32>,
    /// Its user, as `S-1-…`.
    pub sid: Option<Box<str>>,
    /// Full name of its app package.
    pub package: Option<Box<str>>,
    /// Id of the application within the package.
    pub application: Option<Box<str>>,
    /// 1 has an application id, 2 a 32-bit process of a 64-bit Windows, 4 protected, 8 packaged.
    pub flags: Option<u32>,
}

/// Where a process comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessOrigin<'t> {
    /// Process id.
    pub pid: u32,
    /// File name of its image; `pid N` where that was not recorded.
    pub name: &'t str,
    /// The whole command line.
    pub command_line: Option<&'t str>,
    /// Process id of the creator, if that still lives where the process begins.
    pub parent_pid: Option<u32>,
}

/// One incarnation of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadLife {
    /// The thread.
    pub thread: Thread,
    /// Key of its process.
    pub upid: Option<u32>,
    /// Id of its process.
    pub pid: Option<u32>,
    /// Name of its process.
    pub process_name: Option<Box<str>>,
    /// Its own name.
    pub name: Option<Box<str>>,
    /// Priority without boosts, 0 to 31.
    pub base_priority: Option<u8>,
    /// Address at which it started.
    pub start_address: Option<u64>,
    /// When it was created, if that was within the recording.
    pub create_ts_ns: Option<u64>,
    /// When it ended, likewise.
    pub exit_ts_ns: Option<u64>,
    /// Priority of its disk requests, 0 to 4.
    pub io_priority: Option<u8>,
    /// Priority of its memory pages, 0 to 7.
    pub page_priority: Option<u8>,
    /// Windows' number of the service that it worked for last.
    pub sub_process_tag: Option<u32>,
    /// CPUs of its group that it could run on, as bits, where it is described first: at its start or the recording's.
    pub affinity: Option<u64>,
    /// The same where it is described last.
    pub end_affinity: Option<u64>,
}
