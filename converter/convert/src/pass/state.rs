//! The state of pass 2, and what goes through it: batches of events, and what begins or ends between them.

use etl::TraceFile;
use etw::InterruptSource;
use facts::Sink;
use rustc_hash::FxHashMap;

use super::actions::{self, Action};
use super::batch::{Batch, Entry, Generics};
use super::decode::Decoder;
use super::emit::Emit;
use super::head;
use super::io::Io;
use super::lives::{LastBreath, Lives};
use super::nesting::Nesting;
use super::order::{Item, causal_order, contested};
use super::rehearsal::Rehearsal;
use super::samples::Sampling;
use super::scheduling::Scheduling;
use super::sinks::Sinks;
use super::subject::Remembered;
use crate::counters::RunSources;
use crate::error::Error;
use crate::images::ImageLife;
use crate::index::Index;
use crate::lifetime::Lifetimes;
use crate::loss::{self, Loss};
use crate::output::Output;
use crate::selection::{Kept, KindName};
use crate::stacks::Claims;

/// The number of each source that was told; the same routine in another image is another.
pub type Sources = FxHashMap<(InterruptSource, Option<usize>), u32>;

/// Bytes collected before they are handed to the writing thread.
const CHUNK_BYTES: usize = 1 << 18;
/// Events of one raw time that are ordered together; only a forged trace has more.
const TICK_ITEMS_MAX: usize = 256;

/// The state of pass 2.
pub struct Pass<'a> {
    pub emit: Emit,
    pub output: &'a mut Output,
    /// Length of the recording.
    pub length_raw: i64,
    /// A tick of the recording's clock: shorter times only keep apart what was recorded at one time.
    pub tick_ns: f64,
    pub lifetimes: &'a Lifetimes,
    pub losses: &'a [Loss],
    pub lives: Lives,
    pub last_breath: LastBreath,
    pub scheduling: Scheduling,
    pub run_sources: RunSources<'a>,
    pub images: &'a [ImageLife],
    pub sampling: Sampling<'a>,
    pub interrupt_sources: Sources,
    pub interrupt_nesting: Nesting,
    pub claims: Claims<'a>,
    pub actions: std::iter::Peekable<std::vec::IntoIter<(i64, Action)>>,
    pub tick: Tick,
    /// `None` within the selected range.
    pub rehearsal: Option<Rehearsal<'a>>,
    /// Scheduling is always followed, since other events are placed by it, but not always selected.
    pub writes_scheduling: bool,
    /// `None`: all processes.
    pub kept: Option<&'a Kept>,
    pub remembered: Remembered,
    pub io: Io,
}

/// Scheduling events of one raw time.
#[derive(Default)]
pub struct Tick {
    pub raw: i64,
    pub items: Vec<Item>,
    pub ordered: Vec<Item>,
    /// Threads that one of them switches in, where another of them may have a stack of the thread.
    pub contested: Vec<u32>,
}

/// Where the trace is written.
#[derive(Debug)]
pub struct Places<'a> {
    /// The Perfetto trace.
    pub output: &'a mut Output,
    /// Where facts go.
    pub sinks: Sinks,
}

impl<'a> Pass<'a> {
    pub fn new(
        trace: &'a TraceFile,
        index: &'a Index,
        losses: &'a [Loss],
        places: Places<'a>,
    ) -> Self {
        let sinks = places.sinks;
        let last_breath = LastBreath::new(trace, index);
        let mut actions = actions::of_lives(&index.lifetimes, last_breath);
        actions.extend(actions::of_images(&index.images));
        actions.extend(actions::of_methods(&index.methods));
        let loss_actions = losses.iter().enumerate();
        actions.extend(loss_actions.map(|(at, loss)| (loss.span_raw.0, Action::Loss(at))));
        actions.extend(
            index
                .selection
                .from_raw
                .map(|raw| (raw, Action::BeginRange)),
        );
        actions.sort_unstable();
        Self {
            emit: Emit::new(trace.clock(), sinks),
            output: places.output,
            length_raw: index.end_raw.saturating_sub(trace.clock().start_raw),
            tick_ns: 1e9 / trace.clock().ticks_per_s.max(1) as f64,
            lifetimes: &index.lifetimes,
            losses,
            lives: Lives::new(&index.lifetimes),
            last_breath,
            scheduling: Scheduling::new(&index.streams),
            run_sources: RunSources::new(index.counter_names.as_deref().unwrap_or_default()),
            images: &index.images,
            sampling: Sampling::new(index),
            interrupt_sources: Sources::default(),
            interrupt_nesting: Nesting::default(),
            claims: Claims::new(&index.stacks),
            actions: actions.into_iter().peekable(),
            tick: Tick::default(),
            rehearsal: Rehearsal::of(trace, index),
            writes_scheduling: index.selection.keeps_kind(KindName::Scheduling),
            kept: index.kept.as_ref(),
            remembered: Remembered::default(),
            io: Io::default(),
        }
    }

    /// Writes what is known before the first event.
    pub fn begin(&mut self, trace: &TraceFile, index: &Index) -> Result<(), Error> {
        head::tell_head(&mut self.emit, trace, index);
        self.write_initial_lives()?;
        self.tell_initial_images()
    }

    /// Takes in a batch.
    pub fn take_batch(&mut self, batch: &mut Batch, decoder: &Decoder<'_>) -> Result<(), Error> {
        loop {
            for (raw, entry) in batch.decoded() {
                self.take(*raw, entry, &batch.generics);
            }
            self.write_full_chunk()?;
            if !decoder.decode_more(batch) {
                return Ok(());
            }
        }
    }

    /// Hands on what is collected, if it is much.
    #[inline]
    pub fn write_full_chunk(&mut self) -> Result<(), Error> {
        if self.emit.sinks.pending_bytes() >= CHUNK_BYTES {
            self.write_chunk()?;
        }
        Ok(())
    }

    /// Hands on what is collected; before the selected range it is thrown away.
    pub fn write_chunk(&mut self) -> Result<(), Error> {
        let Some(perfetto) = &mut self.emit.sinks.perfetto else {
            return Ok(());
        };
        let chunk = perfetto.take(self.output.empty_chunk());
        if !self.is_rehearsing() {
            self.output.write(chunk)?;
        }
        Ok(())
    }

    #[inline]
    pub fn take(&mut self, raw: i64, entry: &Entry, generics: &Generics) {
        match entry {
            Entry::Item(item) => self.item(raw, *item),
            Entry::Counters { cpu, counters } => self.scheduling.count(*cpu, raw, **counters),
            Entry::Interrupt {
                cpu,
                hook,
                interrupt,
            } => self.interrupt(raw, *cpu, *hook, interrupt),
            Entry::Generic(number) => {
                if let Some(event) = generics.events.get(*number as usize) {
                    self.generic(raw, event, generics);
                }
            }
            Entry::Before => self.pass_by(raw),
            Entry::Undecoded(..) => {}
        }
    }

    #[inline]
    pub fn item(&mut self, raw: i64, item: Item) {
        if raw != self.tick.raw || self.tick.items.len() >= TICK_ITEMS_MAX {
            self.end_tick();
            self.tick.raw = raw;
        }
        self.tick.items.push(item);
    }

    /// Writes the collected scheduling events, and before them what begins or ends up to their time.
    #[inline]
    pub fn end_tick(&mut self) {
        let raw = self.tick.raw;
        if self.tick.items.is_empty() {
            return;
        }
        self.unclaimed_stacks(raw);
        self.act_until(raw);
        let mut items = std::mem::take(&mut self.tick.items);
        if let [item] = items.as_slice() {
            self.schedule(raw, item);
        } else {
            let mut ordered = std::mem::take(&mut self.tick.ordered);
            if self.claims.may_have(raw) {
                self.tick.contested.extend(contested(&items));
            }
            causal_order(&items, |tid| self.scheduling.standing(tid), &mut ordered);
            for item in &ordered {
                self.schedule(raw, item);
            }
            self.tick.ordered = ordered;
            self.tick.contested.clear();
        }
        items.clear();
        self.tick.items = items;
    }

    /// The thread that runs on a CPU after all of its events so far, where something recorded tells: those of the raw time
    /// that wait to be ordered are in its own order already.
    pub fn running_on(&self, cpu: u16) -> Option<u32> {
        let waiting = self.tick.items.iter().rev();
        waiting
            .filter_map(|item| item.running_after(cpu))
            .next()
            .unwrap_or_else(|| self.scheduling.current_tid(cpu))
    }

    /// Writes what begins up to a time, and what ends before it: events of the same time may come before an end.
    pub fn act_until(&mut self, until_raw: i64) {
        self.act_while(|raw, action| raw < until_raw || raw == until_raw && !action.is_end());
    }

    pub fn act_while(&mut self, is_due: impl Fn(i64, &Action) -> bool) {
        while let Some((raw, action)) = self.actions.next_if(|(raw, action)| is_due(*raw, action)) {
            match action {
                Action::BeginRange => self.begin_range(),
                Action::OpenProcess(process) => self.open_process(raw, process),
                Action::OpenThread(thread) => self.open_thread(raw, thread),
                Action::EndThread(thread) => self.end_thread(raw, thread),
                Action::EndProcess(process) => self.end_process(raw, process),
                Action::LoadImage(image) => self.load_image(raw, image),
                Action::UnloadImage(image) => self.sampling.spaces.unload(image),
                Action::LoadMethod(method) => self.sampling.spaces.load_method(method),
                Action::UnloadMethod(method) => self.sampling.spaces.unload_method(method),
                Action::Loss(at) => self.loss(at),
            }
        }
    }

    /// Writes a loss where it began, and keeps it as a gap in the events of its CPU.
    pub fn loss(&mut self, at: usize) {
        let Some(loss) = self.losses.get(at) else {
            return;
        };
        let ts_ns = self.emit.stamp(loss.span_raw.0);
        let lost = head::lost(&self.emit, ts_ns, loss);
        self.emit.sinks.loss(&lost);
        if let Some(cpu) = lost.cpu.filter(|_| lost.te_ns > ts_ns) {
            self.scheduling.cpu(cpu).gaps.add((ts_ns, lost.te_ns));
        }
    }

    pub fn finish(&mut self, end_raw: i64, to_raw: i64) {
        self.end_tick();
        self.unclaimed_stacks(i64::MAX);
        self.act_while(|raw, _| raw <= to_raw);
        let end_raw = end_raw.min(to_raw);
        self.end_lives(end_raw);
        if let Some(loss) = loss::lost_ends(self.io.left_out(), end_raw) {
            let ts_ns = self.emit.stamp(end_raw);
            let lost = head::lost(&self.emit, ts_ns, &loss);
            self.emit.sinks.loss(&lost);
        }
        let still_ready = self.scheduling.still_ready();
        let end_ns = head::tell_end(&mut self.emit, end_raw, &still_ready);
        self.end_scheduling(end_ns);
        self.tell_undescribed();
        self.end_io();
        let Emit {
            sinks, standing, ..
        } = &mut self.emit;
        standing.tell(sinks);
    }
}
