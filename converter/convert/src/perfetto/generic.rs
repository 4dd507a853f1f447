//! Generic events: a log message each, whose text is one JSON object. Form: `docs/encoding.md`.

use std::io::Write;

use facts::{EventHeader, GenericEvent, Request};
use pftrace::{LogMessage, LogPriority, TraceWriter};

const ADDRESS_CHARS: usize = 19;
const STATUS_CHARS: usize = 11;
const PRIORITY_CHARS: usize = 2;
const NUMBER64_CHARS: usize = 20;
const NUMBER32_CHARS: usize = 10;
const SINCE_CHARS: usize = 16;

/// Writes events, one after another.
#[derive(Debug, Default)]
pub struct Messages {
    text: Vec<u8>,
}

impl Messages {
    /// Writes an event.
    pub fn write(&mut self, of: &GenericEvent<'_>, writer: &mut TraceWriter) {
        let text = &mut self.text;
        text.clear();
        text.push(b'{');
        if let Some(request) = &of.request {
            text.extend_from_slice(b"\"x\":\"");
            push_request(request, text);
            text.extend_from_slice(b"\",");
        }
        push_header(&of.header, of.cpu, text);
        if let Some(more_header) = of.more_header {
            text.extend_from_slice(b",\"h\":");
            text.extend_from_slice(more_header);
        }
        text.extend_from_slice(b",\"f\":");
        text.extend_from_slice(of.fields);
        text.push(b'}');
        let message = LogMessage {
            pid: of.mention.pid.unwrap_or_default(),
            tid: of.thread.map_or(0, |thread| thread.tid),
            priority: priority(of.header.level),
            tag: of.kind,
            text,
        };
        writer.log(of.ts_ns, &message);
    }
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

/// Appends the members, zeros left out, to an object that is open and stays so.
fn push_header(header: &EventHeader, cpu: Option<u16>, out: &mut Vec<u8>) {
    let numbers: [(&[u8], i64); 5] = [
        (b",\"v\":", header.version.into()),
        (b",\"o\":", header.opcode.into()),
        (b",\"t\":", header.task.into()),
        (b",\"l\":", header.level.into()),
        (b",\"k\":", header.keywords.cast_signed()),
    ];
    let mut digits = itoa::Buffer::new();
    let mut push = |key: &[u8], value: i64| {
        out.extend_from_slice(key);
        out.extend_from_slice(digits.format(value).as_bytes());
    };
    push(b"\"i\":", header.id.into());
    if let Some(cpu) = cpu {
        push(b",\"c\":", cpu.into());
    }
    for (key, value) in numbers.into_iter().filter(|(_, value)| *value != 0) {
        push(key, value);
    }
}

/// What is asked for often, each in a field that has its own number of characters.
fn push_request(request: &Request, out: &mut Vec<u8>) {
    match *request {
        Request::FileBegins {
            file_key,
            size_bytes,
        } => {
            push_hex(file_key, ADDRESS_CHARS, out);
            push_number(size_bytes.map(u64::from), NUMBER32_CHARS, out);
        }
        Request::FileEnds {
            since_ns,
            done,
            status,
        } => {
            push_number(since_ns, SINCE_CHARS, out);
            push_number(done, NUMBER64_CHARS, out);
            push_hex(status.map(u64::from), STATUS_CHARS, out);
        }
        Request::DiskBegins => {}
        Request::DiskEnds {
            since_ns,
            took_ns,
            file_key,
            size_bytes,
            disk,
            tid,
            priority,
        } => {
            push_number(since_ns, SINCE_CHARS, out);
            push_number(took_ns, NUMBER64_CHARS, out);
            push_hex(file_key, ADDRESS_CHARS, out);
            push_number(size_bytes.map(u64::from), NUMBER32_CHARS, out);
            push_number(disk.map(u64::from), NUMBER32_CHARS, out);
            push_number(tid.map(u64::from), NUMBER32_CHARS, out);
            push_number(priority.map(u64::from), PRIORITY_CHARS, out);
        }
    }
}

/// A decimal number at the right of its field; blanks where there is none. Writing to a `Vec` never fails.
fn push_number(number: Option<u64>, chars: usize, out: &mut Vec<u8>) {
    let _ = match number {
        Some(number) => write!(out, "{number:>chars$}"),
        None => write!(out, "{:chars$}", ""),
    };
}

/// The same in hexadecimal, as JSON has it.
fn push_hex(number: Option<u64>, chars: usize, out: &mut Vec<u8>) {
    let _ = match number {
        Some(number) => write!(out, "{number:>#chars$x}"),
        None => write!(out, "{:chars$}", ""),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_request_tells_stands_in_fields_of_its_own_length() {
        let mut text = Vec::new();
        let end = Request::FileEnds {
            since_ns: Some(20),
            done: None,
            status: Some(0xC000_0034),
        };
        push_request(&end, &mut text);
        let expected = format!("{:>16}{:20} 0xc0000034", 20, "");
        assert_eq!(text, expected.as_bytes());
    }
}
