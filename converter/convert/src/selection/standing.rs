//! Generic events that say what holds until the next of them, or always.

use etl::{EventId, Guid, HookId};

use super::kinds::KindName;

const KERNEL_PROCESS: Guid = Guid::new(0x22fb2cd6_0e7b_422b_a0c7_2fad1fd0e716);
const WIN32K: Guid = Guid::new(0x8c416c79_d49b_4f01_a467_e56d3aa8234c);
const KERNEL_POWER: Guid = Guid::new(0x331c3b3a_2005_44c2_ac5e_77220c37d6b4);

/// What such an event says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandingKind {
    /// Where a thread may run.
    Affinity,
    /// Where the CPUs are.
    Cpus,
    /// Who has the focus.
    Focus,
    /// Whether a process is frozen.
    Freeze {
        /// It is frozen, not thawed.
        begins: bool,
    },
    /// Which process hosts a service.
    Service,
    /// Whether the machine sleeps.
    Sleep {
        /// It goes to sleep, and does not wake.
        begins: bool,
        /// The kernel says so, not its provider.
        is_kernel: bool,
    },
}

impl StandingKind {
    /// What an event says; `None` if it is none of these.
    pub fn of(id: EventId) -> Option<Self> {
        let sleep = |begins, is_kernel| Self::Sleep { begins, is_kernel };
        match id {
            EventId::Kernel(HookId(0x0535)) => Some(Self::Affinity),
            EventId::Kernel(HookId(0x0B0F)) => Some(Self::Service),
            EventId::Kernel(HookId(0x0B1B)) => Some(Self::Cpus),
            EventId::Kernel(HookId(hook @ (0x1230 | 0x1231))) => Some(sleep(hook == 0x1230, true)),
            EventId::Manifest(descriptor) => match (descriptor.provider, descriptor.id) {
                (KERNEL_PROCESS, number @ (11 | 12)) => Some(Self::Freeze {
                    begins: number == 11,
                }),
                (WIN32K, 26) => Some(Self::Focus),
                (KERNEL_POWER, number @ (42 | 107)) => Some(sleep(number == 42, false)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether an event is kept from before the range too, so that who is frozen, who has the focus, what runs where, whether the
/// machine sleeps and what services there are is known where it begins.
pub fn is_standing(id: EventId) -> bool {
    KindName::of(id).is_none() || StandingKind::of(id).is_some()
}
