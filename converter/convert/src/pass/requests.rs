//! Requests to files and disks: what their events say, packed where the engine reads it without parsing JSON, and which
//! event ends which request.

use std::collections::hash_map::Entry;
use std::io::Write;
use std::ops::Range;

use etl::{Clock, Event, EventId};
use rustc_hash::FxHashMap;
use schema::{EventSchema, Scalar, Value, decode_fitting};

/// Requests of one sort that are followed at once; only a forged trace has more.
const OPEN_MAX: usize = 1 << 18;
/// How a text with packed fields begins. Each field has its own number of characters: `docs/encoding.md`.
const START: &[u8] = b"{\"x\":\"";
/// The first field of an end: the time since its begin, which is not known before it is written.
const SINCE_CHARS: usize = 16;
const SINCE: Range<usize> = START.len()..START.len() + SINCE_CHARS;
const ADDRESS_CHARS: usize = 19;
const STATUS_CHARS: usize = 11;
const PRIORITY_CHARS: usize = 2;
const NUMBER64_CHARS: usize = 20;
const NUMBER32_CHARS: usize = 10;

const DISK_IO: u8 = 0x01;
const FILE_IO: u8 = 0x04;

/// What an event is to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A thread asks the file system for something.
    FileBegin,
    /// The file system is done.
    FileEnd,
    /// A disk is asked for something.
    DiskBegin,
    /// The disk is done.
    DiskEnd,
}

impl Step {
    fn of(id: EventId) -> Option<Self> {
        let EventId::Kernel(hook) = id else {
            return None;
        };
        match (hook.group(), hook.event_type()) {
            (FILE_IO, 0x4C) => Some(Self::FileEnd),
            (FILE_IO, 0x40..) => Some(Self::FileBegin),
            (DISK_IO, 0x0C | 0x0D | 0x0F | 0x3A..=0x3C) => Some(Self::DiskBegin),
            (DISK_IO, _) => Some(Self::DiskEnd),
            _ => None,
        }
    }
}

/// A step of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    step: Step,
    /// Address of the request packet, which is used again at once; `None` where the event is too short to tell.
    irp: Option<u64>,
}

/// What an event is to a request, if anything. Begins its JSON object with what of its payload is packed.
pub fn push_packed(
    event: &Event<'_>,
    schema: Option<&EventSchema>,
    clock: &Clock,
    out: &mut Vec<u8>,
) -> Option<Request> {
    let Some(step) = Step::of(event.id) else {
        out.push(b'{');
        return None;
    };
    let members = schema
        .map(|schema| decode_fitting(&schema.layout, event.payload, event.pointer_bytes))
        .unwrap_or_default();
    let number = |wanted: &str| {
        let found = members.iter().find(|(name, _)| *name == wanted);
        match found {
            Some((_, Value::Scalar(Scalar::U64(number) | Scalar::Hex(number)))) => Some(*number),
            Some((_, Value::Scalar(Scalar::Mapped(number, _)))) => Some((*number).into()),
            _ => None,
        }
    };
    out.extend_from_slice(START);
    match step {
        Step::FileBegin => {
            push_hex(number("FileKey"), ADDRESS_CHARS, out);
            push_number(
                number("IoSize").or_else(|| number("Length")),
                NUMBER32_CHARS,
                out,
            );
        }
        Step::FileEnd => {
            push_number(None, SINCE_CHARS, out);
            push_number(number("ExtraInformation"), NUMBER64_CHARS, out);
            push_hex(number("NtStatus"), STATUS_CHARS, out);
        }
        Step::DiskBegin => {}
        Step::DiskEnd => {
            let took_ticks = number("HighResResponseTime_ticks");
            let priority = number("IrpFlags").map(|flags| flags >> 17 & 7);
            push_number(None, SINCE_CHARS, out);
            push_number(
                took_ticks.map(|ticks| clock.ticks_to_ns(ticks)),
                NUMBER64_CHARS,
                out,
            );
            push_hex(number("FileObject"), ADDRESS_CHARS, out);
            push_number(number("TransferSize"), NUMBER32_CHARS, out);
            push_number(number("DiskNumber"), NUMBER32_CHARS, out);
            push_number(number("IssuingThreadId"), NUMBER32_CHARS, out);
            push_number(priority, PRIORITY_CHARS, out);
        }
    }
    out.extend_from_slice(b"\",");
    let irp = number("Irp");
    Some(Request { step, irp })
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

/// Requests under way.
#[derive(Debug, Default)]
pub struct Requests {
    /// When those of files began that no end has come for, by request packet.
    files: FxHashMap<u64, u64>,
    /// The same of disks, which get the packets of files' requests.
    disks: FxHashMap<u64, u64>,
    text: Vec<u8>,
    /// Begins that were not kept, since too many were open.
    left_out: u64,
}

impl Requests {
    /// Takes in what happens at `ts_ns`. Answers the text of its event: with the time since the begin, if it is an end whose
    /// begin was met.
    pub fn step<'t>(&'t mut self, request: Request, ts_ns: u64, text: &'t [u8]) -> &'t [u8] {
        let Request { step, irp } = request;
        let open = match step {
            Step::FileBegin | Step::FileEnd => &mut self.files,
            Step::DiskBegin | Step::DiskEnd => &mut self.disks,
        };
        let Some(irp) = irp else {
            return text;
        };
        if matches!(step, Step::FileBegin | Step::DiskBegin) {
            let is_full = open.len() >= OPEN_MAX;
            match open.entry(irp) {
                Entry::Occupied(mut begin) => *begin.get_mut() = ts_ns,
                Entry::Vacant(_) if is_full => self.left_out += 1,
                Entry::Vacant(place) => {
                    place.insert(ts_ns);
                }
            }
            return text;
        }
        let Some(begin_ts_ns) = open.remove(&irp) else {
            return text;
        };
        let since_ns = ts_ns - begin_ts_ns;
        self.text.clear();
        self.text
            .extend_from_slice(text.get(..SINCE.start).unwrap_or_default());
        push_number(Some(since_ns), SINCE_CHARS, &mut self.text);
        self.text
            .extend_from_slice(text.get(SINCE.end..).unwrap_or_default());
        &self.text
    }

    /// How many begins were not kept, since too many requests were open: their ends are not told.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: &[u8] = b"{\"x\":\"                \",\"i\":1100}";
    const ENDED: &[u8] = b"{\"x\":\"              20\",\"i\":1100}";

    fn request(step: Step, irp: u64) -> Request {
        let irp = Some(irp);
        Request { step, irp }
    }

    #[test]
    fn an_end_tells_when_its_own_request_began() {
        let mut requests = Requests::default();
        let mut step = |step, ts_ns, text| requests.step(request(step, 7), ts_ns, text).to_vec();
        step(Step::FileBegin, 10, b"{}");
        step(Step::FileBegin, 20, b"{}");
        step(Step::DiskBegin, 30, b"{}");
        assert_eq!(step(Step::FileEnd, 40, END), ENDED);
        assert_eq!(step(Step::FileEnd, 41, END), END);
        assert_eq!(step(Step::DiskEnd, 50, END), ENDED);
    }

    #[test]
    fn requests_beyond_the_bound_are_counted_until_others_end() {
        let mut requests = Requests::default();
        for irp in 0..=OPEN_MAX as u64 {
            requests.step(request(Step::FileBegin, irp), irp, b"{}");
        }
        assert_eq!((requests.files.len(), requests.left_out()), (OPEN_MAX, 1));
        let end_ts_ns = 20 + OPEN_MAX as u64;
        let without_begin = request(Step::FileEnd, OPEN_MAX as u64);
        assert_eq!(requests.step(without_begin, end_ts_ns, END), END);
        requests.step(request(Step::FileEnd, 0), end_ts_ns, END);
        requests.step(request(Step::FileBegin, 1 << 40), end_ts_ns, b"{}");
        assert_eq!((requests.files.len(), requests.left_out()), (OPEN_MAX, 1));
    }
}
