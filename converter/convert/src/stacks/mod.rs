//! The stacks of events: collected in pass 1, given to their events in pass 2.

use etl::HookId;

mod claims;
mod join;
mod record;
mod trie;

pub use claims::{Claims, Halves};
pub use join::StackIndex;
pub use record::StackRecords;
pub use trie::{NodeId, Trie};

/// Group of stack events.
pub const STACK_GROUP: u8 = 0x18;

/// Whether a kernel event can have a stack: not if it tells how things stood when the session began or ended, or of the session
/// itself, since no program caused it.
pub fn can_have_stack(hook: HookId) -> bool {
    const GROUPS_OF_THE_SESSION: [u8; 3] = [0x00, 0x0B, STACK_GROUP];
    let is_rundown = match hook.group() {
        // Processes and their counters, threads, images.
        0x03 => matches!(hook.event_type(), 0x03 | 0x04 | 0x21 | 0x27),
        0x05 | 0x14 => matches!(hook.event_type(), 0x03 | 0x04),
        // Virtual memory, names and mappings of files, keys of the registry.
        0x02 => matches!(hook.event_type(), 0x80 | 0x81),
        0x04 => matches!(hook.event_type(), 0x00 | 0x24 | 0x27 | 0x28),
        0x09 => matches!(hook.event_type(), 0x18 | 0x19),
        // Intervals and sources of samples; types of objects, and handles.
        0x0F => matches!(hook.event_type(), 0x30 | 0x48..=0x4C),
        0x11 => matches!(hook.event_type(), 0x24..=0x27),
        group => GROUPS_OF_THE_SESSION.contains(&group),
    };
    !is_rundown
}
