//! One buffer's part of the index.

use std::sync::{Mutex, MutexGuard, PoisonError};

use etl::{Buffer, Damage, EventId, TraceFile};
use etw::{CounterConfig, GroupMasks};
use schema::SchemaCollector;

use super::loss_record::LossRecord;
use crate::counters::CounterNames;
use crate::counts::{AtHand, Counts};
use crate::fate::Fate;
use crate::fates::Fates;
use crate::images::ImageRecords;
use crate::lifetime::{Records, text};
use crate::methods::MethodRecords;
use crate::selection::{KindName, Selection};
use crate::stacks::StackRecords;
use crate::streams::{BufferScan, CompactScan};
use crate::texts::Texts;
use crate::timeline::Timeline;
use crate::told::Told;

/// What is known of a buffer that has other events than when it was read first.
pub(super) fn again(
    trace: &TraceFile,
    index: usize,
    fates: &Fates,
    selection: &Selection,
) -> BufferScan {
    let mut buffer = Buffer::new();
    // Its damage is known.
    let _ = trace.read_buffer(index, &mut buffer);
    let mut scan = BufferScan::new(&buffer);
    for event in buffer.events() {
        scan.pass(event.timestamp);
        let (fate, told) = &fates.of(&event);
        match told {
            Told::ContextSwitch(switch) => scan.switch(event.timestamp, switch),
            Told::CompactSwitches(switches) => {
                let selected = selection.fate_by_time(&event, *fate, told);
                CompactScan::add(&mut scan.compact, switches, selected == Fate::Converted);
            }
            _ => {}
        }
    }
    scan
}

/// How often a source makes samples from a time on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval {
    /// 0 for the timer, else the number of a hardware counter.
    pub source: u32,
    /// From when on.
    pub from_raw: i64,
    /// In units of 100 ns; for hardware counters, counted events.
    pub interval: u32,
    /// Name of the source, where it is told.
    pub source_name: Option<Box<str>>,
}

/// What scanning uses again and again.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    buffer: Buffer,
    texts: Texts,
}

/// [`Scratch`] of parts that are done, for others.
#[derive(Debug, Default)]
pub(super) struct Spare(Mutex<Vec<Scratch>>);

impl Spare {
    pub fn take(&self) -> Scratch {
        self.lock().pop().unwrap_or_default()
    }

    pub fn put(&self, scratch: Scratch) {
        self.lock().push(scratch);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Scratch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The index of some buffers.
#[derive(Debug, Default)]
pub(super) struct Part {
    scratch: Scratch,
    pub counts: Counts,
    pub schemas: SchemaCollector,
    pub records: Records,
    pub scans: Vec<(usize, BufferScan)>,
    pub group_masks: GroupMasks,
    pub stacks: StackRecords,
    pub images: ImageRecords,
    pub methods: MethodRecords,
    pub intervals: Vec<Interval>,
    pub has_counters: bool,
    pub counter_names: Option<CounterNames>,
    pub loss_records: Vec<LossRecord>,
    pub damage: Vec<Damage>,
    pub timeline: Timeline,
    /// The widest pointers of any event, in bytes; 0 before the first one.
    pub pointer_bytes: u8,
}

impl Part {
    /// Nothing read yet.
    pub fn new(
        timeline: Timeline,
        stacks: &StackRecords,
        methods: &MethodRecords,
        scratch: Scratch,
    ) -> Self {
        Self {
            scratch,
            stacks: stacks.beside(),
            methods: methods.clone(),
            timeline,
            ..Self::default()
        }
    }

    /// Reads one buffer and adds what it holds.
    pub fn scan(&mut self, trace: &TraceFile, index: usize, fates: &Fates, selection: &Selection) {
        // The damage stays in the buffer; what could be read before it counts.
        let Scratch { buffer, texts } = &mut self.scratch;
        let _ = trace.read_buffer(index, buffer);
        let mut scan = BufferScan::new(buffer);
        self.damage.extend_from_slice(buffer.damage());
        let mut at_hand = AtHand::default();
        for event in buffer.events() {
            scan.pass(event.timestamp);
            self.timeline.event(event.timestamp);
            // A WPP message need not tell how wide its pointers are.
            if event.pointer_bytes > self.pointer_bytes && !matches!(event.id, EventId::Wpp { .. })
            {
                self.pointer_bytes = event.pointer_bytes;
            }
            let decoded = fates.of(&event);
            let (fate, told) = (decoded.0, &decoded.1);
            let selected = selection.fate_by_time(&event, fate, told);
            self.counts.add(&event, selected, &mut at_hand);
            self.schemas.add_event(&event);
            if selected == Fate::Generic
                && selection.keeps(event.id)
                && selection.keeps_kind(KindName::Stacks)
            {
                self.stacks.add_header(&event);
            }
            if fate == Fate::Generic {
                // What it names is named wherever the selected part is.
                self.methods.add(&event);
                self.loss_records.extend(LossRecord::of(&event));
                self.records.add_provider(&event);
                if event.id == EventId::Kernel(CounterConfig::HOOK) {
                    let told = CounterNames::of(&event);
                    self.counter_names = self.counter_names.take().max(told);
                }
            }
            if fate != Fate::Converted {
                continue;
            }
            match told {
                Told::ContextSwitch(switch) => {
                    self.timeline.context_switch(event.timestamp);
                    self.has_counters |= event.hardware_counters().next().is_some();
                    if let Some(from_raw) = scan.last_switch_raw.filter(|_| switch.old_tid != 0) {
                        self.timeline.busy(from_raw, event.timestamp);
                    }
                    scan.switch(event.timestamp, switch);
                }
                Told::CompactSwitches(switches) => {
                    CompactScan::add(&mut scan.compact, switches, selected == Fate::Converted);
                }
                Told::GroupMasks(masks) => self.group_masks.add(*masks),
                Told::Interval(told) => self.intervals.push(Interval {
                    source: told.source,
                    from_raw: event.timestamp,
                    interval: told.interval,
                    source_name: text(told.source_name),
                }),
                Told::Stack(_) | Told::StackKeyUse(_) | Told::StackKeyDefinition(_) => {
                    if selected == Fate::Converted && selection.keeps(event.id) {
                        self.stacks.add(&event, told);
                    }
                }
                Told::Process(_) | Told::Thread(_) | Told::ThreadName(_) => {
                    self.records.add_kernel(&event, told);
                }
                Told::ReadyThread(_) | Told::Sample(_) | Told::Interrupt(_) => {}
                Told::ImageInfo(_) | Told::DebugId(_) | Told::Nothing => {
                    self.images.add(&event, told, texts);
                }
            }
        }
        self.counts.add_at_hand(at_hand);
        self.scans.push((index, scan));
    }

    /// Takes away what only scanning needs.
    pub fn take_scratch(&mut self) -> Scratch {
        std::mem::take(&mut self.scratch)
    }

    pub fn merge(mut self, other: Self) -> Self {
        self.counts.merge(other.counts);
        self.schemas.absorb(other.schemas);
        self.records.merge(other.records);
        self.scans.extend(other.scans);
        self.group_masks.add(other.group_masks);
        self.stacks = self.stacks.merge(other.stacks);
        self.images.merge(other.images);
        self.intervals.extend(other.intervals);
        self.has_counters |= other.has_counters;
        self.counter_names = self.counter_names.max(other.counter_names);
        self.loss_records.extend(other.loss_records);
        self.damage.extend(other.damage);
        self.timeline = self.timeline.merge(other.timeline);
        self.pointer_bytes = self.pointer_bytes.max(other.pointer_bytes);
        self
    }
}
