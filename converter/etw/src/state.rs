//! Enumerations of the kernel's scheduler.
//!
//! Source: Microsoft docs, `KernelWaitReason`; public dumps of `_KTHREAD_STATE` and `_KWAIT_REASON`.

/// `KTHREAD_STATE` as recorded at a switch-out.
pub mod thread_state {
    /// Being set up.
    pub const INITIALIZED: u8 = 0;
    /// Runnable: preempted, at its quantum's end, or yielding.
    pub const READY: u8 = 1;
    /// Chosen to run next on a processor.
    pub const STANDBY: u8 = 3;
    /// Ended.
    pub const TERMINATED: u8 = 4;
    /// Blocked, for the wait reason.
    pub const WAITING: u8 = 5;
    /// Ready, and not put into a queue yet.
    pub const DEFERRED_READY: u8 = 7;
    /// Waiting for a gate (Windows Server 2003 to 7).
    pub const GATE_WAIT: u8 = 8;
    /// Waiting for its process to be swapped in.
    pub const WAITING_FOR_PROCESS_IN_SWAP: u8 = 9;
}

const WAIT_REASONS: [&str; 42] = [
    "Executive",
    "FreePage",
    "PageIn",
    "PoolAllocation",
    "DelayExecution",
    "Suspended",
    "UserRequest",
    "WrExecutive",
    "WrFreePage",
    "WrPageIn",
    "WrPoolAllocation",
    "WrDelayExecution",
    "WrSuspended",
    "WrUserRequest",
    "WrEventPair",
    "WrQueue",
    "WrLpcReceive",
    "WrLpcReply",
    "WrVirtualMemory",
    "WrPageOut",
    "WrRendezvous",
    "WrKeyedEvent",
    "WrTerminated",
    "WrProcessInSwap",
    "WrCpuRateControl",
    "WrCalloutStack",
    "WrKernel",
    "WrResource",
    "WrPushLock",
    "WrMutex",
    "WrQuantumEnd",
    "WrDispatchInt",
    "WrPreempted",
    "WrYieldExecution",
    "WrFastMutex",
    "WrGuardedMutex",
    "WrRundown",
    "WrAlertByThreadId",
    "WrDeferredPreempt",
    "WrPhysicalFault",
    "WrIoRing",
    "WrMdlCache",
];

const THREAD_STATES: [&str; 10] = [
    "Initialized",
    "Ready",
    "Running",
    "Standby",
    "Terminated",
    "Waiting",
    "Transition",
    "DeferredReady",
    "GateWaitObsolete",
    "WaitingForProcessInSwap",
];

/// Name of a `KWAIT_REASON`, as Windows 8 and later number them; `None` beyond the known ones.
pub fn wait_reason_name(wait_reason: u8) -> Option<&'static str> {
    WAIT_REASONS.get(usize::from(wait_reason)).copied()
}

/// Name of a `KTHREAD_STATE`; `None` beyond the known ones.
pub fn thread_state_name(state: u8) -> Option<&'static str> {
    THREAD_STATES.get(usize::from(state)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_at_their_numbers() {
        let reasons = [0, 6, 30, 37, 41, 42].map(wait_reason_name);
        assert_eq!(
            reasons,
            [
                Some("Executive"),
                Some("UserRequest"),
                Some("WrQuantumEnd"),
                Some("WrAlertByThreadId"),
                Some("WrMdlCache"),
                None
            ]
        );
        assert_eq!(thread_state_name(thread_state::WAITING), Some("Waiting"));
        assert_eq!(
            thread_state_name(thread_state::GATE_WAIT),
            Some("GateWaitObsolete")
        );
    }
}
