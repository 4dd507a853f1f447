//! Stacks of events other than samples: each is told at the time of its event, by which the two are joined.

use etl::HookId;
use facts::{EventStack, Sink, StackOf};

use crate::pass::samples::PID_UNKNOWN;
use crate::pass::state::Pass;
use crate::stacks::{Halves, NodeId};

impl Pass<'_> {
    /// Writes the stack of an event of the time `raw` that is written at `ts_ns`. `named_pid` is the process that the event
    /// names as the thread's, which counts where nothing else tells. Answers the key of its call.
    pub fn event_stack(
        &mut self,
        (raw, ts_ns): (i64, u64),
        cpu: Option<u16>,
        (tid, halves): (u32, Halves),
        of: StackOf,
        named_pid: Option<u32>,
    ) -> Option<u32> {
        if self.is_rehearsing() {
            return None;
        }
        let pid = self.pid_of_sampled(tid, named_pid);
        if !self.keeps_pid(raw, pid) {
            return None;
        }
        self.make_room_for_callstack(ts_ns);
        // The thread may not live any more where it would come to life twice: its code lies where it lay all the same.
        let space = if pid == PID_UNKNOWN {
            named_pid.unwrap_or(pid)
        } else {
            pid
        };
        let callstack = self.sampling.callstack(space, halves);
        let (thread, mention) = self.mentioned(tid, pid);
        let callsite = self.tell_calls(callstack);
        self.emit.sinks.event_stack(&EventStack {
            ts_ns,
            cpu,
            thread,
            mention,
            of,
            is_kernel: halves.kernel != NodeId::ROOT,
            callsite,
        });
        callsite
    }

    /// Writes the stack of a kernel event that is written elsewhere.
    pub fn other_stack(&mut self, raw: i64, cpu: u16, hook: HookId, tid: Option<u32>) {
        let tid = tid.or_else(|| self.scheduling.current_tid(cpu));
        if let Some(stack) = self.claims.of(raw, cpu, tid) {
            let ts_ns = self.emit.stamp(raw);
            let of = StackOf::Kernel(hook.0);
            self.event_stack((raw, ts_ns), Some(cpu), stack, of, None);
        }
    }

    /// Writes the stacks from before a time for which no event came.
    #[inline]
    pub fn unclaimed_stacks(&mut self, before_raw: i64) {
        while let Some(left) = self.claims.next_unclaimed(before_raw) {
            self.act_until(left.raw);
            let ts_ns = self.emit.stamp(left.raw);
            let stack = (left.tid, left.halves);
            self.event_stack((left.raw, ts_ns), None, stack, StackOf::Unknown, None);
        }
    }
}
