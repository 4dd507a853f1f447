//! The samples of a written trace, with all that they refer to looked up, as an importer does.

use std::collections::BTreeMap;
use std::fmt;

/// One sample; times in ns after the start.
pub struct Sample {
    pub ts_ns: u64,
    pub pid: u64,
    pub tid: u64,
    pub is_kernel: bool,
    /// What else is told, in words.
    pub words: String,
    /// Whether it is the stack of an event.
    pub is_of_event: bool,
    /// The innermost first.
    pub frames: Vec<Frame>,
}

/// One frame of a stack.
#[derive(Clone)]
pub struct Frame {
    /// Path of the mapping, empty if it has none.
    pub module: String,
    /// Whether the mapping is an image, whose RVA the offset is; else it is an address.
    pub is_image: bool,
    /// Empty if none is named.
    pub function: String,
    /// Offset in the mapping.
    pub rva: u64,
}

/// UUID of the track of events that have stacks.
const EVENT_STACK_TRACK: u64 = (1 << 32) + (1 << 17) + 10;

impl Sample {
    /// What it is of.
    pub fn of(&self) -> String {
        if !self.is_of_event {
            return "sample".to_owned();
        }
        let event_id = self.words.split_once("event_id=").map(|(_, rest)| {
            let digits = rest.split(' ').next().expect("a word ends");
            digits.parse::<u16>().expect("an event id is a number")
        });
        match event_id {
            Some(event_id) => format!("kernel event {event_id:04X}"),
            None if self.words.starts_with("kind=") => "provider's event".to_owned(),
            None => "unknown event".to_owned(),
        }
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            module,
            function,
            rva,
            ..
        } = self;
        let bang = if function.is_empty() { "" } else { "!" };
        write!(f, "{module}{bang}{function}+{rva:x}")
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = if self.is_kernel { "kernel" } else { "user" };
        let Self {
            ts_ns, pid, tid, ..
        } = self;
        write!(f, "{ts_ns} pid {pid} tid {tid} {mode} {}: ", self.words)?;
        let frames: Vec<String> = self.frames.iter().map(Frame::to_string).collect();
        write!(f, "{}", frames.join(" < "))
    }
}

/// A protobuf message: the values of each field.
#[derive(Default)]
struct Message<'a> {
    numbers: BTreeMap<u64, Vec<u64>>,
    bytes: BTreeMap<u64, Vec<&'a [u8]>>,
}

impl<'a> Message<'a> {
    fn of(mut rest: &'a [u8]) -> Self {
        let mut message = Self::default();
        while !rest.is_empty() {
            let key = varint(&mut rest);
            let value = varint(&mut rest);
            if key & 7 == 0 {
                message.numbers.entry(key >> 3).or_default().push(value);
            } else {
                let (bytes, after) = rest.split_at(value as usize);
                message.bytes.entry(key >> 3).or_default().push(bytes);
                rest = after;
            }
        }
        message
    }

    fn number(&self, field: u64) -> u64 {
        self.all_numbers(field).first().copied().unwrap_or(0)
    }

    fn all_numbers(&self, field: u64) -> &[u64] {
        self.numbers.get(&field).map_or(&[], Vec::as_slice)
    }

    /// The text of an interned string.
    fn text(&self) -> String {
        let text = self.bytes.get(&2).and_then(|all| all.first());
        String::from_utf8_lossy(text.expect("it has text")).into_owned()
    }

    fn messages(&self, field: u64) -> impl Iterator<Item = Message<'a>> + '_ {
        let all = self.bytes.get(&field).into_iter().flatten();
        all.map(|bytes| Message::of(bytes))
    }
}

fn varint(rest: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, after) = rest.split_first().expect("a varint has an end");
        *rest = after;
        value |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    value
}

/// All samples, in the order of the trace.
pub fn samples(trace: &[u8]) -> Vec<Sample> {
    let mut paths = BTreeMap::new();
    let mut functions = BTreeMap::new();
    let mut mappings = BTreeMap::new();
    let mut frames = BTreeMap::new();
    let mut callstacks = BTreeMap::new();
    let mut samples: Vec<Sample> = Vec::new();
    let mut names = BTreeMap::new();
    for packet in Message::of(trace).messages(1) {
        for interned in packet.messages(12) {
            for name in interned.messages(2) {
                names.insert(name.number(1), name.text());
            }
            for path in interned.messages(17) {
                paths.insert(path.number(1), path.text());
            }
            for function in interned.messages(5) {
                functions.insert(function.number(1), function.text());
            }
            for mapping in interned.messages(19) {
                let path = paths.get(&mapping.number(7)).cloned().unwrap_or_default();
                let is_image = mapping.number(5) != 0;
                mappings.insert(mapping.number(1), (path, is_image));
            }
            for frame in interned.messages(6) {
                let mapping = mappings.get(&frame.number(3));
                let (module, is_image) = mapping.expect("a known mapping").clone();
                let function = match frame.number(2) {
                    0 => String::new(),
                    iid => functions.get(&iid).expect("a known function").clone(),
                };
                let known = Frame {
                    module,
                    is_image,
                    function,
                    rva: frame.number(4),
                };
                frames.insert(frame.number(1), known);
            }
            for callstack in interned.messages(7) {
                let frame = |iid| frames.get(iid).cloned().expect("a known frame");
                let stack: Vec<_> = callstack.all_numbers(2).iter().rev().map(frame).collect();
                callstacks.insert(callstack.number(1), stack);
            }
        }
        // What is told of a sample comes right after it.
        for instant in packet.messages(11) {
            let ts_ns = packet.number(8) - 1_000_000_000;
            let last = samples.last_mut().filter(|sample| sample.ts_ns == ts_ns);
            if let (Some(sample), Some(words)) = (last, names.get(&instant.number(10))) {
                sample.words.clone_from(words);
                sample.is_of_event = instant.number(11) == EVENT_STACK_TRACK;
            }
        }
        for sample in packet.messages(66) {
            let frames = callstacks.get(&sample.number(4));
            samples.push(Sample {
                ts_ns: packet.number(8) - 1_000_000_000,
                pid: sample.number(2),
                tid: sample.number(3),
                is_kernel: sample.number(5) == 1,
                words: String::new(),
                is_of_event: false,
                frames: frames.expect("a known callstack").clone(),
            });
        }
    }
    samples
}
