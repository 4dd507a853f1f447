//! Where threads could run: spans from what is known first on.

use facts::{Affinity, ThreadLife};
use rustc_hash::FxHashSet;

use super::cpus::Groups;
use super::lives::Lives;

/// A thread is told to run on other CPUs.
#[derive(Clone, Copy, Debug)]
pub struct AffinityChange {
    /// When.
    pub ts_ns: u64,
    /// The thread.
    pub tid: u32,
    /// Processor group.
    pub group: Option<u16>,
    /// CPUs of the group, as bits.
    pub mask: u64,
    /// Key of the thread that set it.
    pub by_utid: Option<u32>,
}

/// What a thread's start, end and rundowns say.
#[derive(Clone, Copy, Debug)]
pub struct FirstAffinity {
    utid: u32,
    create_ts_ns: Option<u64>,
    first: Option<u64>,
    last: Option<u64>,
}

impl FirstAffinity {
    /// Of a thread; `None` where nothing says it.
    pub fn of(life: &ThreadLife) -> Option<Self> {
        life.affinity.or(life.end_affinity)?;
        Some(Self {
            utid: life.thread.utid,
            create_ts_ns: life.create_ts_ns,
            first: life.affinity,
            last: life.end_affinity,
        })
    }
}

/// The spans, in the order of their ends, of a recording of this span.
pub fn affinities(
    changes: &[AffinityChange],
    firsts: &[FirstAffinity],
    threads: &Lives,
    groups: &Groups<'_>,
    (start_ns, end_ns): (u64, u64),
) -> Vec<Affinity> {
    let span = |ts_ns, utid, group, mask, by_utid| Affinity {
        ts_ns,
        te_ns: ts_ns,
        utid,
        group,
        mask,
        cpus: groups.meant(group, mask),
        by_utid,
    };
    let mut spans: Vec<Affinity> = changes
        .iter()
        .map(|change| {
            let utid = threads.key_at(change.tid, change.ts_ns);
            span(
                change.ts_ns,
                utid,
                change.group,
                change.mask,
                change.by_utid,
            )
        })
        .collect();
    let changed: FxHashSet<u32> = spans.iter().filter_map(|span| span.utid).collect();
    spans.extend(firsts.iter().filter_map(|first| {
        // What it was at the end it was all the time if it did not change.
        let last = || first.last.filter(|_| !changed.contains(&first.utid));
        let mask = first.first.or_else(last)?;
        let ts_ns = first.create_ts_ns.unwrap_or(start_ns);
        Some(span(ts_ns, Some(first.utid), None, mask, None))
    }));
    spans.sort_by_key(|span| (span.utid, span.ts_ns));
    let mut next: Option<(Option<u32>, u64)> = None;
    for span in spans.iter_mut().rev() {
        let exit = || span.utid.and_then(|utid| threads.exit_ts_ns(utid));
        let te_ns = match next {
            Some((utid, ts_ns)) if utid == span.utid => ts_ns,
            _ => exit().unwrap_or(end_ns),
        };
        span.te_ns = te_ns.max(span.ts_ns);
        next = Some((span.utid, span.ts_ns));
    }
    spans.sort_by_key(|span| (span.te_ns, span.ts_ns));
    spans
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use facts::Thread;

    use super::super::cpus::cpus;
    use super::*;

    type Row = (u64, u64, Option<u32>, Option<u16>, u64, Option<u32>);

    fn life(
        tid: u32,
        exit_ts_ns: Option<u64>,
        first: Option<u64>,
        last: Option<u64>,
    ) -> ThreadLife {
        ThreadLife {
            thread: Thread { tid, utid: tid / 4 },
            exit_ts_ns,
            affinity: first,
            end_affinity: last,
            ..ThreadLife::default()
        }
    }

    fn change(ts_ns: u64, tid: u32, mask: u64) -> AffinityChange {
        AffinityChange {
            ts_ns,
            tid,
            group: Some(0),
            mask,
            by_utid: Some(9),
        }
    }

    fn rows(changes: &[AffinityChange], lives: &[ThreadLife]) -> Vec<Row> {
        let mut threads = Lives::default();
        for life in lives {
            threads.add_thread(life);
        }
        let firsts: Vec<_> = lives.iter().filter_map(FirstAffinity::of).collect();
        let machine = cpus(4, &[], &BTreeMap::new());
        let spans = affinities(changes, &firsts, &threads, &Groups::of(&machine), (10, 90));
        let row = |span: Affinity| {
            let by_utid = span.by_utid;
            (
                span.ts_ns, span.te_ns, span.utid, span.group, span.mask, by_utid,
            )
        };
        spans.into_iter().map(row).collect()
    }

    #[test]
    fn a_span_lasts_until_the_next_one_of_its_thread() {
        let lives = [
            life(8, Some(70), Some(15), None),
            life(12, None, Some(3), None),
        ];
        assert_eq!(
            rows(&[change(40, 8, 1)], &lives),
            [
                (10, 40, Some(2), None, 15, None),
                (40, 70, Some(2), Some(0), 1, Some(9)),
                (10, 90, Some(3), None, 3, None),
            ]
        );
    }

    #[test]
    fn what_it_was_at_the_end_it_was_all_the_time_unless_it_changed() {
        let lives = [life(8, None, None, Some(15)), life(12, None, None, Some(3))];
        assert_eq!(
            rows(&[change(40, 12, 1)], &lives),
            [
                (10, 90, Some(2), None, 15, None),
                (40, 90, Some(3), Some(0), 1, Some(9)),
            ]
        );
    }

    #[test]
    fn a_thread_that_nothing_describes_has_no_key() {
        assert_eq!(
            rows(&[change(40, 8, 1)], &[]),
            [(40, 90, None, Some(0), 1, Some(9))]
        );
    }
}
