//! What pass 1 knows of a buffer's compact switches before it reads them all.

use etw::CompactSwitches;

/// The compact switches that one buffer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactScan {
    /// Raw times of the first switch and the last.
    pub times: (i64, i64),
    /// Events with switches in the selected time.
    pub selected_events: u64,
}

impl CompactScan {
    /// Adds what an event holds; `is_selected` as a whole.
    pub fn add(scan: &mut Option<Self>, switches: &CompactSwitches<'_>, is_selected: bool) {
        let (first, last) = switches.span_raw();
        let scan = scan.get_or_insert(Self {
            times: (first, last),
            selected_events: 0,
        });
        scan.times = (scan.times.0.min(first), scan.times.1.max(last));
        scan.selected_events += u64::from(is_selected);
    }
}
