//! Who was ready to run and did not, and who made whom ready.

use etw::ReadyThread;

use crate::run::Thread;

/// A ready event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ready {
    /// When.
    pub ts_ns: u64,
    /// The CPU that it was recorded on.
    pub cpu: u16,
    /// The thread that is made ready.
    pub thread: Thread,
    /// The thread that makes it ready; the idle thread stands for none, as for a DPC.
    pub waker: Thread,
}

/// A thread that was made ready and had not run where the recording ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StillReady {
    /// When it became ready.
    pub ts_ns: u64,
    /// Its id.
    pub tid: u32,
    /// The last ready event, with what is kept of those before it.
    pub ready: ReadyThread,
}

/// A wait of a thread that could have run and did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadyWait {
    /// When the thread became ready.
    pub ts_ns: u64,
    /// When it was switched in; when the recording ends if that was not seen.
    pub te_ns: u64,
    /// The thread.
    pub thread: Thread,
    /// The thread that made it ready, the idle thread for none, as for a DPC; `None` where it was ready when it was
    /// switched out.
    pub waker: Option<Thread>,
    /// The last ready event of the wait, with what is kept of those before it.
    pub ready: Option<ReadyThread>,
    /// When it last left a CPU, if it is known to have been blocked from then on, or was put aside; `None` where that was not
    /// recorded.
    pub last_switch_out_ns: Option<u64>,
    /// When the last of several ready events came; `None` where there was one at most.
    pub last_ready_ns: Option<u64>,
    /// Its priority at the switch-in; of a wait that was not seen to end, at its last switch-out, where that was recorded.
    pub priority: Option<i8>,
    /// Rank at the end of its run before; `None` where that was not recorded.
    pub rank_before: Option<u8>,
    /// Rank at the end of the run after it; `None` where that was not recorded.
    pub rank_after: Option<u8>,
    /// The CPU that it then ran on; `None` if the wait was not seen to end.
    pub cpu: Option<u16>,
}
