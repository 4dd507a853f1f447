//! How a CPU's runs go on from one of its buffers to the next, and where losses break them.

use std::collections::{BTreeMap, BTreeSet};

use etl::{BufferInfo, Loss, LossKind, TraceFile};
use facts::RunEnd;

use super::gaps::Losses;
use super::scan::BufferScan;

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

/// A stretch of a CPU's time whose buffers are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Which CPU.
    pub cpu: u16,
    /// The buffer before it; `None` if it begins with the recording.
    pub after: Option<usize>,
    /// The buffer after it; `None` if it ends with the recording.
    pub before: Option<usize>,
    /// Another thread ran after it than before. Else they may as well be another CPU's.
    pub is_sure: bool,
    /// The file ends before the CPU's last buffers, for all that is known.
    pub is_cut_off: bool,
}

impl Missing {
    /// The file that lacks them.
    pub fn file(&self, trace: &TraceFile) -> Option<u16> {
        let (file, _) = place(trace, self.after.or(self.before)?)?;
        Some(file)
    }

    /// Between which numbers of the file's buffers they are missing: after the first, and not after the second.
    fn numbers(&self, trace: &TraceFile) -> Option<(u16, i64, i64)> {
        let file = self.file(trace)?;
        let number = |buffer: Option<usize>| {
            let place = place(trace, buffer?).filter(|place| place.0 == file);
            place.map(|(_, sequence)| sequence)
        };
        let (after, before) = (number(self.after), number(self.before));
        Some((file, after.unwrap_or(i64::MIN), before.unwrap_or(i64::MAX)))
    }
}

/// All stretches of missing buffers, by the numbers around them.
#[derive(Debug, Default)]
pub struct Stretches {
    /// File and number that each begins after, ascending.
    begins: Vec<(u16, i64)>,
    /// File and number up to which it, or one before it, reaches.
    reaches: Vec<(u16, i64)>,
}

impl Stretches {
    /// Those of all CPUs.
    pub fn of(trace: &TraceFile, missing: &[Missing]) -> Self {
        let mut numbers: Vec<_> = missing
            .iter()
            .filter_map(|stretch| stretch.numbers(trace))
            .collect();
        numbers.sort_unstable();
        let reaches = numbers.iter().scan((0, i64::MIN), |reach, stretch| {
            *reach = (*reach).max((stretch.0, stretch.2));
            Some(*reach)
        });
        Self {
            reaches: reaches.collect(),
            begins: numbers
                .iter()
                .map(|stretch| (stretch.0, stretch.1))
                .collect(),
        }
    }

    /// Whether one is around the place of numbers that are missing before this one.
    pub fn have(&self, file: u16, sequence: i64) -> bool {
        let begun = self
            .begins
            .partition_point(|begin| *begin < (file, sequence));
        let reach = begun.checked_sub(1).and_then(|last| self.reaches.get(last));
        reach.is_some_and(|reach| *reach >= (file, sequence))
    }
}

/// The nearest buffers before and after a buffer, of its CPU and file. Only buffers with a readable event count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// The last before it.
    pub before: Option<usize>,
    /// The first after it.
    pub after: Option<usize>,
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
    pub(super) fn build(trace: &TraceFile, scans: &[BufferScan]) -> Result<Self, Overlap> {
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

/// [`Streams::neighbours`].
fn neighbours(buffers: &[BufferInfo], scans: &[BufferScan]) -> Vec<Neighbours> {
    let place = |info: &BufferInfo| (info.file, info.cpu, info.sequence);
    let numbered = buffers.iter().enumerate();
    let mut order: Vec<_> = numbered.map(|(at, info)| (place(info), at)).collect();
    order.sort_unstable();
    let is_read = |at: usize| scans.get(at).is_some_and(|scan| scan.times.is_some());
    let mut neighbours = vec![Neighbours::default(); order.len()];
    for on_cpu in
        order.chunk_by(|((file, cpu, _), _), (other, _)| (*file, *cpu) == (other.0, other.1))
    {
        let (mut before, mut after) = (None, None);
        for &(_, at) in on_cpu {
            if let Some(slot) = neighbours.get_mut(at) {
                slot.before = before;
            }
            before = Some(at).filter(|at| is_read(*at)).or(before);
        }
        for &(_, at) in on_cpu.iter().rev() {
            if let Some(slot) = neighbours.get_mut(at) {
                slot.after = after;
            }
            after = Some(at).filter(|at| is_read(*at)).or(after);
        }
    }
    neighbours
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

/// File and sequence number of a buffer.
pub(super) fn place(trace: &TraceFile, buffer: usize) -> Option<(u16, i64)> {
    let info = trace.buffers().get(buffer)?;
    Some((info.file, info.sequence))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nearest buffers of the same CPU and file that were read, each looked for among all.
    fn naive(buffers: &[BufferInfo], scans: &[BufferScan]) -> Vec<Neighbours> {
        let number = |at: usize| (buffers[at].sequence, at);
        let nearest = |at: usize| {
            let is_beside = |other: &usize| {
                let (own, other_info) = (buffers[at], buffers[*other]);
                (own.file, own.cpu) == (other_info.file, other_info.cpu)
                    && scans[*other].times.is_some()
            };
            let beside = (0..buffers.len()).filter(is_beside);
            let (before, after): (Vec<usize>, Vec<usize>) = beside
                .filter(|other| *other != at)
                .partition(|other| number(*other) < number(at));
            Neighbours {
                before: before.into_iter().max_by_key(|other| number(*other)),
                after: after.into_iter().min_by_key(|other| number(*other)),
            }
        };
        (0..buffers.len()).map(nearest).collect()
    }

    #[test]
    fn stretches_have_the_numbers_within_them() {
        let stretches = Stretches {
            begins: vec![(0, 1), (0, 2), (0, 20), (1, i64::MIN)],
            reaches: vec![(0, 9), (0, 9), (0, 22), (1, 5)],
        };
        let have = |file| (0..30).filter(move |number| stretches.have(file, *number));
        let first: Vec<i64> = have(0).collect();
        assert_eq!(first, [2, 3, 4, 5, 6, 7, 8, 9, 21, 22]);
    }

    /// Numbers that look random, the same in each run.
    fn random(state: &mut u64, below: u64) -> u64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (*state >> 33) % below
    }

    #[test]
    fn neighbours_are_the_nearest_that_were_read_of_the_same_cpu_and_file() {
        let state = &mut 1;
        for _ in 0..500 {
            let count = random(state, 40);
            let (buffers, scans): (Vec<_>, Vec<_>) = (0..count)
                .map(|_| {
                    let info = BufferInfo {
                        file: random(state, 2) as u16,
                        cpu: random(state, 3) as u16,
                        // Some numbers come twice.
                        sequence: random(state, 30).cast_signed(),
                        ..BufferInfo::default()
                    };
                    let is_read = random(state, 3) > 0;
                    let scan = BufferScan {
                        times: is_read.then_some((0, 0)),
                        ..BufferScan::default()
                    };
                    (info, scan)
                })
                .unzip();
            assert_eq!(neighbours(&buffers, &scans), naive(&buffers, &scans));
        }
    }

    /// As many as no search among all could go through: 10^12 steps.
    #[test]
    fn a_million_buffers_that_cannot_be_read_are_passed_once() {
        let count = 1_000_000;
        let numbered = (0..count).map(|sequence| BufferInfo {
            sequence,
            ..BufferInfo::default()
        });
        let buffers: Vec<BufferInfo> = numbered.collect();
        let mut scans = vec![BufferScan::default(); buffers.len()];
        let read = Some((0, 0));
        let last = scans.len() - 1;
        (scans[0].times, scans[last].times) = (read, read);
        let found = neighbours(&buffers, &scans);
        let ends = (Some(0), Some(last));
        let is_between = |beside: &Neighbours| (beside.before, beside.after) == ends;
        assert!(found[1..last].iter().all(is_between));
    }
}
