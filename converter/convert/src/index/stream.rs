//! How a CPU's runs go on from one of its buffers to the next, and where losses break them.

use std::collections::BTreeMap;

use etl::{LossKind, TraceFile};

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
    /// Links each CPU's buffers in time order.
    pub(super) fn build(trace: &TraceFile, scans: &[BufferScan]) -> Self {
        let mut cpus: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
        for (index, (info, scan)) in trace.buffers().iter().zip(scans).enumerate() {
            if scan.times.is_some() {
                cpus.entry(info.cpu).or_default().push(index);
            }
        }
        let mut streams = Self {
            links: vec![Link::default(); scans.len()],
            starts: Vec::new(),
            previous: vec![None; scans.len()],
        };
        let losses = Losses::of(trace);
        for (cpu, mut order) in cpus {
            order.sort_by_key(|&index| (scans.get(index).and_then(|scan| scan.times), index));
            let run = streams.link(&order, trace, scans, &losses);
            streams.starts.push(CpuStart { cpu, run });
        }
        streams
    }

    /// Links one CPU's buffers from the last to the first; answers the run open at the start.
    fn link(
        &mut self,
        order: &[usize],
        trace: &TraceFile,
        scans: &[BufferScan],
        losses: &Losses,
    ) -> Option<RunEnd> {
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
                if let Some(previous) = self.previous.get_mut(next) {
                    *previous = Some(index);
                }
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

fn planned_differs(planned_tid: Option<u32>, open_run: Option<RunEnd>) -> bool {
    matches!((planned_tid, open_run), (Some(planned), Some(run)) if planned != run.tid)
}

/// Losses by the file's own signs.
struct Losses {
    /// Buffers before which their CPU's events were lost, ascending.
    flagged: Vec<usize>,
    /// Sequence numbers of buffers before which others are missing, ascending. Whose they were is not known.
    gaps: Vec<i64>,
}

impl Losses {
    fn of(trace: &TraceFile) -> Self {
        let (mut flagged, mut gaps) = (Vec::new(), Vec::new());
        for loss in trace.losses() {
            match loss.kind {
                LossKind::Events | LossKind::Buffers => flagged.push(loss.before_buffer),
                LossKind::SequenceGap { .. } => {
                    gaps.extend(
                        trace
                            .buffers()
                            .get(loss.before_buffer)
                            .map(|info| info.sequence),
                    );
                }
            }
        }
        flagged.sort_unstable();
        gaps.sort_unstable();
        Self { flagged, gaps }
    }

    fn is_flagged(&self, buffer: usize) -> bool {
        self.flagged.binary_search(&buffer).is_ok()
    }

    /// Whether a buffer of this CPU may be missing between two of its buffers.
    fn may_lie_between(&self, trace: &TraceFile, earlier: usize, later: usize) -> bool {
        let sequence = |index: usize| trace.buffers().get(index).map(|info| info.sequence);
        let (Some(from), Some(to)) = (sequence(earlier), sequence(later)) else {
            return false;
        };
        let next = self.gaps.partition_point(|gap| *gap <= from);
        self.gaps.get(next).is_some_and(|gap| *gap <= to)
    }
}
