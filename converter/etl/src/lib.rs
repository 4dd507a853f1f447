//! The file layer of Windows event traces (`.etl`): buffers, compression, event headers, clocks and time order.
//!
//! ```no_run
//! let trace = etl::TraceFile::open("trace.etl".as_ref())?;
//! let clock = trace.clock();
//! let mut merge = trace.merge(|buffer| buffer.len());
//! while let Some(merged) = merge.next_event() {
//!     let id = merged.event().map(|event| event.id);
//!     println!("{} ns: {id:?}", clock.ns_since_start(merged.timestamp));
//! }
//! for damage in merge.damage().items() {
//!     eprintln!("{damage}");
//! }
//! # Ok::<(), etl::OpenError>(())
//! ```

mod archive;
mod arrangement;
mod buffer;
pub mod bytes;
mod clock;
mod damage;
mod doubled;
mod event;
mod event_header;
mod extended;
mod file;
mod guid;
mod index;
mod kernel_class;
mod loss;
mod member;
mod merge;
mod open_error;
mod read_ahead;
mod recording;
mod resync;
mod source;
mod time_zone;
mod tournament;
mod trace_file;
mod trace_header;
mod unpack_limit;
mod walk;
mod xpress;
mod zip_stream;

pub use buffer::{Buffer, Events, OddTimes};
pub use clock::{Clock, ClockType};
pub use damage::{Damage, DamageClass, DamageKind, DamageLog};
pub use event::{Event, EventDescriptor, EventFrame, EventId, HookId};
pub use extended::{ExtendedItem, ExtendedItems, extended_type};
pub use guid::Guid;
pub use index::{BufferInfo, buffer_flag, buffer_type};
pub use loss::{CutEnd, Loss, LossKind};
pub use merge::{Merge, MergeStats, Merged};
pub use open_error::{OpenError, Reason};
pub use trace_file::TraceFile;
pub use trace_header::{LogFileHeader, log_file_mode};
pub use xpress::{XpressError, inflate};

#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
