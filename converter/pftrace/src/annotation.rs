//! Debug annotations: the named values of an instant.

use crate::field::{debug_annotation, track_event};
use crate::wire::{LongMessage, Wire};

/// Adds named values to an instant. Values that are absent are left out.
#[derive(Debug)]
pub struct Annotations<'a> {
    pub(crate) event: &'a mut Vec<u8>,
}

impl Annotations<'_> {
    /// An unsigned value.
    pub fn uint(&mut self, name: &str, value: impl Into<Option<u64>>) {
        if let Some(value) = value.into() {
            self.named(name, |m| m.uint(debug_annotation::UINT_VALUE, value));
        }
    }

    /// A signed value.
    pub fn int(&mut self, name: &str, value: impl Into<Option<i64>>) {
        if let Some(value) = value.into() {
            self.named(name, |m| m.int(debug_annotation::INT_VALUE, value));
        }
    }

    /// A text value.
    pub fn string<'s>(&mut self, name: &str, value: impl Into<Option<&'s str>>) {
        if let Some(value) = value.into() {
            self.named(name, |m| {
                m.bytes(debug_annotation::STRING_VALUE, value.as_bytes());
            });
        }
    }

    fn named(&mut self, name: &str, value: impl FnOnce(&mut Vec<u8>)) {
        self.event.message(track_event::DEBUG_ANNOTATIONS, |m| {
            m.bytes(debug_annotation::NAME, name.as_bytes());
            value(m);
        });
    }
}
