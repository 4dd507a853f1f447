//! A context switch and the event that records it.

use std::io::{Seek, Write};

use super::{Machine, QUANTUM};
use crate::events::scheduler::{ContextSwitch, RankOrCState, ThreadState, WaitReason};
use crate::file::writer::WriteError;
use crate::sim::arena::Key;
use crate::sim::thread::{State, Thread};

const CONTEXT_SWITCH_VERSION: u8 = 4;
const CLOCK_INTERVAL: i64 = 156_250;

impl<W: Write + Seek> Machine<W> {
    pub(super) fn switch(
        &mut self,
        cpu: u16,
        new: Option<Key<Thread>>,
        old_state: ThreadState,
        reason: WaitReason,
    ) -> Result<(), WriteError> {
        let now = self.now;
        let Some(place) = self.cpus.get_mut(usize::from(cpu)) else {
            return Ok(());
        };
        let idle_ticks = now - place.idle_since;
        let old = std::mem::replace(&mut place.running, new);
        place.run += 1;
        place.charged_until = now;
        if new.is_none() {
            place.idle_since = now;
        }
        let mut event = ContextSwitch {
            version: CONTEXT_SWITCH_VERSION,
            new_tid: 0,
            old_tid: 0,
            new_priority: 0,
            old_priority: 0,
            rank_or_c_state: RankOrCState::CState(c_state(idle_ticks)),
            new_priority_decrement: 0,
            old_wait_reason: WaitReason::Executive as u8,
            old_wait_mode: 0,
            old_qos: 0,
            new_qos: 0,
            old_state: ThreadState::Running,
            old_ideal_cpu: u8::try_from(cpu % 256).unwrap_or(0),
            new_wait_time: 1,
            old_remaining_quantum: 0,
        };
        if let Some(thread) = old.map(|key| &self.threads[key]) {
            event.old_tid = thread.info.tid;
            event.old_priority = thread.priority;
            event.rank_or_c_state = RankOrCState::Rank(thread.rank);
            event.old_wait_reason = reason as u8;
            event.old_wait_mode = u8::from(is_user_wait(reason));
            event.old_qos = thread.qos;
            event.old_state = old_state;
            event.old_ideal_cpu =
                thread.ideal_cpu % u8::try_from(self.cpus.len()).unwrap_or(u8::MAX).max(1);
            event.old_remaining_quantum =
                i32::try_from(thread.quantum_left.max(0) / 1000).unwrap_or(0);
        }
        if let Some(thread) = new.map(|key| &mut self.threads[key]) {
            thread.state = State::Running;
            if thread.quantum_left <= 0 {
                thread.quantum_left = QUANTUM;
            }
            event.new_tid = thread.info.tid;
            event.new_priority = thread.priority;
            event.new_priority_decrement = thread.boost();
            event.new_qos = thread.qos;
            let waited = now.saturating_sub(thread.waiting_since) / CLOCK_INTERVAL;
            event.new_wait_time = u32::try_from(waited).unwrap_or(u32::MAX).max(1);
        }
        if let Some(key) = old {
            self.watch.switched_out(key, now);
        }
        if let Some(key) = new {
            self.watch.switched_in(key, now, cpu, &self.threads[key]);
        }
        self.switches += u64::from(self.log.is_on());
        self.log.context_switch(cpu, now, &event)
    }
}

/// The deeper the longer the processor idled.
const fn c_state(idle_ticks: i64) -> u8 {
    match idle_ticks {
        ..1_000 => 0,
        1_000..20_000 => 1,
        _ => 2,
    }
}

const fn is_user_wait(reason: WaitReason) -> bool {
    matches!(
        reason,
        WaitReason::UserRequest
            | WaitReason::WrQueue
            | WaitReason::WrLpcReply
            | WaitReason::WrAlertByThreadId
    )
}
