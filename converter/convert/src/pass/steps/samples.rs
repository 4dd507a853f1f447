//! Profile samples: a fact for each, and the calls of its stack.

use etw::{ProfileInterval, SampledProfile};
use facts::{CounterSample, Mention, Sample, Sink, Thread};

use crate::pass::samples::{PID_UNKNOWN, Sampling, counter_number};
use crate::pass::state::Pass;
use crate::stacks::NodeId;

/// What intervals between samples are recorded in, in ns.
const INTERVAL_NS: u64 = 100;

impl Pass<'_> {
    /// Tells one sample.
    pub fn sample(&mut self, raw: i64, cpu: u16, sample: &SampledProfile) {
        let halves = self.claims.of_thread(raw, cpu, sample.tid);
        let halves = halves.unwrap_or_default();
        let pid = self.pid_of_sampled(sample.tid, None);
        let ts_ns = self.emit.stamp(raw);
        if !self.keeps_pid(raw, pid) {
            return;
        }
        self.make_room_for_callstack(ts_ns);
        let (thread, mention) = self.mentioned(sample.tid, pid);
        let address = sample.instruction_pointer;
        let callstack = self.sampling.callstack_of(pid, halves, address);
        let interval = self.sampling.interval(sample.source, raw);
        let callsite = self.tell_calls(callstack);
        if sample.source == ProfileInterval::TIMER {
            self.emit.sinks.sample(&Sample {
                ts_ns,
                cpu,
                thread,
                mention,
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
                mention,
                source,
                source_name: self.sampling.source_names.get(&source).cloned(),
                is_kernel: sample.is_kernel,
                callsite,
                weight_events: (interval > 0).then_some(interval),
            });
        }
    }

    /// The process of a thread that was sampled, or whose stack was: its own where it is known, else `named_pid`.
    pub fn pid_of_sampled(&self, tid: u32, named_pid: Option<u32>) -> u32 {
        let known = match tid {
            0 => Some(0),
            tid => self.lives.pid_of(self.lifetimes, tid, named_pid),
        };
        known.unwrap_or(PID_UNKNOWN)
    }

    /// The thread that has an id now, of a process, which may be unknown.
    pub fn mentioned(&mut self, tid: u32, pid: u32) -> (Thread, Mention) {
        let mention = Mention {
            pid: (pid != PID_UNKNOWN).then_some(pid),
            is_new: !self.emit.keys.knows(tid, pid),
        };
        (self.emit.keys.thread_of(tid, pid).thread, mention)
    }

    /// Forgets callstacks where they have become too many.
    pub fn make_room_for_callstack(&mut self, ts_ns: u64) {
        if self.sampling.make_room() {
            self.emit.sinks.calls_forgotten(ts_ns);
        }
    }

    /// Reports calls and what they refer to, as far as that was not done before. Answers the key of a callstack's
    /// innermost call; `None` for the empty callstack.
    pub fn tell_calls(&mut self, callstack: NodeId) -> Option<u32> {
        let Sampling { frames, spaces, .. } = &mut self.sampling;
        frames.tell(spaces, &mut self.emit.sinks);
        frames.key_of(callstack)
    }
}
