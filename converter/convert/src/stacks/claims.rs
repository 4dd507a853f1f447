//! Gives stacks to their events while pass 2 goes through time.

use rustc_hash::FxHashSet;

use super::join::StackIndex;
use super::record::{Record, ThreadOn};
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
    /// Those of the rest that are given out: time, thread, and whether they stood in headers.
    claimed: FxHashSet<(i64, ThreadOn, bool)>,
}

impl<'a> Claims<'a> {
    /// None given out yet.
    pub fn new(index: &'a StackIndex) -> Self {
        Self {
            rest: index.records(),
            claimed: FxHashSet::default(),
        }
    }

    /// The stack of a kernel event, and the thread whose it is: `tid` if that is known.
    pub fn of(&mut self, raw: i64, cpu: u16, tid: Option<u32>) -> Option<(u32, Halves)> {
        match tid {
            Some(tid) => self.of_thread(raw, cpu, tid).map(|halves| (tid, halves)),
            None => self.of_any_thread(raw, cpu),
        }
    }

    /// The stack of a kernel event of a thread.
    #[inline]
    pub fn of_thread(&mut self, raw: i64, cpu: u16, tid: u32) -> Option<Halves> {
        self.own(raw, ThreadOn::new(tid, cpu), false)
    }

    /// The stack that stood in the header of a thread's event.
    pub fn in_header(&mut self, raw: i64, cpu: u16, tid: u32) -> Option<Halves> {
        self.own(raw, ThreadOn::new(tid, cpu), true)
    }

    #[inline]
    fn own(&mut self, raw: i64, thread: ThreadOn, is_in_header: bool) -> Option<Halves> {
        if !self.may_have(raw) {
            return None;
        }
        let key = (raw, thread, is_in_header);
        let mut at = self.first_from(raw, thread);
        let mut found = at.first_group()?;
        if is_in_header && found.key() == (raw, thread, false) {
            at = at.get(found.records..).unwrap_or_default();
            found = at.first_group()?;
        }
        (found.key() == key && self.claimed.insert(key)).then_some(found.halves)
    }

    /// The stack of a kernel event whose thread is not known, and that thread. Found where only one stack of that time
    /// and CPU is left.
    fn of_any_thread(&mut self, raw: i64, cpu: u16) -> Option<(u32, Halves)> {
        if !self.may_have(raw) {
            return None;
        }
        let mut left = None;
        let mut at = self.first_from(raw, ThreadOn::new(1, cpu));
        while let Some(found) = at.first_group().filter(|found| found.raw == raw) {
            let records = at.get(..found.records).unwrap_or_default();
            at = at.get(found.records..).unwrap_or_default();
            let is_of_cpu = records.iter().any(|record| record.half.may_be_of(cpu));
            if found.is_in_header || !is_of_cpu || self.claimed.contains(&found.key()) {
                continue;
            }
            if left.replace(found).is_some() {
                return None;
            }
        }
        let found = left?;
        self.claimed.insert(found.key());
        Some((found.thread.tid(), found.halves))
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
            if !self.claimed.remove(&group.key()) {
                return Some(Unclaimed {
                    raw: group.raw,
                    tid: group.thread.tid(),
                    halves: group.halves,
                });
            }
        }
        None
    }

    /// Whether there may be stacks of this time. Cheap, for traces and times without stacks.
    #[inline]
    pub fn may_have(&self, raw: i64) -> bool {
        self.rest
            .first()
            .is_some_and(|record| record.event_raw <= raw)
    }

    /// The rest from an event on. It is near: the search widens from the start.
    fn first_from(&self, raw: i64, thread: ThreadOn) -> &'a [Record] {
        let is_before = |record: &Record| (record.event_raw, record.thread) < (raw, thread);
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
    thread: ThreadOn,
    is_in_header: bool,
    halves: Halves,
    records: usize,
}

impl Group {
    fn key(&self) -> (i64, ThreadOn, bool) {
        (self.raw, self.thread, self.is_in_header)
    }
}

trait FirstGroup {
    fn first_group(&self) -> Option<Group>;
}

impl FirstGroup for [Record] {
    fn first_group(&self) -> Option<Group> {
        let first = self.first()?;
        let key_of = |record: &Record| {
            let is_in_header = record.half.is_in_header();
            (record.event_raw, record.thread, is_in_header)
        };
        let key = key_of(first);
        let own = |record: &&Record| key_of(record) == key;
        let (raw, thread, is_in_header) = key;
        let mut group = Group {
            raw,
            thread,
            is_in_header,
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

    /// Records of these times, threads and CPUs, each with the user half of its number from 1.
    fn records(of: &[(i64, u32, u16, Source)]) -> Vec<Record> {
        let mut records: Vec<Record> = (1..)
            .zip(of)
            .map(|(number, &(event_raw, tid, cpu, source))| Record {
                event_raw,
                thread: ThreadOn::new(tid, cpu),
                half: Half::new(NodeId(number), false, source, cpu),
            })
            .collect();
        records.sort_unstable();
        records
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

    use Source::{Header, Inline};

    #[test]
    fn each_stack_is_given_out_once() {
        let records = records(&[(10, 4, 0, Inline), (20, 4, 0, Inline), (20, 8, 0, Inline)]);
        let mut claims = claims(&records);
        assert_eq!(claims.of_thread(5, 0, 4), None);
        assert_eq!(claims.of_thread(20, 0, 8), Some(user(3)));
        assert_eq!(claims.of_thread(20, 0, 8), None);
        let left = Unclaimed {
            raw: 10,
            tid: 4,
            halves: user(1),
        };
        assert_eq!(claims.next_unclaimed(20), Some(left));
        assert_eq!(claims.next_unclaimed(20), None);
        assert_eq!(claims.of_thread(20, 0, 4), Some(user(2)));
        assert_eq!(claims.next_unclaimed(i64::MAX), None);
    }

    #[test]
    fn without_a_thread_only_the_one_stack_of_time_and_cpu_is_meant() {
        let of = [
            (10, 4, 0, Inline),
            (10, 8, 0, Inline),
            (10, 12, 1, Inline),
            (20, 4, 0, Inline),
        ];
        let records = records(&of);
        let mut claims = claims(&records);
        assert_eq!(claims.of(10, 0, None), None);
        assert_eq!(claims.of(10, 2, None), None);
        assert_eq!(claims.of_thread(10, 0, 4), Some(user(1)));
        assert_eq!(claims.of(10, 0, None), Some((8, user(2))));
        assert_eq!(claims.of(10, 0, None), None);
        assert_eq!(claims.of(10, 1, None), Some((12, user(3))));
    }

    #[test]
    fn the_idle_threads_of_all_cpus_have_stacks_of_their_own() {
        let records = records(&[(10, 0, 3, Inline), (10, 0, 1, Inline)]);
        let mut claims = claims(&records);
        assert_eq!(claims.of_thread(10, 1, 0), Some(user(2)));
        assert_eq!(claims.of_thread(10, 0, 0), None);
        assert_eq!(claims.of_thread(10, 3, 0), Some(user(1)));
    }

    #[test]
    fn a_stack_in_a_header_is_that_of_no_other_event() {
        let records = records(&[(10, 4, 0, Header), (10, 4, 0, Inline), (20, 4, 0, Header)]);
        let mut claims = claims(&records);
        assert_eq!(claims.in_header(10, 0, 4), Some(user(1)));
        assert_eq!(claims.of_thread(10, 0, 4), Some(user(2)));
        assert_eq!(claims.of_thread(20, 0, 4), None);
        assert_eq!(claims.of(20, 0, None), None);
        assert_eq!(claims.in_header(20, 0, 4), Some(user(3)));
    }
}
