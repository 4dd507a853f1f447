//! Profile samples: where each was, with the stack that pass 1 found for it.

use std::sync::Arc;

use etw::{ProfileInterval, SampledProfile};
use facts::{CounterSample, Sample, Sink};
use pftrace::PerfSample;
use rustc_hash::FxHashMap;

use super::Pass;
use super::address_space::AddressSpaces;
use super::emit::Emit;
use super::frames::{FrameId, Frames};
use super::made_callstacks::MadeCallstacks;
use crate::index::{Index, Interval};
use crate::sample::sample_value;
use crate::stacks::{Halves, NodeId, StackIndex};

/// Name of the counter tracks of samples.
const SAMPLES: &str = "etw.sample";
/// What intervals between samples are recorded in, in ns.
const INTERVAL_NS: u64 = 100;
/// Process id of a thread whose process no event names. No process has this id.
pub(super) const PID_UNKNOWN: u32 = u32::MAX;

/// What samples need.
pub struct Sampling<'a> {
    stacks: &'a StackIndex,
    intervals: &'a [Interval],
    /// Names of sources, by their numbers.
    source_names: FxHashMap<u16, Arc<str>>,
    pub spaces: AddressSpaces<'a>,
    made: MadeCallstacks,
    frames: Frames,
    addresses: Vec<u64>,
    /// The user half's nodes that have no callstack yet, the innermost first.
    path: Vec<(NodeId, u64)>,
}

impl<'a> Sampling<'a> {
    /// Nothing sampled yet.
    pub fn new(index: &'a Index) -> Self {
        Self {
            stacks: &index.stacks,
            intervals: &index.intervals,
            source_names: source_names(&index.intervals),
            spaces: AddressSpaces::new(&index.images, &index.methods),
            made: MadeCallstacks::default(),
            frames: Frames::new(index.images.len()),
            addresses: Vec::new(),
            path: Vec::new(),
        }
    }

    /// The interval of a source at a time; before the first that is recorded, that one. 0 if none is.
    fn interval(&self, source: u32, raw: i64) -> u32 {
        let after = self
            .intervals
            .partition_point(|interval| (interval.source, interval.from_raw) <= (source, raw));
        let before = after.checked_sub(1).and_then(|at| self.intervals.get(at));
        let found = before
            .filter(|interval| interval.source == source)
            .or(self.intervals.get(after))
            .filter(|interval| interval.source == source);
        found.map_or(0, |interval| interval.interval)
    }

    /// Forgets what was written, where it has become too much. Answers whether it did.
    fn make_room(&mut self) -> bool {
        let is_full = self.frames.is_full();
        if is_full {
            self.frames.forget();
            self.spaces.forget_callstacks();
        }
        is_full
    }

    /// The callstack of a sample: the recorded stack, and innermost where the sample was.
    fn callstack_of(&mut self, pid: u32, halves: Halves, address: u64) -> NodeId {
        let outer = self.callstack(pid, halves);
        let frame = self.frame(pid, address);
        if self.frames.innermost(outer) == Some(frame) {
            outer
        } else {
            self.frames.callstack(outer, frame)
        }
    }

    /// The callstack of a recorded stack, the root if it is empty.
    pub fn callstack(&mut self, pid: u32, halves: Halves) -> NodeId {
        if halves == Halves::default() {
            return NodeId::ROOT;
        }
        if let Some(made) = self.spaces.callstack(pid, halves) {
            return made;
        }
        let mut callstack = self.user_callstack(pid, halves.user);
        let mut addresses = std::mem::take(&mut self.addresses);
        addresses.clear();
        addresses.extend(self.stacks.addresses(halves.kernel));
        for &address in addresses.iter().rev() {
            let frame = self.frame(pid, address);
            callstack = self.frames.callstack(callstack, frame);
        }
        self.addresses = addresses;
        self.spaces.keep_callstack(pid, halves, callstack);
        callstack
    }

    /// The callstack of a user half. Only what it does not share with stacks that came before is looked up.
    fn user_callstack(&mut self, pid: u32, half: NodeId) -> NodeId {
        let space = self.spaces.version(pid);
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let (mut node, mut callstack) = (half, NodeId::ROOT);
        while let Some((outer, address)) = self.stacks.outer(node) {
            if let Some(known) = self.made.callstack(space, node) {
                callstack = known;
                break;
            }
            path.push((node, address));
            node = outer;
        }
        for &(node, address) in path.iter().rev() {
            let frame = self.frame(pid, address);
            callstack = self.frames.callstack(callstack, frame);
            self.made.keep(space, node, callstack);
        }
        self.path = path;
        callstack
    }

    fn frame(&mut self, pid: u32, address: u64) -> FrameId {
        let image = self.spaces.image_at(pid, address);
        let image = image.and_then(|index| Some((index, self.spaces.facts(index)?)));
        let method = self.spaces.method_at(pid, address);
        self.frames.frame(address, image, method)
    }
}

/// The names of sources that are told; of several for one, the last in the order of texts.
fn source_names(intervals: &[Interval]) -> FxHashMap<u16, Arc<str>> {
    let mut names: FxHashMap<u16, Arc<str>> = FxHashMap::default();
    for Interval {
        source,
        source_name,
        ..
    } in intervals
    {
        let Some(name) = source_name else { continue };
        let known = names.entry(counter_number(*source)).or_default();
        if **name > **known {
            *known = (**name).into();
        }
    }
    names
}

/// The number of a source that is told.
fn counter_number(source: u32) -> u16 {
    (source & u32::from(u16::MAX)) as u16
}

/// Begins the sequence of samples.
pub(super) fn begin_samples(emit: &mut Emit, ts_ns: u64) {
    emit.packets().begin_samples(ts_ns, SAMPLES);
}

impl Pass<'_> {
    /// Writes one sample.
    pub(super) fn sample(&mut self, raw: i64, cpu: u16, sample: &SampledProfile) {
        let halves = self.claims.of_thread(raw, cpu, sample.tid);
        let halves = halves.unwrap_or_default();
        let pid = self.pid_of_sampled(sample.tid, None);
        let ts_ns = self.emit.stamp(raw);
        if !self.keeps_pid(raw, pid) {
            return;
        }
        self.make_room_for_callstack(ts_ns);
        let is_known = self.emit.keys.knows(sample.tid, pid);
        let thread = self.emit.keys.thread_of(sample.tid, pid).thread;
        let address = sample.instruction_pointer;
        let callstack = self.sampling.callstack_of(pid, halves, address);
        let interval = self.sampling.interval(sample.source, raw);
        let callsite = self.tell_calls(callstack);
        if sample.source == ProfileInterval::TIMER {
            self.emit.sinks.sample(&Sample {
                ts_ns,
                cpu,
                thread,
                priority: sample.priority,
                rank: sample.rank,
                in_dpc: sample.in_dpc,
                in_isr: sample.in_isr,
                is_kernel: sample.is_kernel,
                callsite,
                weight_ns: (interval > 0).then(|| u64::from(interval) * INTERVAL_NS),
            });
        } else {
            let source = counter_number(sample.source);
            self.emit.sinks.counter_sample(&CounterSample {
                ts_ns,
                cpu,
                thread,
                source,
                source_name: self.sampling.source_names.get(&source).cloned(),
                is_kernel: sample.is_kernel,
                callsite,
                weight_events: (interval > 0).then_some(interval),
            });
        }
        let written = PerfSample {
            cpu,
            pid,
            tid: sample.tid,
            is_kernel: sample.is_kernel,
            callstack_iid: 0,
            timebase_count: sample_value(sample, interval),
        };
        self.write_sample(ts_ns, callstack, written, is_known);
    }

    /// Writes a sample, or the stack of an event. Where columns have these, only what mentions a thread first, without its stack: the
    /// importer gives keys to threads as it meets them.
    pub(super) fn write_sample(
        &mut self,
        ts_ns: u64,
        callstack: NodeId,
        sample: PerfSample,
        is_known: bool,
    ) {
        let is_apart = !self.emit.sinks.perfetto.has_scheduling();
        if is_apart && is_known {
            return;
        }
        let callstack = if is_apart { NodeId::ROOT } else { callstack };
        self.write_callstack(ts_ns, callstack);
        let written = PerfSample {
            callstack_iid: u64::from(callstack.0),
            ..sample
        };
        self.emit.packets().perf_sample(ts_ns, &written);
    }

    /// The process of a thread that was sampled, or whose stack was: its own where it is known, else `named_pid`.
    pub(super) fn pid_of_sampled(&self, tid: u32, named_pid: Option<u32>) -> u32 {
        let known = match tid {
            0 => Some(0),
            tid => self.lives.pid_of(self.lifetimes, tid, named_pid),
        };
        known.unwrap_or(PID_UNKNOWN)
    }

    /// Begins the sequence of samples anew where too many callstacks were written in it.
    pub(super) fn make_room_for_callstack(&mut self, ts_ns: u64) {
        if self.sampling.make_room() && self.emit.sinks.perfetto.has_scheduling() {
            begin_samples(&mut self.emit, ts_ns);
        }
    }

    /// Reports calls and what they refer to, as far as that was not done before. Answers the key of a callstack's
    /// innermost call; `None` for the empty callstack.
    pub(super) fn tell_calls(&mut self, callstack: NodeId) -> Option<u32> {
        let Sampling { frames, spaces, .. } = &mut self.sampling;
        frames.tell(spaces, &mut self.emit.sinks);
        frames.key_of(callstack)
    }

    /// Writes what a callstack refers to, and itself, unless that was done before.
    fn write_callstack(&mut self, ts_ns: u64, callstack: NodeId) {
        let sampling = &mut self.sampling;
        if sampling.frames.is_written(callstack) {
            return;
        }
        let spaces = &sampling.spaces;
        let frames = &mut sampling.frames;
        self.emit.packets().interned(ts_ns, |interned| {
            frames.write(callstack, spaces, interned);
        });
    }
}
