//! Hook ids of the kernel events that are decoded: the group in the high byte, the type in the low byte.
//!
//! Source: `ntwmi.h`. Types 1 to 4 of a group are start, end, rundown at trace start and rundown at trace end.

use etl::HookId;

/// The log-file header.
pub const TRACE_HEADER: HookId = HookId(0x0000);
/// Group masks of the session.
pub const TRACE_EXTENSION: HookId = HookId(0x0005);
/// Group masks again, after the end rundown.
pub const TRACE_END_EXTENSION: HookId = HookId(0x0020);
/// A process starts; the header names its creator.
pub const PROCESS_START: HookId = HookId(0x0301);
/// A process ends.
pub const PROCESS_END: HookId = HookId(0x0302);
/// A process that is alive when the trace starts.
pub const PROCESS_RUNDOWN_START: HookId = HookId(0x0303);
/// A process that is alive when the trace ends.
pub const PROCESS_RUNDOWN_END: HookId = HookId(0x0304);
/// An image is loaded: an event of the Image class, though its hook id is in the Process group.
pub const IMAGE_LOAD: HookId = HookId(0x030A);
/// A thread starts; the header names its creator.
pub const THREAD_START: HookId = HookId(0x0501);
/// A thread ends, before it is switched out for the last time.
pub const THREAD_END: HookId = HookId(0x0502);
/// A thread that is alive when the trace starts.
pub const THREAD_RUNDOWN_START: HookId = HookId(0x0503);
/// A thread that is alive when the trace ends.
pub const THREAD_RUNDOWN_END: HookId = HookId(0x0504);
/// A context switch.
pub const CONTEXT_SWITCH: HookId = HookId(0x0524);
/// Context switches of one processor, packed into one event.
pub const COMPACT_CONTEXT_SWITCH: HookId = HookId(0x0525);
/// A thread is made ready.
pub const READY_THREAD: HookId = HookId(0x0532);
/// A thread is given a name.
pub const THREAD_NAME: HookId = HookId(0x0548);
/// A profile sample.
pub const SAMPLED_PROFILE: HookId = HookId(0x0F2E);
/// A sample taken when a hardware counter has counted so many events.
pub const PMC_SAMPLE: HookId = HookId(0x0F2F);
/// A message-signalled interrupt's service routine has ended.
pub const ISR_MSI: HookId = HookId(0x0F32);
/// A threaded deferred procedure call has ended.
pub const THREADED_DPC: HookId = HookId(0x0F42);
/// An interrupt service routine has ended.
pub const ISR: HookId = HookId(0x0F43);
/// A deferred procedure call has ended.
pub const DPC: HookId = HookId(0x0F44);
/// A deferred procedure call of a timer has ended.
pub const TIMER_DPC: HookId = HookId(0x0F45);
/// A profile sample taken by a non-maskable interrupt.
pub const SAMPLED_PROFILE_NMI: HookId = HookId(0x0F47);
/// The sampling interval changes.
pub const PROFILE_SET_INTERVAL: HookId = HookId(0x0F48);
/// Sampling starts.
pub const PROFILE_COLLECTION_START: HookId = HookId(0x0F49);
/// Sampling ends.
pub const PROFILE_COLLECTION_END: HookId = HookId(0x0F4A);
/// An interrupt service routine that runs at passive level has ended.
pub const ISR_PASSIVE: HookId = HookId(0x0F5F);
/// An image is unloaded.
pub const IMAGE_UNLOAD: HookId = HookId(0x1402);
/// An image that is loaded when the trace starts.
pub const IMAGE_RUNDOWN_START: HookId = HookId(0x1403);
/// An image that is loaded when the trace ends.
pub const IMAGE_RUNDOWN_END: HookId = HookId(0x1404);
/// The stack of an event, with its addresses.
pub const STACK_WALK: HookId = HookId(0x1820);
/// The addresses of a stack key.
pub const STACK_KEY_CREATE: HookId = HookId(0x1822);
/// The addresses of a stack key that is given up.
pub const STACK_KEY_DELETE: HookId = HookId(0x1823);
/// The addresses of a stack key that is in use when the trace ends.
pub const STACK_KEY_RUNDOWN: HookId = HookId(0x1824);
/// The kernel half of an event's stack, as a key.
pub const STACK_KEY_KERNEL: HookId = HookId(0x1825);
/// The user half of an event's stack, as a key.
pub const STACK_KEY_USER: HookId = HookId(0x1826);
