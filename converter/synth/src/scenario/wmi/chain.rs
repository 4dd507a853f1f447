//! Who wakes whom once the lock is free, from the thread that holds it to the one that tells all others.

use super::story::WRITE;
use crate::events::scheduler::WaitReason;

/// A thread of the chain: waits for the one before it, works, and wakes the one after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// Where it runs: the name of a service, or the image of a process.
    pub host: &'static str,
    /// Why it is blocked meanwhile.
    pub reason: WaitReason,
    /// How long it works before it wakes the next one, in ticks.
    pub work: i64,
    /// How long it waits for the disk in between, in ticks; 0 = not at all. A DPC ends that.
    pub disk: i64,
}

const fn link(host: &'static str, reason: WaitReason, work: i64) -> Link {
    Link {
        host,
        reason,
        work,
        disk: 0,
    }
}

/// The service whose thread holds the lock.
pub const HOLDER: &str = "Winmgmt";
/// The service that asks it for the work during which it holds the lock.
pub const ASKER: &str = "Schedule";
/// Who is woken after the release, in order; the last one tells all others.
pub const CHAIN: &[Link] = &[
    link(HOLDER, WaitReason::WrAlertByThreadId, 2_400),
    link("WmiPrvSE.exe", WaitReason::WrLpcReply, 5_100),
    link("DcomLaunch", WaitReason::WrLpcReply, 1_700),
    link("RpcSs", WaitReason::WrAlertByThreadId, 900),
    link("lsass.exe", WaitReason::WrLpcReply, 3_300),
    link("ProfSvc", WaitReason::WrLpcReply, 2_200),
    Link {
        disk: WRITE,
        ..link("EventLog", WaitReason::WrQueue, 1_200)
    },
    link("services.exe", WaitReason::WrLpcReply, 1_500),
    link("UserManager", WaitReason::WrLpcReply, 2_800),
    link("StateRepository", WaitReason::WrAlertByThreadId, 6_400),
    link("BrokerInfrastructure", WaitReason::WrQueue, 1_900),
    link("sihost.exe", WaitReason::WrLpcReply, 2_600),
    link("SystemEventsBroker", WaitReason::WrQueue, 800),
];
