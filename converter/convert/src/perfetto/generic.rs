//! Generic events: a log message each.

use facts::GenericEvent;
use pftrace::{LogMessage, LogPriority, TraceWriter};

/// Writes an event.
pub fn generic_event(of: &GenericEvent<'_>, writer: &mut TraceWriter) {
    let message = LogMessage {
        pid: of.mention.pid.unwrap_or_default(),
        tid: of.thread.map_or(0, |thread| thread.tid),
        priority: priority(of.header.level),
        tag: of.kind,
        text: of.text,
    };
    writer.log(of.ts_ns, &message);
}

/// The level of a header, 1 critical to 5 verbose, as the log knows it.
fn priority(level: u8) -> LogPriority {
    match level {
        1 => LogPriority::Fatal,
        2 => LogPriority::Error,
        3 => LogPriority::Warning,
        5.. => LogPriority::Verbose,
        _ => LogPriority::Info,
    }
}
