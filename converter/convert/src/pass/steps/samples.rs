//! Profile samples: a fact for each, and the calls of its stack.

use etw::{ProfileInterval, SampledProfile};
use facts::{CounterSample, Sample, Sink};
use pftrace::PerfSample;

use crate::pass::samples::{PID_UNKNOWN, Sampling, counter_number};
use crate::pass::state::Pass;
use crate::sample::sample_value;
use crate::stacks::NodeId;

/// What intervals between samples are recorded in, in ns.
const INTERVAL_NS: u64 = 100;

impl Pass<'_> {
    /// Writes one sample.
    pub fn sample(&mut self, raw: i64, cpu: u16, sample: &SampledProfile) {
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
    pub fn write_sample(
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
    pub fn pid_of_sampled(&self, tid: u32, named_pid: Option<u32>) -> u32 {
        let known = match tid {
            0 => Some(0),
            tid => self.lives.pid_of(self.lifetimes, tid, named_pid),
        };
        known.unwrap_or(PID_UNKNOWN)
    }

    /// Begins the sequence of samples anew where too many callstacks were written in it.
    pub fn make_room_for_callstack(&mut self, ts_ns: u64) {
        if self.sampling.make_room() && self.emit.sinks.perfetto.has_scheduling() {
            self.emit.sinks.perfetto.begin_samples(ts_ns);
        }
    }

    /// Reports calls and what they refer to, as far as that was not done before. Answers the key of a callstack's
    /// innermost call; `None` for the empty callstack.
    pub fn tell_calls(&mut self, callstack: NodeId) -> Option<u32> {
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
