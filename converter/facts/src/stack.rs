//! Where code was: samples, the stacks of events, and the tree of calls that both are in.
//!
//! Calls, frames and mappings have keys from 0 on, in the order in which they are met, each told once before what refers to it.
//! What is told again after the state had to forget it has another key.

use std::sync::Arc;

use etw::hook;

use crate::run::{Mention, Thread};

/// What code lies in: an image at an address, or what was generated for the methods of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Its key.
    pub mapping: u32,
    /// Address of its first byte; 0 for generated code and where no image is known.
    pub start: u64,
    /// The address after its last byte; 0 likewise.
    pub end: u64,
    /// Path of its file.
    pub path: Option<Arc<str>>,
    /// GUID of its symbols, as text, where that is known.
    pub guid: Option<String>,
}

/// An instruction in stacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its key.
    pub frame: u32,
    /// The key of its mapping.
    pub mapping: u32,
    /// Its address less that of the mapping.
    pub offset: u64,
    /// The method that it is in, where the recording tells it.
    pub function: Option<Function>,
}

/// A method, in each of its frames the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its key, which it keeps.
    pub function: u32,
    /// Its name; empty where it has none.
    pub name: String,
}

/// A frame in a stack: a stack is a call and all its callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its key.
    pub callsite: u32,
    /// The key of the call that called it; `None` for the outermost.
    pub caller: Option<u32>,
    /// How many calls called it, directly or not.
    pub depth: u16,
    /// The key of its frame.
    pub frame: u32,
}

/// What a CPU was doing when the profile interrupt came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// When that was.
    pub ts_ns: u64,
    /// The CPU.
    pub cpu: u16,
    /// The current thread.
    pub thread: Thread,
    /// What it says of the thread besides.
    pub mention: Mention,
    /// Its priority, where that is recorded.
    pub priority: Option<u8>,
    /// Its rank, likewise.
    pub rank: Option<u8>,
    /// Whether the CPU was in a DPC.
    pub in_dpc: bool,
    /// Whether the CPU was in an ISR.
    pub in_isr: bool,
    /// Whether it was in kernel code.
    pub is_kernel: bool,
    /// The key of its innermost call.
    pub callsite: Option<u32>,
    /// CPU time that it stands for: the interval in force; `None` where that is not known.
    pub weight_ns: Option<u64>,
}

/// What a CPU was doing when a hardware counter had counted so many events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterSample {
    /// When that was.
    pub ts_ns: u64,
    /// The CPU.
    pub cpu: u16,
    /// The current thread.
    pub thread: Thread,
    /// What it says of the thread besides.
    pub mention: Mention,
    /// The counter's number.
    pub source: u16,
    /// Its name, where that is recorded.
    pub source_name: Option<Arc<str>>,
    /// Whether the CPU was in kernel code.
    pub is_kernel: bool,
    /// The key of its innermost call.
    pub callsite: Option<u32>,
    /// Counted events that it stands for: the interval in force; `None` where that is not known.
    pub weight_events: Option<u32>,
}

/// What a stack belongs to, if not to a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StackOf {
    /// An event that is not in the recording.
    Unknown,
    /// A kernel event: its group and type, as of its hook id.
    Kernel(u16),
    /// A provider's event.
    Provider,
}

/// Kinds of events that have stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackedKind {
    /// A context switch.
    ContextSwitch,
    /// A ready event.
    ReadyThread,
    /// A process starts, ends, or is listed.
    Process,
    /// A thread likewise.
    Thread,
    /// An image likewise.
    Image,
    /// A DPC or an ISR has ended.
    Interrupt,
    /// Any other event.
    Event,
}

impl StackedKind {
    /// All of them, each at its number.
    pub const ALL: [Self; 7] = [
        Self::ContextSwitch,
        Self::ReadyThread,
        Self::Process,
        Self::Thread,
        Self::Image,
        Self::Interrupt,
        Self::Event,
    ];

    /// What it is called in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ContextSwitch => "context_switch",
            Self::ReadyThread => "ready_thread",
            Self::Process => "process",
            Self::Thread => "thread",
            Self::Image => "image",
            Self::Interrupt => "interrupt",
            Self::Event => "event",
        }
    }
}

impl StackOf {
    /// The kind of the event; `None` if it is not in the recording.
    #[must_use]
    pub fn kind(self) -> Option<StackedKind> {
        let hook = match self {
            Self::Unknown => return None,
            Self::Provider => return Some(StackedKind::Event),
            Self::Kernel(hook) => hook,
        };
        let within = |from: u16, to: u16| (from..=to).contains(&hook);
        Some(if hook == hook::CONTEXT_SWITCH.0 {
            StackedKind::ContextSwitch
        } else if hook == hook::READY_THREAD.0 {
            StackedKind::ReadyThread
        } else if within(hook::PROCESS_START.0, hook::PROCESS_RUNDOWN_END.0) {
            StackedKind::Process
        } else if within(hook::THREAD_START.0, hook::THREAD_RUNDOWN_END.0) {
            StackedKind::Thread
        } else if hook == hook::IMAGE_LOAD.0
            || within(hook::IMAGE_UNLOAD.0, hook::IMAGE_RUNDOWN_END.0)
        {
            StackedKind::Image
        } else if within(hook::THREADED_DPC.0, hook::TIMER_DPC.0)
            || hook == hook::ISR_MSI.0
            || hook == hook::ISR_PASSIVE.0
        {
            StackedKind::Interrupt
        } else {
            StackedKind::Event
        })
    }
}

/// The stack of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventStack {
    /// When the event was.
    pub ts_ns: u64,
    /// Its CPU, where that is known.
    pub cpu: Option<u16>,
    /// The thread whose stack it is.
    pub thread: Thread,
    /// What it says of the thread besides.
    pub mention: Mention,
    /// What event.
    pub of: StackOf,
    /// Whether some of it is kernel code.
    pub is_kernel: bool,
    /// The key of the innermost call; `None` for an empty stack.
    pub callsite: Option<u32>,
}
