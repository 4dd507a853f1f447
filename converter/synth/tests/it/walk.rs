//! A minimal reader of `.etl`, by the walking rules of the format alone, that checks them as it goes.

use crate::xpress;

pub struct Buffer {
    pub file_bytes: u32,
    pub stamp: i64,
    pub sequence: i64,
    pub cpu: u16,
    pub flags: u16,
    pub kind: u16,
    pub events: Vec<Event>,
}

#[derive(Clone)]
pub struct Event {
    pub cpu: u16,
    pub ticks: i64,
    /// Hook id of a classic event with group and type in its header, else `None`.
    pub hook: Option<u16>,
    pub payload: Vec<u8>,
}

impl Event {
    pub fn u8(&self, at: usize) -> u8 {
        self.payload[at]
    }

    pub fn u32(&self, at: usize) -> u32 {
        u32_at(&self.payload, at)
    }
}

pub fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap())
}

pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

pub fn i64_at(bytes: &[u8], at: usize) -> i64 {
    i64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// All buffers in file order. Panics where the file breaks a rule.
pub fn buffers(file: &[u8]) -> Vec<Buffer> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < file.len() {
        let head = &file[at..at + 0x48];
        let file_bytes = u32_at(head, 0x00);
        let end_of_data = u32_at(head, 0x30) as usize;
        let stored = &file[at..at + file_bytes as usize];
        let (flags, kind, cpu) = (u16_at(head, 0x34), u16_at(head, 0x36), u16_at(head, 0x28));
        assert_eq!(u32_at(head, 0x04) as usize, end_of_data, "SavedOffset");
        assert_eq!(u32_at(head, 0x2C), 3, "State");
        let mut data = head.to_vec();
        if flags & 0x40 == 0 {
            data.extend(&stored[0x48..end_of_data]);
            assert!(
                stored[end_of_data..].iter().all(|byte| *byte == 0xFF),
                "fill at {at:#x}"
            );
        } else {
            data.extend(xpress::decompress(&stored[0x48..], end_of_data - 0x48));
        }
        found.push(Buffer {
            file_bytes,
            stamp: i64_at(head, 0x10),
            sequence: i64_at(head, 0x18),
            cpu,
            flags,
            kind,
            events: events(&data, cpu),
        });
        at += file_bytes as usize;
    }
    found
}

/// The events of all buffers by time; those of one processor keep their order.
pub fn by_time(buffers: &[Buffer]) -> Vec<Event> {
    let mut all: Vec<Event> = buffers
        .iter()
        .flat_map(|buffer| buffer.events.clone())
        .collect();
    all.sort_by_key(|event| (event.ticks, event.cpu));
    all
}

fn events(data: &[u8], cpu: u16) -> Vec<Event> {
    let mut found = Vec::new();
    let mut at = 0x48;
    while at < data.len() {
        let size_first = usize::from(u16_at(data, at));
        let (size, time_at, head, hooked) = match (data[at + 3], data[at + 2]) {
            (0xC0, 0x01 | 0x02) => (usize::from(u16_at(data, at + 4)), 0x10, 0x20, true),
            (0xC0, 0x03 | 0x04) => (usize::from(u16_at(data, at + 4)), 0x10, 0x18, true),
            (0xC0, 0x10 | 0x11) => (usize::from(u16_at(data, at + 4)), 0x08, 0x10, true),
            (0xC0, 0x0A | 0x14) => (size_first, 0x10, 0x30, false),
            (0xC0, 0x0B | 0x15) => (size_first, 0x10, 0x48, false),
            (0xC0, 0x12 | 0x13) => (size_first, 0x10, 0x50, false),
            (0x90, _) => (size_first, 0x18, 0x28, false),
            other => panic!("header {other:02x?} at {at:#x}"),
        };
        found.push(Event {
            cpu,
            ticks: i64_at(data, at + time_at),
            hook: hooked.then(|| u16_at(data, at + 6)),
            payload: data[at + head..at + size].to_vec(),
        });
        at = (at + size).next_multiple_of(8);
    }
    assert_eq!(at, data.len(), "events end exactly at the end of data");
    found
}
