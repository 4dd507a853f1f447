//! Kinds of events by the names that a user chooses them by.

use etl::bytes::pointer_at;
use etl::{Event, EventId, Guid, HookId};
use etw::{IMAGE_ID_CLASS, InterruptKind, hook};
use schema::MANIFEST_EVENT_ID;

use crate::fates::METADATA;

/// A kind of event that can be chosen or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KindName {
    /// Context switches, ready events, and other scheduler events.
    Scheduling,
    /// Profile samples.
    Samples,
    /// Stacks.
    Stacks,
    /// Images loaded and unloaded, and their identities.
    Images,
    /// Disk and file I/O.
    Io,
    /// DPCs, ISRs and timers.
    Interrupts,
    /// Page faults, virtual memory, heap and pool.
    Memory,
    /// TCP and UDP.
    Network,
    /// Registry.
    Registry,
    /// Any other kernel event.
    Kernel,
    /// Every event of providers.
    Generic,
}

impl KindName {
    /// All, with the names that the user gives them.
    pub const ALL: [(Self, &'static str); 11] = [
        (Self::Scheduling, "scheduling"),
        (Self::Samples, "samples"),
        (Self::Stacks, "stacks"),
        (Self::Images, "images"),
        (Self::Io, "io"),
        (Self::Interrupts, "interrupts"),
        (Self::Memory, "memory"),
        (Self::Network, "network"),
        (Self::Registry, "registry"),
        (Self::Kernel, "kernel"),
        (Self::Generic, "generic"),
    ];

    /// The name that the user gives it.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(kind, _)| *kind == self);
        found.map_or("", |(_, name)| name)
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(_, own)| own.eq_ignore_ascii_case(name))
            .map(|(kind, _)| *kind)
    }

    /// The kind of a kernel event; `None` for those that are always kept, since others cannot be understood without
    /// them: processes, threads, names, the session, the system's configuration, the profile's interval.
    pub fn of_hook(hook: HookId) -> Option<Self> {
        Some(match (hook, hook.group()) {
            (
                hook::THREAD_START
                | hook::THREAD_END
                | hook::THREAD_RUNDOWN_START
                | hook::THREAD_RUNDOWN_END
                | hook::THREAD_NAME
                | hook::PROFILE_SET_INTERVAL
                | hook::PROFILE_COLLECTION_START
                | hook::PROFILE_COLLECTION_END,
                _,
            ) => return None,
            (hook::SAMPLED_PROFILE | hook::SAMPLED_PROFILE_NMI | hook::PMC_SAMPLE, _) => {
                Self::Samples
            }
            (hook, _) if InterruptKind::of(hook).is_some() => Self::Interrupts,
            (hook::IMAGE_LOAD, _) | (_, 0x14) => Self::Images,
            (_, 0x00 | 0x03 | 0x0B) => return None,
            (_, 0x05) => Self::Scheduling,
            (_, 0x18) => Self::Stacks,
            (_, 0x01 | 0x04 | 0x1B) => Self::Io,
            (_, 0x02 | 0x0E | 0x10) => Self::Memory,
            (_, 0x06 | 0x08) => Self::Network,
            (_, 0x09) => Self::Registry,
            _ => Self::Kernel,
        })
    }

    /// The kind of an event; `None` for those that are always kept.
    pub fn of(id: EventId) -> Option<Self> {
        match id {
            EventId::Kernel(hook) => Self::of_hook(hook),
            EventId::Classic { class, .. } if class == IMAGE_ID_CLASS => Some(Self::Images),
            EventId::Classic { class, .. } if class == METADATA => None,
            EventId::Manifest(descriptor) if descriptor.id == MANIFEST_EVENT_ID => None,
            _ => Some(Self::Generic),
        }
    }
}

/// The provider of an event that is not the kernel's.
pub fn provider(id: EventId) -> Option<Guid> {
    match id {
        EventId::Kernel(_) => None,
        EventId::Classic { class, .. } => Some(class),
        EventId::Manifest(descriptor) | EventId::TraceLogging(descriptor) => {
            Some(descriptor.provider)
        }
        EventId::Wpp { guid, .. } => guid,
    }
}

/// What an event says about the name of a file. Requests to the file have its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileName {
    /// The file's key, which is used again.
    pub key: u64,
    /// The key stands for another file from here on, or for none.
    pub is_end: bool,
    /// It stood for the file before too.
    pub was_before: bool,
}

impl FileName {
    /// What an event tells; `None` if it is none of these.
    pub fn of(event: &Event<'_>) -> Option<Self> {
        let EventId::Kernel(HookId(hook)) = event.id else {
            return None;
        };
        let (is_end, was_before) = match hook {
            FILE_NAME | FILE_CREATE => (false, false),
            FILE_DELETE => (true, true),
            FILE_RUNDOWN => (false, true),
            _ => return None,
        };
        let key = pointer_at(event.payload, 0, event.pointer_bytes)?;
        Some(Self {
            key,
            is_end,
            was_before,
        })
    }
}

const FILE_NAME: u16 = 0x0400;
const FILE_CREATE: u16 = 0x0420;
const FILE_DELETE: u16 = 0x0423;
const FILE_RUNDOWN: u16 = 0x0424;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_goes_by_its_name() {
        for (kind, name) in KindName::ALL {
            assert_eq!(KindName::named(name), Some(kind));
        }
        assert_eq!(KindName::named("lunch"), None);
    }

    #[test]
    fn what_tells_names_is_always_kept() {
        let kind = |hook| KindName::of_hook(HookId(hook));
        assert_eq!([0x0301, 0x0501, 0x0548, 0x0B0A].map(kind), [None; 4]);
        let kinds = [0x0524, 0x0F2E, 0x1820, 0x030A, 0x010A, 0x0F42, 0x1210].map(kind);
        let expected = [
            KindName::Scheduling,
            KindName::Samples,
            KindName::Stacks,
            KindName::Images,
            KindName::Io,
            KindName::Interrupts,
            KindName::Kernel,
        ];
        assert_eq!(kinds, expected.map(Some));
    }
}
