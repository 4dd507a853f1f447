//! The moments of the lock screen's story, in ticks after the header event.

use std::ops::Range;

use crate::sim::machine::{MS, SECOND};
use crate::sim::rng::Rng;

/// End of the trace, before its last rundown.
pub const END: i64 = 60 * SECOND;
/// A System thread sets the event that the lock screen's thread waits for.
pub const READY: i64 = 303_331_234;
/// How long that thread then stays ready: 19.493 s.
pub const READY_WAIT: i64 = 194_930_000;
/// A processor would be idle for the first time since, and the thread runs.
pub const SWITCH_IN: i64 = READY + READY_WAIT;
/// Its last run before `READY` ends.
pub const LAST_SWITCH_OUT: i64 = SWITCH_IN - 382_000_000;
/// Its rank falls from 0 to `LOW_RANK`.
pub const RANK_DROP: i64 = 69 * SECOND / 10;
/// Rank of the lock screen's scheduling group after the drop.
pub const LOW_RANK: u8 = 2;
/// From here on the background work never lets a processor idle.
pub const SATURATED_FROM: i64 = 28 * SECOND;
/// The busy applications pause.
pub const APPLICATIONS_PAUSE: Range<i64> = SWITCH_IN - 1_300 * MS..SWITCH_IN;
/// No timer is due, so that nothing but background work wants a processor when one of its threads is done.
pub const QUIET: Range<i64> = SWITCH_IN - 60 * MS..SWITCH_IN + MS;

/// Moves a timer that would be due in the quiet time behind it.
pub fn due(time: i64, rng: &mut Rng) -> i64 {
    if QUIET.contains(&time) {
        QUIET.end + rng.within(0..20 * MS)
    } else {
        time
    }
}
