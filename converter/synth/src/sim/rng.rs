//! A small deterministic random generator, SplitMix64 (public domain, Sebastiano Vigna).

use std::ops::Range;

/// The generator; the same seed gives the same numbers on every machine.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// Starts from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number less than this; 0 if there is none.
    pub fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.bits() % u64::from(end.max(1))).unwrap_or(0)
    }

    /// A number of the range, its start if it is empty.
    pub fn within(&mut self, range: Range<i64>) -> i64 {
        let width = range.end.saturating_sub(range.start).max(1);
        range.start + i64::try_from(self.bits() % width.unsigned_abs()).unwrap_or(0)
    }

    /// A number of the range, small ones as likely by decade as large ones; the range must start above 0.
    pub fn log_within(&mut self, range: &Range<i64>) -> i64 {
        let (low, high) = ((range.start as f64).ln(), (range.end as f64).ln());
        let value = (low + (high - low) * self.fraction()).exp() as i64;
        value.clamp(range.start, range.end - 1)
    }

    /// An exponentially distributed time of this mean, at least 1.
    pub fn exponential(&mut self, mean: i64) -> i64 {
        let value = -(1.0 - self.fraction()).ln() * mean as f64;
        (value as i64).max(1)
    }

    fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
