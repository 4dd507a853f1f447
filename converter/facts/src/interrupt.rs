//! What takes a CPU away from its thread without a context switch.

use std::sync::Arc;

use etw::InterruptSource;

/// A deferred procedure call or an interrupt service routine that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupted {
    /// When it began; when it ended if what was recorded of that cannot be.
    pub ts_ns: u64,
    /// When it ended.
    pub te_ns: u64,
    /// Its length less that of the interrupts within it.
    pub exclusive_ns: u64,
    /// The CPU.
    pub cpu: u16,
    /// What ran.
    pub source: InterruptSource,
    /// Path of the image of its routine.
    pub module: Option<Arc<str>>,
    /// Address of its routine less that of the image.
    pub rva: Option<u64>,
}
