//! What is noted of one buffer: when its events are, what its context switches say, and what is wrong with it.

use etl::{Buffer, OddTimes};
use etw::ContextSwitch;
use facts::RunEnd;

use super::compact_scan::CompactScan;

/// What pass 2 must know of a buffer before it comes to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct BufferScan {
    /// Raw times of the first and the last event; `None` without events.
    pub times: Option<(i64, i64)>,
    /// What the first context switch says about the run that it ended.
    pub first_switch: Option<RunEnd>,
    /// Raw time of the first context switch.
    pub first_switch_raw: Option<i64>,
    /// Raw time of the last context switch.
    pub last_switch_raw: Option<i64>,
    /// The thread that the last context switch planned to switch in.
    pub last_planned_tid: Option<u32>,
    /// Compact context switches, which are not among these.
    pub compact: Option<CompactScan>,
    /// The rest of the buffer could not be read.
    pub is_cut: bool,
    /// Events whose times cannot be right.
    pub odd_times: OddTimes,
}

impl BufferScan {
    /// Of no event yet.
    pub fn new(buffer: &Buffer) -> Self {
        let mut damage = buffer.damage().iter();
        Self {
            is_cut: buffer.info().is_cut || damage.any(|damage| damage.kind.loses_events()),
            odd_times: buffer.odd_times(),
            ..Self::default()
        }
    }

    /// Goes on to an event at a raw time.
    pub fn pass(&mut self, raw: i64) {
        let first = self.times.map_or(raw, |(first, _)| first);
        self.times = Some((first, raw));
    }

    /// Takes in a context switch at a raw time.
    pub fn switch(&mut self, raw: i64, switch: &ContextSwitch) {
        self.first_switch.get_or_insert_with(|| RunEnd::of(switch));
        self.first_switch_raw.get_or_insert(raw);
        self.last_switch_raw = Some(raw);
        self.last_planned_tid = Some(switch.new_tid);
    }
}
