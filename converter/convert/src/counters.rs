//! What the hardware counters (PMC) of a processor had counted when an event was recorded.

use etl::Event;
use etw::{COUNTERS_MAX, CounterConfig, Wide};
use facts::{CounterSource, Run, RunCounter};

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

    /// What each counted in a run, where these tell how far they came in it.
    pub fn in_run(&self, run: &Run) -> impl Iterator<Item = RunCounter> {
        let numbered = (1..).zip(self.values());
        numbered.map(|(counter, &counted)| RunCounter {
            run: *run,
            counter,
            counted,
        })
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

/// The counters that counted in some run.
#[derive(Clone, Copy, Debug)]
pub struct RunSources<'a> {
    /// What the session calls its counters, as far as it tells.
    names: &'a [String],
    count: usize,
}

impl<'a> RunSources<'a> {
    /// None yet, of a session that calls its counters so.
    pub const fn new(names: &'a [String]) -> Self {
        Self { names, count: 0 }
    }

    /// Takes in those that counted in a run.
    pub fn see(&mut self, counted: &Counters) {
        self.count = self.count.max(counted.count);
    }

    /// All of them.
    pub fn all(self) -> impl Iterator<Item = CounterSource> {
        let names = self.names.iter().map(|name| Some(name.as_str()));
        let names = names.chain(std::iter::repeat(None));
        (1..).zip(names).take(self.count).map(|(counter, name)| {
            let name = name.map_or_else(|| format!("counter {counter}"), str::to_owned);
            CounterSource {
                counter,
                name: name.into(),
            }
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

    #[test]
    fn a_counter_that_the_session_does_not_name_is_called_by_its_number() {
        let names = ["TotalCycles".to_owned()];
        let mut sources = RunSources::new(&names);
        assert_eq!(sources.all().next(), None);
        sources.see(&counters(&[7, 8]));
        sources.see(&counters(&[9]));
        let named = sources
            .all()
            .map(|source| (source.counter, source.name.into_string()));
        assert_eq!(
            named.collect::<Vec<_>>(),
            [(1, "TotalCycles".into()), (2, "counter 2".into())]
        );
    }
}
