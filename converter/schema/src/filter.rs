//! What of an event's values is written, where not all of it is to be.

use std::borrow::Cow;

use crate::layout::{Encoding, Field};
use crate::value::Scalar;

/// What is written for a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The value.
    Itself,
    /// A text in its place.
    Text(String),
    /// `null`.
    Nothing,
}

/// Decides for the values of one event what is written as JSON.
pub trait Filter {
    /// What is written for a value of a field; `in_array` if it is an element of the field's array.
    fn value(&self, field: &Field, in_array: bool, value: Scalar<'_>) -> Shown;
    /// What a field is called.
    fn name<'f>(&self, field: &'f Field) -> Cow<'f, str>;
    /// Whether bytes are written that no layout covers.
    fn shows_bytes(&self, bytes: &[u8]) -> bool;
}

impl Field {
    /// Whether it is an integer of 8 or 16 bits: an array of these may be a text that its schema does not call one.
    pub fn is_small_integer(&self) -> bool {
        matches!(
            self.encoding,
            Encoding::I8 | Encoding::U8 | Encoding::I16 | Encoding::U16
        )
    }
}
