//! Where the next buffer begins after a damaged one. Nothing in the file says it, and compressed buffers lie at any
//! offset: what looks like a buffer's header in every field is taken for one.

use crate::bytes;
use crate::event_header::Frame;
use crate::index::{
    BUFFER_HEADER_BYTES, BufferInfo, MOST_BUFFER_BYTES, MOST_PROCESSOR, buffer_type,
};
use crate::source::Source;

const HEADER: usize = BUFFER_HEADER_BYTES as usize;
/// A header, and the largest fixed part of an event after it.
const SEEN_BYTES: usize = HEADER + 0x50;
const CHUNK_BYTES: usize = 1 << 16;
/// All flags that there are (§1.2).
const KNOWN_FLAGS: u16 = 0x007F;
/// The last state that there is: flush.
const MOST_STATE: u32 = 3;
/// A session that writes a buffer each microsecond for ten days has fewer.
const MOST_SEQUENCE: i64 = 1 << 40;

/// Whether all that a buffer's header says is likely, its size aside.
pub(crate) fn is_likely(header: &[u8], info: &BufferInfo) -> bool {
    info.flags & !KNOWN_FLAGS == 0
        && info.buffer_type <= buffer_type::DEBUG_INFO
        && info.cpu <= MOST_PROCESSOR
        && (0..MOST_SEQUENCE).contains(&info.sequence)
        && (BUFFER_HEADER_BYTES..=MOST_BUFFER_BYTES).contains(&info.data_end)
        && bytes::u32_at(header, 0x2C).is_some_and(|state| state <= MOST_STATE)
}

/// Whether `bytes` begin with what looks like the header of a buffer of at most `most_bytes` and, where that can be
/// seen, an event.
fn begins_buffer(bytes: &[u8], most_bytes: u32) -> bool {
    let Some(header) = bytes.first_chunk::<HEADER>() else {
        return false;
    };
    let Some(info) = BufferInfo::parse(header, 0) else {
        return false;
    };
    let sizes = BUFFER_HEADER_BYTES..=most_bytes;
    if !sizes.contains(&info.disk_bytes)
        || !sizes.contains(&info.data_end)
        || !is_likely(header, &info)
    {
        return false;
    }
    if info.is_compressed() {
        return true;
    }
    let first = bytes.get(HEADER..).unwrap_or_default();
    info.data_end <= info.disk_bytes
        && (info.data_end == BUFFER_HEADER_BYTES || Frame::begins(first))
}

/// Whether a likely buffer lies at `offset`; its end may be cut off.
pub(crate) fn is_buffer(source: &Source, offset: u64, most_bytes: u32) -> bool {
    let left = source.size_bytes().saturating_sub(offset);
    let mut seen = [0; SEEN_BYTES];
    let count = usize::try_from(left).map_or(SEEN_BYTES, |left| left.min(SEEN_BYTES));
    seen.get_mut(..count).is_some_and(|seen| {
        source.read_exact_at(offset, seen).is_ok() && begins_buffer(seen, most_bytes)
    })
}

/// The offset of the first likely buffer from `from` on.
pub(crate) fn next_buffer(source: &Source, from: u64, most_bytes: u32) -> Option<u64> {
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut at = from;
    while at < source.size_bytes() {
        let left = source.size_bytes() - at;
        let count = usize::try_from(left).map_or(CHUNK_BYTES, |left| left.min(CHUNK_BYTES));
        let part = chunk.get_mut(..count)?;
        source.read_exact_at(at, part).ok()?;
        let starts = if count == CHUNK_BYTES {
            count - SEEN_BYTES
        } else {
            count
        };
        let found = (0..starts).find(|start| {
            part.get(*start..)
                .is_some_and(|bytes| begins_buffer(bytes, most_bytes))
        });
        if let Some(start) = found {
            return Some(at + start as u64);
        }
        at += starts as u64;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::{TestBuffer, perfinfo64};

    fn buffer() -> TestBuffer {
        TestBuffer::new(3, 7, vec![perfinfo64(0x0532, 5, &[0; 8])])
    }

    #[test]
    fn a_buffer_is_found_wherever_it_lies() {
        let lengths = [0, 1, 71, CHUNK_BYTES - SEEN_BYTES - 1, CHUNK_BYTES - 20];
        for noise_bytes in lengths {
            for found in [buffer(), buffer().compressed()] {
                let noise = (0..noise_bytes).map(|at| (at % 251) as u8);
                let file: Vec<u8> = noise.chain(found.bytes()).collect();
                let source = Source::Memory(file);
                assert_eq!(
                    next_buffer(&source, 0, MOST_BUFFER_BYTES),
                    Some(noise_bytes as u64)
                );
                assert_eq!(
                    next_buffer(&source, noise_bytes as u64 + 1, MOST_BUFFER_BYTES),
                    None
                );
            }
        }
    }

    #[test]
    fn fill_bytes_are_no_buffer() {
        for fill in [0x00, 0x01, 0x40, 0xFF] {
            assert_eq!(
                next_buffer(&Source::Memory(vec![fill; 5000]), 0, MOST_BUFFER_BYTES),
                None,
                "{fill:#x}"
            );
        }
    }
}
