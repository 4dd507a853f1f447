//! The stacks of events: collected in pass 1, given to their events in pass 2.

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
