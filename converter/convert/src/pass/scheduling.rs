//! The state of scheduling: who runs on each CPU, and what is known of each thread.

use std::collections::VecDeque;

use etw::ReadyThread;
use facts::{ReadyWait, RunEnd, Thread};

use super::by_id::ById;
use super::open_run::{Gaps, Stay};
use super::order::Standing;
use crate::counters::Counters;
use crate::stacks::Halves;
use crate::streams::Streams;

/// What is running, and what waits to be written, by CPU and thread.
#[derive(Debug, Default)]
pub struct Scheduling {
    cpus: Vec<Cpu>,
    /// Threads stay, since they come again.
    threads: ById<Known>,
    /// Switches in which another thread ran than was planned.
    pub corrected_switches: u64,
    /// A switch had a stack that was no other event's.
    pub has_wait_stacks: bool,
    /// Waits of threads that ended before they were switched in.
    left_waits: Vec<ReadyWait>,
}

/// What is known of a thread between its runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    pub wait: Wait,
    /// Since when it is ready, and who made it so.
    pub ready: Option<ReadySince>,
    /// Key of the thread that had the last run: its id may have been given away since.
    pub utid: u32,
    /// Its rank at the end of its last run; `None` where that was not recorded.
    pub rank: Option<u8>,
    /// Its priority there; `None` likewise.
    pub priority: Option<i8>,
    /// Key of the thread that left a CPU last, and when: if it was blocked from then on, or nothing tells what it did.
    pub left: Option<(u32, u64)>,
    /// Its ideal processor, as written last.
    pub ideal_cpu: Option<u8>,
}

/// The beginning of a ready wait.
#[derive(Clone, Copy, Debug)]
pub struct ReadySince {
    pub ts_ns: u64,
    pub thread: Thread,
    /// Who made it ready; `None` where it was put aside.
    pub waker: Option<Thread>,
    /// When it left its CPU, as far as that was recorded then.
    pub left_ns: Option<u64>,
    /// Its rank and its priority at the end of its run before, as far as they were recorded then.
    pub rank: Option<u8>,
    pub priority: Option<i8>,
}

impl Known {
    /// A ready wait that begins now.
    pub fn ready_since(&self, ts_ns: u64, thread: Thread, waker: Option<Thread>) -> ReadySince {
        let is_own = self.utid == thread.utid;
        ReadySince {
            ts_ns,
            thread,
            waker,
            left_ns: match waker {
                Some(_) => self
                    .left
                    .filter(|(utid, _)| *utid == thread.utid)
                    .map(|(_, ns)| ns),
                None => Some(ts_ns),
            },
            rank: self.rank.filter(|_| is_own),
            priority: self.priority.filter(|_| is_own),
        }
    }

    /// The ready wait that has not ended.
    pub fn open_wait(&self, end_ns: u64) -> Option<ReadyWait> {
        let since = self.ready?;
        let readied = self.wait.readied();
        Some(ReadyWait {
            ts_ns: since.ts_ns,
            te_ns: end_ns,
            thread: since.thread,
            waker: since.waker,
            ready: readied.map(|readied| readied.ready),
            last_switch_out_ns: since.left_ns,
            last_ready_ns: readied.and_then(|readied| readied.last_ns),
            priority: since.priority,
            rank_before: since.rank,
            rank_after: None,
            cpu: None,
        })
    }
}

/// How a thread waits for a CPU.
#[derive(Clone, Copy, Debug, Default)]
pub enum Wait {
    /// It does not.
    #[default]
    No,
    /// It was put aside, and nothing made it ready since.
    PutAside,
    /// The last ready event since its last run.
    Readied(Readied),
}

impl Wait {
    pub fn readied(self) -> Option<Readied> {
        match self {
            Self::Readied(readied) => Some(readied),
            Self::No | Self::PutAside => None,
        }
    }
}

/// A ready event that has not led to a run yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readied {
    /// When its thread became ready, on the trace clock.
    pub ts_ns: u64,
    /// The last event, with what is kept of those before it.
    pub ready: ReadyThread,
    /// When that one came, if there were some before it.
    pub last_ns: Option<u64>,
}

#[derive(Clone, Debug, Default)]
pub struct Cpu {
    /// The thread that runs; `None` where nothing recorded tells.
    pub current_tid: Option<u32>,
    /// The end of its run, if the trace has it.
    pub run: Option<RunEnd>,
    /// The thread that the written trace says is running, and since when; `None` before the first switch.
    pub stay: Option<Stay>,
    /// Gaps in its events.
    pub gaps: Gaps,
    /// Ready events for the running thread: it is about to block, and they take effect just after.
    pub held_back: Vec<HeldBack>,
    /// Raw times of switches that are to come, and what the hardware counters had counted at them.
    counters_to_come: VecDeque<(i64, Counters)>,
    /// What they had counted at the switch before; `None` where that was lost or does not tell.
    pub counters: Option<Box<Counters>>,
    /// How far they came in the run that ends at the switch under way.
    pub counted: Option<Box<Counters>>,
}

#[derive(Clone, Copy, Debug)]
pub struct HeldBack {
    pub cpu: u16,
    pub waker_tid: u32,
    pub ready: ReadyThread,
    /// Whose stack was recorded with it, and that.
    pub stack: Option<(u32, Halves)>,
}

impl Scheduling {
    /// The CPUs as their streams begin: the old thread of the first switch was running before it.
    pub fn new(streams: &Streams) -> Self {
        let mut scheduling = Self::default();
        for start in &streams.starts {
            if start.is_lost {
                continue;
            }
            let cpu = scheduling.cpu(start.cpu);
            cpu.run = start.run;
            cpu.current_tid = start.run.map(|run| run.tid);
        }
        scheduling
    }

    /// One more than the greatest number of a known CPU.
    pub fn cpu_count(&self) -> u16 {
        u16::try_from(self.cpus.len()).unwrap_or(u16::MAX)
    }

    /// The CPU on which a thread runs.
    pub fn runs_on(&mut self, tid: u32) -> Option<&mut Cpu> {
        let mut cpus = self.cpus.iter_mut();
        cpus.find(|cpu| cpu.current_tid == Some(tid))
    }

    /// Whether a thread is running on some CPU.
    pub fn is_running(&self, tid: u32) -> bool {
        self.cpus.iter().any(|cpu| cpu.current_tid == Some(tid))
    }

    /// The thread that runs on a CPU, where something recorded tells.
    pub fn current_tid(&self, cpu: u16) -> Option<u32> {
        self.cpus.get(usize::from(cpu))?.current_tid
    }

    /// How a thread stands to a CPU.
    pub fn standing(&self, tid: u32) -> Standing {
        match self.threads.get(tid).map(|known| known.wait) {
            _ if self.is_running(tid) => Standing::Running,
            Some(Wait::PutAside | Wait::Readied(_)) => Standing::Ready,
            Some(Wait::No) | None => Standing::Blocked,
        }
    }

    /// Whether a thread of that id ran or was made ready, and has not ended since.
    pub fn has_seen(&self, tid: u32) -> bool {
        self.threads.has(tid)
    }

    /// A thread that ended is not ready any more.
    pub fn forget(&mut self, tid: u32) {
        let known = self.threads.remove(tid);
        let wait = known.and_then(|known| known.open_wait(u64::MAX));
        self.left_waits.extend(wait.map(|wait| ReadyWait {
            ready: None,
            ..wait
        }));
    }

    /// Ready waits that were not seen to end, in the order of their beginnings.
    pub fn open_waits(&self, end_ns: u64) -> Vec<ReadyWait> {
        let left = self.left_waits.iter().map(|wait| ReadyWait {
            te_ns: end_ns,
            ..*wait
        });
        let threads = self.threads.iter();
        let open = threads.filter_map(|(_, known)| known.open_wait(end_ns));
        let mut waits: Vec<_> = left.chain(open).collect();
        waits.sort_unstable_by_key(|wait| (wait.ts_ns, wait.thread.utid));
        waits
    }

    /// Takes in what the hardware counters of a CPU had counted at a switch that is to come.
    pub fn count(&mut self, cpu: u16, raw: i64, counters: Counters) {
        let to_come = &mut self.cpu(cpu).counters_to_come;
        to_come.push_back((raw, counters));
    }

    /// Begins to write: what was known before is not written yet.
    pub fn begin_range(&mut self) {
        self.corrected_switches = 0;
        for known in self.threads.values_mut() {
            known.ideal_cpu = None;
        }
    }

    /// Threads made ready that did not run up to now, the longest-waiting first.
    pub fn still_ready(&self) -> Vec<(u32, Readied)> {
        let mut threads: Vec<_> = self
            .threads
            .iter()
            .filter_map(|(tid, known)| Some((tid, known.wait.readied()?)))
            .collect();
        threads.sort_by_key(|(tid, readied)| (readied.ts_ns, *tid));
        threads
    }

    /// What is known of a thread.
    #[inline]
    pub fn known(&mut self, tid: u32) -> &mut Known {
        self.threads.of(tid)
    }

    /// The state of a CPU.
    #[inline]
    pub fn cpu(&mut self, cpu: u16) -> &mut Cpu {
        let index = usize::from(cpu);
        if self.cpus.len() <= index {
            self.cpus.resize_with(index + 1, Cpu::default);
        }
        #[expect(
            clippy::indexing_slicing,
            reason = "the vector was made long enough just above"
        )]
        &mut self.cpus[index]
    }
}

impl Cpu {
    /// The thread that the written trace says is running; `None` before the first switch.
    #[inline]
    pub fn written_tid(&self) -> Option<u32> {
        self.stay.as_ref().map(|stay| stay.run.thread.tid)
    }

    /// Whether an event tells how what runs here ends; so too before the first switch, which is such an event.
    #[inline]
    pub fn is_end_told(&self) -> bool {
        self.stay.as_ref().is_none_or(|stay| {
            let outlook = stay.run.outlook;
            outlook.is_some_and(|outlook| outlook.end.is_some())
        })
    }

    /// Takes in how far the hardware counters came in the run that a switch of this time ends, if this and the switch before tell.
    #[inline]
    pub fn count_run(&mut self, raw: i64) {
        if self.counters.is_none() && self.counters_to_come.is_empty() {
            return;
        }
        let before = self.counters.take();
        let next = self.counters_to_come.pop_front_if(|(of, _)| *of == raw);
        self.counters = next.map(|(_, counters)| Box::new(counters));
        let both = self.counters.as_ref().zip(before);
        let counted = both.and_then(|(now, before)| now.since(&before));
        self.counted = counted.map(Box::new);
    }
}
