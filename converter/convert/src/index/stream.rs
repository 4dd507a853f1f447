//! How a CPU's runs go on from one of its buffers to the next, and where losses break them.

use std::collections::BTreeMap;
use std::ops::Range;

use etl::{BufferInfo, LossKind, TraceFile};

use super::scan::BufferScan;
use crate::run::RunEnd;

/// What leads into a buffer and out of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The end of the run that is open when the buffer's first event comes.
    pub run_at_start: Option<RunEnd>,
    /// The end of the run that is open when the buffer ends; `None` if the stream ends or breaks before.
    pub run_at_end: Option<RunEnd>,
    /// Events of this CPU were lost before this buffer.
    pub gap_before: bool,
    /// Events of this CPU were lost after this buffer.
    pub gap_after: bool,
}

/// The state of a CPU when its stream begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuStart {
    /// Which CPU.
    pub cpu: u16,
    /// The end of the run that is open at the start; `None` if the stream has no context switch.
    pub run: Option<RunEnd>,
}

/// Two files hold context switches of the same CPU at the same time: they cannot be of one recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Number of one file.
    pub file: u16,
    /// Number of the other.
    pub other: u16,
}

/// A stretch of a CPU's time whose buffers are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Which CPU.
    pub cpu: u16,
    /// The buffer before it.
    pub after: usize,
    /// The buffer after it.
    pub before: usize,
    /// Another thread ran after it than before. Else they may as well be another CPU's.
    pub is_sure: bool,
}

/// The buffers of all CPUs, linked.
#[derive(Debug, Default)]
pub struct Streams {
    /// By buffer index.
    pub links: Vec<Link>,
    /// CPUs that have events, ascending.
    pub starts: Vec<CpuStart>,
    /// For each buffer the one before it on its CPU.
    pub previous: Vec<Option<usize>>,
    /// For each buffer the next one of its CPU in its file of which events could be read. Empty where no buffer is damaged.
    pub next_on_cpu: Vec<Option<usize>>,
    /// Where CPUs lack buffers, by the gaps in the numbers of the file's buffers.
    pub missing: Vec<Missing>,
}

impl Streams {
    /// Links each CPU's buffers in time order: those of one file, or of all files that hold context switches of it.
    pub(super) fn build(trace: &TraceFile, scans: &[BufferScan]) -> Result<Self, Overlap> {
        let mut cpus: BTreeMap<u16, BTreeMap<u16, Vec<usize>>> = BTreeMap::new();
        for (index, (info, scan)) in trace.buffers().iter().zip(scans).enumerate() {
            if scan.times.is_some() {
                let files = cpus.entry(info.cpu).or_default();
                files.entry(info.file).or_default().push(index);
            }
        }
        let mut streams = Self {
            links: vec![Link::default(); scans.len()],
            starts: Vec::new(),
            previous: vec![None; scans.len()],
            next_on_cpu: next_on_cpus(trace, scans),
            missing: Vec::new(),
        };
        let mut losses = Losses::of(trace, streams.after_unread(scans));
        let mut orders = Vec::new();
        let scan = |index: &usize| scans.get(*index).copied().unwrap_or_default();
        for (cpu, files) in cpus {
            let (mut switching, mut others) = (Vec::new(), Vec::new());
            for order in files.into_values() {
                let has_switches = order.iter().any(|index| {
                    let scan = scan(index);
                    scan.first_switch.is_some() || scan.compact.is_some()
                });
                if has_switches || trace.headers().count() == 1 {
                    switching.extend(order);
                } else {
                    others.push(order);
                }
            }
            switching.sort_by_key(|index| (scan(index).times, *index));
            no_overlap(&switching, trace.buffers(), scan)?;
            streams.link(cpu, &switching, trace, scans, &losses);
            orders.push((cpu, switching));
            for mut order in others {
                order.sort_by_key(|index| (scan(index).times, *index));
                streams.follow(&order);
            }
        }
        losses.settle(trace, &streams.missing);
        streams.missing.clear();
        for (cpu, order) in orders {
            let run = streams.link(cpu, &order, trace, scans, &losses);
            streams.starts.push(CpuStart { cpu, run });
        }
        Ok(streams)
    }

    /// The end of the run that is open when a CPU's stream begins.
    pub fn start(&self, cpu: u16) -> Option<RunEnd> {
        let start = self.starts.iter().find(|start| start.cpu == cpu);
        start.and_then(|start| start.run)
    }

    /// Tells of a CPU by what run its stream begins.
    pub fn set_start(&mut self, cpu: u16, run: Option<RunEnd>) {
        if let Some(start) = self.starts.iter_mut().find(|start| start.cpu == cpu) {
            start.run = run;
        }
    }

    /// Lets no run of a CPU break at its buffers: what ran there is told by other events.
    pub fn forget_gaps(&mut self, trace: &TraceFile, cpu: u16) {
        for (info, link) in trace.buffers().iter().zip(&mut self.links) {
            if info.cpu == cpu {
                (link.gap_before, link.gap_after) = (false, false);
            }
        }
    }

    /// Notes which buffer of a CPU follows which, where no run can lead from one to the next.
    fn follow(&mut self, order: &[usize]) {
        for (&index, &next) in order.iter().zip(order.iter().skip(1)) {
            if let Some(previous) = self.previous.get_mut(next) {
                *previous = Some(index);
            }
        }
    }

    /// Links one CPU's buffers from the last to the first; answers the run open at the start.
    fn link(
        &mut self,
        cpu: u16,
        order: &[usize],
        trace: &TraceFile,
        scans: &[BufferScan],
        losses: &Losses,
    ) -> Option<RunEnd> {
        self.follow(order);
        let mut open_run = None;
        let mut after: Option<usize> = None;
        for &index in order.iter().rev() {
            let scan = scans.get(index).copied().unwrap_or_default();
            if let Some(next) = after {
                let differs = planned_differs(scan.last_planned_tid, open_run);
                let may_lie = losses.may_lie_between(trace, index, next);
                let is_open = losses.is_unsettled_between(trace, index, next);
                let broken =
                    scan.is_cut || losses.is_flagged(next) || may_lie && differs || is_open;
                if may_lie && differs || is_open {
                    self.missing.push(Missing {
                        cpu,
                        after: index,
                        before: next,
                        is_sure: differs,
                    });
                }
                if broken {
                    open_run = None;
                    self.set(next, |link| link.gap_before = true);
                }
                self.set(index, |link| link.gap_after = broken);
            }
            self.set(index, |link| link.run_at_end = open_run);
            open_run = scan.first_switch.or(open_run);
            self.set(index, |link| link.run_at_start = open_run);
            after = Some(index);
        }
        open_run
    }

    /// The buffers before which their CPU has one of which no event could be read.
    fn after_unread(&self, scans: &[BufferScan]) -> Vec<usize> {
        let buffers = scans.iter().zip(&self.next_on_cpu);
        buffers
            .filter(|(scan, _)| scan.is_cut && scan.times.is_none())
            .filter_map(|(_, next)| *next)
            .collect()
    }

    fn set(&mut self, index: usize, change: impl FnOnce(&mut Link)) {
        if let Some(link) = self.links.get_mut(index) {
            change(link);
        }
    }
}

/// Checks that files do not take turns in one CPU's context switches: that one begins after the other has ended.
fn no_overlap(
    order: &[usize],
    buffers: &[BufferInfo],
    scan: impl Fn(&usize) -> BufferScan,
) -> Result<(), Overlap> {
    let mut last: Option<(u16, i64)> = None;
    for index in order {
        let file = buffers.get(*index).map_or(0, |info| info.file);
        let scan = scan(index);
        let (Some(first_raw), Some(last_raw)) = (scan.first_switch_raw, scan.last_switch_raw)
        else {
            continue;
        };
        if let Some((other, until_raw)) = last
            && other != file
            && first_raw < until_raw
        {
            return Err(Overlap { file, other });
        }
        last = Some((
            file,
            last.map_or(last_raw, |(_, until_raw)| until_raw.max(last_raw)),
        ));
    }
    Ok(())
}

fn planned_differs(planned_tid: Option<u32>, open_run: Option<RunEnd>) -> bool {
    matches!((planned_tid, open_run), (Some(planned), Some(run)) if planned != run.tid)
}

/// Losses by the files' own signs.
struct Losses {
    /// Buffers before which their CPU's events were lost, ascending.
    flagged: Vec<usize>,
    /// Gaps in the numbers of buffers, ascending. Whose these were is not known.
    gaps: Vec<Gap>,
}

struct Gap {
    /// File and number of the buffer after it.
    place: (u16, i64),
    /// How many are missing.
    count: u64,
    /// Some of them may be of any CPU.
    is_unsettled: bool,
}

impl Losses {
    /// `flagged`: before which buffers besides.
    fn of(trace: &TraceFile, mut flagged: Vec<usize>) -> Self {
        let mut gaps = Vec::new();
        for loss in trace.losses() {
            match loss.kind {
                LossKind::Events | LossKind::Buffers => flagged.push(loss.before_buffer),
                LossKind::SequenceGap { missing: count } => {
                    gaps.extend(place(trace, loss.before_buffer).map(|place| Gap {
                        place,
                        count,
                        is_unsettled: false,
                    }));
                }
            }
        }
        flagged.sort_unstable();
        gaps.sort_unstable_by_key(|gap| gap.place);
        Self { flagged, gaps }
    }

    fn is_flagged(&self, buffer: usize) -> bool {
        self.flagged.binary_search(&buffer).is_ok()
    }

    /// Whether a buffer of this CPU may be missing between two of its buffers: surely where another file begins.
    fn may_lie_between(&self, trace: &TraceFile, earlier: usize, later: usize) -> bool {
        let (Some(from), Some(to)) = (place(trace, earlier), place(trace, later)) else {
            return false;
        };
        from.0 != to.0 || !self.between(trace, earlier, later).is_empty()
    }

    /// Whether a buffer may be missing there that is not known to be another CPU's.
    fn is_unsettled_between(&self, trace: &TraceFile, earlier: usize, later: usize) -> bool {
        let gaps = self.gaps.get(self.between(trace, earlier, later));
        gaps.is_some_and(|gaps| gaps.iter().any(|gap| gap.is_unsettled))
    }

    /// The gaps between two buffers, by their indices.
    fn between(&self, trace: &TraceFile, earlier: usize, later: usize) -> Range<usize> {
        let at_most = |buffer| {
            let place = place(trace, buffer);
            self.gaps.partition_point(|gap| Some(gap.place) <= place)
        };
        at_most(earlier)..at_most(later).max(at_most(earlier))
    }

    /// Finds the gaps whose buffers are not all of CPUs that surely lack some.
    fn settle(&mut self, trace: &TraceFile, missing: &[Missing]) {
        let mut sure = vec![0; self.gaps.len()];
        for stretch in missing {
            let gaps = self.between(trace, stretch.after, stretch.before);
            // Of several gaps it is not known which of them lacks this CPU's buffers.
            if let ([count], true) = (sure.get_mut(gaps).unwrap_or_default(), stretch.is_sure) {
                *count += 1;
            }
        }
        for (gap, sure) in self.gaps.iter_mut().zip(sure) {
            gap.is_unsettled = gap.count > sure;
        }
    }
}

/// [`Streams::next_on_cpu`].
fn next_on_cpus(trace: &TraceFile, scans: &[BufferScan]) -> Vec<Option<usize>> {
    if !scans.iter().any(|scan| scan.is_cut) {
        return Vec::new();
    }
    let place = |info: &BufferInfo| (info.file, info.cpu, info.sequence);
    let buffers = trace.buffers().iter().enumerate();
    let mut order: Vec<_> = buffers.map(|(at, info)| (place(info), at)).collect();
    order.sort_unstable();
    let mut next_on_cpu = vec![None; order.len()];
    let mut next = None;
    for &((file, cpu, _), at) in order.iter().rev() {
        let own = next.filter(|(place, _)| *place == (file, cpu));
        if let Some(slot) = next_on_cpu.get_mut(at) {
            *slot = own.map(|(_, index)| index);
        }
        let is_read = scans.get(at).is_some_and(|scan| scan.times.is_some());
        next = if is_read {
            Some(((file, cpu), at))
        } else {
            own
        };
    }
    next_on_cpu
}

/// File and sequence number of a buffer.
fn place(trace: &TraceFile, buffer: usize) -> Option<(u16, i64)> {
    let info = trace.buffers().get(buffer)?;
    Some((info.file, info.sequence))
}
