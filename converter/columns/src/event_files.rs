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

/// An event, by itself.
#[derive(Debug)]
pub struct OwnedEvent {
    ts_ns: u64,
    cpu: Option<u16>,
    utid: Option<u32>,
    kind: Box<str>,
    header: EventHeader,
    more_header: Option<Box<str>>,
    fields: Box<str>,
}

impl From<&GenericEvent<'_>> for OwnedEvent {
    fn from(event: &GenericEvent<'_>) -> Self {
        Self {
            ts_ns: event.ts_ns,
            cpu: event.cpu,
            utid: event.utid,
            kind: event.kind.into(),
            header: event.header,
            more_header: event.more_header.map(Into::into),
            fields: event.fields.into(),
        }
    }
}

impl OwnedEvent {
    fn held_bytes(&self) -> usize {
        let more_header = self.more_header.as_ref().map_or(0, |text| text.len());
        self.kind.len() + more_header + self.fields.len()
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
    /// The shape of an event, and what it has of its own.
    fn of(event: &OwnedEvent) -> (Self, String) {
        let (mut values, mut is_first) = (String::new(), true);
        let mut template = |text: &str| {
            let mut template = String::with_capacity(text.len());
            split(text, &mut template, &mut values, &mut is_first);
            template
        };
        let shape = Self {
            kind: event.kind.to_string(),
            header: event.header,
            more_header: event.more_header.as_deref().map(&mut template),
            fields: template(&event.fields),
        };
        (shape, values)
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
            rows: Vec::new(),
            new_shapes: Vec::new(),
            batch_bytes: 0,
        })
    }

    fn number_of(&mut self, shape: Shape) -> u32 {
        if let Some(&known) = self.numbers.get(&shape) {
            return known;
        }
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
        event.held_bytes()
    }

    fn extend(&mut self, events: &mut Vec<OwnedEvent>) -> Result<(), Error> {
        for event in events.drain(..) {
            let (shape, values) = Shape::of(&event);
            self.batch_bytes += values.len();
            let shape = self.number_of(shape);
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
