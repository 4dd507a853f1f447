//! Events whose times cannot be right: nothing is missing but those that would stretch the trace by years.

use std::collections::BTreeMap;

use etl::TraceFile;

use super::item::{Loss, of_file};
use crate::index::Index;

/// What is wrong with a time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Oddity {
    BeforeStart,
    WentBack,
    BufferWentBack,
    AbsurdlyLate,
}

impl Oddity {
    fn message(self, count: u64, cpu: Option<u16>) -> String {
        let of = cpu.map_or_else(String::new, |cpu| format!(" of CPU {cpu}"));
        match self {
            Self::BeforeStart => {
                format!("{count} events{of} are earlier than the trace: they stand at its start")
            }
            Self::WentBack => {
                format!("the clock{of} goes backwards at {count} events: they are sorted by time")
            }
            Self::BufferWentBack => format!(
                "the clock{of} goes backwards at the start of {count} buffers: their first events stand later"
            ),
            Self::AbsurdlyLate => {
                format!(
                    "{count} events{of} dropped: their times are more than a year after the start"
                )
            }
        }
    }
}

/// What one processor of one file has, and the time of the first buffer that has it.
type Found = BTreeMap<Oddity, (u64, i64)>;

/// One for each oddity of each processor of each file.
pub(super) fn bad_times(trace: &TraceFile, index: &Index) -> Vec<Loss> {
    let orders = trace.reading_orders().into_iter();
    orders
        .filter_map(|order| {
            let first = order
                .first()
                .and_then(|at| trace.buffers().get(*at as usize));
            Some((*first?, found(trace, index, &order)))
        })
        .flat_map(|(first, found)| {
            let cpu = (!first.mixes_processors).then_some(first.cpu);
            found.into_iter().map(move |(oddity, (count, raw))| Loss {
                kind: "bad_time",
                span_raw: (raw, raw),
                cpu,
                count: Some(count),
                message: of_file(trace, first.file, oddity.message(count, cpu)),
            })
        })
        .collect()
}

fn found(trace: &TraceFile, index: &Index, order: &[u32]) -> Found {
    let start_raw = trace.clock().start_raw;
    let (mut found, mut latest) = (Found::new(), start_raw);
    for scan in order.iter().filter_map(|at| index.scans.get(*at as usize)) {
        let (first, last) = scan.times.unwrap_or((latest, latest));
        let counts = [
            (Oddity::BeforeStart, scan.odd_times.before_start),
            (Oddity::WentBack, scan.odd_times.went_back),
            (Oddity::BufferWentBack, u64::from(first < latest)),
            (Oddity::AbsurdlyLate, scan.odd_times.absurdly_late),
        ];
        for (oddity, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
            found.entry(oddity).or_insert((0, first)).0 += count;
        }
        latest = latest.max(last);
    }
    found
}
