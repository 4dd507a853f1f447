//! Generic events in two files: what many have in common is written once, and by each event the rest.

use std::path::Path;

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::event::{OwnedEvent, Shape};
use crate::form::Form;
use crate::table::Table;
use crate::tables::{EventRow, EventShapes, GenericEvents};
use crate::writer::{TableWriter, Writer};

/// Shapes, and bytes of them, that are known at once; only a forged trace has more. What comes again then has another number.
const SHAPES_MAX: usize = 1 << 16;
const SHAPE_BYTES_MAX: usize = 32 << 20;
/// Bytes of values from which on a batch of events ends.
const BATCH_BYTES: usize = 64 << 20;

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
        event.held_bytes()
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
