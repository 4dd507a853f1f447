//! The run sample: what ETW says about a thread's stay on a CPU, packed into 53 bits.
//!
//! Layout: `docs/encoding.md`, "The run sample". 53 bits, because the engine keeps counters as doubles.

use facts::{RunEnd, RunOutlook};

const STATE_OPEN: u8 = 15;
const READY_INCREMENT_ZERO: i16 = 32;
/// In place of a rank or a C-state.
pub(super) const NOT_RECORDED: u8 = 255;

/// Packs a run.
#[inline]
pub(super) fn run_sample(run: &RunOutlook) -> u64 {
    let (start, end) = (&run.start, run.end.as_ref());
    let mut bits = Bits::default();
    bits.put(
        8,
        u64::from(end.and_then(|end| end.rank).unwrap_or(NOT_RECORDED)),
    );
    bits.put(5, end.map_or(0, |end| clamp(end.priority, 31)));
    bits.put(
        6,
        end.map_or(RunEnd::WAIT_REASON_NONE, |end| {
            end.wait_reason.min(RunEnd::WAIT_REASON_NONE)
        })
        .into(),
    );
    bits.put(1, end.map_or(0, |end| u64::from(end.wait_mode)));
    bits.put(
        4,
        end.map_or(STATE_OPEN, |end| end.state.min(RunEnd::STATE_NOT_RECORDED))
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
    use etw::ReadyThread;
    use facts::RunStart;

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

    fn packed(start: RunStart, end: Option<RunEnd>) -> u64 {
        run_sample(&RunOutlook {
            start,
            end,
            rank_before: None,
        })
    }

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
        assert_eq!(packed(start, Some(END)), expected);
    }

    #[test]
    fn an_open_run_says_that_nothing_is_known_of_its_end() {
        let expected = 255 | 63 << 13 | 15 << 20 | 32 << 32 | 255 << 45;
        assert_eq!(packed(RunStart::default(), None), expected);
    }

    #[test]
    fn the_end_by_a_compact_switch_has_a_priority_and_no_more() {
        let end = RunEnd {
            rank: None,
            wait_reason: RunEnd::WAIT_REASON_NONE,
            wait_mode: 0,
            state: RunEnd::STATE_NOT_RECORDED,
            qos: 0,
            ..END
        };
        let expected = 255 | 14 << 8 | 63 << 13 | 14 << 20 | 32 << 32 | 255 << 45;
        assert_eq!(packed(RunStart::default(), Some(end)), expected);
    }

    #[test]
    fn the_largest_value_is_exact_in_a_double() {
        let end = RunEnd {
            rank: None,
            priority: 31,
            wait_reason: 255,
            state: RunEnd::STATE_NOT_RECORDED,
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
        assert_eq!(packed(start, Some(end)), all_but_the_lowest_of_state);
    }
}
