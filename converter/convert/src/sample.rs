//! What ETW says about a profile sample, or about the event of a stack, packed into 53 bits. Thread and stack are not
//! packed.
//!
//! Layout: `docs/encoding.md`, "Profile samples" and "Stacks of events". 53 bits, because the engine keeps counters as
//! doubles.

use etw::{ProfileInterval, SampledProfile};
use facts::StackOf;

const RANK_NOT_RECORDED: u8 = 255;

/// Packs a sample; `interval` is the time to the next one in units of 100 ns, or for a hardware counter the events
/// counted up to it; 0 where it is not known.
pub fn sample_value(sample: &SampledProfile, interval: u32) -> u64 {
    if sample.source != ProfileInterval::TIMER {
        return IS_COUNTERS | u64::from(sample.source & 0xFFFF) | u64::from(interval) << 16;
    }
    u64::from(sample.rank.unwrap_or(RANK_NOT_RECORDED))
        | u64::from(sample.priority.unwrap_or(0) & 31) << 8
        | u64::from(sample.priority.is_some()) << 13
        | u64::from(sample.in_dpc) << 14
        | u64::from(sample.in_isr) << 15
        | u64::from(interval) << 16
}

const IS_STACK: u64 = 1 << 48;
const IS_COUNTERS: u64 = 1 << 49;
const IS_KERNEL_EVENT: u64 = 1 << 16;
const IS_PROVIDER_EVENT: u64 = 1 << 17;
const HAS_CPU: u64 = 1 << 18;

/// Packs what a stack belongs to; `has_cpu` where the CPU is known.
pub fn stack_value(of: StackOf, has_cpu: bool) -> u64 {
    let of = match of {
        StackOf::Unknown => 0,
        StackOf::Kernel(hook) => u64::from(hook) | IS_KERNEL_EVENT,
        StackOf::Provider => IS_PROVIDER_EVENT,
    };
    IS_STACK | of | if has_cpu { HAS_CPU } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: SampledProfile = SampledProfile {
        instruction_pointer: 0x1000,
        is_kernel: false,
        tid: 8,
        in_dpc: true,
        in_isr: false,
        priority: Some(14),
        rank: Some(2),
        source: ProfileInterval::TIMER,
    };

    #[test]
    fn every_field_stands_at_its_bits() {
        let expected = 2 | 14 << 8 | 1 << 13 | 1 << 14 | 10_000 << 16;
        assert_eq!(sample_value(&SAMPLE, 10_000), expected);
    }

    #[test]
    fn a_sample_of_a_hardware_counter_tells_which() {
        let counters = SampledProfile {
            source: 19,
            ..SAMPLE
        };
        assert_eq!(sample_value(&counters, 65_536), 1 << 49 | 19 | 1 << 32);
    }

    #[test]
    fn a_stack_tells_of_its_event() {
        let switch = stack_value(StackOf::Kernel(0x0524), true);
        assert_eq!(switch, 1 << 48 | 1 << 18 | 1 << 16 | 0x0524);
        assert_eq!(stack_value(StackOf::Provider, false), 1 << 48 | 1 << 17);
        assert_eq!(stack_value(StackOf::Unknown, false), 1 << 48);
    }

    #[test]
    fn what_is_not_recorded_says_so() {
        let old = SampledProfile {
            priority: None,
            rank: None,
            in_dpc: false,
            in_isr: true,
            ..SAMPLE
        };
        assert_eq!(sample_value(&old, 0), 255 | 1 << 15);
    }
}
