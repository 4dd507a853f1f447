//! Writes small traces byte by byte, independently of the reader.

#![allow(dead_code, missing_docs, reason = "every test file uses a part of it")]
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "also used by benches; its input is its own"
)]

pub mod compress;
pub mod mutate;

/// 2020-01-01 as a FILETIME.
pub const START_FILETIME: i64 = 132_223_104_000_000_000;
pub const START_RAW: i64 = 1_000_000;
pub const BUFFER_HEADER_BYTES: usize = 0x48;

/// The log-file header; every field of it that a test wants to change.
#[derive(Clone)]
pub struct LogHeader {
    pub pointer_bytes: u32,
    pub buffer_bytes: u32,
    pub mode: u32,
    pub buffers_written: u32,
    pub start_buffers: u32,
    pub events_lost: u32,
    pub cpu_mhz: u32,
    pub end_time: i64,
    pub perf_freq_hz: i64,
    pub start_time: i64,
    pub clock_type: u32,
    pub boot_time: i64,
    pub os_build: u32,
    pub cpu_count: u32,
    /// Time of the header event.
    pub start_raw: i64,
}

impl Default for LogHeader {
    fn default() -> Self {
        Self {
            pointer_bytes: 8,
            buffer_bytes: 0x1000,
            mode: 1,
            buffers_written: 1,
            start_buffers: 1,
            events_lost: 0,
            cpu_mhz: 2400,
            end_time: START_FILETIME + 10_000_000,
            perf_freq_hz: 10_000_000,
            start_time: START_FILETIME,
            clock_type: 1,
            boot_time: START_FILETIME - 1,
            os_build: 19041,
            cpu_count: 2,
            start_raw: START_RAW,
        }
    }
}

impl LogHeader {
    pub fn payload(&self) -> Vec<u8> {
        let wide = self.pointer_bytes != 4;
        let mut out = Vec::new();
        let version = u32::from_le_bytes([10, 0, 1, 5]);
        for number in [self.buffer_bytes, version, self.os_build, self.cpu_count] {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.end_time.to_le_bytes());
        for number in [
            156_250,
            100,
            self.mode,
            self.buffers_written,
            self.start_buffers,
            self.pointer_bytes,
            self.events_lost,
            self.cpu_mhz,
        ] {
            out.extend(number.to_le_bytes());
        }
        out.resize(if wide { 0x48 } else { 0x40 }, 0);
        out.extend((-60i32).to_le_bytes());
        out.resize(if wide { 0xF8 } else { 0xF0 }, 0);
        for number in [self.boot_time, self.perf_freq_hz, self.start_time] {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.clock_type.to_le_bytes());
        out.extend(7u32.to_le_bytes());
        for text in ["Session", "C:\\file.etl"] {
            out.extend(wide_string(text));
        }
        out
    }
}

pub fn wide_string(text: &str) -> Vec<u8> {
    text.encode_utf16()
        .chain([0])
        .flat_map(u16::to_le_bytes)
        .collect()
}

fn sized(mut event: Vec<u8>, size_at: usize) -> Vec<u8> {
    let size = u16::try_from(event.len()).unwrap().to_le_bytes();
    event[size_at..size_at + 2].copy_from_slice(&size);
    event
}

/// A SYSTEM64 event of thread 8 in process 4.
pub fn system64(hook: u16, version: u16, timestamp: i64, payload: &[u8]) -> Vec<u8> {
    let mut out = version.to_le_bytes().to_vec();
    out.extend([2, 0xC0, 0, 0]);
    out.extend(hook.to_le_bytes());
    out.extend([8, 0, 0, 0, 4, 0, 0, 0]);
    out.extend(timestamp.to_le_bytes());
    out.extend([0; 8]);
    out.extend(payload);
    sized(out, 4)
}

pub fn perfinfo64(hook: u16, timestamp: i64, payload: &[u8]) -> Vec<u8> {
    let mut out = vec![2, 0, 0x11, 0xC0, 0, 0];
    out.extend(hook.to_le_bytes());
    out.extend(timestamp.to_le_bytes());
    out.extend(payload);
    sized(out, 4)
}

/// A FULL_HEADER64 (or, with 0x15, INSTANCE64) event of thread 8 in process 4.
pub fn classic(
    marker: u8,
    class: [u8; 16],
    event_type: u8,
    version: u16,
    timestamp: i64,
    payload: &[u8],
) -> Vec<u8> {
    let mut out = vec![0, 0, marker, 0xC0, event_type, 0];
    out.extend(version.to_le_bytes());
    out.extend([8, 0, 0, 0, 4, 0, 0, 0]);
    out.extend(timestamp.to_le_bytes());
    out.extend(class);
    out.resize(if marker == 0x15 { 0x48 } else { 0x30 }, 0);
    out.extend(payload);
    sized(out, 0)
}

/// An EVENT_HEADER64 event with id 5, version 2, channel 3, level 4, opcode 6, task 7, keywords 8.
pub fn event_header64(
    provider: [u8; 16],
    timestamp: i64,
    extended: &[u8],
    payload: &[u8],
) -> Vec<u8> {
    let mut out = vec![0, 0, 0x13, 0xC0, u8::from(!extended.is_empty()), 0, 0, 0];
    out.extend([8, 0, 0, 0, 4, 0, 0, 0]);
    out.extend(timestamp.to_le_bytes());
    out.extend(provider);
    out.extend([5, 0, 2, 3, 4, 6, 7, 0, 8, 0, 0, 0, 0, 0, 0, 0]);
    out.extend([0; 8]);
    out.extend([0xAA; 16]);
    out.extend(extended);
    out.extend(payload);
    sized(out, 0)
}

/// A buffer, and what its header says.
#[derive(Clone)]
pub struct TestBuffer {
    pub cpu: u16,
    pub sequence: i64,
    pub flags: u16,
    pub buffer_type: u16,
    /// Size in the file; 0 = as large as the events need.
    pub buffer_bytes: usize,
    pub events: Vec<Vec<u8>>,
}

impl TestBuffer {
    pub fn new(cpu: u16, sequence: i64, events: Vec<Vec<u8>>) -> Self {
        Self {
            cpu,
            sequence,
            flags: 0x20,
            buffer_type: 0,
            buffer_bytes: 0,
            events,
        }
    }

    /// The first buffer of a file, with the log-file header.
    pub fn header(header: &LogHeader) -> Self {
        let event = system64(0, 2, header.start_raw, &header.payload());
        Self {
            flags: 1,
            buffer_type: 4,
            ..Self::new(0, 0, vec![event])
        }
    }

    pub fn compressed(mut self) -> Self {
        self.flags |= 0x40;
        self
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut data = vec![0; BUFFER_HEADER_BYTES];
        for event in &self.events {
            data.resize(data.len().next_multiple_of(8), 0);
            data.extend(event);
        }
        let data_end = u32::try_from(data.len()).unwrap();
        if self.flags & 0x40 != 0 {
            let packed = compress::compress(&data[BUFFER_HEADER_BYTES..]);
            data.truncate(BUFFER_HEADER_BYTES);
            data.extend(packed);
        }
        let fill = self.buffer_bytes.max(data.len());
        data.resize(fill, 0xFF);
        put(&mut data, 0x00, &u32::try_from(fill).unwrap().to_le_bytes());
        put(&mut data, 0x18, &self.sequence.to_le_bytes());
        put(&mut data, 0x28, &self.cpu.to_le_bytes());
        put(&mut data, 0x30, &data_end.to_le_bytes());
        put(&mut data, 0x34, &self.flags.to_le_bytes());
        put(&mut data, 0x36, &self.buffer_type.to_le_bytes());
        data
    }
}

/// Overwrites bytes at `at`.
pub fn put(bytes: &mut [u8], at: usize, new: &[u8]) {
    bytes[at..at + new.len()].copy_from_slice(new);
}

/// A whole file: the header buffer, then these.
pub fn trace(mut header: LogHeader, buffers: &[TestBuffer]) -> Vec<u8> {
    header.buffers_written = 1 + u32::try_from(buffers.len()).unwrap();
    let mut out = TestBuffer::header(&header).bytes();
    out.extend(buffers.iter().flat_map(TestBuffer::bytes));
    out
}
