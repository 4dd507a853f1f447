//! Interrupts within interrupts: how long each ran by itself.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

/// Interrupts of a CPU that may lie within one that has not ended yet; only a forged trace has more within one.
const KEPT_MAX: usize = 4096;

/// The ended interrupts of each CPU that no other one is known to hold, in the order of their ends.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    ended: FxHashMap<u16, VecDeque<Span>>,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    ts_ns: u64,
    te_ns: u64,
}

impl Nesting {
    /// Takes the interrupt that ends now on a CPU, and gives its length less that of the interrupts within it, in ns.
    pub(super) fn exclusive_ns(&mut self, cpu: u16, ts_ns: u64, te_ns: u64) -> u64 {
        let ended = self.ended.entry(cpu).or_default();
        let mut within_ns = 0;
        while let Some(span) = ended.back().filter(|span| span.ts_ns >= ts_ns) {
            within_ns += span.te_ns - span.ts_ns;
            ended.pop_back();
        }
        if ended.len() == KEPT_MAX {
            ended.pop_front();
        }
        ended.push_back(Span { ts_ns, te_ns });
        te_ns.saturating_sub(ts_ns).saturating_sub(within_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_counts_with_the_innermost_interrupt() {
        let mut nesting = Nesting::default();
        let mut exclusive = |ts, te| nesting.exclusive_ns(0, ts, te);
        assert_eq!(exclusive(10, 20), 10);
        // Within the next one, which is within the one after it.
        assert_eq!(exclusive(32, 33), 1);
        assert_eq!(exclusive(35, 36), 1);
        assert_eq!(exclusive(30, 40), 8);
        assert_eq!(exclusive(25, 50), 15);
        assert_eq!(exclusive(45, 60), 15);
    }

    #[test]
    fn cpus_are_interrupted_each_by_itself() {
        let mut nesting = Nesting::default();
        assert_eq!(nesting.exclusive_ns(0, 12, 14), 2);
        assert_eq!(nesting.exclusive_ns(1, 10, 20), 10);
        assert_eq!(nesting.exclusive_ns(0, 10, 20), 8);
    }
}
