//! Generic events in two files: what many have in common is written once, and by each event the rest.

use std::path::Path;

use facts::{EventHeader, GenericEvent};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::form::Form;
use crate::shape::split;
use crate::table::Table;
use crate::tables::{EventRow, EventShapes, GenericEvents};
use crate::writer::{TableWriter, Writer};

/// Shapes, and bytes of them, that are known at once; only a forged trace has more. What comes again then has another number.
const SHAPES_MAX: usize = 1 << 16;
const SHAPE_BYTES_MAX: usize = 32 << 20;
/// Bytes of values from which on a batch of events ends.
const BATCH_BYTES: usize = 64 << 20;

/// An event, by itself: its texts stand in one, since each would take memory of its own.
#[derive(Debug)]
pub struct OwnedEvent {
    ts_ns: u64,
    cpu: Option<u16>,
    utid: Option<u32>,
    header: EventHeader,
    /// Its kind, what else its header says, and what it says itself.
    text: Box<str>,
    kind_end: usize,
    more_header_end: Option<usize>,
}

impl From<&GenericEvent<'_>> for OwnedEvent {
    fn from(event: &GenericEvent<'_>) -> Self {
        let more_header = event.more_header.unwrap_or_default();
        let bytes = event.kind.len() + more_header.len() + event.fields.len();
        let mut text = String::with_capacity(bytes);
        text.push_str(event.kind);
        let kind_end = text.len();
        text.push_str(more_header);
        let more_header_end = event.more_header.map(|_| text.len());
        text.push_str(event.fields);
        Self {
            ts_ns: event.ts_ns,
            cpu: event.cpu,
            utid: event.utid,
            header: event.header,
            text: text.into_boxed_str(),
            kind_end,
            more_header_end,
        }
    }
}

impl OwnedEvent {
    fn kind(&self) -> &str {
        self.text.get(..self.kind_end).unwrap_or_default()
    }

    fn more_header(&self) -> Option<&str> {
        let end = self.more_header_end?;
        self.text.get(self.kind_end..end)
    }

    fn fields(&self) -> &str {
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
    fn become_of(&mut self, event: &OwnedEvent, values: &mut String) {
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

    fn bytes(&self) -> usize {
        let more_header = self.more_header.as_ref().map_or(0, String::len);
        size_of::<Self>() + self.kind.len() + more_header + self.fields.len()
    }
}

/// Writes events, and the shapes that these have.
pub struct EventFiles {
    events: TableWriter<GenericEvents>,
    shapes: TableWriter<EventShapes>,
    numbers: FxHashMap<Shape, u32>,
    known_bytes: usize,
    shape_count: u32,
    /// The shape at hand: most events have one that is known, and need no memory for it.
    shape: Shape,
    rows: Vec<EventRow>,
    new_shapes: Vec<Shape>,
    batch_bytes: usize,
}

impl EventFiles {
    /// No events yet.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn create(folder: &Path, form: Form) -> Result<Self, Error> {
        Ok(Self {
            events: TableWriter::create(folder, form, GenericEvents)?,
            shapes: TableWriter::create(folder, form, EventShapes)?,
            numbers: FxHashMap::default(),
            known_bytes: 0,
            shape_count: 0,
            shape: Shape::default(),
            rows: Vec::new(),
            new_shapes: Vec::new(),
            batch_bytes: 0,
        })
    }

    /// The number of the shape at hand.
    fn number(&mut self) -> u32 {
        if let Some(&known) = self.numbers.get(&self.shape) {
            return known;
        }
        let shape = self.shape.clone();
        self.known_bytes += shape.bytes();
        if self.numbers.len() >= SHAPES_MAX || self.known_bytes > SHAPE_BYTES_MAX {
            self.numbers.clear();
            self.known_bytes = shape.bytes();
        }
        let number = self.shape_count;
        self.shape_count = number.saturating_add(1);
        self.new_shapes.push(shape.clone());
        self.numbers.insert(shape, number);
        number
    }

    fn hand_on(&mut self) -> Result<(), Error> {
        self.shapes.extend(&mut self.new_shapes)?;
        self.events.extend(&mut self.rows)
    }
}

impl Writer for EventFiles {
    type Fact = OwnedEvent;
    const NAME: &'static str = GenericEvents::NAME;

    fn held_bytes(event: &OwnedEvent) -> usize {
        event.text.len()
    }

    fn extend(&mut self, events: &mut Vec<OwnedEvent>) -> Result<(), Error> {
        for event in events.drain(..) {
            let mut values = String::with_capacity(event.fields().len());
            self.shape.become_of(&event, &mut values);
            self.batch_bytes += values.len();
            let shape = self.number();
            self.rows.push(EventRow {
                ts_ns: event.ts_ns,
                cpu: event.cpu,
                utid: event.utid,
                shape,
                values,
            });
            if self.batch_bytes >= BATCH_BYTES {
                self.hand_on()?;
                self.events.end_batch()?;
                self.batch_bytes = 0;
            }
        }
        self.hand_on()
    }

    fn finish(self) -> Result<u64, Error> {
        Ok(self.events.finish()? + self.shapes.finish()?)
    }
}
