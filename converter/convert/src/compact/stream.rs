//! The buffers that a CPU's compact switches are read from.

use facts::RunEnd;

/// Where a CPU's compact switches are.
#[derive(Debug)]
pub struct Stream {
    /// Which CPU.
    pub cpu: u16,
    /// Buffers that hold them, in the order of time.
    pub buffers: Vec<Place>,
    /// Bytes of one buffer's events that may be in memory.
    pub held_bytes_max: usize,
    /// The end of the run that the last of them begins, where whole switches follow.
    pub then: Option<RunEnd>,
}

/// A buffer of them.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// In the trace's buffers.
    pub buffer: usize,
    /// Switches may be missing before it.
    pub gap_before: bool,
}
