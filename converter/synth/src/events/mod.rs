//! Payloads of events, written from their documented layouts.

pub mod clr;
pub mod desktop;
pub mod fields;
pub mod image;
pub mod interrupt;
pub mod io;
pub mod manifest;
pub mod power;
pub mod priority;
pub mod process;
pub mod profile;
pub mod registry;
pub mod scheduler;
pub mod system;
pub mod thread;
pub mod trace_logging;
