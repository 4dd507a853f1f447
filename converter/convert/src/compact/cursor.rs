//! Steps through the compact switches of one CPU, or of all.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use etl::{Buffer, EventId, TraceFile};
use etw::{CompactSwitch, CompactSwitches, hook};
use facts::RunEnd;

use super::stream::Stream;

/// What happens on a CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The run with the end `old` is over, and the next one begins. `run` is the end of the next one. It is `None` if
    /// it is not known who runs then.
    Switch { old: RunEnd, run: Option<RunEnd> },
    /// A run begins. Nothing is known about the run before it.
    Begin { run: RunEnd },
}

/// How often something is not as it must be, and when first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Oddity {
    /// Switches or events.
    pub count: u64,
    /// Raw time of the first.
    pub first_raw: i64,
}

impl Oddity {
    fn add(&mut self, raw: i64, count: u64) {
        if self.count == 0 {
            self.first_raw = raw;
        }
        self.count += count;
    }
}

/// What is not as it must be. After each it is not known who runs, up to the next switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Oddities {
    /// Switches of a thread that their event does not name.
    pub unnamed: Oddity,
    /// Switches from before the trace.
    pub before_start: Oddity,
    /// Switches from before one that was told before.
    pub went_back: Oddity,
    /// Switches from after the event that holds them, or a year after the start.
    pub late: Oddity,
    /// Events that end within a switch.
    pub cut: Oddity,
    /// Events beyond the memory that there is.
    pub beyond_memory: Oddity,
}

/// A place in a stream as its events tell it.
#[derive(Clone, Copy, Debug)]
enum Told {
    /// A thread leaves; `None` where it is not known which.
    Left(i64, Option<RunEnd>),
    /// Switches are missing.
    Gap,
}

/// Steps through one CPU's switches. Holds the events of one of its buffers.
pub struct Cursor<'a> {
    trace: &'a TraceFile,
    stream: &'a Stream,
    /// Places of the stream that were read.
    buffers_read: usize,
    held: Vec<u8>,
    /// Raw times of the held events, and where their payloads are.
    events: std::vec::IntoIter<(i64, Range<usize>)>,
    told: Vec<Told>,
    told_next: usize,
    latest_raw: i64,
    /// The last thread that left, and when; `None` at the start and after a gap.
    left: Option<(i64, Option<RunEnd>)>,
    pub oddities: Oddities,
}

impl<'a> Cursor<'a> {
    /// At the start of the stream.
    pub(super) fn new(trace: &'a TraceFile, stream: &'a Stream) -> Self {
        Self {
            trace,
            stream,
            buffers_read: 0,
            held: Vec::new(),
            events: Vec::new().into_iter(),
            told: Vec::new(),
            told_next: 0,
            latest_raw: trace.clock().start_raw,
            left: None,
            oddities: Oddities::default(),
        }
    }

    /// The next change and its raw time, which never goes back. `scratch` is for the buffer that it may read.
    pub fn next(&mut self, scratch: &mut Buffer) -> Option<(i64, Change)> {
        loop {
            let told = self.next_told(scratch);
            let now = match told {
                Some(Told::Left(raw, old)) => Some((raw, old)),
                Some(Told::Gap) => None,
                None => self
                    .left
                    .and_then(|(raw, _)| Some((raw, Some(self.stream.then?)))),
            };
            let before = std::mem::replace(&mut self.left, now.filter(|_| told.is_some()));
            let run = now.and_then(|(_, run)| run);
            match before {
                Some((raw, Some(old))) => return Some((raw, Change::Switch { old, run })),
                Some((raw, None)) if let Some(run) = run => {
                    return Some((raw, Change::Begin { run }));
                }
                _ if told.is_none() => return None,
                _ => {}
            }
        }
    }

    fn next_told(&mut self, scratch: &mut Buffer) -> Option<Told> {
        loop {
            if let Some(told) = self.told.get(self.told_next) {
                self.told_next += 1;
                return Some(*told);
            }
            self.told.clear();
            self.told_next = 0;
            match self.events.next() {
                Some((own_raw, place)) => {
                    let held = std::mem::take(&mut self.held);
                    self.read_event(own_raw, held.get(place).unwrap_or_default());
                    self.held = held;
                }
                None => self.read_buffer(scratch)?,
            }
        }
    }

    /// Takes in the events of the next buffer.
    fn read_buffer(&mut self, scratch: &mut Buffer) -> Option<()> {
        let place = self.stream.buffers.get(self.buffers_read)?;
        self.buffers_read += 1;
        if place.gap_before {
            self.told.push(Told::Gap);
        }
        self.held.clear();
        let mut events = Vec::new();
        // Pass 1 has reported the buffer's damage.
        let _ = self.trace.read_buffer(place.buffer, scratch);
        for event in scratch.events() {
            if event.id != EventId::Kernel(hook::COMPACT_CONTEXT_SWITCH) {
                continue;
            }
            if self.held.len() + event.payload.len() > self.stream.held_bytes_max {
                self.oddities.beyond_memory.add(event.timestamp, 1);
                continue;
            }
            let from = self.held.len();
            self.held.extend_from_slice(event.payload);
            events.push((event.timestamp, from..self.held.len()));
        }
        self.events = events.into_iter();
        Some(())
    }

    fn read_event(&mut self, own_raw: i64, payload: &[u8]) {
        let Ok(switches) = CompactSwitches::decode(payload) else {
            self.told.push(Told::Gap);
            return;
        };
        // An event that is dated by its first switch does not tell when its last one was.
        let absurd_raw = self.trace.clock().absurd_after_raw();
        let until_raw = if own_raw > switches.first_raw {
            own_raw
        } else {
            absurd_raw
        };
        let mut rest = switches.iter();
        while let Some(switch) = rest.next() {
            let Ok(switch) = switch else {
                self.oddities.cut.add(self.latest_raw, 1);
                self.told.push(Told::Gap);
                return;
            };
            if switch.raw > until_raw {
                let count = 1 + rest.flatten().count() as u64;
                self.oddities.late.add(until_raw, count);
                self.told.push(Told::Gap);
                return;
            }
            self.take(&switch);
        }
    }

    fn take(&mut self, switch: &CompactSwitch) {
        if switch.raw < self.latest_raw {
            let is_before_start = switch.raw < self.trace.clock().start_raw;
            let oddity = if is_before_start {
                &mut self.oddities.before_start
            } else {
                &mut self.oddities.went_back
            };
            oddity.add(self.latest_raw, 1);
            self.told.push(Told::Gap);
            return;
        }
        self.latest_raw = switch.raw;
        let old = RunEnd::of_compact(switch);
        if old.is_none() {
            self.oddities.unnamed.add(switch.raw, 1);
        }
        self.told.push(Told::Left(switch.raw, old));
    }
}

/// The changes of all CPUs in the order of time; of one time, those of the lower CPU first.
pub struct Changes<'a> {
    cursors: Vec<Cursor<'a>>,
    /// The next change of each cursor.
    next: Vec<Option<Change>>,
    /// Raw times of those, and the cursors' numbers.
    order: BinaryHeap<Reverse<(i64, usize)>>,
    scratch: Buffer,
}

impl<'a> Changes<'a> {
    pub(super) fn new(cursors: Vec<Cursor<'a>>) -> Self {
        let mut merged = Self {
            next: vec![None; cursors.len()],
            order: BinaryHeap::new(),
            scratch: Buffer::new(),
            cursors,
        };
        for number in 0..merged.cursors.len() {
            merged.advance(number);
        }
        merged
    }

    /// The next change before a raw time: when, on which CPU, and what.
    #[inline]
    pub fn next_before(&mut self, until_raw: i64) -> Option<(i64, u16, Change)> {
        match self.order.peek() {
            Some(Reverse((raw, _))) if *raw < until_raw => self.next(),
            _ => None,
        }
    }

    /// The next change.
    pub fn next(&mut self) -> Option<(i64, u16, Change)> {
        let Reverse((raw, number)) = self.order.pop()?;
        let change = self.next.get_mut(number)?.take()?;
        let cpu = self.cursors.get(number)?.stream.cpu;
        self.advance(number);
        Some((raw, cpu, change))
    }

    fn advance(&mut self, number: usize) {
        if let Some(cursor) = self.cursors.get_mut(number)
            && let Some((raw, change)) = cursor.next(&mut self.scratch)
            && let Some(next) = self.next.get_mut(number)
        {
            *next = Some(change);
            self.order.push(Reverse((raw, number)));
        }
    }
}
