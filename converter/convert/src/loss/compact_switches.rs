//! Compact context switches that are not as they must be: who runs from there on, up to the next one, is not known.

use super::item::Loss;
use crate::compact::Compact;

/// One for each oddity of each CPU.
pub(super) fn odd_compact_switches(compact: &Compact) -> Vec<Loss> {
    let cpus = compact.oddities.iter();
    let losses = cpus.flat_map(|(cpu, oddities)| {
        let switches = "compact context switches of";
        let events = "events of compact context switches of";
        let told = [
            (
                "bad_event",
                oddities.unnamed,
                switches,
                "are of threads that their events do not name",
            ),
            ("bad_event", oddities.cut, events, "end within a switch"),
            (
                "bad_event",
                oddities.beyond_memory,
                events,
                "dropped: too much data of all CPUs at one time",
            ),
            (
                "bad_time",
                oddities.before_start,
                switches,
                "dropped: they are earlier than the trace",
            ),
            (
                "bad_time",
                oddities.went_back,
                switches,
                "dropped: they are earlier than one before them",
            ),
            (
                "bad_time",
                oddities.late,
                switches,
                "dropped: they are later than the events that hold them",
            ),
        ];
        let found = told
            .into_iter()
            .filter(|(_, oddity, _, _)| oddity.count > 0);
        found.map(move |(kind, oddity, what, why)| Loss {
            kind,
            span_raw: (oddity.first_raw, oddity.first_raw),
            cpu: Some(*cpu),
            count: Some(oddity.count),
            message: format!("{} {what} CPU {cpu} {why}", oddity.count),
        })
    });
    losses.collect()
}
