//! One CPU's open bundle of scheduling events.

use crate::field::{c_switch, etw_bundle, etw_event, packet, ready_thread, trace};
use crate::wire::{LongMessage, Wire};

/// Events after which a bundle is written out.
const EVENTS_MAX: u32 = 256;

/// A context switch as Perfetto's importer reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextSwitch {
    /// The thread switched in; 0 is the idle thread.
    pub new_tid: u32,
    /// The thread switched out; 0 is the idle thread.
    pub old_tid: u32,
    /// Priority of the thread switched in, 0 to 31.
    pub new_priority: i8,
    /// `KTHREAD_STATE` of the thread switched out, 0 to 7; the importer takes no others.
    pub old_state: u8,
    /// `KWAIT_REASON` of the thread switched out.
    pub old_wait_reason: u8,
}

/// Scheduling events of one CPU, not yet written out.
#[derive(Debug, Default)]
pub(crate) struct EtwBundle {
    events: Vec<u8>,
    count: u32,
}

impl EtwBundle {
    #[inline]
    pub fn context_switch(&mut self, ts_ns: u64, switch: &ContextSwitch) {
        self.count += 1;
        self.events.short_message(etw_bundle::EVENT, |event| {
            event.uint(etw_event::TIMESTAMP, ts_ns);
            event.short_message(etw_event::C_SWITCH, |m| {
                m.uint(c_switch::NEW_THREAD_ID, u64::from(switch.new_tid));
                m.uint(c_switch::OLD_THREAD_ID, u64::from(switch.old_tid));
                m.sint(
                    c_switch::NEW_THREAD_PRIORITY,
                    i64::from(switch.new_priority),
                );
                m.uint(c_switch::OLD_THREAD_STATE, u64::from(switch.old_state));
                m.uint(
                    c_switch::OLD_THREAD_WAIT_REASON_INT,
                    u64::from(switch.old_wait_reason),
                );
            });
        });
    }

    #[inline]
    pub fn ready_thread(&mut self, ts_ns: u64, readied_tid: u32, waker_tid: u32) {
        self.count += 1;
        self.events.short_message(etw_bundle::EVENT, |event| {
            event.uint(etw_event::TIMESTAMP, ts_ns);
            event.uint(etw_event::THREAD_ID, u64::from(waker_tid));
            event.short_message(etw_event::READY_THREAD, |m| {
                m.uint(ready_thread::T_THREAD_ID, u64::from(readied_tid));
            });
        });
    }

    pub fn is_full(&self) -> bool {
        self.count >= EVENTS_MAX
    }

    /// Writes the bundle as one packet and empties it, keeping its memory.
    pub fn write_out(&mut self, cpu: u16, out: &mut Vec<u8>) {
        if self.count == 0 {
            return;
        }
        out.message(trace::PACKET, |p| {
            p.message(packet::ETW_EVENTS, |bundle| {
                bundle.uint(etw_bundle::CPU, u64::from(cpu));
                bundle.extend_from_slice(&self.events);
            });
        });
        self.events.clear();
        self.count = 0;
    }
}
