//! The thread of pass 2 that merges and decodes: events in time order become batches of what the state needs of them.

use std::sync::mpsc::{Receiver, SyncSender};

use etl::{Buffer, Event, EventId, HookId, MergeStats, Merged, TraceFile};
use etw::{ContextSwitch, Interrupt, InterruptKind, ReadyThread, SampledProfile, hook};

use super::batch::{Batch, Entry};
use super::generic;
use super::order::Item;
use crate::fate::{Fate, pointer_width};
use crate::index::Index;
use crate::progress::Progress;
use crate::run::RunEnd;

/// Events between two looks at the progress.
const EVENTS_PER_PROGRESS: u64 = 1 << 16;

/// The context switches of a buffer, prepared by the thread that reads it.
struct Switches {
    switches: std::vec::IntoIter<ContextSwitch>,
}

impl Switches {
    fn of(buffer: &Buffer, has_processors: bool) -> Self {
        let decoded = buffer.events().filter_map(|event| match event.id {
            EventId::Kernel(hook::CONTEXT_SWITCH) if has_processors => {
                ContextSwitch::decode(event.version, event.payload).ok()
            }
            _ => None,
        });
        Self {
            switches: decoded.collect::<Vec<_>>().into_iter(),
        }
    }
}

/// Decodes the whole trace into batches; those that come back through `empty` are filled again. Ends early when nobody
/// receives any more. Answers what the merge met.
pub fn decode(
    trace: &TraceFile,
    index: &Index,
    batches: &SyncSender<Batch>,
    empty: &Receiver<Batch>,
    progress: &Progress,
) -> MergeStats {
    let has_processors = index.fates.has_processors;
    let mut merge = trace.merge(move |buffer| Switches::of(buffer, has_processors));
    let mut batch = Batch::default();
    let mut next_progress = EVENTS_PER_PROGRESS;
    let mut done_bytes = 0;
    while let Some(merged) = merge.next_event() {
        add(index, merged, &mut batch);
        if batch.is_full() {
            if batches.send(batch).is_err() {
                return *merge.stats();
            }
            batch = empty.try_recv().unwrap_or_default();
            batch.clear();
        }
        if merge.stats().events >= next_progress {
            next_progress += EVENTS_PER_PROGRESS;
            let disk_bytes = merge.stats().disk_bytes;
            progress.advance(disk_bytes - done_bytes, trace.size_bytes());
            done_bytes = disk_bytes;
        }
    }
    // The other side may have stopped: then the rest is not wanted either.
    let _ = batches.send(batch);
    progress.advance(
        trace.size_bytes().saturating_sub(done_bytes),
        trace.size_bytes(),
    );
    *merge.stats()
}

/// Adds what an event of the merged trace means to pass 2, which may be nothing.
#[inline]
fn add(index: &Index, merged: Merged<'_, Switches>, batch: &mut Batch) {
    let Merged {
        event,
        ordinal,
        buffer,
        prepared,
    } = merged;
    let link = index
        .streams
        .links
        .get(buffer.index())
        .copied()
        .unwrap_or_default();
    let (raw, cpu) = (event.timestamp, event.cpu);
    let mut item = |item| batch.entries.push((raw, Entry::Item(item)));
    if link.gap_before && ordinal == 0 {
        item(Item::GapEnd {
            cpu,
            run: link.run_at_start,
        });
    }
    match event.id {
        EventId::Kernel(hook::CONTEXT_SWITCH) if index.fates.of(&event) == Fate::Converted => {
            if let Some(switch) = prepared.switches.next() {
                let next = prepared.switches.as_slice().first().map(RunEnd::of);
                item(Item::Switch {
                    cpu,
                    switch,
                    run: next.or(link.run_at_end),
                });
            }
        }
        EventId::Kernel(hook::READY_THREAD) if index.fates.of(&event) == Fate::Converted => {
            if let Ok(ready) = ReadyThread::decode(event.payload) {
                let acting_tid = event.acting.map(|(_, tid)| tid);
                item(Item::Ready {
                    cpu,
                    ready,
                    acting_tid,
                });
            }
        }
        EventId::Kernel(hook::SAMPLED_PROFILE | hook::SAMPLED_PROFILE_NMI)
            if index.fates.of(&event) == Fate::Converted =>
        {
            let width = pointer_width(&event);
            if let Ok(sample) = SampledProfile::decode(event.version, width, event.payload) {
                item(Item::Sample { cpu, sample });
            }
        }
        EventId::Kernel(hook::CONTEXT_SWITCH | hook::READY_THREAD) => {}
        EventId::Kernel(hook) if index.fates.of(&event) == Fate::Converted => {
            batch
                .entries
                .extend(other(hook, &event).map(|entry| (raw, entry)));
        }
        _ if index.fates.of(&event) == Fate::Generic => generic::add(&event, index, batch),
        _ => {}
    }
    if link.gap_after && ordinal + 1 == buffer.len() {
        batch
            .entries
            .push((raw, Entry::Item(Item::GapStart { cpu })));
    }
}

/// What a kernel event means that is neither scheduling nor a sample.
fn other(hook: HookId, event: &Event<'_>) -> Option<Entry> {
    let kind = InterruptKind::of(hook)?;
    let width = pointer_width(event);
    let interrupt = Interrupt::decode(kind, event.version, width, event.payload).ok()?;
    let cpu = event.cpu;
    Some(Entry::Interrupt { cpu, interrupt })
}
