//! What the hardware counters (PMC) of a processor had counted when an event was recorded.

use etl::Event;
use etw::{COUNTERS_MAX, CounterConfig, Wide};

/// The engine keeps counters as doubles.
const COUNTED_MAX: u64 = 1 << 53;

/// The counters of one header, in its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    values: [u64; COUNTERS_MAX],
    count: usize,
}

impl Counters {
    /// Those in the header of an event; `None` if it has none.
    #[inline]
    pub fn of(event: &Event<'_>) -> Option<Self> {
        let mut counters = Self::default();
        for (value, counter) in counters.values.iter_mut().zip(event.hardware_counters()) {
            *value = counter;
            counters.count += 1;
        }
        (counters.count > 0).then_some(counters)
    }

    /// Those that are there, in the header's order.
    pub fn values(&self) -> &[u64] {
        self.values.get(..self.count).unwrap_or_default()
    }

    /// How far each came since `before`; `None` for all if one of them went back, is not there, or came farther than the engine
    /// can tell: then the counters were programmed anew meanwhile.
    pub fn since(&self, before: &Self) -> Option<Self> {
        let mut counted = *self;
        for (value, before) in counted.values.iter_mut().zip(before.values) {
            let counted = value.checked_sub(before);
            *value = counted.filter(|counted| *counted < COUNTED_MAX)?;
        }
        (self.count == before.count).then_some(counted)
    }
}

/// What the session calls its counters, in the order of the headers; the last event that tells it counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CounterNames {
    told_raw: i64,
    /// The names.
    pub names: Vec<String>,
}

impl CounterNames {
    /// Those that an event tells.
    pub fn of(event: &Event<'_>) -> Option<Self> {
        let config = CounterConfig::decode(event.payload).ok()?;
        Some(Self {
            told_raw: event.timestamp,
            names: config.names().map(Wide::to_text).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counters(values: &[u64]) -> Counters {
        let mut counters = Counters::default();
        for (to, from) in counters.values.iter_mut().zip(values) {
            *to = *from;
        }
        counters.count = values.len();
        counters
    }

    #[test]
    fn what_was_counted_is_the_difference() {
        let (before, after) = (counters(&[10, 500]), counters(&[13, 500]));
        assert_eq!(after.since(&before), Some(counters(&[3, 0])));
    }

    #[test]
    fn counters_that_were_programmed_anew_tell_nothing() {
        let before = counters(&[10, 500]);
        assert_eq!(counters(&[13, 20]).since(&before), None);
        assert_eq!(counters(&[13]).since(&before), None);
        assert_eq!(counters(&[13, 600, 1]).since(&before), None);
    }
}
