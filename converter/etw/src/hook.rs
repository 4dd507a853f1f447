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
/// Context switches in packed form, of which too little is known to decode them.
pub const COMPACT_CONTEXT_SWITCH: HookId = HookId(0x0525);
/// A thread is made ready.
pub const READY_THREAD: HookId = HookId(0x0532);
/// A thread is given a name.
pub const THREAD_NAME: HookId = HookId(0x0548);
