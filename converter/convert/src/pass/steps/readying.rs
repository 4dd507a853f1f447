//! Ready events: whom they make ready, and when they take effect.

use etw::{ReadyThread, hook, thread_state};
use facts::{Ready, Sink, StackOf, Thread};

use crate::pass::scheduling::{HeldBack, Readied, Wait};
use crate::pass::state::Pass;

/// Ready events that one CPU holds back at most; a forged trace could name its running thread without end.
const HELD_BACK_MAX: usize = 64;

impl Pass<'_> {
    pub fn ready(&mut self, raw: i64, cpu: u16, ready: &ReadyThread, acting_tid: Option<u32>) {
        let from_dpc = ready.flags & ReadyThread::FROM_DPC != 0;
        let current_tid = self.scheduling.cpu(cpu).current_tid;
        // A DPC interrupts whatever thread is current: that thread is no cause.
        let waker_tid = if from_dpc {
            0
        } else {
            acting_tid.or(current_tid).unwrap_or(0)
        };
        let stack = self.claims.of(raw, cpu, acting_tid.or(current_tid));
        let event = HeldBack {
            cpu,
            waker_tid,
            ready: *ready,
            stack,
        };
        if let Some(on) = self.scheduling.runs_on(ready.tid) {
            let will_block = on.run.is_some_and(|run| run.state != thread_state::READY);
            if will_block && on.held_back.len() < HELD_BACK_MAX {
                on.held_back.push(event);
                return;
            }
            self.write_ready_event(raw, &event);
            return;
        }
        self.write_ready(raw, &event);
    }

    /// Reports a ready event that makes its thread ready.
    fn write_ready(&mut self, raw: i64, event: &HeldBack) {
        let (ts_ns, waker) = self.write_ready_event(raw, event);
        let mut since_ns = ts_ns;
        let mut last_ns = None;
        let mut ready = event.ready;
        let thread = self.emit.thread(ready.tid);
        let known = self.scheduling.known(ready.tid);
        let since = known.ready_since(ts_ns, thread, Some(waker));
        known.ready.get_or_insert(since);
        // Windows makes a thread ready again once it is back in memory: the wait keeps that it was not, and who began it.
        if let Wait::Readied(before) = known.wait {
            let kept = ReadyThread::KERNEL_STACK_SWAPPED_OUT | ReadyThread::PROCESS_SWAPPED_OUT;
            since_ns = before.ts_ns;
            last_ns = Some(ts_ns);
            ready.flags &= !ReadyThread::FROM_DPC;
            ready.flags |= before.ready.flags & (kept | ReadyThread::FROM_DPC);
        }
        if let Some(rehearsal) = &mut self.rehearsal {
            rehearsal.ready(event.cpu, ts_ns, ready.tid, event.waker_tid);
        }
        let readied = Readied {
            ts_ns: since_ns,
            ready,
            last_ns,
        };
        self.scheduling.known(ready.tid).wait = Wait::Readied(readied);
    }

    /// Reports a ready event with its stack. Answers when it was, and who made the thread ready.
    fn write_ready_event(&mut self, raw: i64, event: &HeldBack) -> (u64, Thread) {
        let ts_ns = self.emit.stamp(raw);
        let cpu = event.cpu;
        let thread = self.emit.thread(event.ready.tid);
        let waker = self.emit.thread(event.waker_tid);
        if self.writes_scheduling {
            self.emit.sinks.ready(&Ready {
                ts_ns,
                cpu,
                thread,
                waker,
            });
        }
        if let Some(stack) = event.stack {
            let of = StackOf::Kernel(hook::READY_THREAD.0);
            self.event_stack((raw, ts_ns), Some(cpu), stack, of, None);
        }
        (ts_ns, waker)
    }

    pub fn write_held_back(&mut self, raw: i64, cpu: u16) {
        let mut held_back = std::mem::take(&mut self.scheduling.cpu(cpu).held_back);
        for event in held_back.drain(..) {
            self.write_ready(raw, &event);
        }
        self.scheduling.cpu(cpu).held_back = held_back;
    }
}
