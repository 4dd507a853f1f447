//! The open packet of log messages, Perfetto's carrier for events of any kind (`AndroidLogPacket`).

use crate::field::{log_event, log_packet, packet, trace};
use crate::wire::{LongMessage, Wire};

/// Messages after which a packet is written out.
const MESSAGES_MAX: u32 = 256;
/// Bytes after which a packet is written out: messages can be long.
const BYTES_MAX: usize = 1 << 18;

/// One log message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogMessage<'a> {
    /// Process of the thread; 0 with `tid` 0.
    pub pid: u32,
    /// The thread that logged it; 0 where there is none.
    pub tid: u32,
    /// How severe it is.
    pub priority: LogPriority,
    /// What kind of message it is.
    pub tag: &'a str,
    /// The message.
    pub text: &'a [u8],
}

/// Severity of a log message (`AndroidLogPriority`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogPriority {
    /// Verbose.
    Verbose = 2,
    /// Information.
    Info = 4,
    /// Warning.
    Warning = 5,
    /// Error.
    Error = 6,
    /// Fatal.
    Fatal = 7,
}

/// Log messages not yet written out. The importer looks their threads up at the packet's time, which is the last
/// message's, so the packet must be written out before a thread begins or ends.
#[derive(Debug, Default)]
pub(crate) struct LogBatch {
    messages: Vec<u8>,
    count: u32,
    last_ts_ns: u64,
}

impl LogBatch {
    /// Adds a message of the time `ts_ns`, which is `utc_ns` in UTC.
    pub fn add(&mut self, ts_ns: u64, utc_ns: u64, message: &LogMessage<'_>) {
        self.count += 1;
        self.last_ts_ns = ts_ns;
        self.messages.message(log_packet::EVENTS, |m| {
            m.uint(log_event::PID, u64::from(message.pid));
            m.uint(log_event::TID, u64::from(message.tid));
            m.uint(log_event::TIMESTAMP, utc_ns);
            m.bytes(log_event::TAG, message.tag.as_bytes());
            m.uint(log_event::PRIORITY, message.priority as u64);
            m.bytes(log_event::MESSAGE, message.text);
        });
    }

    pub fn is_full(&self) -> bool {
        self.count >= MESSAGES_MAX || self.messages.len() >= BYTES_MAX
    }

    /// Writes the messages as one packet and empties it, keeping its memory.
    pub fn write_out(&mut self, out: &mut Vec<u8>) {
        if self.count == 0 {
            return;
        }
        out.message(trace::PACKET, |p| {
            p.uint(packet::TIMESTAMP, self.last_ts_ns);
            p.message(packet::ANDROID_LOG, |log| {
                log.extend_from_slice(&self.messages);
            });
        });
        self.messages.clear();
        self.count = 0;
    }
}
