//! The `.etl` file: session, event headers, buffers, compression.

pub mod bytes;
pub mod event;
mod header_event;
pub mod session;
pub mod writer;
mod xpress;
