//! The run sample: what ETW tells of a thread's stay on a CPU, packed into 53 bits.
//!
//! Layout: `docs/encoding.md`, "The run sample". 53 bits, because the engine keeps counters as doubles.

use etw::{CompactSwitch, ContextSwitch, ReadyThread};

/// The end of a run, as the context switch that ended it tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunEnd {
    /// The thread that ran; 0 is the idle thread.
    pub tid: u32,
    /// Its rank; `None` where that was not recorded.
    pub rank: Option<u8>,
    priority: i8,
    wait_reason: u8,
    wait_mode: u8,
    /// `KTHREAD_STATE` that the thread went into, or [`STATE_NOT_RECORDED`].
    pub state: u8,
    qos: u8,
}

impl RunEnd {
    /// The end of the old thread's run.
    pub fn of(switch: &ContextSwitch) -> Self {
        Self {
            tid: switch.old_tid,
            rank: switch.old_rank,
            priority: switch.old_priority,
            wait_reason: switch.old_wait_reason,
            wait_mode: switch.old_wait_mode,
            state: switch.old_state.min(STATE_NOT_RECORDED - 1),
            qos: switch.old_qos,
        }
    }

    /// The end of the run of a thread that leaves, as a compact switch tells; `None` if that does not tell which.
    pub fn of_compact(switch: &CompactSwitch) -> Option<Self> {
        Some(Self {
            tid: switch.old_tid?,
            rank: None,
            priority: switch.old_priority,
            wait_reason: WAIT_REASON_NONE,
            wait_mode: 0,
            state: STATE_NOT_RECORDED,
            qos: 0,
        })
    }

    /// Priority at switch-out.
    pub fn priority(&self) -> i8 {
        self.priority
    }

    /// QoS level at switch-out; 0 where the event has none.
    pub fn qos(&self) -> u8 {
        self.qos
    }
}

/// How a run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunStart {
    /// The ready event that led to it.
    pub ready: Option<ReadyThread>,
    /// Part of the priority that is a boost which will decay.
    pub priority_decrement: i8,
    /// C-state of the idle spell before.
    pub c_state: Option<u8>,
    /// QoS level, where it is recorded.
    pub qos: Option<u8>,
}

impl RunStart {
    /// The QoS level, unless the end of the run tells the same.
    pub fn other_qos(&self, end: Option<&RunEnd>) -> Option<u8> {
        self.qos.filter(|qos| end.map(RunEnd::qos) != Some(*qos))
    }
}

/// In place of a state: the run has ended, but not what its thread went into is recorded.
pub const STATE_NOT_RECORDED: u8 = 14;
const STATE_OPEN: u8 = 15;
const WAIT_REASON_NONE: u8 = 63;
const READY_INCREMENT_ZERO: i16 = 32;
/// In place of a rank or a C-state.
pub const NOT_RECORDED: u8 = 255;

/// Packs a run; `end` is `None` where the run is still open when the trace or the CPU's stream ends.
#[inline]
pub fn run_sample(start: &RunStart, end: Option<&RunEnd>) -> u64 {
    let mut bits = Bits::default();
    bits.put(
        8,
        u64::from(end.and_then(|end| end.rank).unwrap_or(NOT_RECORDED)),
    );
    bits.put(5, end.map_or(0, |end| clamp(end.priority, 31)));
    bits.put(
        6,
        end.map_or(WAIT_REASON_NONE, |end| {
            end.wait_reason.min(WAIT_REASON_NONE)
        })
        .into(),
    );
    bits.put(1, end.map_or(0, |end| u64::from(end.wait_mode)));
    bits.put(
        4,
        end.map_or(STATE_OPEN, |end| end.state.min(STATE_NOT_RECORDED))
            .into(),
    );
    bits.put(3, end.map_or(0, |end| u64::from(end.qos)));
    let increment = start
        .ready
        .map_or(0, |ready| i16::from(ready.adjust_increment));
    bits.put(
        5,
        start.ready.map_or(0, |ready| u64::from(ready.flags) & 31),
    );
    bits.put(
        6,
        (increment + READY_INCREMENT_ZERO)
            .clamp(0, 63)
            .unsigned_abs()
            .into(),
    );
    bits.put(
        2,
        start
            .ready
            .map_or(0, |ready| u64::from(ready.adjust_reason).min(3)),
    );
    bits.put(5, clamp(start.priority_decrement, 31));
    bits.put(8, u64::from(start.c_state.unwrap_or(NOT_RECORDED)));
    bits.value
}

fn clamp(value: i8, max: i8) -> u64 {
    value.clamp(0, max).unsigned_abs().into()
}

#[derive(Default)]
struct Bits {
    value: u64,
    width: u32,
}

impl Bits {
    #[inline]
    fn put(&mut self, width: u32, value: u64) {
        debug_assert!(value < 1 << width);
        self.value |= value << self.width;
        self.width += width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: RunEnd = RunEnd {
        tid: 8,
        rank: Some(2),
        priority: 14,
        wait_reason: 6,
        wait_mode: 1,
        state: 5,
        qos: 3,
    };

    #[test]
    fn every_field_stands_at_its_bits() {
        let ready = ReadyThread {
            tid: 8,
            adjust_reason: 1,
            adjust_increment: -2,
            flags: ReadyThread::FROM_DPC | ReadyThread::DIRECT_SWITCH_ATTEMPT,
        };
        let start = RunStart {
            ready: Some(ready),
            priority_decrement: 4,
            c_state: Some(1),
            qos: None,
        };
        let expected = 2
            | 14 << 8
            | 6 << 13
            | 1 << 19
            | 5 << 20
            | 3 << 24
            | 9 << 27
            | 30 << 32
            | 1 << 38
            | 4 << 40
            | 1 << 45;
        assert_eq!(run_sample(&start, Some(&END)), expected);
    }

    #[test]
    fn an_open_run_says_that_nothing_is_known_of_its_end() {
        let expected = 255 | 63 << 13 | 15 << 20 | 32 << 32 | 255 << 45;
        assert_eq!(run_sample(&RunStart::default(), None), expected);
    }

    #[test]
    fn the_end_by_a_compact_switch_has_a_priority_and_no_more() {
        let switch = CompactSwitch {
            raw: 0,
            old_tid: Some(8),
            old_priority: 14,
        };
        let end = RunEnd::of_compact(&switch).unwrap();
        let expected = 255 | 14 << 8 | 63 << 13 | 14 << 20 | 32 << 32 | 255 << 45;
        assert_eq!(run_sample(&RunStart::default(), Some(&end)), expected);
        let unnamed = CompactSwitch {
            old_tid: None,
            ..switch
        };
        assert_eq!(RunEnd::of_compact(&unnamed), None);
    }

    #[test]
    fn the_largest_value_is_exact_in_a_double() {
        let end = RunEnd {
            rank: None,
            priority: 31,
            wait_reason: 255,
            state: STATE_NOT_RECORDED,
            qos: 7,
            ..END
        };
        let ready = ReadyThread {
            tid: 8,
            adjust_reason: 255,
            adjust_increment: 127,
            flags: 255,
        };
        let start = RunStart {
            ready: Some(ready),
            priority_decrement: 127,
            c_state: None,
            qos: None,
        };
        let all_but_the_lowest_of_state = (1 << 53) - 1 - (1 << 20);
        assert_eq!(run_sample(&start, Some(&end)), all_but_the_lowest_of_state);
    }
}
