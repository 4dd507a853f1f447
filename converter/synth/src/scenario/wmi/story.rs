//! The moments of the WMI story, in ticks after the header event.

use crate::sim::machine::SECOND;

/// End of the trace, before its last rundown.
pub const END: i64 = 60 * SECOND;
/// The thread of `WinMgmt` takes the lock.
pub const TAKEN: i64 = 21_034_567;
/// How long it holds it: 41.57 s, all of it on a processor.
pub const HELD: i64 = 415_700_000;
/// It releases the lock.
pub const RELEASED: i64 = TAKEN + HELD;
/// How long before it takes the lock the Task Scheduler asks for what it then does: 40 µs.
pub const ASKED_BEFORE: i64 = 400;
/// How long the event log waits for the disk, in the middle of the chain: 6.2 ms.
pub const WRITE: i64 = 62_000;
/// By when all that wait for the release are blocked.
pub const ALL_BLOCKED: i64 = RELEASED - 2 * SECOND;
