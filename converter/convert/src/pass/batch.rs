//! Decoded events on their way from the thread that decodes them to the one that follows the state and encodes.

use std::ops::Range;

use etl::HookId;
use etw::Interrupt;
use pftrace::LogPriority;

use super::order::Item;
use super::requests::Request;
use super::subject::Subject;
use crate::sample::StackOf;
use crate::selection::FileName;

/// Entries that travel together at most: what is under way stays in the cache.
const ENTRIES_MAX: usize = 2048;
/// Bytes of text from which on no further entry is added: a batch holds at most one more event.
const TEXT_BYTES_MAX: usize = 1 << 17;

/// Decoded events in time order. It is emptied and filled again and again and keeps its memory.
#[derive(Debug, Default)]
pub struct Batch {
    /// Raw time and what happened.
    pub entries: Vec<(i64, Entry)>,
    /// Tags of generic events.
    pub tags: String,
    /// Texts of generic events.
    pub text: Vec<u8>,
}

/// One decoded event.
#[derive(Clone, Debug)]
pub enum Entry {
    /// It changes or shows what a CPU does; those of one raw time are ordered together.
    Item(Item),
    /// A DPC or an ISR has ended.
    Interrupt {
        /// The CPU.
        cpu: u16,
        /// Which event told it.
        hook: HookId,
        /// What ran.
        interrupt: Interrupt,
    },
    /// An event of any other kind.
    Generic(Generic),
    /// A generic event before the selected range: only that it takes a time counts.
    Before,
}

/// A generic event: all but its process, which hangs on who is alive.
#[derive(Clone, Debug)]
pub struct Generic {
    /// Who wrote it.
    pub author: Author,
    /// Whom it is about, where only chosen processes are kept.
    pub subject: Subject,
    /// What it is to a request to a file or a disk.
    pub request: Option<Request>,
    /// What it tells of a file's name.
    pub file_name: Option<FileName>,
    /// Its CPU, where the recording tells CPUs apart.
    pub cpu: Option<u16>,
    /// What its stack tells of it.
    pub stack_of: StackOf,
    /// How severe it is.
    pub priority: LogPriority,
    /// Where its tag is in [`Batch::tags`].
    pub tag: Range<usize>,
    /// Where its text is in [`Batch::text`].
    pub text: Range<usize>,
}

/// Whom an event's header names as its writer.
#[derive(Clone, Copy, Debug)]
pub enum Author {
    /// Process id and thread id.
    Thread(u32, u32),
    /// The header has no room for a thread: the one that runs on this CPU.
    RunningOn(u16),
    /// Nobody.
    None,
}

impl Batch {
    /// Whether it is to be handed on.
    pub fn is_full(&self) -> bool {
        self.entries.len() >= ENTRIES_MAX || self.text.len() >= TEXT_BYTES_MAX
    }

    /// Adds an event of this raw time.
    #[inline]
    pub fn push(&mut self, raw: i64, entry: Entry) {
        self.entries.push((raw, entry));
    }

    /// Forgets the events, not the memory.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.tags.clear();
        self.text.clear();
    }
}
