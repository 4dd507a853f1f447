//! What is known of a random trace. Times are ns after the header event.

use std::collections::BTreeMap;

use serde::Serialize;

use super::groups::Place;

/// Why a ready thread did not run; the words of `shared/why-late`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The machine slept.
    Asleep,
    /// Its process was frozen.
    Frozen,
    /// Its kernel stack or process was being read in.
    SwappedOut,
    /// All processors ran threads that went first, one of them by rank alone.
    Rank,
    /// All processors ran threads that went first by priority.
    Priority,
    /// Another processor was free, which it may not use.
    Affinity,
    /// A DPC or ISR held a processor that was free for it otherwise.
    Interrupt,
    /// The idle processor that took it was waking up.
    IdleWakeUp,
    /// The processor that took it was putting a thread aside.
    PreemptionDelay,
    /// A processor was free for it.
    NotExplained,
    /// What ran on a processor is not in the trace.
    NotRecorded,
}

/// A run of a thread, from a context switch to the next one on its processor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunTruth {
    /// The processor.
    pub cpu: u16,
    /// The thread; 0 is the idle thread.
    pub tid: u32,
    /// Its process.
    pub pid: u32,
    /// Switch-in.
    pub start_ns: i64,
    /// Switch-out; `None` if that did not come.
    pub end_ns: Option<i64>,
    /// Priority at the switch-in.
    pub priority: u8,
    /// Rank at the switch-out; `None` for the idle thread and for open runs.
    pub rank: Option<u8>,
    /// What each hardware counter of the processor counted in it; `None` where none are recorded, and for an open run.
    pub counted: Option<[u64; 2]>,
    /// Why it ended: the state that the thread went into, `Ready`, `Waiting` or `Terminated`.
    pub old_state: Option<&'static str>,
}

/// A run that was under way before its processor's first context switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunBeforeTruth {
    /// The thread.
    pub tid: u32,
    /// Its process.
    pub pid: u32,
    /// Switch-out.
    pub end_ns: i64,
    /// Rank at the switch-out.
    pub rank: u8,
}

/// A wait in the ready state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadyTruth {
    /// The thread.
    pub tid: u32,
    /// Its process.
    pub pid: u32,
    /// When it became able to run: when it was readied, but not before it had left its processor.
    pub ready_ns: i64,
    /// When it was switched in; `None` if that did not come.
    pub switch_in_ns: Option<i64>,
    /// On which processor.
    pub cpu: Option<u16>,
    /// The number of the run that it ended with, from 0.
    pub run: Option<usize>,
    /// Put aside while it ran, not readied.
    pub preempted: bool,
    /// Who readied it; `None` for a DPC, and for a preempted thread.
    pub waker_tid: Option<u32>,
    /// The number of the run in which it was readied, from 0; `None` too for one from before its processor's first switch.
    pub waker_run: Option<usize>,
    /// Readied by a DPC.
    pub in_dpc: bool,
    /// When it had been switched out before, if that was recorded.
    pub last_out_ns: Option<i64>,
    /// Priority at the switch-in; of a wait that did not end, at the last switch-out.
    pub priority: Option<u8>,
    /// Rank: at the end of the run that followed, else of the one before.
    pub rank: Option<u8>,
    /// What it divides into, up to the switch-in or the end of the trace.
    pub shares_ns: BTreeMap<Reason, i64>,
    /// The same in the order of time, each from the end of the one before.
    pub stretches: Vec<StretchTruth>,
}

/// A stretch of a wait in the ready state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StretchTruth {
    /// Why the thread did not run.
    pub why: Reason,
    /// Start.
    pub start_ns: i64,
    /// End.
    pub end_ns: i64,
}

/// From when to when something was so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpanTruth {
    /// Start; `None` if that was before the trace.
    pub start_ns: Option<i64>,
    /// End; `None` if that did not come.
    pub end_ns: Option<i64>,
}

/// The life of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProcessTruth {
    /// Its id; others may have it before and after.
    pub pid: u32,
    /// Its image.
    pub image: String,
    /// From its creation to its end.
    pub life: SpanTruth,
    /// When it was frozen.
    pub freezes: Vec<SpanTruth>,
}

/// The life of a thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThreadTruth {
    /// Its id; others may have it before and after.
    pub tid: u32,
    /// Its process.
    pub pid: u32,
    /// Events of its own describe it. Else only the id is sure to be in the trace, since switches have the id.
    pub is_described: bool,
    /// From its creation to its end.
    pub life: SpanTruth,
}

/// A DPC or an ISR.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InterruptTruth {
    /// The processor.
    pub cpu: u16,
    /// `dpc`, `threaded_dpc`, `timer_dpc` or `isr`.
    pub kind: &'static str,
    /// Its start.
    pub start_ns: i64,
    /// Its end.
    pub end_ns: i64,
}

/// An ideal processor, where it was recorded: at the first switch-out of a thread, and at one by which it had changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IdealCpuTruth {
    /// The thread.
    pub tid: u32,
    /// Its process.
    pub pid: u32,
    /// That switch-out.
    pub out_ns: i64,
    /// Its number within its group.
    pub ideal_cpu: u8,
}

/// All that is known of a random trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RandomTruth {
    /// The scheduler breaks its own rules now and then.
    pub breaks_rules: bool,
    /// Several events have the same time: what of them came first is not in the trace, unless one causes the other.
    pub shares_ticks: bool,
    /// End of the trace.
    pub end_ns: i64,
    /// Buffers are missing: the trace tells less than this.
    pub lost_buffers: u32,
    /// All runs, by their starts.
    pub runs: Vec<RunTruth>,
    /// Those that ended with their processor's first switch, but of idle threads.
    pub runs_before: Vec<RunBeforeTruth>,
    /// All waits in the ready state, by their starts.
    pub waits: Vec<ReadyTruth>,
    /// All processes but Idle.
    pub processes: Vec<ProcessTruth>,
    /// All threads but the idle ones.
    pub threads: Vec<ThreadTruth>,
    /// By their ends.
    pub interrupts: Vec<InterruptTruth>,
    /// When the machine slept.
    pub sleeps: Vec<SpanTruth>,
    /// Group and number of each processor.
    pub places: Vec<Place>,
    /// They are recorded.
    pub tells_places: bool,
    /// By time.
    pub ideal_cpus: Vec<IdealCpuTruth>,
}
