//! Pass 1: everything that pass 2 must know beforehand. Memory grows with buffers, processes and threads, not events.

mod loss_record;
mod scan;

use std::sync::Arc;

use etl::{Damage, TraceFile};
use etw::{GroupMasks, IMAGE_ID_CLASS, hook};
use rayon::prelude::*;
use redact::Redactor;
use schema::Schemas;

use crate::compact::Compact;
use crate::counts::Counts;
use crate::fate::{Fate, Skip};
use crate::fates::Fates;
use crate::images::{ImageLife, Images};
use crate::lifetime::Lifetimes;
use crate::methods::{MethodRecords, Methods};
use crate::progress::{Progress, Stage};
use crate::selection::{Kept, KindName, Request, Selection};
use crate::stacks::{StackIndex, StackRecords};
use crate::streams::{BufferScan, Overlap, Streams};
use crate::timeline::Timeline;

pub use loss_record::LossRecord;
pub use scan::Interval;

use scan::{Part, Spare};

/// What pass 1 found.
#[derive(Debug)]
pub struct Index {
    /// What becomes of each event.
    pub fates: Fates,
    /// What part of the trace is converted.
    pub selection: Arc<Selection>,
    /// Events by kind, version and fate.
    pub counts: Counts,
    /// Descriptions of events.
    pub schemas: Schemas,
    /// Processes and threads.
    pub lifetimes: Lifetimes,
    /// Images in memory.
    pub images: Vec<ImageLife>,
    /// Methods of .NET programs.
    pub methods: Methods,
    /// Stacks of events.
    pub stacks: StackIndex,
    /// Stacks in the headers of events that are not kept, or not whole: why, and how many.
    pub stacks_lost: Vec<(Skip, u64)>,
    /// The intervals of all sources of samples, by source and time.
    pub intervals: Vec<Interval>,
    /// The names of the hardware counters in the headers of context switches, as far as they are told; `None` if no header has
    /// counters.
    pub counter_names: Option<Vec<String>>,
    /// What the session recorded of losses, by time.
    pub loss_records: Vec<LossRecord>,
    /// What each buffer holds, by its index in the file; buffers without events have no times.
    pub scans: Vec<BufferScan>,
    /// How runs go on from buffer to buffer.
    pub streams: Streams,
    /// Compact context switches, which are in none of the above.
    pub compact: Compact,
    /// How busy the CPUs were over the whole trace, where that is counted.
    pub timeline: Timeline,
    /// Size of a pointer on the recorded machine, in bytes: of its programs some may be narrower, and so may be the one
    /// that wrote the file.
    pub pointer_bytes: u8,
    /// Group masks of all extension events.
    pub group_masks: GroupMasks,
    /// Time of the last event; that of the log-file header if there is no other.
    pub end_raw: i64,
    /// What could not be read inside buffers.
    pub damage: Vec<Damage>,
    /// Processes that alone are kept; `None`: all.
    pub kept: Option<Kept>,
    /// Takes out of texts what is not to be written; `None`: nothing.
    pub redactor: Option<Redactor>,
}

impl Index {
    /// Context switches in the selected part.
    pub fn selected_switches(&self) -> u64 {
        let whole = self.counts.of_hook(hook::CONTEXT_SWITCH, Fate::Converted);
        let compact = self.compact.selected_switches;
        match self.selection.keeps_kind(KindName::Scheduling) {
            true => whole + compact,
            false => whole,
        }
    }

    /// Selected events by the kinds that a user can choose. A compact event counts as the switches that it holds.
    pub fn by_kind(&self) -> Vec<(KindName, u64)> {
        let mut by_kind = self.counts.by_kind();
        for (kind, count) in &mut by_kind {
            if *kind == KindName::Scheduling {
                *count += self.compact.selected_switches;
                *count -= self.compact.selected_events;
            }
        }
        by_kind
    }
}

/// Parts of the trace for each thread: few, since what they find is in memory several times until they are joined.
const PARTS_EACH: usize = 4;

/// Why there is no index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The request makes no sense for this trace: why, in words.
    Request(String),
    /// The files are not of one recording.
    Overlap(Overlap),
}

/// Reads all buffers once, in parallel; answers with the trace in the order of time. What is missing when it was stopped is
/// for the caller to throw away. How busy the CPUs were is counted where it `has_timeline`.
///
/// # Errors
/// If the request makes no sense for this trace, or the trace's files are not of one recording.
pub fn index(
    trace: &TraceFile,
    request: &Request,
    has_timeline: bool,
    progress: &Progress,
) -> Result<(TraceFile, Index), Refusal> {
    let mut selection = Selection::new(request, trace.clock()).map_err(Refusal::Request)?;
    let fates = Fates::new();
    let total = trace.buffers().len();
    progress.start(Stage::Index);
    let start_raw = trace.clock().start_raw;
    let stacks = StackRecords::default();
    let methods = MethodRecords::default();
    let spare = Spare::default();
    let new_part = || {
        let timeline = Timeline::new(start_raw, has_timeline);
        Part::new(timeline, &stacks, &methods, spare.take())
    };
    let parts: Vec<Part> = (0..total)
        .into_par_iter()
        .with_min_len(
            total
                .div_ceil(PARTS_EACH * rayon::current_num_threads())
                .max(1),
        )
        .fold(new_part, |mut part, buffer| {
            if !progress.is_stopped() {
                part.scan(trace, buffer, &fates, &selection);
            }
            progress.advance(1, total as u64);
            part
        })
        .map(|mut part| {
            spare.put(part.take_scratch());
            part
        })
        .collect();
    let parts = parts.into_iter();
    let mut part = parts.reduce(Part::merge).unwrap_or_else(new_part);
    part.scans.sort_unstable_by_key(|(index, _)| *index);
    let mut scans: Vec<BufferScan> = part.scans.into_iter().map(|(_, scan)| scan).collect();
    let trace = trace.arranged(|at| scans.get(at as usize).and_then(|scan| scan.times));
    for at in trace.changed_buffers() {
        if let Some(scan) = scans.get_mut(at) {
            *scan = scan::again(&trace, at, &fates, &selection);
        }
    }
    part.damage
        .sort_by_key(|damage| (damage.file, damage.offset));
    let mut streams = Streams::build(&trace, &scans).map_err(Refusal::Overlap)?;
    part.timeline.add_runs_between(&scans, &streams);
    let compact = Compact::build(&trace, &scans, &mut streams, &mut part.timeline, &selection)
        .map_err(Refusal::Overlap)?;
    let besides = Skip::RecordedBesides;
    let hook = hook::COMPACT_CONTEXT_SWITCH;
    part.counts.skip(hook, besides, compact.events_besides);
    let end_raw = scans
        .iter()
        .filter_map(|scan| scan.times)
        .map(|(_, last)| last)
        .chain(compact.end_raw)
        .fold(trace.clock().start_raw, i64::max);
    let (records, image_records) = (part.records.into_vec(), part.images);
    let (all_schemas, all_stacks) = (part.schemas, part.stacks);
    let (images, ((lifetimes, methods), ((stacks, left_over), schemas))) = rayon::join(
        || Images::build(image_records),
        || {
            let of_processes = || {
                let lifetimes = Lifetimes::build(records);
                let methods = Methods::build(&methods, &lifetimes);
                (lifetimes, methods)
            };
            let others = || (StackIndex::build(all_stacks), all_schemas.finish());
            rayon::join(of_processes, others)
        },
    );
    let mut stacks_lost = Vec::new();
    for ((hook, skip), count) in left_over {
        match hook {
            Some(hook) => part.counts.skip(hook, skip, count),
            None => stacks_lost.push((skip, count)),
        }
    }
    stacks_lost.sort_unstable();
    for (&event_type, &count) in &images.orphans {
        let skip = Skip::ImageUnknown;
        part.counts
            .skip_classic(IMAGE_ID_CLASS, event_type, skip, count);
    }
    part.intervals.sort_unstable();
    part.loss_records.sort_unstable();
    let resolved = selection.resolve(&part.counts, &schemas, end_raw);
    resolved.map_err(Refusal::Request)?;
    part.counts.select(|id| selection.keeps(id));
    let images = if selection.keeps_kind(KindName::Images) {
        images.within_processes(&lifetimes)
    } else {
        Vec::new()
    };
    let kept = Kept::of(&request.processes, &lifetimes).map_err(Refusal::Request)?;
    let index = Index {
        fates,
        selection: Arc::new(selection),
        counts: part.counts,
        schemas,
        lifetimes,
        images,
        methods,
        stacks,
        stacks_lost,
        intervals: part.intervals,
        counter_names: part.has_counters.then(|| {
            let told = part.counter_names.unwrap_or_default();
            told.names
        }),
        loss_records: part.loss_records,
        streams,
        compact,
        timeline: part.timeline,
        scans,
        pointer_bytes: part.pointer_bytes.max(trace.header().pointer_bytes),
        group_masks: part.group_masks,
        end_raw,
        damage: part.damage,
        kept,
        redactor: None,
    };
    Ok((trace, index))
}
