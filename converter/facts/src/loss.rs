//! What a recording lacks.

use std::sync::Arc;

/// Something was lost, or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// When it begins.
    pub ts_ns: u64,
    /// When it ends.
    pub te_ns: u64,
    /// What was lost.
    pub kind: &'static str,
    /// The CPU; `None` where it is not known, or all of them.
    pub cpu: Option<u16>,
    /// Events or buffers, where the number is known.
    pub count: Option<u64>,
    /// The same in words.
    pub message: Arc<str>,
}
