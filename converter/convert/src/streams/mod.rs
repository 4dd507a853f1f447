//! The buffers of each CPU in a row: how its runs go on from one of them to the next, and where losses break them.

mod buffer_scan;
mod compact_scan;
mod gaps;
mod missing;
mod neighbours;

use std::collections::{BTreeMap, BTreeSet};

use etl::{BufferInfo, Loss, LossKind, TraceFile};
use facts::RunEnd;

use gaps::Losses;
use missing::Missing;
use neighbours::{Neighbours, neighbours};

pub use buffer_scan::BufferScan;
pub use compact_scan::CompactScan;
pub use missing::Stretches;

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
    /// Events were lost before the first: what ran up to it is not known.
    pub is_lost: bool,
}

/// Two files hold context switches of the same CPU at the same time: they cannot be of one recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Number of one file.
    pub file: u16,
    /// Number of the other.
    pub other: u16,
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
    /// Of each buffer. Empty where all buffers are whole, and each that reports a loss has a readable event.
    pub neighbours: Vec<Neighbours>,
    /// Where CPUs lack buffers, by the gaps in the numbers of the file's buffers.
    pub missing: Vec<Missing>,
    /// Files with context switches.
    switching_files: BTreeSet<u16>,
}

impl Streams {
    /// Links each CPU's buffers in time order: those of one file, or of all files that hold context switches of it.
    pub fn build(trace: &TraceFile, scans: &[BufferScan]) -> Result<Self, Overlap> {
        let (cpus, begins) = (buffers_of_cpus(trace, scans), begins(trace, scans));
        let begin = |index: &usize| begins.get(*index).copied();
        let mut streams = Self {
            links: vec![Link::default(); scans.len()],
            starts: Vec::new(),
            previous: vec![None; scans.len()],
            neighbours: Vec::new(),
            missing: Vec::new(),
            switching_files: switching_files(trace, scans),
        };
        let unread = unread(trace, scans);
        if !unread.is_empty() || scans.iter().any(|scan| scan.is_cut) {
            streams.neighbours = neighbours(trace.buffers(), scans);
        }
        let mut losses = Losses::of(trace, scans, &streams.beside(&unread));
        let mut orders = Vec::new();
        let scan = |index: &usize| scans.get(*index).copied().unwrap_or_default();
        for (cpu, files) in cpus {
            let (mut switching, mut others) = (Vec::new(), Vec::new());
            for (file, order) in files {
                if streams.switching_files.contains(&file) || trace.headers().count() == 1 {
                    switching.extend(order);
                } else {
                    others.push(order);
                }
            }
            switching.sort_by_key(begin);
            no_overlap(&switching, trace.buffers(), scan)?;
            streams.link(cpu, &switching, scans, &losses);
            orders.push((cpu, switching));
            for mut order in others {
                order.sort_by_key(begin);
                streams.follow(&order);
            }
        }
        losses.settle(&streams.missing);
        streams.missing.clear();
        for (cpu, order) in orders {
            let run = streams.link(cpu, &order, scans, &losses);
            let first = order.first().and_then(|first| streams.links.get(*first));
            let is_lost = first.is_some_and(|link| link.gap_before);
            streams.starts.push(CpuStart { cpu, run, is_lost });
        }
        Ok(streams)
    }

    /// Whether another file says what ran on CPUs. Where providers have files of their own, the kernel's file says it.
    pub fn is_told_elsewhere(&self, file: u16) -> bool {
        !self.switching_files.is_empty() && !self.switching_files.contains(&file)
    }

    /// The end of the run that is open when a CPU's stream begins.
    pub fn start(&self, cpu: u16) -> Option<RunEnd> {
        let start = self.starts.iter().find(|start| start.cpu == cpu);
        start.and_then(|start| start.run)
    }

    /// Sets the run with which a CPU's stream begins.
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
        scans: &[BufferScan],
        losses: &Losses<'_>,
    ) -> Option<RunEnd> {
        self.follow(order);
        let mut open_run = None;
        let mut after: Option<usize> = None;
        for &index in order.iter().rev() {
            let scan = scans.get(index).copied().unwrap_or_default();
            if let Some(next) = after {
                let differs = planned_differs(scan.last_planned_tid, open_run);
                let hole = (Some(index), Some(next));
                let found = losses.missing(hole, differs);
                let is_open = found.is_some_and(|is_sure| is_sure || losses.is_settled);
                let broken = scan.is_cut || losses.is_flagged(next) || is_open;
                self.missing.extend(found.map(|is_sure| Missing {
                    cpu,
                    after: Some(index),
                    before: Some(next),
                    is_sure,
                    is_cut_off: false,
                }));
                if broken {
                    open_run = None;
                }
                self.set(next, |link| link.gap_before = broken);
                self.set(index, |link| link.gap_after = broken);
            } else {
                let is_last = scan.times.is_none_or(|(_, last)| last >= losses.end_raw);
                let is_known = scan.is_cut || losses.is_before_unread(index);
                let is_cut_off = losses.is_cut_off(index);
                let found = losses.missing((Some(index), None), false);
                let found = found.max(is_cut_off.then_some(false));
                let found = found.filter(|_| !is_last && !is_known);
                self.missing.extend(found.map(|is_sure| Missing {
                    cpu,
                    after: Some(index),
                    before: None,
                    is_sure,
                    is_cut_off,
                }));
                let gap_after = !is_last && is_known || found.is_some();
                self.set(index, |link| link.gap_after = gap_after);
            }
            self.set(index, |link| link.run_at_end = open_run);
            open_run = scan.first_switch.or(open_run);
            self.set(index, |link| link.run_at_start = open_run);
            after = Some(index);
        }
        if let Some(first) = after {
            let is_known = losses.is_flagged(first);
            let found = losses.missing((None, Some(first)), false);
            let found = found.filter(|_| !is_known);
            self.missing.extend(found.map(|is_sure| Missing {
                cpu,
                after: None,
                before: Some(first),
                is_sure,
                is_cut_off: false,
            }));
            self.set(first, |link| link.gap_before = is_known || found.is_some());
        }
        open_run
    }

    fn beside(&self, buffers: &[usize]) -> Vec<Neighbours> {
        let beside = buffers.iter().filter_map(|at| self.neighbours.get(*at));
        beside.copied().collect()
    }

    fn set(&mut self, index: usize, change: impl FnOnce(&mut Link)) {
        if let Some(link) = self.links.get_mut(index) {
            change(link);
        }
    }
}

/// The buffers of each CPU and file that have events.
fn buffers_of_cpus(
    trace: &TraceFile,
    scans: &[BufferScan],
) -> BTreeMap<u16, BTreeMap<u16, Vec<usize>>> {
    let mut cpus: BTreeMap<u16, BTreeMap<u16, Vec<usize>>> = BTreeMap::new();
    for (index, (info, scan)) in trace.buffers().iter().zip(scans).enumerate() {
        if scan.times.is_some() {
            let files = cpus.entry(info.cpu).or_default();
            files.entry(info.file).or_default().push(index);
        }
    }
    cpus
}

/// When each buffer is read, by its index: at its first event's time, or where the clock has gone back, at that of one before
/// it; and as the how manieth, which decides between equal times.
fn begins(trace: &TraceFile, scans: &[BufferScan]) -> Vec<(i64, usize)> {
    let mut begins = vec![(i64::MIN, 0); scans.len()];
    let mut place = 0;
    for order in trace.reading_orders() {
        let mut begin_raw = i64::MIN;
        for at in order {
            let times = scans.get(at as usize).and_then(|scan| scan.times);
            begin_raw = begin_raw.max(times.map_or(i64::MIN, |(first, _)| first));
            place += 1;
            if let Some(begin) = begins.get_mut(at as usize) {
                *begin = (begin_raw, place);
            }
        }
    }
    begins
}

/// [`Streams::switching_files`].
fn switching_files(trace: &TraceFile, scans: &[BufferScan]) -> BTreeSet<u16> {
    let buffers = trace.buffers().iter().zip(scans);
    let switching =
        buffers.filter(|(_, scan)| scan.first_switch.is_some() || scan.compact.is_some());
    switching.map(|(info, _)| info.file).collect()
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

/// Buffers that report a loss and have no readable event. What is lost is between their neighbours.
fn unread(trace: &TraceFile, scans: &[BufferScan]) -> Vec<usize> {
    let numbered = scans.iter().enumerate();
    let cut = numbered.filter(|(_, scan)| scan.is_cut).map(|(at, _)| at);
    let is_flag = |loss: &&Loss| !matches!(loss.kind, LossKind::SequenceGap { .. });
    let flagged = trace.losses().iter().filter(is_flag);
    let told = cut.chain(flagged.map(|loss| loss.before_buffer));
    let is_unread = |at: &usize| scans.get(*at).is_some_and(|scan| scan.times.is_none());
    told.filter(is_unread).collect()
}
