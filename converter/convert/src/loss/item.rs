//! One item of the list of losses.

use etl::TraceFile;

/// A gap, or a loss whose number alone is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// As in the trace: `lost_events`, `lost_buffers`, `truncated`, `damaged_buffer`, `bad_event`,
    /// `lost_stacks`, `lost_methods`, `lost_ends`, `left_out_file`, `bad_time`.
    pub kind: &'static str,
    /// Raw times between which it happened.
    pub span_raw: (i64, i64),
    /// Whose events; `None`: of any CPU.
    pub cpu: Option<u16>,
    /// Events or buffers, where the number is known.
    pub count: Option<u64>,
    /// One line for the user.
    pub message: String,
}

/// A message about a file, with the file's name where there are several.
pub fn of_file(trace: &TraceFile, file: u16, message: String) -> String {
    match trace.file_name(file) {
        Some(name) => format!("{name}: {message}"),
        None => message,
    }
}
