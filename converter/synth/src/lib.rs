//! Writes valid synthetic `.etl` files whose truth is known.
//!
//! Every byte comes from the documentation of the format and none from the reader crates, so that this writer can serve
//! as their oracle.
//!
//! - [`file`]: sessions, buffers, event headers; [`file::writer::TraceWriter`] writes any event anywhere.
//! - [`events`]: payloads of the events, by version.
//! - [`sim`]: threads that run, wait and wake each other on simulated processors.
//! - [`pdb`]: the symbols of programs.
//! - [`scenario`]: ready-made traces; [`truth`]: what is known of them.

pub mod events;
pub mod file;
pub mod pdb;
pub mod scenario;
pub mod sim;
pub mod truth;
