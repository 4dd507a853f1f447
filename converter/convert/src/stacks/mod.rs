//! The stacks of profile samples: collected and joined in pass 1, looked up in pass 2.

mod join;
mod record;
mod trie;

pub use join::StackIndex;
pub use record::StackRecords;
pub use trie::{NodeId, Trie};
