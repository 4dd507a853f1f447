//! Scheduler events of group 05 and the profile sample of group 0F.
//!
//! Sources: ntwmi; MOF `CSwitch` v1 to v4, `ReadyThread` v2, `SampledProfile`; Microsoft docs.

use crate::file::bytes::Bytes;
use crate::file::compact::Leaving;
use crate::file::event::KernelEvent;

/// A thread's state at its switch-out (`KTHREAD_STATE`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ThreadState {
    /// Runnable, but lost the processor.
    Ready = 1,
    /// The idle thread is always running.
    Running = 2,
    /// Ended.
    Terminated = 4,
    /// Blocked for its wait reason.
    Waiting = 5,
}

/// Why a thread waits or lost its processor (`KWAIT_REASON`), as far as the scenarios use them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum WaitReason {
    /// `Executive`.
    Executive = 0,
    /// `DelayExecution`, kernel side of a sleep.
    DelayExecution = 4,
    /// `UserRequest`, a wait call of a program.
    UserRequest = 6,
    /// `WrUserRequest`, a thread with windows waits for messages.
    WrUserRequest = 13,
    /// `WrQueue`, a worker waits for an item.
    WrQueue = 15,
    /// `WrLpcReceive`, a server waits for a message.
    WrLpcReceive = 16,
    /// `WrLpcReply`, a client waits for the answer.
    WrLpcReply = 17,
    /// `WrTerminated`, the thread ended.
    WrTerminated = 22,
    /// `WrResource`, a lock of the kernel that can be shared, such as that of the window manager.
    WrResource = 27,
    /// `WrQuantumEnd`.
    WrQuantumEnd = 30,
    /// `WrDispatchInt`, the dispatcher chose another thread.
    WrDispatchInt = 31,
    /// `WrPreempted`, a better thread became ready.
    WrPreempted = 32,
    /// `WrYieldExecution`, the thread gave way by itself.
    WrYieldExecution = 33,
    /// `WrAlertByThreadId`, a lock or condition variable of user mode.
    WrAlertByThreadId = 37,
}

/// What byte 0Ah of a context switch holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankOrCState {
    /// `OldThreadRank`: the old thread is a real thread.
    Rank(u8),
    /// `PreviousCState`: the old thread is the idle thread.
    CState(u8),
}

/// A context switch, 0524h, versions 2 to 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextSwitch {
    /// Layout version; Windows 10 writes 4.
    pub version: u8,
    /// Thread switched in, 0 = idle.
    pub new_tid: u32,
    /// Thread switched out, 0 = idle.
    pub old_tid: u32,
    /// Priority of the thread switched in.
    pub new_priority: u8,
    /// Priority of the thread switched out.
    pub old_priority: u8,
    /// Rank of the old thread, or C-state before an idle spell ended.
    pub rank_or_c_state: RankOrCState,
    /// Part of the new priority that is a decaying boost.
    pub new_priority_decrement: i8,
    /// Why the old thread stopped running.
    pub old_wait_reason: u8,
    /// 0 kernel, 1 user.
    pub old_wait_mode: u8,
    /// QoS level of the old thread, bits 1 to 3 of the thread flags (version 3 and later).
    pub old_qos: u8,
    /// QoS level of the new thread, bits 4 to 6 of the thread flags (version 3 and later).
    pub new_qos: u8,
    /// State of the old thread.
    pub old_state: ThreadState,
    /// Ideal processor of the old thread.
    pub old_ideal_cpu: u8,
    /// How long the new thread had waited, in clock ticks of 15.6 ms.
    pub new_wait_time: u32,
    /// What was left of the old thread's quantum.
    pub old_remaining_quantum: i32,
}

impl KernelEvent for ContextSwitch {
    fn hook(&self) -> u16 {
        0x0524
    }

    fn version(&self) -> u8 {
        self.version
    }

    fn write(&self, out: &mut Bytes) {
        let (RankOrCState::Rank(byte) | RankOrCState::CState(byte)) = self.rank_or_c_state;
        let qos = if self.version >= 3 {
            self.old_qos << 1 | self.new_qos << 4
        } else {
            0
        };
        out.u32(self.new_tid).u32(self.old_tid);
        out.u8(self.new_priority)
            .u8(self.old_priority)
            .u8(byte)
            .i8(self.new_priority_decrement);
        out.u8(self.old_wait_reason)
            .u8(self.old_wait_mode & 1 | qos)
            .u8(self.old_state as u8)
            .u8(self.old_ideal_cpu);
        out.u32(self.new_wait_time).i32(self.old_remaining_quantum);
        if self.version >= 5 {
            out.u32(0);
        }
    }

    fn leaving(&self) -> Option<Leaving> {
        Some(Leaving {
            tid: self.old_tid,
            priority: self.old_priority,
            wait_reason: self.old_wait_reason,
            new_wait_time: self.new_wait_time,
        })
    }
}

/// Flag of [`ReadyThread`]: readied from a DPC.
pub const READY_FROM_DPC: u8 = 1;
/// Flag of [`ReadyThread`]: the thread's kernel stack must be read in before it can run.
pub const KERNEL_STACK_SWAPPED_OUT: u8 = 2;

/// A thread made ready, 0532h v2. Who did it is whoever runs on the event's processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadyThread {
    /// The thread made ready.
    pub tid: u32,
    /// 0 ignore increment, 1 apply increment, 2 apply as boost.
    pub adjust_reason: i8,
    /// Priority increment.
    pub adjust_increment: i8,
    /// 1 DPC, 2 kernel stack not resident, 4 process swapped out, 8 direct switch attempt.
    pub flags: u8,
}

impl KernelEvent for ReadyThread {
    fn hook(&self) -> u16 {
        0x0532
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.u32(self.tid)
            .i8(self.adjust_reason)
            .i8(self.adjust_increment)
            .u8(self.flags)
            .u8(0);
    }
}

/// Anti-starvation boost, 053Ch v2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AntiStarvationBoost {
    /// The thread boosted.
    pub tid: u32,
    /// Processor on whose ready queue it was found.
    pub cpu: u16,
    /// Its priority before; the new one is not logged.
    pub old_priority: u8,
}

impl KernelEvent for AntiStarvationBoost {
    fn hook(&self) -> u16 {
        0x053C
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.u32(self.tid).u16(self.cpu).u8(self.old_priority).u8(0);
    }
}

/// A profile sample, 0F2Eh v2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampledProfile {
    /// Instruction pointer.
    pub instruction: u64,
    /// Thread that ran.
    pub tid: u32,
    /// Samples counted.
    pub count: u16,
    /// Priority of the thread.
    pub priority: u8,
    /// Rank of the thread.
    pub rank: u8,
}

impl KernelEvent for SampledProfile {
    fn hook(&self) -> u16 {
        0x0F2E
    }

    fn version(&self) -> u8 {
        2
    }

    fn write(&self, out: &mut Bytes) {
        out.pointer(self.instruction)
            .u32(self.tid)
            .u16(self.count)
            .u8(self.priority << 3)
            .u8(self.rank);
    }
}
