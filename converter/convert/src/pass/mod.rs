//! Pass 2: all events in time order, through the state of CPUs and threads, into packets.

mod address_space;
mod emit;
mod frames;
mod generic;
mod head;
mod images;
mod life_packets;
mod lives;
mod order;
mod samples;
mod scheduling;

use etl::{Buffer, EventId, Merge, Merged, TraceFile};
use etw::{ContextSwitch, ReadyThread, SampledProfile, hook};

use crate::error::Error;
use crate::fate::{Fate, pointer_width};
use crate::images::ImageLife;
use crate::index::Index;
use crate::lifetime::Lifetimes;
use crate::loss::Loss;
use crate::output::Output;
use crate::progress::{Progress, Stage};
use crate::run::RunEnd;

pub use head::{clock_name, kernel_flags, os_version};

use emit::Emit;
use generic::Message;
use lives::{Action, Lives};
use order::{Item, causal_order};
use samples::Sampling;
use scheduling::Scheduling;

/// Bytes collected before they are handed to the writing thread.
const CHUNK_BYTES: usize = 1 << 20;
/// Events of one raw time that are ordered together; only a forged trace has more.
const TICK_ITEMS_MAX: usize = 256;
/// Events between two looks at the progress.
const EVENTS_PER_PROGRESS: u64 = 1 << 16;

/// The state of pass 2.
struct Pass<'a> {
    emit: Emit,
    lifetimes: &'a Lifetimes,
    losses: &'a [Loss],
    lives: Lives,
    scheduling: Scheduling,
    images: &'a [ImageLife],
    sampling: Sampling<'a>,
    actions: std::iter::Peekable<std::vec::IntoIter<(i64, Action)>>,
    tick: Tick,
    message: Message,
}

/// Scheduling events of one raw time.
#[derive(Default)]
struct Tick {
    raw: i64,
    items: Vec<Item>,
    ordered: Vec<Item>,
}

/// What pass 2 found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Switches in which another thread ran than was planned.
    pub corrected_switches: u64,
    /// Events that pass 1 read and pass 2 did not: dropped for their time, or for want of memory.
    pub events_dropped: u64,
}

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

/// Writes the whole trace to `output`, or a part of it when it was stopped.
///
/// # Errors
/// If the output cannot be written.
pub fn convert(
    trace: &TraceFile,
    index: &Index,
    losses: &[Loss],
    output: &mut Output,
    progress: &Progress,
) -> Result<Outcome, Error> {
    let has_processors = !trace.header().mixes_processors();
    let mut pass = Pass::new(trace, index, losses);
    head::write_head(&mut pass.emit, trace, index);
    pass.write_initial_lives();
    pass.write_initial_images();
    progress.start(Stage::Convert);
    let mut merge = trace.merge(move |buffer| Switches::of(buffer, has_processors));
    let mut next_progress = EVENTS_PER_PROGRESS;
    let mut done_bytes = 0;
    while let Some(merged) = merge.next_event() {
        pass.take(index, merged);
        if pass.emit.writer.pending_bytes() >= CHUNK_BYTES {
            output.write(pass.emit.writer.take(output.empty_chunk()))?;
            if progress.is_stopped() {
                break;
            }
        }
        if merge.stats().events >= next_progress {
            next_progress += EVENTS_PER_PROGRESS;
            let disk_bytes = merge.stats().disk_bytes;
            progress.advance(disk_bytes - done_bytes, trace.size_bytes());
            done_bytes = disk_bytes;
        }
    }
    pass.finish(index.end_raw);
    output.write(pass.emit.writer.take(Vec::new()))?;
    progress.advance(
        trace.size_bytes().saturating_sub(done_bytes),
        trace.size_bytes(),
    );
    Ok(pass.outcome(index, &merge))
}

impl<'a> Pass<'a> {
    fn new(trace: &TraceFile, index: &'a Index, losses: &'a [Loss]) -> Self {
        let mut actions = lives::actions(&index.lifetimes);
        actions.extend(images::actions(&index.images));
        let loss_actions = losses.iter().enumerate();
        actions.extend(loss_actions.map(|(at, loss)| (loss.span_raw.0, Action::Loss(at))));
        actions.sort_unstable();
        Self {
            emit: Emit::new(trace.clock()),
            lifetimes: &index.lifetimes,
            losses,
            lives: Lives::new(&index.lifetimes),
            scheduling: Scheduling::new(&index.streams),
            images: &index.images,
            sampling: Sampling::new(index),
            actions: actions.into_iter().peekable(),
            tick: Tick::default(),
            message: Message::default(),
        }
    }

    /// Takes in the next event of the merged trace.
    #[inline]
    fn take(&mut self, index: &Index, merged: Merged<'_, Switches>) {
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
        if link.gap_before && ordinal == 0 {
            self.item(
                raw,
                Item::GapEnd {
                    cpu,
                    run: link.run_at_start,
                },
            );
        }
        match event.id {
            EventId::Kernel(hook::CONTEXT_SWITCH) if index.fates.of(&event) == Fate::Converted => {
                if let Some(switch) = prepared.switches.next() {
                    let next = prepared.switches.as_slice().first().map(RunEnd::of);
                    self.item(
                        raw,
                        Item::Switch {
                            cpu,
                            switch,
                            run: next.or(link.run_at_end),
                        },
                    );
                }
            }
            EventId::Kernel(hook::READY_THREAD) if index.fates.of(&event) == Fate::Converted => {
                if let Ok(ready) = ReadyThread::decode(event.payload) {
                    let acting_tid = event.acting.map(|(_, tid)| tid);
                    self.item(
                        raw,
                        Item::Ready {
                            cpu,
                            ready,
                            acting_tid,
                        },
                    );
                }
            }
            EventId::Kernel(hook::SAMPLED_PROFILE | hook::SAMPLED_PROFILE_NMI)
                if index.fates.of(&event) == Fate::Converted =>
            {
                let width = pointer_width(&event);
                if let Ok(sample) = SampledProfile::decode(event.version, width, event.payload) {
                    self.item(raw, Item::Sample { cpu, sample });
                }
            }
            EventId::Kernel(hook::CONTEXT_SWITCH | hook::READY_THREAD) => {}
            _ if index.fates.of(&event) == Fate::Generic => {
                self.generic(&event, &index.schemas, index.fates.has_processors);
            }
            _ => {}
        }
        if link.gap_after && ordinal + 1 == buffer.len() {
            self.item(raw, Item::GapStart { cpu });
        }
    }

    #[inline]
    fn item(&mut self, raw: i64, item: Item) {
        if raw != self.tick.raw || self.tick.items.len() >= TICK_ITEMS_MAX {
            self.end_tick();
            self.tick.raw = raw;
        }
        self.tick.items.push(item);
    }

    /// Writes the collected scheduling events, and before them what begins or ends up to their time.
    #[inline]
    fn end_tick(&mut self) {
        let raw = self.tick.raw;
        if self.tick.items.is_empty() {
            return;
        }
        self.act_until(raw);
        let mut items = std::mem::take(&mut self.tick.items);
        if let [item] = items.as_slice() {
            self.schedule(raw, item);
        } else {
            let mut ordered = std::mem::take(&mut self.tick.ordered);
            causal_order(&items, &mut ordered);
            for item in &ordered {
                self.schedule(raw, item);
            }
            self.tick.ordered = ordered;
        }
        items.clear();
        self.tick.items = items;
    }

    fn act_until(&mut self, until_raw: i64) {
        while let Some((raw, action)) = self.actions.next_if(|(raw, _)| *raw <= until_raw) {
            match action {
                Action::OpenProcess(process) => self.open_process(raw, process),
                Action::OpenThread(thread) => self.open_thread(raw, thread),
                Action::EndThread(thread) => self.end_thread(raw, thread),
                Action::EndProcess(process) => self.end_process(raw, process),
                Action::LoadImage(image) => self.load_image(raw, image),
                Action::UnloadImage(image) => self.sampling.spaces.unload(image),
                Action::Loss(at) => {
                    if let Some(loss) = self.losses.get(at) {
                        head::write_loss(&mut self.emit, loss);
                    }
                }
            }
        }
    }

    fn finish(&mut self, end_raw: i64) {
        self.end_tick();
        self.act_until(i64::MAX);
        self.end_lives(end_raw);
        let still_ready = self.scheduling.still_ready();
        head::write_tail(&mut self.emit, end_raw, &still_ready);
    }

    fn outcome(&self, index: &Index, merge: &Merge<Switches>) -> Outcome {
        let read = index.counts.totals().read;
        Outcome {
            corrected_switches: self.scheduling.corrected_switches,
            events_dropped: read.saturating_sub(merge.stats().events) + merge.stats().dropped_late,
        }
    }
}
