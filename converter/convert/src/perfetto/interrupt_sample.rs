//! The interrupt sample: which routine an interrupt ran and for how long, packed into 53 bits.
//!
//! Layout: `docs/encoding.md`, "Interrupts". 53 bits, because the engine keeps counters as doubles.

use facts::InterruptRoutine;

const NUMBER_BITS: u32 = 17;
const _: () = assert!(InterruptRoutine::NUMBER_MAX < 1 << NUMBER_BITS);
/// The longest duration that a sample has room for, 68.7 s. A longer one is also written in an event of its own.
pub(super) const DUR_MAX_NS: u64 = (1 << 36) - 1;

/// Packs the number of a routine, and a duration.
pub(super) fn interrupt_sample(number: u32, dur_ns: u64) -> u64 {
    u64::from(number) | dur_ns.min(DUR_MAX_NS) << NUMBER_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_holds_number_and_duration_and_is_exact_in_a_double() {
        assert_eq!(interrupt_sample(3, 5), 3 | 5 << 17);
        assert_eq!(
            interrupt_sample(InterruptRoutine::NUMBER_MAX, u64::MAX),
            (1 << 53) - 1
        );
    }
}
