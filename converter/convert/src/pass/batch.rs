//! Events on their way from the thread that merges them to the one that follows the state and encodes.

use std::ops::Range;

use etl::{Event, EventFrame, HookId};
use etw::Interrupt;
use facts::{EventHeader, StackOf};

use super::io::IoEvent;
use super::order::Item;
use super::standing::Note;
use super::subject::Subject;
use crate::counters::Counters;
use crate::selection::FileName;

/// Entries that travel together at most: what is under way stays in the cache.
const ENTRIES_MAX: usize = 2048;
/// Bytes of events that are not decoded yet from which on no further entry is added: a batch holds at most one more.
const EVENT_BYTES_MAX: usize = 1 << 17;
/// Bytes of text from which on no further event is decoded before the others were taken: a forged event's text may be long.
const TEXT_BYTES_MAX: usize = 1 << 20;

/// Events in time order. It is emptied and filled again and again and keeps its memory.
#[derive(Debug, Default)]
pub struct Batch {
    /// Raw time and what happened.
    entries: Vec<(i64, Entry)>,
    /// Bytes of events that are not decoded.
    event_bytes: Vec<u8>,
    /// The entries that were decoded last.
    decoded: Range<usize>,
    /// The generic events among those that were decoded last.
    pub generics: Generics,
}

/// Generic events, apart from the entries, which are many and small.
#[derive(Debug, Default)]
pub struct Generics {
    /// The events.
    pub events: Vec<Generic>,
    /// Their tags.
    pub tags: String,
    /// Their texts.
    pub text: Vec<u8>,
}

impl Generics {
    fn clear(&mut self) {
        self.events.clear();
        self.tags.clear();
        self.text.clear();
    }
}

/// One event.
#[derive(Clone, Debug)]
pub enum Entry {
    /// It changes or shows what a CPU does; those of one raw time are ordered together.
    Item(Item),
    /// What the hardware counters of a CPU had counted at its next context switch, which comes right after.
    Counters {
        /// The CPU.
        cpu: u16,
        /// What they had counted.
        counters: Box<Counters>,
    },
    /// A DPC or an ISR has ended.
    Interrupt {
        /// The CPU.
        cpu: u16,
        /// Which event told it.
        hook: HookId,
        /// What ran.
        interrupt: Interrupt,
    },
    /// An event of any other kind, not decoded yet; its bytes are at this place in the batch.
    Undecoded(EventFrame, Range<u32>),
    /// An event of any other kind; its number in [`Generics::events`].
    Generic(u32),
    /// A generic event before the selected range: only that it takes a time counts.
    Before,
}

/// A generic event: all but its process, which hangs on who is alive.
#[derive(Clone, Debug)]
pub struct Generic {
    /// Who wrote it.
    pub author: Author,
    /// Whom it is about, where only chosen processes are kept.
    pub subject: Option<Box<Subject>>,
    /// What it says that holds from here on.
    pub note: Option<Box<Note>>,
    /// What it says of files and disks.
    pub io: Option<Box<IoEvent>>,
    /// What it says about a file's name.
    pub file_name: Option<FileName>,
    /// Its CPU, where the recording tells CPUs apart.
    pub cpu: Option<u16>,
    /// What its stack says about it; `None` if it can have no stack.
    pub stack_of: Option<StackOf>,
    /// Whether what it says is wanted.
    pub is_told: bool,
    /// Where its tag is in [`Generics::tags`].
    pub tag: Range<usize>,
    /// What its header says.
    pub header: EventHeader,
    /// Where its text is in [`Generics::text`].
    pub text: Range<usize>,
    /// Where in that what else its header says is, if anything.
    pub more_header: Option<Range<usize>>,
    /// Where in that what it says itself is.
    pub fields: Range<usize>,
}

/// Whom an event's header names as its writer.
#[derive(Clone, Copy, Debug)]
pub enum Author {
    /// Process id and thread id.
    Thread(u32, u32),
    /// The header has no room for a thread: the one that runs on this CPU.
    RunningOn(u16),
    /// The header names no writer.
    None,
}

impl Author {
    /// The process that the header names.
    pub fn pid(self) -> Option<u32> {
        match self {
            Self::Thread(pid, _) => Some(pid),
            Self::RunningOn(_) | Self::None => None,
        }
    }
}

impl Batch {
    /// Whether it is to be handed on.
    pub fn is_full(&self) -> bool {
        self.entries.len() >= ENTRIES_MAX || self.event_bytes.len() >= EVENT_BYTES_MAX
    }

    /// Bytes of the events in it that are to be decoded.
    pub fn undecoded_bytes(&self) -> usize {
        self.event_bytes.len()
    }

    /// Adds what happened at this raw time.
    #[inline]
    pub fn push(&mut self, raw: i64, entry: Entry) {
        self.entries.push((raw, entry));
    }

    /// Adds an event that is to be decoded later.
    #[inline]
    pub fn push_undecoded(&mut self, frame: EventFrame, bytes: &[u8]) {
        // A batch holds little more than is its limit.
        let start = self.event_bytes.len() as u32;
        self.event_bytes.extend_from_slice(bytes);
        let bytes = start..self.event_bytes.len() as u32;
        self.push(frame.timestamp, Entry::Undecoded(frame, bytes));
    }

    /// Decodes the events after those that were decoded before, which are forgotten, until all are or their texts are long.
    /// Answers whether there were any.
    pub fn decode_more(&mut self, decode: impl Fn(&Event<'_>, &mut Generics)) -> bool {
        self.generics.clear();
        self.decoded = self.decoded.end..self.decoded.end;
        let entries = self.entries.get_mut(self.decoded.end..).unwrap_or_default();
        for (_, entry) in entries {
            if self.generics.text.len() >= TEXT_BYTES_MAX {
                break;
            }
            self.decoded.end += 1;
            if let Entry::Undecoded(frame, bytes) = entry {
                let bytes = bytes.start as usize..bytes.end as usize;
                let bytes = self.event_bytes.get(bytes).unwrap_or_default();
                if let Some(event) = frame.event(bytes) {
                    *entry = Entry::Generic(self.generics.events.len() as u32);
                    decode(&event, &mut self.generics);
                }
            }
        }
        !self.decoded.is_empty()
    }

    /// The entries that [`Batch::decode_more`] decoded last.
    pub fn decoded(&self) -> &[(i64, Entry)] {
        self.entries.get(self.decoded.clone()).unwrap_or_default()
    }

    /// Forgets the events, not the memory.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.event_bytes.clear();
        self.decoded = 0..0;
        self.generics.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use etl::{Buffer, TraceFile};
    use synth::scenario::{Options, minimal};

    use super::*;

    /// What stands for decoding: a text as long as is wanted.
    fn decode(generics: &mut Generics, text_bytes: usize) {
        let start = generics.text.len();
        generics.text.resize(start + text_bytes, b'x');
        generics.events.push(Generic {
            author: Author::None,
            subject: None,
            note: None,
            io: None,
            file_name: None,
            cpu: None,
            stack_of: Some(StackOf::Provider),
            is_told: true,
            tag: 0..0,
            header: EventHeader::default(),
            text: start..generics.text.len(),
            more_header: None,
            fields: 0..text_bytes,
        });
    }

    #[test]
    fn long_texts_are_decoded_a_few_at_a_time() {
        let (file, _) = minimal::write(Cursor::default(), Options::default()).unwrap();
        let trace = TraceFile::from_bytes(file.into_inner()).unwrap();
        let mut buffer = Buffer::new();
        trace.read_buffer(0, &mut buffer).unwrap();
        let (frame, bytes) = buffer.frame(0).unwrap();
        let mut batch = Batch::default();
        for _ in 0..5 {
            batch.push_undecoded(frame, bytes);
        }
        let mut at_once = Vec::new();
        while batch.decode_more(|_, generics| decode(generics, TEXT_BYTES_MAX / 2)) {
            let decoded = batch.decoded().iter();
            let numbers = decoded.map(|(_, entry)| match entry {
                Entry::Generic(number) => *number as usize,
                other => panic!("not decoded: {other:?}"),
            });
            let text = |number: usize| batch.generics.events[number].text.clone();
            at_once.push(numbers.map(text).collect::<Vec<_>>());
        }
        let half = TEXT_BYTES_MAX / 2;
        let (first, second) = (0..half, half..2 * half);
        let pair = vec![first.clone(), second];
        assert_eq!(at_once, [pair.clone(), pair, vec![first]]);
    }
}
