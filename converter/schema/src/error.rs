//! What can be wrong with a schema and with a payload.

use thiserror::Error;

/// A description of events that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("schema, byte {offset}: expected {expected}")]
pub struct SchemaError {
    /// Where in the description, in bytes.
    pub offset: usize,
    /// What should have been there.
    pub expected: &'static str,
}

impl SchemaError {
    pub(crate) fn new(offset: usize, expected: &'static str) -> Self {
        Self { offset, expected }
    }
}

/// A payload that does not fit its layout; the fields before `field` are decoded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("payload, byte {offset}: expected {expected} for field {field}")]
pub struct PayloadError {
    /// The first field that is not decoded; a long name is cut.
    pub field: String,
    /// Where in the payload it starts, in bytes.
    pub offset: usize,
    /// What should have been there.
    pub expected: &'static str,
}
