//! Field numbers of the Perfetto messages written here.
//!
//! Source: `google/perfetto`, `protos/perfetto/trace/**/*.proto`; the decoding test in `tests/` reads them back.

pub(crate) mod trace {
    pub const PACKET: u32 = 1;
}

pub(crate) mod packet {
    pub const FTRACE_EVENTS: u32 = 1;
    pub const PROCESS_TREE: u32 = 2;
    pub const CLOCK_SNAPSHOT: u32 = 6;
    pub const TIMESTAMP: u32 = 8;
    pub const SEQUENCE_ID: u32 = 10;
    pub const TRACK_EVENT: u32 = 11;
    pub const INTERNED_DATA: u32 = 12;
    pub const SEQUENCE_FLAGS: u32 = 13;
    pub const ANDROID_LOG: u32 = 39;
    pub const TRACK_DESCRIPTOR: u32 = 60;
    pub const PERF_SAMPLE: u32 = 66;
    pub const SERVICE_EVENT: u32 = 69;
    pub const ETW_EVENTS: u32 = 95;
    pub const GENERIC_KERNEL_TASK_STATE_EVENT: u32 = 117;
}

pub(crate) mod clock_snapshot {
    pub const CLOCKS: u32 = 1;
    pub const PRIMARY_TRACE_CLOCK: u32 = 2;
    pub const CLOCK_ID: u32 = 1;
    pub const CLOCK_TIMESTAMP: u32 = 2;
    pub const REALTIME: u64 = 1;
    pub const BOOTTIME: u64 = 6;
}

pub(crate) mod etw_bundle {
    pub const CPU: u32 = 1;
    pub const EVENT: u32 = 2;
}

pub(crate) mod etw_event {
    pub const TIMESTAMP: u32 = 1;
    pub const C_SWITCH: u32 = 2;
    pub const READY_THREAD: u32 = 3;
    pub const THREAD_ID: u32 = 5;
}

pub(crate) mod c_switch {
    pub const NEW_THREAD_ID: u32 = 1;
    pub const OLD_THREAD_ID: u32 = 2;
    pub const NEW_THREAD_PRIORITY: u32 = 3;
    pub const OLD_THREAD_STATE: u32 = 8;
    pub const OLD_THREAD_WAIT_REASON_INT: u32 = 11;
}

pub(crate) mod ready_thread {
    pub const T_THREAD_ID: u32 = 1;
}

pub(crate) mod track_event {
    pub const DEBUG_ANNOTATIONS: u32 = 4;
    pub const TYPE: u32 = 9;
    pub const NAME_IID: u32 = 10;
    pub const TRACK_UUID: u32 = 11;
    pub const NAME: u32 = 23;
    pub const COUNTER_VALUE: u32 = 30;
    pub const TYPE_INSTANT: u64 = 3;
    pub const TYPE_COUNTER: u64 = 4;
}

pub(crate) mod debug_annotation {
    pub const UINT_VALUE: u32 = 3;
    pub const INT_VALUE: u32 = 4;
    pub const STRING_VALUE: u32 = 6;
    pub const NAME: u32 = 10;
}

pub(crate) mod track_descriptor {
    pub const UUID: u32 = 1;
    pub const NAME: u32 = 2;
    pub const PROCESS: u32 = 3;
    pub const THREAD: u32 = 4;
    pub const PARENT_UUID: u32 = 5;
    pub const COUNTER: u32 = 8;
    pub const PROCESS_PID: u32 = 1;
    pub const PROCESS_NAME: u32 = 6;
    pub const PROCESS_START_TIMESTAMP_NS: u32 = 7;
    pub const THREAD_PID: u32 = 1;
    pub const THREAD_TID: u32 = 2;
    pub const THREAD_NAME: u32 = 5;
}

pub(crate) mod process_tree {
    pub const PROCESSES: u32 = 1;
    pub const PID: u32 = 1;
    pub const PPID: u32 = 2;
    pub const CMDLINE: u32 = 3;
}

pub(crate) mod task_state {
    pub const TID: u32 = 3;
    pub const STATE: u32 = 4;
    pub const CREATED: u64 = 1;
}

pub(crate) mod ftrace {
    pub const CPU: u32 = 1;
    pub const EVENT: u32 = 2;
    pub const TIMESTAMP: u32 = 1;
    pub const PID: u32 = 2;
    pub const SCHED_PROCESS_FREE: u32 = 240;
    pub const SCHED_PROCESS_FREE_PID: u32 = 2;
}

pub(crate) mod log_packet {
    pub const EVENTS: u32 = 1;
}

pub(crate) mod log_event {
    pub const PID: u32 = 2;
    pub const TID: u32 = 3;
    pub const TIMESTAMP: u32 = 5;
    pub const TAG: u32 = 6;
    pub const PRIORITY: u32 = 7;
    pub const MESSAGE: u32 = 8;
}

pub(crate) mod service_event {
    pub const ALL_DATA_SOURCES_FLUSHED: u32 = 3;
    pub const READ_TRACING_BUFFERS_COMPLETED: u32 = 4;
}

pub(crate) mod sequence_flags {
    pub const INCREMENTAL_STATE_CLEARED: u64 = 1;
    pub const NEEDS_INCREMENTAL_STATE: u64 = 2;
}

pub(crate) mod perf_sample {
    pub const CPU: u32 = 1;
    pub const PID: u32 = 2;
    pub const TID: u32 = 3;
    pub const CALLSTACK_IID: u32 = 4;
    pub const CPU_MODE: u32 = 5;
    pub const MODE_KERNEL: u64 = 1;
    pub const MODE_USER: u64 = 2;
}

pub(crate) mod interned_data {
    pub const EVENT_NAMES: u32 = 2;
    pub const FUNCTION_NAMES: u32 = 5;
    pub const FRAMES: u32 = 6;
    pub const CALLSTACKS: u32 = 7;
    pub const BUILD_IDS: u32 = 16;
    pub const MAPPING_PATHS: u32 = 17;
    pub const MAPPINGS: u32 = 19;
    pub const IID: u32 = 1;
    pub const STRING: u32 = 2;
    pub const MAPPING_BUILD_ID: u32 = 2;
    pub const MAPPING_START: u32 = 4;
    pub const MAPPING_END: u32 = 5;
    pub const MAPPING_PATH_STRING_IDS: u32 = 7;
    pub const FRAME_FUNCTION_NAME_ID: u32 = 2;
    pub const FRAME_MAPPING_ID: u32 = 3;
    pub const FRAME_REL_PC: u32 = 4;
    pub const CALLSTACK_FRAME_IDS: u32 = 2;
}
