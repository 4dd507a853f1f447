//! What ETW tells of a profile sample beside thread and stack, packed into 53 bits.
//!
//! Layout: `docs/encoding.md`, "Profile samples". 53 bits, because the engine keeps counters as doubles.

use etw::SampledProfile;

const RANK_NOT_RECORDED: u8 = 255;

/// Packs a sample; `interval` is the time to the next one in units of 100 ns, 0 where it is not known.
pub fn sample_value(sample: &SampledProfile, interval: u32) -> u64 {
    u64::from(sample.rank.unwrap_or(RANK_NOT_RECORDED))
        | u64::from(sample.priority.unwrap_or(0) & 31) << 8
        | u64::from(sample.priority.is_some()) << 13
        | u64::from(sample.in_dpc) << 14
        | u64::from(sample.in_isr) << 15
        | u64::from(interval) << 16
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
    };

    #[test]
    fn every_field_stands_at_its_bits() {
        let expected = 2 | 14 << 8 | 1 << 13 | 1 << 14 | 10_000 << 16;
        assert_eq!(sample_value(&SAMPLE, 10_000), expected);
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
