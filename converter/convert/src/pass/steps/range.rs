//! The beginning of the selected range: the output begins anew, with what holds there.

use facts::{Ready, RunBefore, Sink, Switch};

use crate::pass::head;
use crate::pass::keys::Keys;
use crate::pass::rehearsal::Replayed;
use crate::pass::state::Pass;

impl Pass<'_> {
    /// Whether the selected range has not begun.
    pub fn is_rehearsing(&self) -> bool {
        self.rehearsal.is_some()
    }

    /// Takes in an event that is not written.
    pub fn pass_by(&mut self, raw: i64) {
        if raw != self.tick.raw {
            self.end_tick();
        }
        self.act_until(raw);
        self.emit.stamp(raw);
    }

    /// Begins the output anew, with what holds where the range begins.
    pub fn begin_range(&mut self) {
        let Some(mut rehearsal) = self.rehearsal.take() else {
            return;
        };
        self.emit.sinks.begin_again();
        self.emit.keys = Keys::default();
        self.scheduling.begin_range();
        head::tell_head(&mut self.emit, rehearsal.trace, rehearsal.index);
        self.write_living(&rehearsal);
        self.tell_loaded_images(rehearsal.from_raw);
        self.tell_interrupt_routines();
        for loss in self.losses {
            let (from_raw, until_raw) = loss.span_raw;
            if from_raw < rehearsal.from_raw && until_raw >= rehearsal.from_raw {
                let ts_ns = self.emit.ts_of(from_raw);
                let lost = head::lost(&self.emit, ts_ns, loss);
                self.emit.sinks.loss(&lost);
            }
        }
        for message in &rehearsal.messages() {
            let is_alive = self.lives.pid_of(self.lifetimes, message.tid, None);
            let pid = is_alive.filter(|pid| *pid == message.pid);
            let keys = &mut self.emit.keys;
            let thread = pid
                .filter(|_| message.tid != 0)
                .map(|pid| keys.thread_of(message.tid, pid).thread);
            message.tell(thread, pid, &mut self.emit.sinks);
        }
        for (ts_ns, replayed) in rehearsal.scheduling() {
            self.replay(ts_ns, &replayed);
        }
    }

    fn replay(&mut self, ts_ns: u64, replayed: &Replayed) {
        if !self.writes_scheduling {
            return;
        }
        match replayed {
            Replayed::Switch(switched) => {
                let switch = Switch {
                    ts_ns,
                    cpu: switched.cpu,
                    new: self.emit.thread(switched.new_tid),
                    old: self.emit.thread(switched.old_tid),
                    new_priority: switched.new_priority,
                    old_state: switched.old_state,
                    old_wait_reason: switched.old_wait_reason,
                    begins: switched.begins,
                };
                self.emit.sinks.switch(&switch);
            }
            Replayed::Counted(counted) => self.emit.sinks.counted(ts_ns, counted.values()),
            Replayed::RunBefore(run) => {
                let thread = self.emit.thread(run.thread.tid);
                self.emit.sinks.run_before(&RunBefore { thread, ..*run });
            }
            Replayed::RunUnknown(cpu) => self.emit.run_unknown(ts_ns, *cpu),
            Replayed::Ready(tid, woken) => {
                let waker_is_alive = self.lives.pid_of(self.lifetimes, woken.waker_tid, Some(0));
                let waker_tid = waker_is_alive.map_or(0, |_| woken.waker_tid);
                let ready = Ready {
                    ts_ns,
                    cpu: woken.cpu,
                    thread: self.emit.thread(*tid),
                    waker: self.emit.thread(waker_tid),
                };
                self.emit.sinks.ready(&ready);
            }
        }
    }
}
