//! The samples of a written trace, with all that they refer to looked up, as an importer does.

use std::collections::BTreeMap;
use std::fmt;

/// One sample; times in ns after the start.
pub struct Sample {
    pub ts_ns: u64,
    pub pid: u64,
    pub tid: u64,
    pub is_kernel: bool,
    pub value: u64,
    /// Module and RVA, the innermost first.
    pub frames: Vec<(String, u64)>,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = if self.is_kernel { "kernel" } else { "user" };
        let Self {
            ts_ns, pid, tid, ..
        } = self;
        write!(f, "{ts_ns} pid {pid} tid {tid} {mode} {}: ", self.value)?;
        let frames: Vec<String> = self
            .frames
            .iter()
            .map(|(module, rva)| format!("{module}+{rva:x}"))
            .collect();
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
    let mut mappings = BTreeMap::new();
    let mut frames = BTreeMap::new();
    let mut callstacks = BTreeMap::new();
    let mut samples = Vec::new();
    for packet in Message::of(trace).messages(1) {
        for interned in packet.messages(12) {
            for path in interned.messages(17) {
                let text = path.bytes.get(&2).and_then(|all| all.first());
                let text = String::from_utf8_lossy(text.expect("a path has text")).into_owned();
                paths.insert(path.number(1), text);
            }
            for mapping in interned.messages(19) {
                let path = paths.get(&mapping.number(7)).cloned().unwrap_or_default();
                mappings.insert(mapping.number(1), path);
            }
            for frame in interned.messages(6) {
                let module = mappings.get(&frame.number(3)).expect("a known mapping");
                frames.insert(frame.number(1), (module.clone(), frame.number(4)));
            }
            for callstack in interned.messages(7) {
                let frame = |iid| frames.get(iid).cloned().expect("a known frame");
                let stack: Vec<_> = callstack.all_numbers(2).iter().rev().map(frame).collect();
                callstacks.insert(callstack.number(1), stack);
            }
        }
        for sample in packet.messages(66) {
            let frames = callstacks.get(&sample.number(4));
            samples.push(Sample {
                ts_ns: packet.number(8) - 1_000_000_000,
                pid: sample.number(2),
                tid: sample.number(3),
                is_kernel: sample.number(5) == 1,
                value: sample.number(6),
                frames: frames.expect("a known callstack").clone(),
            });
        }
    }
    samples
}
