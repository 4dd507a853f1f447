//! The longest of many waits, while they come.

use std::cmp::Reverse;

use facts::ReadyWait;

/// A wait, and how many came before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Its number.
    pub number: u64,
    /// The wait.
    pub wait: ReadyWait,
}

/// By what waits are ordered: longest first, then earliest, then the one that came first.
type Place = (Reverse<u64>, u64, u64);

impl Counted {
    fn place(&self) -> Place {
        let ReadyWait { ts_ns, te_ns, .. } = self.wait;
        let length_ns = te_ns.saturating_sub(ts_ns);
        (Reverse(length_ns), ts_ns, self.number)
    }
}

/// Keeps the longest waits of those that it is given.
#[derive(Debug)]
pub struct Longest {
    most: usize,
    /// Twice as many at most, in any order.
    kept: Vec<Counted>,
    /// Where the last one of those stands that are sure to be longer than all others so far.
    last: Option<Place>,
}

impl Longest {
    /// Keeps `most` waits, of none yet.
    pub fn new(most: usize) -> Self {
        Self {
            most,
            kept: Vec::new(),
            last: None,
        }
    }

    /// Takes a wait. What is not among the longest goes to `shed`, at once or later.
    pub fn push(&mut self, counted: Counted, shed: &mut Vec<Counted>) {
        if self.last.is_some_and(|last| counted.place() > last) {
            shed.push(counted);
            return;
        }
        self.kept.push(counted);
        if self.kept.len() >= self.most.saturating_mul(2) {
            self.cut(shed);
        }
    }

    /// The longest, in any order; the others go to `shed`.
    pub fn finish(mut self, shed: &mut Vec<Counted>) -> Vec<Counted> {
        self.cut(shed);
        self.kept
    }

    fn cut(&mut self, shed: &mut Vec<Counted>) {
        if self.kept.len() <= self.most {
            return;
        }
        let Some(last) = self.most.checked_sub(1) else {
            shed.append(&mut self.kept);
            return;
        };
        let (_, nth, _) = self.kept.select_nth_unstable_by_key(last, Counted::place);
        self.last = Some(nth.place());
        shed.extend(self.kept.drain(self.most..));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn counted(number: u64, ts_ns: u64, length_ns: u64) -> Counted {
        let wait = ReadyWait {
            ts_ns,
            te_ns: ts_ns + length_ns,
            ..ReadyWait::default()
        };
        Counted { number, wait }
    }

    #[test]
    fn of_equal_ones_the_earliest_are_kept_and_the_others_shed() {
        let mut longest = Longest::new(3);
        let mut shed = Vec::new();
        for (number, (ts_ns, length_ns)) in [(9, 5), (0, 5), (1, 9), (0, 5), (3, 1), (4, 7), (5, 1)]
            .into_iter()
            .enumerate()
        {
            longest.push(counted(number as u64, ts_ns, length_ns), &mut shed);
        }
        let numbers = |of: Vec<Counted>| of.iter().map(|each| each.number).collect::<BTreeSet<_>>();
        let kept = longest.finish(&mut shed);
        assert_eq!(numbers(kept), BTreeSet::from([1, 2, 5]));
        assert_eq!(numbers(shed), BTreeSet::from([0, 3, 4, 6]));
    }

    #[test]
    fn none_are_kept_where_none_are_wanted() {
        let mut longest = Longest::new(0);
        let mut shed = Vec::new();
        longest.push(counted(0, 0, 5), &mut shed);
        assert_eq!(longest.finish(&mut shed), []);
        assert_eq!(shed, [counted(0, 0, 5)]);
    }
}
