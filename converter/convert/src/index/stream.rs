//! How a CPU's runs go on from one of its buffers to the next, and where losses break them.

use std::collections::BTreeMap;

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

/// The buffers of all CPUs, linked.
#[derive(Debug, Default)]
pub struct Streams {
    /// By buffer index.
    pub links: Vec<Link>,
    /// CPUs that have events, ascending.
    pub starts: Vec<CpuStart>,
    /// For each buffer the one before it on its CPU.
    pub previous: Vec<Option<usize>>,
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
        };
        let losses = Losses::of(trace);
        let scan = |index: &usize| scans.get(*index).copied().unwrap_or_default();
        for (cpu, files) in cpus {
            let (mut switching, mut others) = (Vec::new(), Vec::new());
            for order in files.into_values() {
                let has_switches = order.iter().any(|index| scan(index).first_switch.is_some());
                if has_switches || trace.headers().count() == 1 {
                    switching.extend(order);
                } else {
                    others.push(order);
                }
            }
            switching.sort_by_key(|index| (scan(index).times, *index));
            no_overlap(&switching, trace.buffers(), scan)?;
            let run = streams.link(&switching, trace, scans, &losses);
            streams.starts.push(CpuStart { cpu, run });
            for mut order in others {
                order.sort_by_key(|index| (scan(index).times, *index));
                streams.follow(&order);
            }
        }
        Ok(streams)
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
                let broken = scan.is_cut
                    || losses.is_flagged(next)
                    || (losses.may_lie_between(trace, index, next)
                        && planned_differs(scan.last_planned_tid, open_run));
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
    /// Files and sequence numbers of buffers before which others are missing, ascending. Whose they were is not known.
    gaps: Vec<(u16, i64)>,
}

impl Losses {
    fn of(trace: &TraceFile) -> Self {
        let (mut flagged, mut gaps) = (Vec::new(), Vec::new());
        for loss in trace.losses() {
            match loss.kind {
                LossKind::Events | LossKind::Buffers => flagged.push(loss.before_buffer),
                LossKind::SequenceGap { .. } => gaps.extend(place(trace, loss.before_buffer)),
            }
        }
        flagged.sort_unstable();
        gaps.sort_unstable();
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
        let next = self.gaps.partition_point(|gap| *gap <= from);
        from.0 != to.0 || self.gaps.get(next).is_some_and(|gap| *gap <= to)
    }
}

/// File and sequence number of a buffer.
fn place(trace: &TraceFile, buffer: usize) -> Option<(u16, i64)> {
    let info = trace.buffers().get(buffer)?;
    Some((info.file, info.sequence))
}
