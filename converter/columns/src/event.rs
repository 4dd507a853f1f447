//! Generic events in memory: one by itself, and what many have in common.

use facts::{EventHeader, GenericEvent};

use crate::shape::split;

/// An event, by itself: its texts stand in one, since each would take memory of its own.
#[derive(Debug)]
pub struct OwnedEvent {
    /// When.
    pub ts_ns: u64,
    /// Its CPU.
    pub cpu: Option<u16>,
    /// Key of its thread.
    pub utid: Option<u32>,
    header: EventHeader,
    /// Its kind, what else its header says, and what it says itself.
    text: Box<str>,
    kind_end: usize,
    more_header_end: Option<usize>,
}

impl From<&GenericEvent<'_>> for OwnedEvent {
    fn from(event: &GenericEvent<'_>) -> Self {
        let more_header = String::from_utf8_lossy(event.more_header.unwrap_or_default());
        let fields = String::from_utf8_lossy(event.fields);
        let bytes = event.kind.len() + more_header.len() + fields.len();
        let mut text = String::with_capacity(bytes);
        text.push_str(event.kind);
        let kind_end = text.len();
        text.push_str(&more_header);
        let more_header_end = event.more_header.map(|_| text.len());
        text.push_str(&fields);
        Self {
            ts_ns: event.ts_ns,
            cpu: event.cpu,
            utid: event.thread.map(|thread| thread.utid),
            header: event.header,
            text: text.into_boxed_str(),
            kind_end,
            more_header_end,
        }
    }
}

impl OwnedEvent {
    /// Bytes of its texts.
    pub fn held_bytes(&self) -> usize {
        self.text.len()
    }

    fn kind(&self) -> &str {
        self.text.get(..self.kind_end).unwrap_or_default()
    }

    fn more_header(&self) -> Option<&str> {
        let end = self.more_header_end?;
        self.text.get(self.kind_end..end)
    }

    /// What it says itself.
    pub fn fields(&self) -> &str {
        let start = self.more_header_end.unwrap_or(self.kind_end);
        self.text.get(start..).unwrap_or_default()
    }
}

/// What events have in common: see [`split`] for the two texts in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shape {
    /// `provider/event`.
    pub kind: String,
    /// What their headers say.
    pub header: EventHeader,
    /// What else their headers say.
    pub more_header: Option<String>,
    /// What they say themselves.
    pub fields: String,
}

impl Shape {
    /// Becomes the shape of an event; what that has of its own is appended to `values`.
    pub fn become_of(&mut self, event: &OwnedEvent, values: &mut String) {
        let mut is_first = true;
        let mut put = |text: &str, template: &mut String| {
            template.clear();
            split(text, template, values, &mut is_first);
        };
        self.kind.clear();
        self.kind.push_str(event.kind());
        self.header = event.header;
        match event.more_header() {
            Some(text) => put(text, self.more_header.get_or_insert_default()),
            None => self.more_header = None,
        }
        put(event.fields(), &mut self.fields);
    }

    /// Bytes in memory, with those of its texts.
    pub fn bytes(&self) -> usize {
        let more_header = self.more_header.as_ref().map_or(0, String::len);
        size_of::<Self>() + self.kind.len() + more_header + self.fields.len()
    }
}
