//! Events that are not told as what they are; or are, and have more to say.

use std::ops::Range;

use facts::{GenericEvent, Mention, Sink, StackOf};

use crate::pass::batch::{Author, Generic, Generics};
use crate::pass::io::{Past, Place};
use crate::pass::state::Pass;
use crate::stacks::Halves;

/// A stack, and the thread whose it is.
type ThreadStack = (u32, Halves);

impl Pass<'_> {
    /// Writes a generic event. Scheduling events of the same raw time, which wait to be ordered, come after it.
    pub fn generic(&mut self, raw: i64, event: &Generic, generics: &Generics) {
        if raw != self.tick.raw {
            self.end_tick();
        }
        self.unclaimed_stacks(raw);
        self.act_until(raw);
        let (thread, stack) = self.thread_and_stack(raw, event);
        let ts_ns = self.emit.stamp(raw);
        if !self.keeps_event(raw, thread.map(|(pid, _)| pid), event.subject.as_deref()) {
            return;
        }
        let (pid, tid) = thread.unwrap_or_default();
        let text = generics.text.get(event.text.clone()).unwrap_or_default();
        let past = match &event.io {
            Some(io) => self.io.step(io, ts_ns),
            None => Past::default(),
        };
        let request = event.io.as_ref().and_then(|io| io.request(past.since_ns));
        if let Some(rehearsal) = &mut self.rehearsal {
            let kind = generics.tags.get(event.tag.clone()).unwrap_or_default();
            rehearsal.message(ts_ns, (pid, tid), event, kind, text, request);
            return;
        }
        let keys = &mut self.emit.keys;
        let is_known = tid == 0 || (keys.has_process(pid) && keys.knows(tid, pid));
        let by = (tid != 0).then(|| {
            keys.process(pid);
            keys.thread_of(tid, pid)
        });
        if let Some(note) = &event.note {
            let by_utid = by.map(|known| known.thread.utid);
            self.emit.note(ts_ns, note, by_utid);
        }
        let part = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
        self.emit.sinks.generic_event(&GenericEvent {
            ts_ns,
            cpu: event.cpu,
            thread: by.map(|known| known.thread),
            mention: Mention {
                pid: thread.map(|(pid, _)| pid),
                is_new: !is_known,
            },
            kind: generics.tags.get(event.tag.clone()).unwrap_or_default(),
            header: event.header,
            more_header: event.more_header.as_ref().map(part),
            fields: part(&event.fields),
            request,
            is_told: event.is_told,
        });
        let mut callsite = None;
        if let (Some(stack), Some(of)) = (stack, event.stack_of) {
            let named_pid = event.author.pid();
            callsite = self.event_stack((raw, ts_ns), event.cpu, stack, of, named_pid);
        }
        if let Some(io) = &event.io {
            let place = Place {
                ts_ns,
                cpu: event.cpu,
                by,
                callsite,
            };
            self.tell_io(place, io, past);
        }
    }

    /// Process and thread that an event belongs to, and its stack, with the thread whose it is. An event without a thread
    /// is its stack's.
    fn thread_and_stack(
        &mut self,
        raw: i64,
        event: &Generic,
    ) -> (Option<(u32, u32)>, Option<ThreadStack>) {
        let (header_pid, tid) = match event.author {
            Author::Thread(pid, tid) => (Some(pid), Some(tid)),
            Author::RunningOn(cpu) => (None, self.running_on(cpu)),
            Author::None => return (None, None),
        };
        let cpu = event.cpu.unwrap_or(0);
        let stack = match (event.stack_of, tid) {
            (Some(StackOf::Provider), Some(tid)) => {
                let halves = self.claims.in_header(raw, cpu, tid);
                halves.map(|halves| (tid, halves))
            }
            (Some(StackOf::Kernel(_)), tid) => self.claims.of(raw, cpu, tid),
            _ => None,
        };
        let Some(tid) = tid.or(stack.map(|(tid, _)| tid)) else {
            return (None, None);
        };
        // A header names the process that the thread is attached to, and a second pair would become a second thread.
        let pid = self.lives.pid_of(self.lifetimes, tid, header_pid);
        (pid.map(|pid| (pid, tid)), stack)
    }
}
