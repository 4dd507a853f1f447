//! The `.etl` file: session, event headers, buffers, compression.

mod buffer_header;
pub mod bytes;
pub mod compact;
mod disorder;
pub mod event;
mod header_event;
pub mod session;
pub mod writer;
pub mod xpress;
