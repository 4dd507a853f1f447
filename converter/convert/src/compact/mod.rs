//! Compact context switches. Those of a CPU have a stream of their own, apart from the CPU's events. The event that
//! holds the switches lies in the file behind what happened meanwhile.

mod cursor;
mod stream;

use std::collections::BTreeMap;

use etl::{Buffer, TraceFile};
use facts::RunEnd;

use crate::selection::Selection;
use crate::streams::{BufferScan, CompactScan, Overlap, Streams};
use crate::timeline::Timeline;
use cursor::Cursor;
use stream::{Place, Stream};

pub use cursor::{Change, Changes, Oddities};

/// Bytes of events that all CPUs together may hold in memory. What is beyond is left out: only a forged file needs as much.
const HELD_BYTES_MAX: usize = 1 << 28;

/// The compact switches of a trace.
#[derive(Debug, Default)]
pub struct Compact {
    /// Of each CPU on which they tell what ran.
    streams: Vec<Stream>,
    /// Context switches in them, in the selected time.
    pub selected_switches: u64,
    /// Events that hold these.
    pub selected_events: u64,
    /// Selected events of CPUs whose switches of that time are also recorded whole.
    pub events_besides: u64,
    /// Time of the last switch.
    pub end_raw: Option<i64>,
    /// What of each CPU's is not as it must be.
    pub oddities: Vec<(u16, Oddities)>,
}

impl Compact {
    /// Finds the streams, tells in `streams` what ran first and that a CPU's gaps are here, and reads all switches once.
    ///
    /// # Errors
    /// If two files hold them of the same CPU and time.
    pub fn build(
        trace: &TraceFile,
        scans: &[BufferScan],
        streams: &mut Streams,
        timeline: &mut Timeline,
        selection: &Selection,
    ) -> Result<Self, Overlap> {
        let mut compact = Self::default();
        let orders = orders(trace, scans);
        let held_bytes_max = HELD_BYTES_MAX / orders.len().max(1);
        for (cpu, orders) in orders {
            let buffers = joined(trace, scans, orders)?;
            let whole = whole_times(trace, scans, cpu);
            let own = buffers.iter().filter_map(|&at| scan(scans, at));
            let events: u64 = own.clone().map(|own| own.selected_events).sum();
            let first = own.clone().map(|own| own.times.0).min();
            let last = own.map(|own| own.times.1).max();
            let (Some(first), Some(last)) = (first, last) else {
                continue;
            };
            let is_besides = whole.is_some_and(|(from, until)| first <= until && from <= last);
            if is_besides {
                compact.events_besides += events;
                continue;
            }
            compact.selected_events += events;
            let start = streams.start(cpu);
            let buffers = buffers.into_iter().map(|buffer| Place {
                buffer,
                gap_before: has_gap_before(buffer, streams, scans),
            });
            let stream = Stream {
                cpu,
                buffers: buffers.collect(),
                held_bytes_max,
                then: start.filter(|_| whole.is_some_and(|(from, _)| from > last)),
            };
            if whole.is_none() {
                streams.forget_gaps(trace, cpu);
            }
            let run = compact.survey(trace, &stream, timeline, selection);
            if whole.is_none_or(|(from, _)| first < from) {
                streams.set_start(cpu, run);
            }
            compact.streams.push(stream);
        }
        Ok(compact)
    }

    /// Reads a stream; answers the end of the run that is open at its start.
    fn survey(
        &mut self,
        trace: &TraceFile,
        stream: &Stream,
        timeline: &mut Timeline,
        selection: &Selection,
    ) -> Option<RunEnd> {
        let mut cursor = Cursor::new(trace, stream);
        let mut scratch = Buffer::new();
        let (mut before, mut since_raw) = (None, None);
        let mut is_first = true;
        while let Some((raw, change)) = cursor.next(&mut scratch) {
            self.end_raw = self.end_raw.max(Some(raw));
            let from_raw = since_raw.take();
            match change {
                Change::Switch { old, run } => {
                    if is_first {
                        before = Some(old);
                    }
                    if let Some(from_raw) = from_raw.filter(|_| old.tid != 0) {
                        timeline.busy(from_raw, raw);
                    }
                    timeline.context_switch(raw);
                    self.selected_switches += u64::from(selection.has_time(raw));
                    since_raw = run.map(|_| raw);
                }
                Change::Begin { .. } => since_raw = Some(raw),
            }
            is_first = false;
        }
        if cursor.oddities != Oddities::default() {
            self.oddities.push((stream.cpu, cursor.oddities));
        }
        before
    }

    /// All changes of all CPUs in the order of time.
    pub fn changes<'a>(&'a self, trace: &'a TraceFile) -> Changes<'a> {
        let cursors = self.streams.iter().map(|stream| Cursor::new(trace, stream));
        Changes::new(cursors.collect())
    }
}

fn scan(scans: &[BufferScan], buffer: usize) -> Option<CompactScan> {
    scans.get(buffer)?.compact
}

/// For each CPU and file, the buffers with compact switches, in the order of time.
fn orders(trace: &TraceFile, scans: &[BufferScan]) -> BTreeMap<u16, Vec<Vec<usize>>> {
    let mut orders: BTreeMap<u16, Vec<Vec<usize>>> = BTreeMap::new();
    if scans.iter().all(|scan| scan.compact.is_none()) {
        return orders;
    }
    for order in trace.reading_orders() {
        let buffers = order.into_iter().map(|buffer| buffer as usize);
        let buffers: Vec<usize> = buffers
            .filter(|&buffer| scan(scans, buffer).is_some())
            .collect();
        let first = buffers.first().and_then(|&at| trace.buffers().get(at));
        if let Some(info) = first {
            orders.entry(info.cpu).or_default().push(buffers);
        }
    }
    orders
}

/// The buffers of one CPU in all files, one file after the other.
fn joined(
    trace: &TraceFile,
    scans: &[BufferScan],
    mut orders: Vec<Vec<usize>>,
) -> Result<Vec<usize>, Overlap> {
    let file = |order: &Vec<usize>| {
        let info = order.first().and_then(|&at| trace.buffers().get(at));
        info.map_or(0, |info| info.file)
    };
    let times = |order: &Vec<usize>| {
        let times = order.iter().filter_map(|&at| Some(scan(scans, at)?.times));
        times.reduce(|(first, last), (other_first, other_last)| {
            (first.min(other_first), last.max(other_last))
        })
    };
    orders.sort_by_key(times);
    for (one, other) in orders.iter().zip(orders.iter().skip(1)) {
        let is_twice = times(one).zip(times(other));
        if file(one) != file(other) && is_twice.is_some_and(|((_, last), (next, _))| next < last) {
            return Err(Overlap {
                file: file(other),
                other: file(one),
            });
        }
    }
    Ok(orders.concat())
}

/// From when to when a CPU's switches are recorded whole; `None` if none is.
fn whole_times(trace: &TraceFile, scans: &[BufferScan], cpu: u16) -> Option<(i64, i64)> {
    let own = trace.buffers().iter().zip(scans);
    let own = own.filter(|(info, _)| info.cpu == cpu);
    let times = own.filter_map(|(_, scan)| scan.first_switch_raw.zip(scan.last_switch_raw));
    times.reduce(|(from, until), (first, last)| (from.min(first), until.max(last)))
}

/// Whether events of the CPU were lost between a buffer and the one before it that holds compact switches too.
fn has_gap_before(buffer: usize, streams: &Streams, scans: &[BufferScan]) -> bool {
    let mut at = buffer;
    loop {
        if streams.links.get(at).is_some_and(|link| link.gap_before) {
            return true;
        }
        match streams.previous.get(at).copied().flatten() {
            Some(previous) if scan(scans, previous).is_none() => at = previous,
            _ => return false,
        }
    }
}
