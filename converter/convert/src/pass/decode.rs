//! Events in time order become batches of what the state of pass 2 needs of them. Those that take long to decode are not
//! decoded yet.

use std::sync::Arc;

use etl::{Clock, Event, MergeStats, Merged, TraceFile};
use rustc_hash::FxHashSet;

use super::batch::{Batch, Entry};
use super::generic;
use super::order::Item;
use super::prepare::{Prepared, prepare};
use crate::compact::{Change, Changes};
use crate::counters::Counters;
use crate::index::Index;
use crate::progress::Progress;
use crate::selection::{FileName, KindName, is_standing};
use crate::streams::Link;

/// Events between two looks at the progress.
const EVENTS_PER_PROGRESS: u64 = 1 << 16;

/// Who takes full batches.
pub trait TakeBatches {
    /// Takes a batch; answers another to be filled, or `None` if no more are wanted.
    fn take(&mut self, batch: Batch) -> Option<Batch>;
}

/// What decodes the events of batches that are not decoded yet.
#[derive(Clone, Copy)]
pub struct Decoder<'a> {
    index: &'a Index,
    clock: Clock,
}

impl<'a> Decoder<'a> {
    /// Of a trace.
    pub fn new(trace: &TraceFile, index: &'a Index) -> Self {
        let clock = trace.clock();
        Self { index, clock }
    }

    /// See [`Batch::decode_more`].
    pub fn decode_more(&self, batch: &mut Batch) -> bool {
        batch.decode_more(|event, out| generic::decode(event, self.index, &self.clock, out))
    }
}

/// Hands on the whole trace in batches; ends early when no more are wanted. Answers what the merge met.
pub fn fill(
    trace: &TraceFile,
    index: &Index,
    taker: &mut impl TakeBatches,
    progress: &Progress,
) -> MergeStats {
    let mut filling = Filling {
        batch: Batch::default(),
        taker,
    };
    let fates = index.fates.clone();
    let selection = Arc::clone(&index.selection);
    let first_time = |buffer: u32| {
        index
            .scans
            .get(buffer as usize)?
            .times
            .map(|(first, _)| first)
    };
    let mut merge = trace.merge_known(first_time, move |buffer| {
        prepare(buffer, &fates, &selection)
    });
    let mut changes = index.compact.changes(trace);
    let mut files = FxHashSet::default();
    let mut next_progress = EVENTS_PER_PROGRESS;
    let mut done_bytes = 0;
    let to_raw = index.selection.to_raw.unwrap_or(i64::MAX);
    while let Some(merged) = merge.next_event() {
        // Of one time, a thread's events come before its switch-out.
        if !filling.add_changes(&mut changes, merged.timestamp.min(to_raw)) {
            return *merge.stats();
        }
        if merged.timestamp > to_raw {
            let batch = &mut filling.batch;
            add_after(&merged, to_raw, &mut files, batch);
        } else {
            add(index, &merged, &mut filling.batch);
        }
        if !filling.hand_on_full() {
            return *merge.stats();
        }
        if merge.stats().events >= next_progress {
            next_progress += EVENTS_PER_PROGRESS;
            let disk_bytes = merge.stats().disk_bytes;
            progress.advance(disk_bytes - done_bytes, trace.size_bytes());
            done_bytes = disk_bytes;
        }
    }
    if filling.add_changes(&mut changes, to_raw.saturating_add(1)) {
        // The last; whether more are wanted does not matter.
        filling.hand_on();
    }
    progress.advance(
        trace.size_bytes().saturating_sub(done_bytes),
        trace.size_bytes(),
    );
    *merge.stats()
}

/// The batch that is being filled, and who takes full ones.
struct Filling<'t, T> {
    batch: Batch,
    taker: &'t mut T,
}

impl<T: TakeBatches> Filling<'_, T> {
    /// Hands on the batch if it is full; answers whether more are wanted.
    #[inline]
    fn hand_on_full(&mut self) -> bool {
        !self.batch.is_full() || self.hand_on()
    }

    fn hand_on(&mut self) -> bool {
        let next = self.taker.take(std::mem::take(&mut self.batch));
        let goes_on = next.is_some();
        self.batch = next.unwrap_or_default();
        self.batch.clear();
        goes_on
    }

    /// Adds what compact context switches tell before a raw time; answers whether more are wanted.
    #[inline]
    fn add_changes(&mut self, changes: &mut Changes<'_>, until_raw: i64) -> bool {
        while let Some((raw, cpu, change)) = changes.next_before(until_raw) {
            let item = match change {
                Change::Switch { old, run } => Item::Compact { cpu, old, run },
                Change::Begin { run } => {
                    let run = Some(run);
                    Item::GapEnd { cpu, run }
                }
            };
            self.batch.push(raw, Entry::Item(item));
            if !self.hand_on_full() {
                return false;
            }
        }
        true
    }
}

/// Adds what an event of the merged trace is to pass 2, which may be nothing.
#[inline]
fn add(index: &Index, merged: &Merged<'_, Vec<Prepared>>, batch: &mut Batch) {
    let raw = merged.timestamp;
    let is_first = merged.ordinal == 0;
    let is_last = merged.ordinal + 1 == merged.buffer.len();
    if is_first && let Some(item) = gap_end(index, merged) {
        batch.push(raw, Entry::Item(item));
    }
    match merged.prepared.get(merged.ordinal) {
        Some(&Prepared::Item(Item::Switch {
            cpu,
            switch,
            run: None,
        })) => {
            let run = link(index, merged).run_at_end;
            add_counters(index, merged, cpu, batch);
            batch.push(raw, Entry::Item(Item::Switch { cpu, switch, run }));
        }
        Some(&Prepared::Item(item @ Item::Switch { cpu, .. })) => {
            add_counters(index, merged, cpu, batch);
            batch.push(raw, Entry::Item(item));
        }
        Some(Prepared::Item(Item::Other { .. })) if !index.stacks.has(raw) => {}
        Some(&Prepared::Item(item)) => batch.push(raw, Entry::Item(item)),
        Some(&Prepared::Interrupt(hook, interrupt)) => {
            let entry = Entry::Interrupt {
                cpu: merged.buffer.info().cpu,
                hook,
                interrupt,
            };
            batch.push(raw, entry);
        }
        Some(Prepared::Generic) => {
            let from_raw = index.selection.from_raw;
            let is_before = from_raw.is_some_and(|from_raw| raw < from_raw);
            let is_passed =
                |event: Event<'_>| !is_standing(event.id) && FileName::of(&event).is_none();
            if is_before && merged.event().is_some_and(is_passed) {
                batch.push(raw, Entry::Before);
            } else if let Some((frame, bytes)) = merged.frame() {
                batch.push_undecoded(frame, bytes);
            }
        }
        Some(Prepared::Nothing) | None => {}
    }
    if is_last && let Some(item) = gap_start(index, merged) {
        batch.push(raw, Entry::Item(item));
    }
}

/// Adds the hardware counters in the header of a context switch. Few recordings have them.
#[inline]
fn add_counters(index: &Index, merged: &Merged<'_, Vec<Prepared>>, cpu: u16, batch: &mut Batch) {
    if index.counter_names.is_some()
        && let Some(counters) = merged.event().as_ref().and_then(Counters::of)
    {
        let counters = Box::new(counters);
        batch.push(merged.timestamp, Entry::Counters { cpu, counters });
    }
}

/// Adds an event after the selected range, at the range's end. Events that are always kept are about the whole
/// recording. Among events that name a file, the first one of the file's key says which name it had before.
fn add_after(
    merged: &Merged<'_, Vec<Prepared>>,
    to_raw: i64,
    files: &mut FxHashSet<u64>,
    batch: &mut Batch,
) {
    let is_generic = matches!(merged.prepared.get(merged.ordinal), Some(Prepared::Generic));
    if is_generic
        && let Some(event) = merged.event()
        && (KindName::of(event.id).is_none() || names_file_before(&event, files))
        && let Some((mut frame, bytes)) = merged.frame()
    {
        frame.timestamp = to_raw;
        batch.push_undecoded(frame, bytes);
    }
}

/// Whether an event tells which file a key stood for before it, and no event since the range tells more of that key.
fn names_file_before(event: &Event<'_>, files: &mut FxHashSet<u64>) -> bool {
    FileName::of(event).is_some_and(|name| files.insert(name.key) && name.was_before)
}

/// What leads into the event's buffer and out of it.
fn link(index: &Index, merged: &Merged<'_, Vec<Prepared>>) -> Link {
    let links = &index.streams.links;
    links
        .get(merged.buffer.index())
        .copied()
        .unwrap_or_default()
}

fn gap_end(index: &Index, merged: &Merged<'_, Vec<Prepared>>) -> Option<Item> {
    let link = link(index, merged);
    link.gap_before.then_some(Item::GapEnd {
        cpu: merged.buffer.info().cpu,
        run: link.run_at_start,
    })
}

fn gap_start(index: &Index, merged: &Merged<'_, Vec<Prepared>>) -> Option<Item> {
    let cpu = merged.buffer.info().cpu;
    let is_gap = link(index, merged).gap_after;
    is_gap.then_some(Item::GapStart { cpu })
}
