//! Who ran on which CPU, and what is known of how that began and ended.

use etw::{CompactSwitch, ContextSwitch, ReadyThread};

/// One incarnation of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// Windows' id of it; 0 is the idle thread.
    pub tid: u32,
    /// Its key in all tables; 0 is the idle thread.
    pub utid: u32,
}

/// What is said of a thread where an event names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mention {
    /// Id of its process, where that is known.
    pub pid: Option<u32>,
    /// Whether nothing told before that there is such a thread, and that it is of this process.
    pub is_new: bool,
}

/// How a run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunStart {
    /// The ready event that led to it.
    pub ready: Option<ReadyThread>,
    /// Part of the priority that is a boost which will decay.
    pub priority_decrement: i8,
    /// C-state of the idle spell before.
    pub c_state: Option<u8>,
    /// QoS level, where it is recorded.
    pub qos: Option<u8>,
}

/// The end of a run, as the context switch that ended it tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunEnd {
    /// The thread that ran; 0 is the idle thread.
    pub tid: u32,
    /// Its rank; `None` where that was not recorded.
    pub rank: Option<u8>,
    /// Its priority at the switch-out.
    pub priority: i8,
    /// `KWAIT_REASON`, or [`RunEnd::WAIT_REASON_NONE`].
    pub wait_reason: u8,
    /// 0 for a wait in the kernel, 1 for one of the program.
    pub wait_mode: u8,
    /// `KTHREAD_STATE` that the thread went into, or [`RunEnd::STATE_NOT_RECORDED`].
    pub state: u8,
    /// QoS level at the switch-out; 0 where the event has none.
    pub qos: u8,
}

impl RunEnd {
    /// In place of a wait reason: none was recorded.
    pub const WAIT_REASON_NONE: u8 = 63;
    /// In place of a state: the run has ended, but a compact context switch does not tell what its thread went into.
    pub const STATE_NOT_RECORDED: u8 = 14;

    /// The end of the old thread's run.
    pub fn of(switch: &ContextSwitch) -> Self {
        Self {
            tid: switch.old_tid,
            rank: switch.old_rank,
            priority: switch.old_priority,
            wait_reason: switch.old_wait_reason,
            wait_mode: switch.old_wait_mode,
            state: switch.old_state.min(Self::STATE_NOT_RECORDED - 1),
            qos: switch.old_qos,
        }
    }

    /// The end of the run of a thread that leaves, as a compact switch tells; `None` if that does not tell which.
    pub fn of_compact(switch: &CompactSwitch) -> Option<Self> {
        Some(Self {
            tid: switch.old_tid?,
            rank: None,
            priority: switch.old_priority,
            wait_reason: Self::WAIT_REASON_NONE,
            wait_mode: 0,
            state: Self::STATE_NOT_RECORDED,
            qos: 0,
        })
    }

    /// Whether a whole context switch reported the end, not a compact one.
    pub fn is_whole(&self) -> bool {
        self.state != Self::STATE_NOT_RECORDED
    }
}

/// What is known of a run where it begins, since the recording is read ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunOutlook {
    /// How it begins.
    pub start: RunStart,
    /// How it ends; `None` where it is still open when the recording, or what is known of its CPU, ends.
    pub end: Option<RunEnd>,
    /// Rank at the end of the thread's run before; `None` for its first run, and where that was not recorded.
    pub rank_before: Option<u8>,
}

impl RunOutlook {
    /// Rank at the end of the run.
    pub fn rank(&self) -> Option<u8> {
        self.end.and_then(|end| end.rank)
    }

    /// QoS level at the switch-in, where it was recorded and the end of the run does not tell the same.
    pub fn other_qos(&self) -> Option<u8> {
        let at_end = self.end.map(|end| end.qos);
        self.start.qos.filter(|qos| at_end != Some(*qos))
    }
}

/// One run ends on a CPU and another one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// When.
    pub ts_ns: u64,
    /// The CPU.
    pub cpu: u16,
    /// The thread that really ran from here on.
    pub new: Thread,
    /// The thread that ran up to here.
    pub old: Thread,
    /// Priority of the new thread.
    pub new_priority: i8,
    /// `KTHREAD_STATE` that the old thread goes into; `thread_state::INITIALIZED` where that is not known.
    pub old_state: u8,
    /// `KWAIT_REASON` of the old thread.
    pub old_wait_reason: u8,
    /// What is known of the run that begins; `None` for the idle thread's.
    pub begins: Option<RunOutlook>,
}

/// A stay of a thread on a CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// When it began.
    pub ts_ns: u64,
    /// When it ended; when the recording ends if it was still open then.
    pub te_ns: u64,
    /// The CPU.
    pub cpu: u16,
    /// The thread.
    pub thread: Thread,
    /// Its priority at the switch-in.
    pub priority: i8,
    /// Whether its end was recorded.
    pub has_ended: bool,
    /// What is known of it; `None` for the idle thread's.
    pub outlook: Option<RunOutlook>,
}

/// What one hardware counter of a CPU counted in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunCounter {
    /// The run, which has ended.
    pub run: Run,
    /// The counter: its place in the headers of events, from 1.
    pub counter: u8,
    /// How far it came.
    pub counted: u64,
}

/// The end of a run that was under way before its CPU's first switch: when it began is not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunBefore {
    /// When it ended: the CPU's first switch.
    pub ts_ns: u64,
    /// The thread.
    pub thread: Thread,
    /// How it ended.
    pub end: RunEnd,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compact_switch_tells_a_priority_and_no_more() {
        let switch = CompactSwitch {
            raw: 0,
            old_tid: Some(8),
            old_priority: 14,
        };
        let end = RunEnd {
            tid: 8,
            rank: None,
            priority: 14,
            wait_reason: 63,
            wait_mode: 0,
            state: 14,
            qos: 0,
        };
        assert_eq!(RunEnd::of_compact(&switch), Some(end));
        let unnamed = CompactSwitch {
            old_tid: None,
            ..switch
        };
        assert_eq!(RunEnd::of_compact(&unnamed), None);
    }
}

/// The ideal processor of a thread that is switched out, where it is first known or another than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdealCpu {
    /// When it is switched out.
    pub ts_ns: u64,
    /// The thread.
    pub thread: Thread,
    /// The low 8 bits of the processor's number within its group.
    pub ideal_cpu: u8,
}
