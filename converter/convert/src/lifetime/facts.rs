//! What lifetime events say about a process or a thread, owned.

use std::hash::Hash;

use etw::{Ansi, Process, ProviderProcess, Sid, Thread, ThreadName, Wide};

/// What is known of one incarnation of a process. `None` where no event tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessFacts {
    /// Process id.
    pub pid: u32,
    /// Id of the creator, which may be stale.
    pub parent_pid: Option<u32>,
    /// `EPROCESS` address.
    pub unique_key: Option<u64>,
    /// Terminal-services session.
    pub session: Option<u32>,
    /// NTSTATUS at its end.
    pub exit_status: Option<u32>,
    /// 1 has an application id, 2 WOW64, 4 protected, 8 packaged.
    pub flags: Option<u32>,
    /// The user, as `S-1-…`.
    pub sid: Option<Box<str>>,
    /// File name of the image.
    pub image_name: Option<Box<str>>,
    /// The whole command line.
    pub command_line: Option<Box<str>>,
    /// Full name of the app package.
    pub package: Option<Box<str>>,
    /// Application id.
    pub application: Option<Box<str>>,
}

/// What is known of one incarnation of a thread. `None` where no event tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadFacts {
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// Start address in user mode.
    pub start_address: Option<u64>,
    /// Service tag.
    pub sub_process_tag: Option<u32>,
    /// 0 to 31.
    pub base_priority: Option<u8>,
    /// Processors of its group that it may run on, as bits, at its first event: a start or a rundown at the start.
    pub affinity: Option<u64>,
    /// The same at its last event: an end or a rundown at the end.
    pub end_affinity: Option<u64>,
    /// 0 to 7.
    pub page_priority: Option<u8>,
    /// 0 to 4.
    pub io_priority: Option<u8>,
    /// The thread's description; the last one, if it was renamed.
    pub name: Option<Box<str>>,
}

/// Facts about something with an id that may be reused.
pub trait Facts {
    /// What is reused: a pid, a tid, an address in a process.
    type Id: Copy + Eq + Hash;
    /// Its id.
    fn id(&self) -> Self::Id;
    /// Whether both can be about the same incarnation.
    fn may_be_same(&self, other: &Self) -> bool;
    /// Adds what a later event tells.
    fn add(&mut self, later: Self);
}

impl<F: Facts> Facts for Box<F> {
    type Id = F::Id;

    fn id(&self) -> Self::Id {
        (**self).id()
    }

    fn may_be_same(&self, other: &Self) -> bool {
        (**self).may_be_same(other)
    }

    fn add(&mut self, later: Self) {
        (**self).add(*later);
    }
}

/// Replaces what is known by what a later event tells, if it does.
pub fn replace<T>(known: &mut Option<T>, later: Option<T>) {
    if later.is_some() {
        *known = later;
    }
}

impl Facts for ProcessFacts {
    type Id = u32;

    fn id(&self) -> u32 {
        self.pid
    }

    fn may_be_same(&self, other: &Self) -> bool {
        match (self.unique_key, other.unique_key) {
            (Some(one), Some(another)) if one != 0 && another != 0 => one == another,
            _ => true,
        }
    }

    fn add(&mut self, later: Self) {
        replace(&mut self.parent_pid, later.parent_pid);
        replace(&mut self.unique_key, later.unique_key);
        replace(&mut self.session, later.session);
        replace(&mut self.exit_status, later.exit_status);
        replace(&mut self.flags, later.flags);
        replace(&mut self.sid, later.sid);
        replace(&mut self.image_name, later.image_name);
        replace(&mut self.command_line, later.command_line);
        replace(&mut self.package, later.package);
        replace(&mut self.application, later.application);
    }
}

impl Facts for ThreadFacts {
    type Id = u32;

    fn id(&self) -> u32 {
        self.tid
    }

    fn may_be_same(&self, other: &Self) -> bool {
        self.pid == other.pid
    }

    fn add(&mut self, later: Self) {
        replace(&mut self.start_address, later.start_address);
        // At its end a thread of a pool works for no service.
        let is_told = later.sub_process_tag.is_some_and(|tag| tag != 0);
        if is_told || self.sub_process_tag.is_none() {
            self.sub_process_tag = later.sub_process_tag;
        }
        replace(&mut self.affinity, later.affinity);
        replace(&mut self.end_affinity, later.end_affinity);
        replace(&mut self.base_priority, later.base_priority);
        replace(&mut self.page_priority, later.page_priority);
        replace(&mut self.io_priority, later.io_priority);
        replace(&mut self.name, later.name);
    }
}

/// NTSTATUS of a process that still runs (`STILL_ACTIVE`).
const STILL_ACTIVE: u32 = 259;

/// A string that is not empty.
pub fn text(string: Wide<'_>) -> Option<Box<str>> {
    (!string.is_empty()).then(|| string.to_text().into())
}

fn ansi_text(string: Ansi<'_>) -> Option<Box<str>> {
    (!string.is_empty()).then(|| string.to_text().into())
}

impl From<&Process<'_>> for ProcessFacts {
    fn from(process: &Process<'_>) -> Self {
        Self {
            pid: process.pid,
            parent_pid: Some(process.parent_pid),
            unique_key: process.unique_key,
            session: process.session,
            exit_status: process.exit_status.filter(|status| *status != STILL_ACTIVE),
            flags: process.flags,
            sid: process.sid.as_ref().map(Sid::to_string).map(Into::into),
            image_name: process.image_name.and_then(ansi_text),
            command_line: process.command_line.and_then(text),
            package: process.package.and_then(text),
            application: process.application.and_then(text),
        }
    }
}

impl From<&ProviderProcess<'_>> for ProcessFacts {
    fn from(process: &ProviderProcess<'_>) -> Self {
        let path = process.image_path.map(Wide::to_text).unwrap_or_default();
        let name = path.rsplit('\\').next().unwrap_or_default();
        Self {
            pid: process.pid,
            parent_pid: process.parent_pid,
            session: process.session,
            exit_status: process.exit_code,
            image_name: (!name.is_empty()).then(|| name.into()),
            package: process.package.and_then(text),
            application: process.application.and_then(text),
            ..Self::default()
        }
    }
}

impl From<&Thread<'_>> for ThreadFacts {
    fn from(thread: &Thread<'_>) -> Self {
        Self {
            pid: thread.pid,
            tid: thread.tid,
            start_address: thread.start_address,
            sub_process_tag: thread.sub_process_tag,
            affinity: thread.affinity,
            end_affinity: None,
            base_priority: thread.base_priority,
            page_priority: thread.page_priority,
            io_priority: thread.io_priority,
            name: thread.name.and_then(text),
        }
    }
}

impl From<&ThreadName<'_>> for ThreadFacts {
    fn from(named: &ThreadName<'_>) -> Self {
        Self {
            pid: named.pid,
            tid: named.tid,
            name: text(named.name),
            ..Self::default()
        }
    }
}
