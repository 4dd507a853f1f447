//! Writes the packets of a Perfetto trace by hand: no message trees, one pass, reused buffers.

mod annotation;
mod etw_bundle;
mod field;
mod interned;
mod log_batch;
mod perf_sample;
mod track;
mod wire;
mod writer;

pub use annotation::Annotations;
pub use etw_bundle::ContextSwitch;
pub use interned::{Frame, Interned, Mapping};
pub use log_batch::{LogMessage, LogPriority};
pub use perf_sample::PerfSample;
pub use track::Track;
pub use wire::{LongMessage, SHORT_MESSAGE_MAX_BYTES, Short, Wire};
pub use writer::TraceWriter;
