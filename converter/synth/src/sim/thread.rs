//! A simulated thread and what it can do.

use super::arena::Key;
use super::process::{NewProcess, NewThread, Process};
use super::rng::Rng;
use super::watch::Why;
use crate::events::scheduler::WaitReason;
use crate::events::thread::ThreadInfo;

/// What a running thread does next. Times are in ticks after the start of the trace.
pub enum Step {
    /// Uses the processor for so many ticks.
    Run(i64),
    /// Uses the processor whenever it gets one, until this time.
    RunUntil(i64),
    /// Wakes a thread that waits; one that does not will not block at its next wait.
    Wake {
        /// The thread to wake.
        thread: Key<Thread>,
        /// Priority boost it gets.
        increment: i8,
    },
    /// Blocks until another thread wakes it.
    Wait(WaitReason),
    /// Blocks until a timer's DPC wakes it after so many ticks.
    Sleep(WaitReason, i64),
    /// Blocks until a timer's DPC wakes it at this time.
    SleepUntil(WaitReason, i64),
    /// Blocks, but the next processor makes it ready while it is still being switched out.
    WaitOvertaken(WaitReason),
    /// Its scheduling group's rank changes.
    Rank(u8),
    /// Creates a process with its threads.
    Create(Box<NewProcess>),
    /// Creates a thread of its own process.
    CreateThread(Box<NewThread>),
    /// Begins to end, as the last thread of its process: what it does until [`Step::Exit`] is the process's cleanup.
    BeginExit,
    /// Ends; the last thread takes its process along.
    Exit,
}

/// The moment at which a running thread is asked for its next step.
pub struct Turn<'a> {
    /// Ticks after the header event.
    pub now: i64,
    /// The thread that is asked.
    pub me: Key<Thread>,
    /// The simulation's random numbers.
    pub rng: &'a mut Rng,
}

/// Decides what a thread does: asked each time when it runs and its last step is done.
pub trait Behaviour {
    /// The next step. Steps other than running and blocking take no time.
    fn next(&mut self, turn: Turn<'_>) -> Step;
}

impl<F: FnMut(Turn<'_>) -> Step> Behaviour for F {
    fn next(&mut self, turn: Turn<'_>) -> Step {
        self(turn)
    }
}

/// Where a thread stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Blocked.
    Waiting,
    /// In the ready queue.
    Ready,
    /// Chosen for a processor that has not switched yet.
    Standby,
    /// On a processor.
    Running,
    /// Gone.
    Ended,
}

/// Processor time a thread still wants before its next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Nothing: its behaviour is asked.
    Done,
    /// So many ticks.
    Ticks(i64),
    /// As much as it gets until this time.
    Until(i64),
}

/// A thread of the simulation.
pub struct Thread {
    /// As its events describe it.
    pub info: ThreadInfo,
    /// Its process.
    pub process: Key<Process>,
    /// Current priority: the base, or above it while a boost lasts.
    pub priority: u8,
    /// Rank of its scheduling group, 0 = best.
    pub rank: u8,
    /// QoS level, 0 high to 2 low.
    pub qos: u8,
    /// Processor it prefers.
    pub ideal_cpu: u8,
    /// Bit mask of the processors it may run on; `None` for all of the machine.
    pub allowed: Option<u64>,
    /// Kept from all processors, and why.
    pub(super) held: Option<Why>,
    pub(super) state: State,
    pub(super) work: Work,
    pub(super) quantum_left: i64,
    /// Counts waits, so that a timer of an earlier wait does nothing.
    pub(super) wait_count: u64,
    pub(super) waiting_since: i64,
    pub(super) ready_since: i64,
    /// It was woken while it did not wait.
    pub(super) signalled: bool,
    /// Its boost ends all at once.
    pub(super) starvation_boost: bool,
    /// Its end is in the log; it still runs and waits.
    pub(super) leaving: bool,
    pub(super) behaviour: Box<dyn Behaviour>,
}

impl Thread {
    /// A thread at its base priority and rank 0.
    #[must_use]
    pub fn new(process: Key<Process>, info: ThreadInfo, behaviour: Box<dyn Behaviour>) -> Self {
        Self {
            priority: info.base_priority,
            ideal_cpu: u8::try_from(info.tid / 4 % 256).unwrap_or(0),
            info,
            process,
            rank: 0,
            qos: 0,
            allowed: None,
            held: None,
            state: State::Waiting,
            work: Work::Done,
            quantum_left: 0,
            wait_count: 0,
            waiting_since: i64::MIN,
            ready_since: i64::MIN,
            signalled: false,
            starvation_boost: false,
            leaving: false,
            behaviour,
        }
    }

    /// Smaller is better: ready threads are picked by rank, then by priority.
    pub(super) const fn claim(&self) -> (u8, u8) {
        (self.rank, 31 - self.priority)
    }

    /// Whether it may run on a processor.
    pub(super) fn may_use(&self, cpu: u16) -> bool {
        self.allowed
            .is_none_or(|mask| mask.checked_shr(u32::from(cpu)).unwrap_or(0) & 1 == 1)
    }

    pub(super) const fn boost(&self) -> i8 {
        self.priority.saturating_sub(self.info.base_priority) as i8
    }
}
