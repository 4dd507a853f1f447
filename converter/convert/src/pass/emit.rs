//! The trace clock of the output, on which every event gets a time of its own; and where facts go.

use etl::Clock;
use facts::{Input, ProcessLife, Recording, Sink, Thread, ThreadLife};

use super::keys::Keys;
use super::sinks::Sinks;
use super::standing::{Note, Standing};
use crate::first_times::{INITIAL_THREADS_TS_NS, START_TS_NS};

/// Hands facts on, with times that rise from event to event, and keys.
#[derive(Debug)]
pub struct Emit {
    /// Where facts go.
    pub sinks: Sinks,
    /// Keys of those who are alive.
    pub keys: Keys,
    /// What is told where the recording ends.
    pub standing: Standing,
    clock: Clock,
    last_ts_ns: u64,
}

impl Emit {
    /// Nothing written yet.
    pub fn new(clock: Clock, sinks: Sinks) -> Self {
        Self {
            sinks,
            keys: Keys::default(),
            standing: Standing::default(),
            clock,
            last_ts_ns: INITIAL_THREADS_TS_NS,
        }
    }

    /// The thread that has an id now.
    #[inline]
    pub fn thread(&mut self, tid: u32) -> Thread {
        self.keys.thread(tid)
    }

    /// Begins a recording.
    pub fn recording(&mut self, recording: &Recording) {
        self.standing = Standing::of(recording);
        self.sinks.recording(recording);
    }

    /// A process begins, or was there before; all of it is told where the recording ends.
    pub fn process_begins(&mut self, ts_ns: u64, life: &ProcessLife) {
        self.standing.process(life);
        self.sinks.process_begins(ts_ns, life);
    }

    /// A thread begins, or was there before.
    pub fn thread_begins(&mut self, ts_ns: u64, life: &ThreadLife) {
        self.standing.thread(life);
        self.sinks.thread_begins(ts_ns, life);
    }

    /// Takes in a process that nothing describes, which is told where the recording ends.
    pub fn tell_process(&mut self, life: &ProcessLife) {
        self.standing.process(life);
    }

    /// Reports a thread that nothing describes.
    pub fn tell_thread(&mut self, life: &ThreadLife) {
        self.standing.thread(life);
        self.sinks.thread(life);
    }

    /// Takes in what an event says that a thread wrote.
    pub fn note(&mut self, ts_ns: u64, note: &Note, by_utid: Option<u32>) {
        match note {
            Note::Input(input) => self.sinks.input(&Input {
                ts_ns,
                ..input.clone()
            }),
            other => self.standing.note(ts_ns, other, by_utid),
        }
    }

    /// It is not known who runs on a CPU from here on.
    pub fn run_unknown(&mut self, ts_ns: u64, cpu: u16) {
        self.standing.run_unknown(ts_ns, cpu);
        self.sinks.run_unknown(ts_ns, cpu);
    }

    /// A raw time on the trace clock.
    pub fn ts_of(&self, raw: i64) -> u64 {
        START_TS_NS.saturating_add(self.clock.ns_since_start(raw))
    }

    /// A time for the next event: that of `raw`, or the first ns after the event before.
    #[inline]
    pub fn stamp(&mut self, raw: i64) -> u64 {
        self.last_ts_ns = self.ts_of(raw).max(self.last_ts_ns.saturating_add(1));
        self.last_ts_ns
    }
}
