//! What is known of a written trace, as JSON for tests of whatever reads it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::file::session::Session;
use crate::file::writer::Written;
use crate::scenario::random::truth::RandomTruth;
use crate::sim::watch::{ReadyWait, Why};

/// The truth of one trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Truth {
    /// Scenario that made it.
    pub scenario: &'static str,
    /// Seed of its random numbers; 0 if it has none.
    pub seed: u64,
    /// Length of the file.
    pub file_bytes: u64,
    /// Buffers in the file, the header buffer among them.
    pub buffers: u32,
    /// Processors of the session.
    pub cpu_count: u32,
    /// Ticks per second of the event timestamps.
    pub ticks_per_second: i64,
    /// Raw timestamp of the header event.
    pub start_ticks: i64,
    /// Its time in 100 ns since 1601-01-01 UTC.
    pub start_filetime: u64,
    /// Raw timestamp at which the trace was closed.
    pub end_ticks: i64,
    /// Events of all kinds.
    pub events: u64,
    /// Context switches.
    pub context_switches: u64,
    /// Ready-thread events.
    pub ready_threads: u64,
    /// Classic events by hook id, four hex digits.
    pub kernel_events: BTreeMap<String, u64>,
    /// Events under `EVENT_HEADER`.
    pub provider_events: u64,
    /// The wait that the scenario is about, where there is one.
    pub wait: Option<WaitTruth>,
    /// The waits that it is about, where there are many.
    pub waits: Vec<WaitTruth>,
    /// The release that the scenario is about, where there is one.
    pub release: Option<ReleaseTruth>,
    /// The loop that the scenario is about, where there is one.
    pub hot_loop: Option<HotLoopTruth>,
    /// The exits that the scenario is about, where there are any.
    pub exit_storm: Option<ExitStormTruth>,
    /// The creations that the scenario is about, where there are any.
    pub thread_growth: Option<ThreadGrowthTruth>,
    /// The storm of context switches that it is about, where there is one.
    pub storm: Option<StormTruth>,
    /// The window manager's lock that the scenario is about, where there is one.
    pub user_lock: Option<UserLockTruth>,
    /// The disk that the scenario is about, where there is one.
    pub slow_disk: Option<SlowDiskTruth>,
    /// All that is known of it, where it is random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random: Option<RandomTruth>,
}

/// A thread that holds the window manager's lock, and the one that waits for it longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct UserLockTruth {
    /// The thread that holds the lock.
    pub holder_tid: u32,
    /// How long it holds the lock while the other one waits, in ns.
    pub held_ns: i64,
    /// The thread that waits longest.
    pub waiter_tid: u32,
}

/// A disk that takes its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SlowDiskTruth {
    /// Its number.
    pub disk: u32,
    /// The thread for whose reads the disk took longest.
    pub reader_tid: u32,
    /// How long it took for these, together, in ns.
    pub waited_ns: i64,
}

/// Processes that are killed together. Times are ns after the header event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExitStormTruth {
    /// From the start of the first process until the program that ran them knew that all had ended.
    pub suite_ns: i64,
    /// The exits, in the order of their ends.
    pub exits: Vec<ExitTruth>,
    /// The thread of the user's input that needs the lock meanwhile.
    pub input_tid: u32,
    /// How long it waited for the lock at most.
    pub input_waited_ns: i64,
}

/// An exit of a process. Times are ns after the header event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExitTruth {
    /// The process.
    pub pid: u32,
    /// When it began.
    pub begin_ns: i64,
    /// When the process had ended.
    pub end_ns: i64,
    /// When it had the lock, and who let it go; absent where it did not wait for it.
    pub handed: Option<HandedTruth>,
}

/// A lock that passes from one thread to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HandedTruth {
    /// When, in ns after the header event.
    pub ns: i64,
    /// Process of the thread that held it.
    pub by_pid: u32,
}

/// Threads that are made one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThreadGrowthTruth {
    /// The process that makes them, and that they are of.
    pub pid: u32,
    /// How many.
    pub threads: u32,
    /// What the first costs.
    pub base_ns: i64,
    /// What each costs more than the one before.
    pub slope_ns: i64,
}

/// Context switches of all processors, and the two threads that most of them are between.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StormTruth {
    /// Switches a second that were asked for.
    pub per_second: u32,
    /// The thread that begins.
    pub first: PairThreadTruth,
    /// The other one.
    pub second: PairThreadTruth,
    /// Switches from the first to the second, each after it made the second ready.
    pub there: u64,
    /// Switches back, likewise.
    pub back: u64,
}

/// A thread of a pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PairThreadTruth {
    /// The thread.
    pub tid: u32,
    /// Its process.
    pub pid: u32,
    /// Image of that process.
    pub process: String,
}

/// A release of a lock, and what it set free.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReleaseTruth {
    /// The thread that held the lock.
    pub holder: LinkTruth,
    /// When it took the lock, ns after the header event.
    pub taken_ns: i64,
    /// When it released it, ns after the header event.
    pub released_ns: i64,
    /// From the one to the other; it ran all the while.
    pub held_ns: i64,
    /// Who was woken by the holder, who by that one, and so on to the thread that told all others.
    pub chain: Vec<LinkTruth>,
    /// Threads that the release set free, directly or not; the chain's among them.
    pub threads: usize,
    /// Of how many processes.
    pub processes: usize,
}

/// A thread of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkTruth {
    /// The thread.
    pub tid: u32,
    /// Its process.
    pub pid: u32,
    /// Image of that process.
    pub process: String,
    /// The service that it works for.
    pub service: Option<String>,
    /// It waits for the disk before it wakes the next one: a DPC ends that wait.
    pub waits_for_disk: bool,
}

/// A loop that a process spends its time in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HotLoopTruth {
    /// The process.
    pub pid: u32,
    /// Its thread that runs the loop, and holds the lock.
    pub tid: u32,
    /// Image of the process.
    pub process: String,
    /// Image that the loop is in.
    pub module: String,
    /// Samples of the process.
    pub process_samples: u64,
    /// Samples in the loop.
    pub loop_samples: u64,
    /// The instructions that have samples, by address.
    pub addresses: Vec<AddressTruth>,
    /// Threads that wait for the lock until the loop is done.
    pub waiters: usize,
}

/// An instruction that was sampled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AddressTruth {
    /// Its address less that of its image.
    pub rva: u64,
    /// Samples at it.
    pub samples: u64,
}

/// One wait in the ready state, exactly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WaitTruth {
    /// Thread that waited.
    pub tid: u32,
    /// Its process.
    pub pid: u32,
    /// Image of that process.
    pub process: String,
    /// Thread that readied it.
    pub waker_tid: u32,
    /// Process of that thread.
    pub waker_pid: u32,
    /// Readied from a DPC.
    pub waker_in_dpc: bool,
    /// Raw timestamp of its last switch-out before, if it ever ran.
    pub last_switch_out_ticks: Option<i64>,
    /// Raw timestamp of the ready event.
    pub ready_ticks: i64,
    /// Raw timestamp of the switch-in.
    pub switch_in_ticks: i64,
    /// Ready event, ns after the header event.
    pub ready_ns: i64,
    /// Switch-in, ns after the header event.
    pub switch_in_ns: i64,
    /// From ready to switch-in.
    pub ready_dur_ns: i64,
    /// From the last switch-out to the switch-in.
    pub since_last_ns: Option<i64>,
    /// Processor of the switch-in.
    pub cpu: u16,
    /// Priority at the switch-in.
    pub priority: u8,
    /// Rank at the switch-in.
    pub rank: u8,
    /// What it divides into by why the thread did not run, in ns; they sum to `ready_dur_ns`.
    pub shares_ns: BTreeMap<Why, i64>,
}

impl Truth {
    /// The truth of a file that was closed at a raw timestamp.
    #[must_use]
    pub fn new(
        scenario: &'static str,
        seed: u64,
        session: &Session,
        end_ticks: i64,
        written: &Written,
    ) -> Self {
        let count = |hook: u16| written.kernel_events.get(&hook).copied().unwrap_or(0);
        Self {
            scenario,
            seed,
            file_bytes: written.file_bytes,
            buffers: written.buffers,
            cpu_count: session.cpu_count,
            ticks_per_second: session.ticks_per_second(),
            start_ticks: session.start_ticks,
            start_filetime: session.start_filetime,
            end_ticks,
            events: written.kernel_events.values().sum::<u64>()
                + written.provider_events
                + written.messages,
            context_switches: count(0x0524) + written.compact_switches,
            ready_threads: count(0x0532),
            kernel_events: written
                .kernel_events
                .iter()
                .map(|(hook, n)| (format!("{hook:04x}"), *n))
                .collect(),
            provider_events: written.provider_events,
            wait: None,
            release: None,
            hot_loop: None,
            exit_storm: None,
            thread_growth: None,
            storm: None,
            user_lock: None,
            slow_disk: None,
            random: None,
            waits: Vec::new(),
        }
    }
}

impl WaitTruth {
    /// From a wait that the simulation saw to its end; `None` if it has no end or nothing woke the thread.
    #[must_use]
    pub fn new(session: &Session, process: &str, wait: &ReadyWait) -> Option<Self> {
        let (tid, pid) = wait.thread;
        let (waker_tid, waker_pid) = wait.waker?;
        let ticks = |time: i64| session.start_ticks + time;
        let ns = |time: i64| session.ns_since_start(ticks(time));
        let switch_in = wait.switch_in?;
        Some(Self {
            tid,
            pid,
            process: process.to_owned(),
            waker_tid,
            waker_pid,
            waker_in_dpc: wait.in_dpc,
            last_switch_out_ticks: wait.last_switch_out.map(ticks),
            ready_ticks: ticks(wait.ready),
            switch_in_ticks: ticks(switch_in),
            ready_ns: ns(wait.ready),
            switch_in_ns: ns(switch_in),
            ready_dur_ns: ns(switch_in) - ns(wait.ready),
            since_last_ns: wait.last_switch_out.map(|out| ns(switch_in) - ns(out)),
            cpu: wait.cpu?,
            priority: wait.priority,
            rank: wait.rank?,
            shares_ns: wait
                .shares
                .iter()
                .map(|(why, length)| (*why, ns(*length) - ns(0)))
                .collect(),
        })
    }
}
