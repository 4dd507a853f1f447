//! Ready-made traces with known truth.

pub mod attention;
pub mod bounds;
pub mod counters;
mod crowd;
pub mod dotnet;
pub mod exit_storm;
pub mod generic;
pub mod hot_loop;
pub mod io;
pub mod lock_screen;
pub mod many_processors;
pub mod minimal;
mod population;
pub mod random;
pub mod routine;
mod script;
pub mod slow_disk;
pub mod stacks;
pub mod switch_storm;
pub mod switches;
pub mod symbols;
pub mod thread_growth;
pub mod user_lock;
pub mod verdicts;
pub mod wmi;

use std::io::{Seek, Write};

use crate::file::bytes::Pointer;
use crate::file::session::{Flavour, Session};
use crate::file::writer::TraceWriter;
use crate::file::writer::WriteError;

/// What can be chosen for every scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Seed of all random choices.
    pub seed: u64,
    /// Pointer width of the machine and of the program that wrote the file.
    pub pointer: Pointer,
    /// Compress the buffers.
    pub compressed: bool,
    /// Write the file as a merge would.
    pub merged: bool,
    /// Log context switches as compact ones.
    pub compact_switches: bool,
}

/// Size of a load for benchmarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// How many of what the scenario is about to write.
    pub count: u64,
    /// Processors.
    pub cpu_count: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 1,
            pointer: Pointer::Eight,
            compressed: false,
            merged: false,
            compact_switches: false,
        }
    }
}

impl Options {
    fn session(self, cpu_count: u32, buffer_bytes: u32) -> Session {
        Session {
            pointer: self.pointer,
            header_pointer: self.pointer,
            compressed: self.compressed,
            compact_switches: self.compact_switches,
            flavour: if self.merged {
                Flavour::Merged
            } else {
                Flavour::Direct
            },
            cpu_count,
            buffer_bytes,
            ..Session::default()
        }
    }

    fn writer<W: Write + Seek>(
        self,
        sink: W,
        cpu_count: u32,
        buffer_bytes: u32,
    ) -> Result<TraceWriter<W>, WriteError> {
        TraceWriter::new(sink, self.session(cpu_count, buffer_bytes))
    }
}
