//! What the bytes of a kernel event, or of one of the .NET runtime, mean: payload in, typed event out. Nothing is allocated, nothing panics.

mod clr;
mod compact_switches;
mod context_switch;
mod extended_stack;
mod extension;
pub mod hook;
mod image;
mod image_id;
mod interrupt;
mod names;
mod payload;
mod process;
mod ready_thread;
mod sampled_profile;
mod stack_walk;
mod state;
mod thread;
mod trace_logging;

pub use clr::{CLR_PROVIDER, CLR_RUNDOWN_PROVIDER, ClrMethod, ClrModule, ClrSign, ClrSubject};
pub use compact_switches::{CompactSwitch, CompactSwitchIter, CompactSwitches};
pub use context_switch::ContextSwitch;
pub use extended_stack::{ExtendedStack, extended_stacks};
pub use extension::GroupMasks;
pub use image::Image;
pub use image_id::{DebugId, IMAGE_ID_CLASS, ImageInfo, image_id_type};
pub use interrupt::{Interrupt, InterruptKind, InterruptSource};
pub use names::{group_name, hook_name, provider_name};
pub use payload::{Ansi, PointerWidth, Short, Sid, Wide};
pub use process::Process;
pub use ready_thread::ReadyThread;
pub use sampled_profile::{ProfileInterval, SampledProfile};
pub use stack_walk::{Addresses, StackKeyDefinition, StackKeyUse, StackWalk, is_kernel_address};
pub use state::{thread_state, thread_state_name, wait_reason_name};
pub use thread::{Thread, ThreadName};
pub use trace_logging::trace_logging_name;
