//! When processes were frozen.

use std::collections::BTreeMap;

use facts::Freeze;

use super::lives::Lives;

/// A process is frozen, or thawed.
#[derive(Clone, Copy, Debug)]
pub struct FreezeChange {
    /// When.
    pub ts_ns: u64,
    /// The process.
    pub pid: u32,
    /// It is frozen.
    pub begins: bool,
    /// Key of the thread that does it.
    pub by_utid: Option<u32>,
}

/// The spans, in the order of their ends, of a recording of this span. `changes` are in time order.
pub fn freezes(
    changes: &[FreezeChange],
    processes: &Lives,
    (start_ns, end_ns): (u64, u64),
) -> Vec<Freeze> {
    let mut by_process: BTreeMap<(u32, Option<u32>), Vec<&FreezeChange>> = BTreeMap::new();
    for change in changes {
        let upid = processes.key_at(change.pid, change.ts_ns);
        by_process
            .entry((change.pid, upid))
            .or_default()
            .push(change);
    }
    let mut spans = Vec::new();
    for ((pid, upid), changes) in by_process {
        let exit_ts_ns = upid.and_then(|upid| processes.exit_ts_ns(upid));
        let create_ts_ns = upid.and_then(|upid| processes.create_ts_ns(upid));
        let whole = Freeze {
            ts_ns: start_ns.max(create_ts_ns.unwrap_or(0)),
            te_ns: exit_ts_ns.unwrap_or(end_ns),
            upid,
            pid,
            by_utid: None,
            open_start: true,
            open_end: true,
        };
        // Frozen again it stays frozen, as thawed again it stays thawed.
        let mut told = changes;
        told.dedup_by_key(|change| change.begins);
        let mut open = Some(whole);
        for change in told {
            let begun = Freeze {
                ts_ns: change.ts_ns,
                by_utid: change.by_utid,
                open_start: false,
                ..whole
            };
            if change.begins {
                open = Some(begun);
            } else if let Some(frozen) = open.take() {
                spans.push(Freeze {
                    te_ns: change.ts_ns,
                    open_end: false,
                    ..frozen
                });
            }
        }
        spans.extend(open);
    }
    spans.sort_by_key(|span| (span.te_ns, span.ts_ns));
    spans
}

#[cfg(test)]
mod tests {
    use facts::ProcessLife;

    use super::*;

    type Row = (u64, u64, Option<u32>, Option<u32>, [bool; 2]);

    /// The spans of process 8, which lives from 20 on until `exit_ts_ns`.
    fn rows(exit_ts_ns: Option<u64>, changes: &[(u64, bool)]) -> Vec<Row> {
        let mut processes = Lives::default();
        processes.add_process(&ProcessLife {
            upid: 3,
            pid: 8,
            create_ts_ns: Some(20),
            exit_ts_ns,
            ..ProcessLife::default()
        });
        let change = |&(ts_ns, begins): &(u64, bool)| FreezeChange {
            ts_ns,
            pid: 8,
            begins,
            by_utid: Some(9),
        };
        let changes: Vec<_> = changes.iter().map(change).collect();
        let spans = freezes(&changes, &processes, (10, 90));
        let row = |span: Freeze| {
            let open = [span.open_start, span.open_end];
            (span.ts_ns, span.te_ns, span.upid, span.by_utid, open)
        };
        spans.into_iter().map(row).collect()
    }

    #[test]
    fn a_freeze_lasts_until_the_next_thaw() {
        let changes = [(30, true), (35, true), (40, false), (45, false), (50, true)];
        assert_eq!(
            rows(Some(80), &changes),
            [
                (30, 40, Some(3), Some(9), [false, false]),
                (50, 80, Some(3), Some(9), [false, true]),
            ]
        );
        assert_eq!(
            rows(None, &[(50, true)]),
            [(50, 90, Some(3), Some(9), [false, true])]
        );
    }

    #[test]
    fn a_thaw_that_comes_first_ends_a_freeze_from_before() {
        assert_eq!(
            rows(None, &[(40, false)]),
            [(20, 40, Some(3), None, [true, false])]
        );
    }

    #[test]
    fn a_process_that_nothing_describes_has_no_key() {
        assert_eq!(
            rows(Some(25), &[(40, false)]),
            [(10, 40, None, None, [true, false])]
        );
    }
}
