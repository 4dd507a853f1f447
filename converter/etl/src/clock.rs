//! From raw timestamps to nanoseconds (§3).

const NS_PER_S: u64 = 1_000_000_000;
/// 1970-01-01 as a FILETIME (100 ns units since 1601-01-01).
const UNIX_EPOCH_FILETIME: i64 = 116_444_736_000_000_000;
/// 2100-01-01 as a FILETIME.
const YEAR_2100_FILETIME: i64 = 157_469_184_000_000_000;
const SECONDS_PER_YEAR: u64 = 366 * 24 * 3600;

/// The clock that timestamps of a session are read from (`ReservedFlags` of the log-file header).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockType {
    /// The performance counter.
    Qpc,
    /// System time: timestamps are FILETIMEs.
    SystemTime,
    /// The processor's cycle counter.
    CpuCycles,
}

/// Converts raw timestamps of one trace. Exact: rounded down to whole nanoseconds, never by floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Where the raw timestamps come from.
    pub clock_type: ClockType,
    /// Ticks per second of the raw timestamps; at least 1.
    pub ticks_per_s: u64,
    /// Raw timestamp of the log file header's event, the zero of [`Clock::ns_since_start`].
    pub start_raw: i64,
    /// Unix time of `start_raw` in ns; `None` where the header holds no plausible start time.
    pub start_utc_ns: Option<i64>,
    /// Nanoseconds per tick where that is a whole number, otherwise 0.
    ns_per_tick: u64,
}

impl Clock {
    pub(crate) fn new(
        clock_type: ClockType,
        ticks_per_s: u64,
        start_raw: i64,
        start_filetime: i64,
    ) -> Self {
        let ticks_per_s = ticks_per_s.max(1);
        let whole = NS_PER_S.is_multiple_of(ticks_per_s);
        Self {
            clock_type,
            ticks_per_s,
            start_raw,
            start_utc_ns: filetime_to_unix_ns(start_filetime),
            ns_per_tick: if whole { NS_PER_S / ticks_per_s } else { 0 },
        }
    }

    /// Nanoseconds from the log file header's event to `raw`; 0 for a timestamp before it.
    #[inline]
    pub fn ns_since_start(&self, raw: i64) -> u64 {
        let ticks = i128::from(raw) - i128::from(self.start_raw);
        self.ticks_to_ns(u64::try_from(ticks.max(0)).unwrap_or(u64::MAX))
    }

    /// A duration in ticks as nanoseconds; saturates at `u64::MAX` (584 years).
    #[inline]
    pub fn ticks_to_ns(&self, ticks: u64) -> u64 {
        if self.ns_per_tick != 0 {
            return ticks.saturating_mul(self.ns_per_tick);
        }
        let seconds = ticks / self.ticks_per_s;
        let rest = ticks % self.ticks_per_s;
        let rest_ns = match rest.checked_mul(NS_PER_S) {
            Some(product) => product / self.ticks_per_s,
            None => wide_rest_ns(rest, self.ticks_per_s),
        };
        seconds.saturating_mul(NS_PER_S).saturating_add(rest_ns)
    }

    /// The first raw timestamp that is at least `ns` after the log file header's event; saturates.
    pub fn first_raw_at(&self, ns: u64) -> i64 {
        let ticks = (u128::from(ns) * u128::from(self.ticks_per_s)).div_ceil(NS_PER_S.into());
        self.start_raw
            .saturating_add_unsigned(u64::try_from(ticks).unwrap_or(u64::MAX))
    }

    /// Unix time in ns of a raw timestamp; `None` where the trace does not tell when it started.
    pub fn utc_ns(&self, raw: i64) -> Option<i64> {
        let since_start = i64::try_from(self.ns_since_start(raw)).ok()?;
        self.start_utc_ns?.checked_add(since_start)
    }

    /// The first raw timestamp that no event of a real trace can have: a year after the start (§7 row 23).
    pub fn absurd_after_raw(&self) -> i64 {
        let ticks = self.ticks_per_s.saturating_mul(SECONDS_PER_YEAR);
        self.start_raw.saturating_add_unsigned(ticks)
    }
}

#[cold]
fn wide_rest_ns(rest: u64, ticks_per_s: u64) -> u64 {
    let ns = u128::from(rest) * u128::from(NS_PER_S) / u128::from(ticks_per_s);
    u64::try_from(ns).unwrap_or(u64::MAX)
}

/// Unix time in ns of a FILETIME; `None` for 0 and for a time before 1970 or after 2099 (§7 row 16).
pub(crate) fn filetime_to_unix_ns(filetime: i64) -> Option<i64> {
    (UNIX_EPOCH_FILETIME..YEAR_2100_FILETIME)
        .contains(&filetime)
        .then(|| (filetime - UNIX_EPOCH_FILETIME) * 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ten_megahertz_ticks_are_100_ns() {
        let clock = Clock::new(ClockType::Qpc, 10_000_000, 1000, UNIX_EPOCH_FILETIME + 5);
        assert_eq!(clock.ns_since_start(1000), 0);
        assert_eq!(clock.ns_since_start(1003), 300);
        assert_eq!(clock.ns_since_start(999), 0);
        assert_eq!(clock.utc_ns(1003), Some(800));
    }

    #[test]
    fn implausible_start_times_give_no_utc() {
        for start in [0, -1, UNIX_EPOCH_FILETIME - 1, YEAR_2100_FILETIME, i64::MAX] {
            assert_eq!(Clock::new(ClockType::Qpc, 1, 0, start).utc_ns(0), None);
        }
    }

    #[test]
    fn extremes_saturate() {
        let clock = Clock::new(ClockType::CpuCycles, 0, i64::MIN, 0);
        assert_eq!(clock.ns_since_start(i64::MAX), u64::MAX);
        assert_eq!(clock.absurd_after_raw(), i64::MIN + 366 * 24 * 3600);
    }

    #[test]
    fn the_first_tick_at_a_time_is_not_before_it() {
        let clock = Clock::new(ClockType::Qpc, 3_000_000, 1000, 0);
        assert_eq!(
            [0, 1, 333, 334].map(|ns| clock.first_raw_at(ns)),
            [1000, 1001, 1001, 1002]
        );
        assert_eq!(clock.first_raw_at(u64::MAX), 1000 + 55_340_232_221_128_655);
    }

    proptest! {
        #[test]
        fn agrees_with_128_bit_arithmetic(ticks in 0u64..1 << 62, hz in 1u64..1 << 40) {
            let clock = Clock::new(ClockType::Qpc, hz, 0, 0);
            let exact = u128::from(ticks) * 1_000_000_000 / u128::from(hz);
            prop_assert_eq!(u128::from(clock.ticks_to_ns(ticks)), exact.min(u128::from(u64::MAX)));
        }
    }
}
