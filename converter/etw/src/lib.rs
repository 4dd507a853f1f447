//! What the bytes of a kernel event mean: payload in, typed event out. Nothing is allocated, nothing panics.

mod context_switch;
mod extension;
pub mod hook;
mod names;
mod payload;
mod process;
mod ready_thread;
mod state;
mod thread;
mod trace_logging;

pub use context_switch::ContextSwitch;
pub use extension::GroupMasks;
pub use names::{group_name, hook_name, provider_name};
pub use payload::{Ansi, PointerWidth, Short, Sid, Wide};
pub use process::Process;
pub use ready_thread::ReadyThread;
pub use state::{thread_state, thread_state_name, wait_reason_name};
pub use thread::{Thread, ThreadName};
pub use trace_logging::trace_logging_name;
