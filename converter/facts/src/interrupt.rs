//! What takes a CPU away from its thread without a context switch.

use std::sync::Arc;

use etw::InterruptSource;

/// A routine that interrupts run, told where it is met first, and again where a selected range begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterruptRoutine {
    /// When it is told.
    pub ts_ns: u64,
    /// Its number: 1 for the first. The same routine with another return value has another one.
    pub number: u32,
    /// What runs.
    pub source: InterruptSource,
    /// Path of the image of its routine.
    pub module: Option<Arc<str>>,
    /// Address of its routine less that of the image.
    pub rva: Option<u64>,
}

impl InterruptRoutine {
    /// The greatest number; only a forged trace has more routines, and these have none.
    pub const NUMBER_MAX: u32 = (1 << 17) - 1;
}

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
    /// The number of its [`InterruptRoutine`]; 0 where there are too many.
    pub number: u32,
    /// What ran.
    pub source: InterruptSource,
    /// Path of the image of its routine.
    pub module: Option<Arc<str>>,
    /// Address of its routine less that of the image.
    pub rva: Option<u64>,
}
