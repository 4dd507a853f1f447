//! How busy the CPUs were over time, and how many events there are: what a part of a long trace is chosen by.

use crate::streams::{BufferScan, Streams};

/// Buckets at most; when time goes beyond them, each two become one.
const BUCKETS_MAX: usize = 1024;

/// One stretch of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bucket {
    /// Events of all kinds.
    pub events: u64,
    /// Context switches.
    pub context_switches: u64,
    /// Ticks in which CPUs ran other threads than their idle thread, all CPUs together.
    pub busy_ticks: u64,
}

/// Buckets of equal width from the start of the trace on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    is_wanted: bool,
    start_raw: i64,
    /// The width of a bucket is 2 to this power, in ticks.
    shift: u32,
    buckets: Vec<Bucket>,
}

impl Timeline {
    /// Nothing counted yet; nothing is, where it is not wanted.
    pub fn new(start_raw: i64, is_wanted: bool) -> Self {
        Self {
            is_wanted,
            start_raw,
            ..Self::default()
        }
    }

    /// Width of a bucket in ticks.
    pub fn bucket_ticks(&self) -> u64 {
        1 << self.shift
    }

    /// The buckets, up to the last that has something.
    pub fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    /// Counts an event.
    #[inline]
    pub fn event(&mut self, raw: i64) {
        if self.is_wanted {
            self.bucket(raw).events += 1;
        }
    }

    /// Counts a context switch.
    #[inline]
    pub fn context_switch(&mut self, raw: i64) {
        if self.is_wanted {
            self.bucket(raw).context_switches += 1;
        }
    }

    /// Adds a time in which a CPU was busy.
    #[inline]
    pub fn busy(&mut self, from_raw: i64, until_raw: i64) {
        if self.is_wanted {
            self.add_busy(from_raw, until_raw);
        }
    }

    fn add_busy(&mut self, from_raw: i64, until_raw: i64) {
        let mut from = from_raw.max(self.start_raw);
        // The last bucket first: then the width does not change on the way.
        self.bucket(until_raw);
        while from < until_raw {
            let width = self.bucket_ticks();
            let into = self.ticks(from) % width;
            let end = from.saturating_add_unsigned(width - into).min(until_raw);
            self.bucket(from).busy_ticks += end.abs_diff(from);
            from = end;
        }
    }

    fn ticks(&self, raw: i64) -> u64 {
        raw.max(self.start_raw).abs_diff(self.start_raw)
    }

    #[inline]
    fn bucket(&mut self, raw: i64) -> &mut Bucket {
        let ticks = self.ticks(raw);
        while ticks >> self.shift >= BUCKETS_MAX as u64 {
            self.widen();
        }
        let index = usize::try_from(ticks >> self.shift).unwrap_or(0);
        if self.buckets.len() <= index {
            self.buckets.resize(index + 1, Bucket::default());
        }
        #[expect(
            clippy::indexing_slicing,
            reason = "the vector was made long enough just above"
        )]
        &mut self.buckets[index]
    }

    fn widen(&mut self) {
        self.shift += 1;
        let pairs = self.buckets.chunks(2);
        self.buckets = pairs
            .map(|pair| {
                pair.iter()
                    .fold(Bucket::default(), |sum, each| sum.plus(*each))
            })
            .collect();
    }

    /// Adds what another part of the trace has.
    pub fn merge(mut self, mut other: Self) -> Self {
        if self.buckets.is_empty() {
            return other;
        }
        while self.shift < other.shift {
            self.widen();
        }
        while other.shift < self.shift {
            other.widen();
        }
        let longer = self.buckets.len().max(other.buckets.len());
        self.buckets.resize(longer, Bucket::default());
        for (sum, more) in self.buckets.iter_mut().zip(other.buckets) {
            *sum = sum.plus(more);
        }
        self
    }

    /// Adds the runs that go on from one buffer of a CPU to the next.
    pub fn add_runs_between(&mut self, scans: &[BufferScan], streams: &Streams) {
        for (index, scan) in scans.iter().enumerate() {
            let Some((until_raw, run)) = scan.first_switch_raw.zip(scan.first_switch) else {
                continue;
            };
            let mut at = index;
            let mut is_broken = false;
            let from_raw = loop {
                is_broken |= streams.links.get(at).is_some_and(|link| link.gap_before);
                let Some(previous) = streams.previous.get(at).copied().flatten() else {
                    break None;
                };
                if let Some(raw) = scans.get(previous).and_then(|scan| scan.last_switch_raw) {
                    break Some(raw);
                }
                at = previous;
            };
            if let Some(from_raw) = from_raw.filter(|_| run.tid != 0 && !is_broken) {
                self.busy(from_raw, until_raw);
            }
        }
    }
}

impl Bucket {
    fn plus(self, other: Self) -> Self {
        Self {
            events: self.events + other.events,
            context_switches: self.context_switches + other.context_switches,
            busy_ticks: self.busy_ticks.saturating_add(other.busy_ticks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(events: u64, context_switches: u64, busy_ticks: u64) -> Bucket {
        Bucket {
            events,
            context_switches,
            busy_ticks,
        }
    }

    #[test]
    fn buckets_widen_so_that_all_time_fits() {
        let mut timeline = Timeline::new(100, true);
        timeline.event(100);
        timeline.context_switch(100 + 1023);
        timeline.busy(100, 103);
        assert_eq!(
            (timeline.bucket_ticks(), timeline.buckets().len()),
            (1, 1024)
        );
        timeline.event(100 + 1024);
        assert_eq!(
            (timeline.bucket_ticks(), timeline.buckets().len()),
            (2, 513)
        );
        let first_and_last = [0, 1, 511, 512].map(|at: usize| timeline.buckets()[at]);
        let expected = [
            bucket(1, 0, 2),
            bucket(0, 0, 1),
            bucket(0, 1, 0),
            bucket(1, 0, 0),
        ];
        assert_eq!(first_and_last, expected);
    }

    #[test]
    fn parts_of_different_width_add_up() {
        let (mut short, mut long) = (Timeline::new(0, true), Timeline::new(0, true));
        short.event(3);
        long.busy(1020, 1030);
        let whole = short.merge(long);
        assert_eq!(whole.bucket_ticks(), 2);
        let [.., before, last] = whole.buckets() else {
            unreachable!("1030 ticks are several buckets")
        };
        assert_eq!(
            (whole.buckets()[1], *before, *last),
            (bucket(1, 0, 0), bucket(0, 0, 2), bucket(0, 0, 0))
        );
        let busy: u64 = whole.buckets().iter().map(|bucket| bucket.busy_ticks).sum();
        assert_eq!(busy, 10);
    }

    #[test]
    fn times_before_the_start_and_absurd_ones_do_no_harm() {
        let mut timeline = Timeline::new(i64::MIN, true);
        timeline.busy(i64::MIN, i64::MAX);
        timeline.event(i64::MAX);
        assert!(timeline.buckets().len() <= BUCKETS_MAX);
        let mut timeline = Timeline::new(10, true);
        timeline.busy(5, 12);
        assert_eq!(timeline.buckets()[..2], [bucket(0, 0, 1), bucket(0, 0, 1)]);
    }

    #[test]
    fn nothing_is_counted_where_it_is_not_wanted() {
        let mut timeline = Timeline::new(0, false);
        timeline.event(5);
        timeline.context_switch(5);
        timeline.busy(5, 9);
        assert_eq!(timeline.buckets(), []);
    }
}
