//! Gives stacks to their events while pass 2 goes through time.

use rustc_hash::FxHashSet;

use super::join::StackIndex;
use super::record::Record;
use super::trie::NodeId;

/// The kernel half and the user half of a stack; the root where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Halves {
    /// The inner half.
    pub kernel: NodeId,
    /// The outer half.
    pub user: NodeId,
}

/// A stack whose event did not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unclaimed {
    /// Raw timestamp of that event.
    pub raw: i64,
    /// Its thread.
    pub tid: u32,
    /// The stack.
    pub halves: Halves,
}

/// All stacks, each given out once: to its event, or as left over.
#[derive(Debug)]
pub struct Claims<'a> {
    /// What is not passed by; times only rise.
    rest: &'a [Record],
    /// Those of the rest that are given out.
    claimed: FxHashSet<(i64, u32)>,
}

impl<'a> Claims<'a> {
    /// None given out yet.
    pub fn new(index: &'a StackIndex) -> Self {
        Self {
            rest: index.records(),
            claimed: FxHashSet::default(),
        }
    }

    /// The stack of an event, and the thread whose it is: `tid` if that is known.
    pub fn of(&mut self, raw: i64, tid: Option<u32>) -> Option<(u32, Halves)> {
        match tid {
            Some(tid) => self.of_thread(raw, tid).map(|halves| (tid, halves)),
            None => self.of_any_thread(raw),
        }
    }

    /// The stack of a thread's event.
    #[inline]
    pub fn of_thread(&mut self, raw: i64, tid: u32) -> Option<Halves> {
        if !self.may_have(raw) {
            return None;
        }
        let found = self.first_from(raw, tid).first_group()?;
        let is_own = (found.raw, found.tid) == (raw, tid);
        (is_own && self.claimed.insert((raw, tid))).then_some(found.halves)
    }

    /// The stack of an event of which the thread is not known, and that thread: where only one of that time is left.
    fn of_any_thread(&mut self, raw: i64) -> Option<(u32, Halves)> {
        if !self.may_have(raw) {
            return None;
        }
        let mut left = None;
        let mut at = self.first_from(raw, 0);
        while let Some(found) = at.first_group().filter(|found| found.raw == raw) {
            at = at.get(found.records..).unwrap_or_default();
            if self.claimed.contains(&(raw, found.tid)) {
                continue;
            }
            if left.replace(found).is_some() {
                return None;
            }
        }
        let found = left?;
        self.claimed.insert((raw, found.tid));
        Some((found.tid, found.halves))
    }

    /// Passes by the next stack from before `raw`, if no event came for it.
    #[inline]
    pub fn next_unclaimed(&mut self, before_raw: i64) -> Option<Unclaimed> {
        while self.may_have(before_raw) {
            let group = self.rest.first_group()?;
            if group.raw >= before_raw {
                return None;
            }
            self.rest = self.rest.get(group.records..).unwrap_or_default();
            if !self.claimed.remove(&(group.raw, group.tid)) {
                return Some(Unclaimed {
                    raw: group.raw,
                    tid: group.tid,
                    halves: group.halves,
                });
            }
        }
        None
    }

    /// Cheap, for traces and times without stacks.
    #[inline]
    fn may_have(&self, raw: i64) -> bool {
        self.rest
            .first()
            .is_some_and(|record| record.event_raw <= raw)
    }

    /// The rest from an event on. It is near: the search widens from the start.
    fn first_from(&self, raw: i64, tid: u32) -> &'a [Record] {
        let is_before = |record: &Record| (record.event_raw, record.tid) < (raw, tid);
        let mut near = 4;
        while self.rest.get(near).is_some_and(is_before) {
            near *= 2;
        }
        let near = self.rest.get(..near).unwrap_or(self.rest);
        let at = near.partition_point(is_before);
        self.rest.get(at..).unwrap_or_default()
    }
}

/// The stack of one event.
#[derive(Clone, Copy)]
struct Group {
    raw: i64,
    tid: u32,
    halves: Halves,
    records: usize,
}

trait FirstGroup {
    fn first_group(&self) -> Option<Group>;
}

impl FirstGroup for [Record] {
    fn first_group(&self) -> Option<Group> {
        let first = self.first()?;
        let (raw, tid) = (first.event_raw, first.tid);
        let own = |record: &&Record| (record.event_raw, record.tid) == (raw, tid);
        let mut group = Group {
            raw,
            tid,
            halves: Halves::default(),
            records: 0,
        };
        for record in self.iter().take_while(own) {
            group.records += 1;
            if record.half.is_kernel() {
                group.halves.kernel = record.half.node();
            } else {
                group.halves.user = record.half.node();
            }
        }
        Some(group)
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{Half, Source};
    use super::*;

    /// Records of these times and threads, each with the user half of its number from 1.
    fn records(of: &[(i64, u32)]) -> Vec<Record> {
        let half = |number| Half::new(NodeId(number), false, Source::Inline);
        (1..)
            .zip(of)
            .map(|(number, &(event_raw, tid))| Record {
                event_raw,
                tid,
                half: half(number),
            })
            .collect()
    }

    fn claims(rest: &[Record]) -> Claims<'_> {
        Claims {
            rest,
            claimed: FxHashSet::default(),
        }
    }

    fn user(number: u32) -> Halves {
        Halves {
            kernel: NodeId::ROOT,
            user: NodeId(number),
        }
    }

    #[test]
    fn each_stack_is_given_out_once() {
        let records = records(&[(10, 4), (20, 4), (20, 8)]);
        let mut claims = claims(&records);
        assert_eq!(claims.of_thread(5, 4), None);
        assert_eq!(claims.of_thread(20, 8), Some(user(3)));
        assert_eq!(claims.of_thread(20, 8), None);
        let left = Unclaimed {
            raw: 10,
            tid: 4,
            halves: user(1),
        };
        assert_eq!(claims.next_unclaimed(20), Some(left));
        assert_eq!(claims.next_unclaimed(20), None);
        assert_eq!(claims.of_thread(20, 4), Some(user(2)));
        assert_eq!(claims.next_unclaimed(i64::MAX), None);
    }

    #[test]
    fn without_a_thread_only_the_one_stack_of_the_time_is_meant() {
        let records = records(&[(10, 4), (10, 8), (20, 4)]);
        let mut claims = claims(&records);
        assert_eq!(claims.of_any_thread(10), None);
        assert_eq!(claims.of_thread(10, 4), Some(user(1)));
        assert_eq!(claims.of_any_thread(10), Some((8, user(2))));
        assert_eq!(claims.of_any_thread(10), None);
    }
}
