//! Counts of waits by what they are alike in.
//!
//! Millions of waits have hundreds of thousands of keys: a hash map would go to memory for each of them. Here waits are collected,
//! sorted, and merged into what was counted before, all in the order of their keys.

use facts::ReadyWait;

use crate::bins::bin_of;
use crate::tables::{RestOfWaits, rank_of};

/// Waits that are collected before they are merged, at least.
const COLLECTED_MIN: usize = 1 << 16;

/// What waits are counted by, in one number: from the highest bits thread, rank, priority, whether it was preempted, and bin.
/// Numbers that may be missing are one higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64);

impl Key {
    fn of(wait: &ReadyWait, length_ns: u64) -> Self {
        let rank = rank_of(wait).map_or(0, |rank| u64::from(rank) + 1);
        // Windows has priorities of 0 to 31.
        let priority = wait
            .priority
            .map_or(0, |priority| u64::from(priority.cast_unsigned() & 127) + 1);
        Self(
            u64::from(wait.thread.utid) << 32
                | rank << 20
                | priority << 12
                | u64::from(wait.waker.is_none()) << 11
                | u64::from(bin_of(length_ns)),
        )
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "each part is cut to its bits"
    )]
    fn row(self, of: &Sums) -> RestOfWaits {
        let part = |shift: u32, bits: u32| self.0 >> shift & ((1 << bits) - 1);
        RestOfWaits {
            utid: part(32, 32) as u32,
            rank: part(20, 9).checked_sub(1).map(|rank| rank as u8),
            priority: part(12, 8).checked_sub(1).map(|priority| priority as i8),
            is_preempted: part(11, 1) == 1,
            bin: part(0, 11) as u16,
            waits: of.waits,
            sum_ns: of.sum_ns,
            max_ns: of.max_ns,
        }
    }
}

/// How many waits there are of a key.
#[derive(Clone, Copy, Debug)]
struct Sums {
    waits: u32,
    sum_ns: u64,
    max_ns: u64,
}

impl Sums {
    const fn of(length_ns: u64) -> Self {
        Self {
            waits: 1,
            sum_ns: length_ns,
            max_ns: length_ns,
        }
    }

    fn add(&mut self, more: &Self) {
        self.waits = self.waits.saturating_add(more.waits);
        self.sum_ns = self.sum_ns.saturating_add(more.sum_ns);
        self.max_ns = self.max_ns.max(more.max_ns);
    }
}

/// Waits, counted.
#[derive(Debug, Default)]
pub struct WaitCounts {
    /// In the order of their keys.
    counted: Vec<(Key, Sums)>,
    collected: Vec<(Key, u64)>,
    /// Memory of the counts before the last ones were merged into these: large memory that comes and goes leaves holes between other memory.
    spare: Vec<(Key, Sums)>,
}

impl WaitCounts {
    /// Counts a wait.
    pub fn add(&mut self, wait: &ReadyWait) {
        let length_ns = wait.te_ns.saturating_sub(wait.ts_ns);
        self.collected.push((Key::of(wait, length_ns), length_ns));
        // As many as were counted, so that each is merged a few times at most.
        if self.collected.len() >= COLLECTED_MIN.max(self.counted.len()) {
            self.merge_collected();
        }
    }

    /// Counts what others have counted, and has them begin anew.
    pub fn take(&mut self, others: &mut Self) {
        others.merge_collected();
        self.merge_collected();
        merge_in_place(&mut self.counted, &others.counted);
        others.counted.clear();
    }

    /// The counts so far, in the order of their keys.
    pub fn rows(&mut self) -> impl Iterator<Item = RestOfWaits> {
        self.merge_collected();
        self.counted.iter().map(|(key, of)| key.row(of))
    }

    fn merge_collected(&mut self) {
        // Without it all counts would be moved, and take as much memory again.
        if self.collected.is_empty() {
            return;
        }
        self.collected.sort_unstable_by_key(|(key, _)| *key);
        let collected = self.collected.drain(..);
        let more = collected.map(|(key, length_ns)| (key, Sums::of(length_ns)));
        merge(&self.counted, more, &mut self.spare);
        std::mem::swap(&mut self.counted, &mut self.spare);
    }
}

/// Merges counts with sums in the order of their keys, of which some may come more than once.
fn merge(
    counted: &[(Key, Sums)],
    more: impl Iterator<Item = (Key, Sums)>,
    merged: &mut Vec<(Key, Sums)>,
) {
    merged.clear();
    let mut before = counted.iter().peekable();
    for (key, sums) in more {
        while let Some(counted) = before.next_if(|(counted, _)| *counted <= key) {
            merged.push(*counted);
        }
        match merged.last_mut() {
            Some((last, of)) if *last == key => of.add(&sums),
            _ => merged.push((key, sums)),
        }
    }
    merged.extend(before);
}

/// Adds sums of which each has a key of its own, without a second list of all.
fn merge_in_place(counted: &mut Vec<(Key, Sums)>, more: &[(Key, Sums)]) {
    let mut known = counted.iter().peekable();
    let is_new = |(key, _): &&(Key, Sums)| {
        while known.next_if(|(before, _)| before < key).is_some() {}
        known.peek().is_none_or(|(next, _)| next != key)
    };
    let new = more.iter().filter(is_new).count();
    let mut from = counted.len();
    let mut to = from + new;
    counted.resize(to, (Key(0), Sums::of(0)));
    for (key, sums) in more.iter().rev() {
        loop {
            to -= 1;
            let last = from.checked_sub(1).and_then(|last| counted.get(last));
            let mut next = (*key, *sums);
            let is_over = match last.copied() {
                Some(last) if last.0 >= *key => {
                    from -= 1;
                    next = last;
                    if last.0 == *key {
                        next.1.add(sums);
                    }
                    last.0 == *key
                }
                _ => true,
            };
            if let Some(place) = counted.get_mut(to) {
                *place = next;
            }
            if is_over {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use facts::Thread;

    use super::*;

    #[test]
    fn counts_of_others_are_added_and_these_begin_anew() {
        let wait = |utid: u32, length_ns: u64| ReadyWait {
            te_ns: length_ns,
            thread: Thread { tid: 0, utid },
            ..ReadyWait::default()
        };
        let mut counts = WaitCounts::default();
        for utid in [3, 5, 5, 8] {
            counts.add(&wait(utid, 1_000));
        }
        let mut others = WaitCounts::default();
        for utid in [1, 3, 4, 8, 9, 9] {
            others.add(&wait(utid, 1_001));
        }
        counts.take(&mut others);
        let counted: Vec<_> = counts
            .rows()
            .map(|of| (of.utid, of.waits, of.sum_ns, of.max_ns))
            .collect();
        assert_eq!(
            counted,
            [
                (1, 1, 1_001, 1_001),
                (3, 2, 2_001, 1_001),
                (4, 1, 1_001, 1_001),
                (5, 2, 2_000, 1_000),
                (8, 2, 2_001, 1_001),
                (9, 2, 2_002, 1_001),
            ]
        );
        assert_eq!(others.rows().count(), 0);
    }

    #[test]
    fn waits_that_were_merged_many_times_are_counted_once() {
        let mut counts = WaitCounts::default();
        let mut expected = BTreeMap::new();
        let mut chance = 1_u64;
        for _ in 0..300_000 {
            chance = chance
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let [utid, rank, priority, length] = [40, 43, 48, 53]
                .map(|shift| u32::try_from(chance >> shift & 7).unwrap_or_default());
            let wait = ReadyWait {
                te_ns: u64::from(length) * 1_000,
                thread: Thread { tid: 0, utid },
                rank_before: u8::try_from(rank).ok().filter(|rank| *rank > 0),
                priority: i8::try_from(priority).ok().filter(|priority| *priority > 0),
                ..ReadyWait::default()
            };
            counts.add(&wait);
            let key = (utid, wait.rank_before, wait.priority, bin_of(wait.te_ns));
            let (waits, sum_ns) = expected.entry(key).or_insert((0_u32, 0_u64));
            *waits += 1;
            *sum_ns += wait.te_ns;
        }
        let counted: Vec<_> = counts
            .rows()
            .map(|of| {
                (
                    (of.utid, of.rank, of.priority, of.bin),
                    (of.waits, of.sum_ns),
                )
            })
            .collect();
        assert_eq!(counted, expected.into_iter().collect::<Vec<_>>());
    }
}
