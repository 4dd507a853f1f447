//! Gaps in the numbers of a file's buffers, and the CPUs of the missing buffers.
//!
//! A number does not say whose buffer had it. A CPU takes a buffer, and with it the next number, when its last one is full:
//! the hole between its buffers must be as long as it takes to fill one, and behind one that is not full there was none.
//!
//! Where another thread runs after a shorter hole than was planned before it, the CPU lost a buffer that was not full, or
//! the plan changed. No run leads over that, unless other CPUs account for the missing ones: those that can have filled
//! them, and in the same hole no others.

use std::collections::{BTreeMap, BTreeSet};

use etl::{LossKind, TraceFile, buffer_type};

use super::buffer_scan::BufferScan;
use super::missing::{Missing, place};
use super::neighbours::Neighbours;

/// The buffers of a CPU between which others may be missing; `None` is an end of the file.
pub(super) type Hole = (Option<usize>, Option<usize>);

/// More gaps within one hole are not looked at: only a forged file has as many.
const GAPS_OF_HOLE: usize = 1 << 12;
/// A buffer that has no more room left than this part of it is full, as events differ in size.
const ROOM_OF_FULL: u32 = 8;
/// How many times faster a buffer may have been filled than any that is there.
const FASTER: i64 = 4;

/// Losses by the files' own signs.
pub(super) struct Losses<'a> {
    trace: &'a TraceFile,
    scans: &'a [BufferScan],
    /// Buffers before which their CPU's events were lost, ascending.
    flagged: Vec<usize>,
    /// Buffers before an unreadable one of their CPU, ascending. No event of an unreadable buffer could be read.
    before_unread: Vec<usize>,
    /// Gaps in the numbers of buffers, ascending.
    gaps: Vec<Gap>,
    /// Files whose last buffers are missing.
    ends: BTreeMap<u16, Suspects>,
    /// How the buffers of each file are filled, where some are missing.
    fillings: BTreeMap<u16, Filling>,
    /// By file, [`Losses::has_all_cpus`].
    cpus: BTreeMap<u16, bool>,
    /// When the last event comes.
    pub end_raw: i64,
    /// It is known which CPUs can lack buffers, and which surely do.
    pub is_settled: bool,
}

struct Gap {
    /// File and number of the buffer after it.
    place: (u16, i64),
    /// How many are missing.
    count: u64,
    /// When they were taken at the earliest and at the latest, as numbers are given in the order of time.
    begun_raw: (i64, i64),
    suspects: Suspects,
}

/// CPUs that can lack the buffers of a gap.
#[derive(Clone, Copy, Debug, Default)]
struct Suspects {
    /// How many surely lack one.
    sure: u64,
    /// How many can have filled one there, and how many of these surely lack one.
    fitting: u64,
    sure_fitting: u64,
    /// How many can have filled one there, and in the same hole none of another gap.
    only_here: u64,
}

impl Suspects {
    /// Whether a CPU is among them: one that cannot have filled a buffer only where no other can, though all have some in
    /// the file.
    fn has(&self, fits: bool, is_seen_whole: bool) -> bool {
        fits || self.fitting == 0 && is_seen_whole
    }

    /// How many of them surely lack one.
    fn sure(&self) -> u64 {
        match self.fitting {
            0 => self.sure,
            _ => self.sure_fitting,
        }
    }
}

/// How the buffers of a file are filled.
#[derive(Clone, Copy, Debug)]
struct Filling {
    /// The most room that one had left when its CPU took the next.
    room_bytes: u32,
    /// The least time in which one was filled.
    least_ticks: i64,
}

impl<'a> Losses<'a> {
    /// Losses that the files report, and losses at the neighbours of buffers without a readable event.
    pub fn of(trace: &'a TraceFile, scans: &'a [BufferScan], beside_unread: &[Neighbours]) -> Self {
        let beside = beside_unread.iter();
        let mut flagged: Vec<usize> = beside.clone().filter_map(|beside| beside.after).collect();
        let mut before_unread: Vec<usize> = beside.filter_map(|beside| beside.before).collect();
        let flags = trace.losses().iter();
        flagged.extend(flags.filter_map(|loss| match loss.kind {
            LossKind::Events | LossKind::Buffers => Some(loss.before_buffer),
            LossKind::SequenceGap { .. } => None,
        }));
        flagged.sort_unstable();
        before_unread.sort_unstable();
        let gaps = gaps(trace, scans);
        let ends = trace.cut_ends().iter();
        let ends: BTreeMap<u16, Suspects> =
            ends.map(|end| (end.file, Suspects::default())).collect();
        let fillings = if gaps.is_empty() && ends.is_empty() {
            BTreeMap::new()
        } else {
            fillings(trace, scans)
        };
        let times = scans.iter().filter_map(|scan| scan.times);
        Self {
            trace,
            scans,
            flagged,
            before_unread,
            gaps,
            ends,
            fillings,
            cpus: has_all_cpus(trace),
            end_raw: times.map(|(_, last)| last).max().unwrap_or(i64::MIN),
            is_settled: false,
        }
    }

    pub fn is_flagged(&self, buffer: usize) -> bool {
        self.flagged.binary_search(&buffer).is_ok()
    }

    pub fn is_before_unread(&self, buffer: usize) -> bool {
        self.before_unread.binary_search(&buffer).is_ok()
    }

    /// Whether buffers are missing in a CPU's hole, and if so, whether surely; `differs` if another thread ran after it than
    /// before. Until it is [settled](Losses::settle), of each hole in which some may be missing.
    pub fn missing(&self, hole: Hole, differs: bool) -> Option<bool> {
        if let (Some(from), Some(to)) = (self.place(hole.0), self.place(hole.1))
            && from.0 != to.0
            && differs
        {
            return Some(true);
        }
        let mut is_suspect = false;
        for (_, gap) in self.between(hole) {
            if !self.is_settled {
                return Some(differs);
            }
            let suspects = gap.suspects;
            is_suspect |= if suspects.has(self.fits(hole, gap), self.has_all_cpus(gap.place.0)) {
                if differs {
                    return Some(true);
                }
                gap.count > suspects.sure()
            } else {
                differs && gap.count > suspects.only_here
            };
        }
        is_suspect.then_some(false)
    }

    /// Whether a CPU's buffers after this one can be among those that are missing at the end of its file.
    pub fn is_cut_off(&self, last: usize) -> bool {
        let Some((file, _)) = self.place(Some(last)) else {
            return false;
        };
        self.ends.get(&file).is_some_and(|suspects| {
            !self.is_settled || suspects.has(self.is_full(last), self.has_all_cpus(file))
        })
    }

    /// Whether each processor has buffers in a file: of one that has none all can be missing.
    fn has_all_cpus(&self, file: u16) -> bool {
        self.cpus.get(&file).is_none_or(|has_all| *has_all)
    }

    /// Finds which CPUs can lack the buffers of each gap, among the holes in which some may be missing.
    pub fn settle(&mut self, holes: &[Missing]) {
        for stretch in holes {
            let hole = (stretch.after, stretch.before);
            let between: Vec<(usize, bool)> = self
                .between(hole)
                .map(|(at, gap)| (at, self.fits(hole, gap)))
                .collect();
            let fitting = between.iter().filter(|(_, fits)| *fits).count();
            for &(at, fits) in &between {
                let Some(gap) = self.gaps.get_mut(at) else {
                    continue;
                };
                gap.suspects.fitting += u64::from(fits);
                // Of several gaps it is not known which of them lacks this CPU's buffers.
                gap.suspects.sure += u64::from(stretch.is_sure && between.len() == 1);
                let is_only_here = fits && fitting == 1;
                gap.suspects.sure_fitting += u64::from(stretch.is_sure && is_only_here);
                gap.suspects.only_here += u64::from(is_only_here);
            }
            if let (Some(last), true) = (stretch.after, stretch.is_cut_off) {
                let is_full = self.is_full(last);
                let file = self.place(Some(last)).map(|(file, _)| file);
                let end = file.and_then(|file| self.ends.get_mut(&file));
                if let Some(suspects) = end {
                    suspects.fitting += u64::from(is_full);
                }
            }
        }
        self.is_settled = true;
    }

    /// The gaps within a CPU's hole that can be of its own, with their indices.
    fn between(&self, hole: Hole) -> impl Iterator<Item = (usize, &Gap)> {
        let (from, to) = (self.place(hole.0), self.place(hole.1));
        let file = from.or(to).map_or(0, |(file, _)| file);
        let at_most = |place| self.gaps.partition_point(|gap| gap.place <= place);
        let since = at_most(from.unwrap_or((file, i64::MIN)));
        let until = at_most(to.unwrap_or((file, i64::MAX)));
        let in_use_raw = self.times(hole.0).map(|(_, last)| last);
        let gaps = self.gaps.iter().enumerate();
        let gaps = gaps.take(until).skip(since).take(GAPS_OF_HOLE);
        gaps.filter(move |(_, gap)| {
            let is_other = gap.place.0 != file;
            is_other || in_use_raw.is_none_or(|in_use_raw| in_use_raw <= gap.begun_raw.1)
        })
    }

    /// Whether the buffers of a gap can have been filled in a CPU's hole.
    fn fits(&self, (after, before): Hole, gap: &Gap) -> bool {
        let Some((until_raw, _)) = self.times(before) else {
            return after.is_none_or(|last| self.is_full(last));
        };
        let (earliest_raw, _) = gap.begun_raw;
        let from_raw = self
            .times(after)
            .map_or(earliest_raw, |(_, last)| earliest_raw.max(last));
        let filling = self.fillings.get(&gap.place.0);
        let least_ticks = filling.map_or(0, |filling| filling.least_ticks);
        until_raw.saturating_sub(from_raw) >= least_ticks / FASTER
    }

    /// Whether its CPU took another buffer after this one, for all that is known: else it was flushed at the end.
    fn is_full(&self, buffer: usize) -> bool {
        let info = self.trace.buffers().get(buffer);
        let filling = info.and_then(|info| self.fillings.get(&info.file));
        info.zip(filling).is_none_or(|(info, filling)| {
            room_bytes(self.trace, info.file, info.data_end) <= filling.room_bytes
        })
    }

    fn place(&self, buffer: Option<usize>) -> Option<(u16, i64)> {
        place(self.trace, buffer?)
    }

    fn times(&self, buffer: Option<usize>) -> Option<(i64, i64)> {
        self.scans.get(buffer?)?.times
    }
}

fn gaps(trace: &TraceFile, scans: &[BufferScan]) -> Vec<Gap> {
    let numbered = trace.losses().iter().filter_map(|loss| match loss.kind {
        LossKind::SequenceGap { missing } => Some((loss.before_buffer, missing)),
        LossKind::Events | LossKind::Buffers => None,
    });
    let numbered: Vec<(usize, u64)> = numbered.collect();
    if numbered.is_empty() {
        return Vec::new();
    }
    let mut places: Vec<((u16, i64), usize)> = (0..scans.len())
        .filter_map(|at| Some((place(trace, at)?, at)))
        .collect();
    places.sort_unstable();
    let first_raw = |at: usize| Some(scans.get(at)?.times?.0);
    let gaps = numbered.into_iter().filter_map(|(at, count)| {
        let place = place(trace, at)?;
        let before = places.partition_point(|(other, _)| *other < place);
        let earlier = before.checked_sub(1).and_then(|before| places.get(before));
        let earlier = earlier.filter(|((file, _), _)| *file == place.0);
        let since_raw = earlier.and_then(|(_, at)| first_raw(*at));
        Some(Gap {
            place,
            count: if trace.is_whole(place.0) { 0 } else { count },
            begun_raw: (
                since_raw.unwrap_or(trace.clock().start_raw),
                first_raw(at).unwrap_or(i64::MAX),
            ),
            suspects: Suspects::default(),
        })
    });
    let mut gaps: Vec<Gap> = gaps.collect();
    gaps.sort_unstable_by_key(|gap| gap.place);
    gaps
}

/// [`Losses::fillings`]: by those buffers that another of their CPU follows.
fn fillings(trace: &TraceFile, scans: &[BufferScan]) -> BTreeMap<u16, Filling> {
    let mut fillings = BTreeMap::new();
    for order in trace.reading_orders() {
        let followed = order.iter().take(order.len().saturating_sub(1));
        for &at in followed {
            let at = at as usize;
            let (Some(info), Some(scan)) = (trace.buffers().get(at), scans.get(at)) else {
                continue;
            };
            let Some((first, last)) = scan.times.filter(|_| !scan.is_cut) else {
                continue;
            };
            if info.buffer_type == buffer_type::HEADER {
                continue;
            }
            let buffer_bytes = room_bytes(trace, info.file, 0);
            let filling = fillings.entry(info.file).or_insert(Filling {
                room_bytes: buffer_bytes / ROOM_OF_FULL,
                least_ticks: i64::MAX,
            });
            let room_bytes = room_bytes(trace, info.file, info.data_end);
            filling.room_bytes = filling.room_bytes.max(room_bytes);
            filling.least_ticks = filling.least_ticks.min(last.saturating_sub(first));
        }
    }
    fillings
}

fn has_all_cpus(trace: &TraceFile) -> BTreeMap<u16, bool> {
    let mut cpus: BTreeSet<(u16, u16)> = BTreeSet::new();
    cpus.extend(trace.buffers().iter().map(|info| (info.file, info.cpu)));
    let seen = |file| cpus.range((file, 0)..=(file, u16::MAX)).count();
    (0..)
        .zip(trace.headers())
        .map(|(file, header)| (file, seen(file) >= header.cpu_count as usize))
        .collect()
}

/// The room that events leave in a buffer of a file.
fn room_bytes(trace: &TraceFile, file: u16, data_end: u32) -> u32 {
    let header = trace.headers().nth(usize::from(file));
    header.map_or(0, |header| header.buffer_bytes.saturating_sub(data_end))
}
