//! Steps through a file from buffer to buffer, and over what is no buffer (§1.3, §7 rows 5 to 7).

use crate::damage::{DamageKind, DamageLog};
use crate::index::{BUFFER_HEADER_BYTES, BufferInfo, MOST_BUFFER_BYTES, buffer_type, checked};
use crate::resync;
use crate::source::Source;

/// More are not read.
pub(crate) const MOST_BUFFERS: u32 = 4 << 20;
/// No session has smaller buffers; a smaller size by the log-file header is damage.
const LEAST_SESSION_BUFFER_BYTES: u32 = 1024;

/// The index of a file.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) buffers: Vec<BufferInfo>,
    /// Buffers in the file, those included that were skipped.
    pub(crate) found: u32,
}

/// Finds all buffers. `session_buffer_bytes` is the size by the log-file header, which bounds inflated buffers.
pub(crate) fn index(source: &Source, session_buffer_bytes: u32, damage: &mut DamageLog) -> Index {
    let mut walk = Walk {
        source,
        session_buffer_bytes,
        damage,
        index: Index::default(),
        offset: 0,
        last: None,
        damage_before_last: 0,
        searched: 0,
    };
    while walk.left_bytes() > 0 && walk.step() {}
    walk.index
}

struct Walk<'a> {
    source: &'a Source,
    session_buffer_bytes: u32,
    damage: &'a mut DamageLog,
    index: Index,
    offset: u64,
    /// The buffer before, also if it is to be skipped.
    last: Option<BufferInfo>,
    /// Places of damage before it was taken.
    damage_before_last: u64,
    /// No search begins before this: each one goes on where the last one ended, so that the walk ends.
    searched: u64,
}

impl Walk<'_> {
    fn left_bytes(&self) -> u64 {
        self.source.size_bytes().saturating_sub(self.offset)
    }

    /// Takes the buffer at the offset, or steps over what is there instead; answers whether to go on.
    fn step(&mut self) -> bool {
        let left_bytes = self.left_bytes();
        if self.index.found == MOST_BUFFERS {
            let limit = MOST_BUFFERS;
            return self.end(DamageKind::TooManyBuffers { limit });
        }
        let mut header = [0; BUFFER_HEADER_BYTES as usize];
        if left_bytes < header.len() as u64 {
            return self.end(DamageKind::HeaderCut {
                found_bytes: left_bytes,
            });
        }
        if let Err(error) = self.source.read_exact_at(self.offset, &mut header) {
            return self.end(DamageKind::Unreadable {
                expected_bytes: left_bytes,
                reason: error.to_string(),
            });
        }
        let info = BufferInfo::parse(&header, self.offset).unwrap_or_default();
        let is_likely = resync::is_likely(&header, &info);
        if is_likely && self.hides_the_next(&info) {
            self.resize(info, self.session_buffer_bytes);
        } else if self.leads_on(&info, is_likely) {
            self.take(info);
        } else {
            return self.resynchronise(info, is_likely);
        }
        true
    }

    /// Whether the size leads past the next buffer of a file whose buffers all have the session's size.
    fn hides_the_next(&self, info: &BufferInfo) -> bool {
        let usual_bytes = self.session_buffer_bytes;
        usual_bytes >= LEAST_SESSION_BUFFER_BYTES
            && info.disk_bytes > usual_bytes
            && self.offset > 0
            && self.is_buffer(self.offset + u64::from(usual_bytes))
    }

    /// Whether the size can be believed: that of an unlikely buffer only if it leads to a likely one or to the end.
    fn leads_on(&self, info: &BufferInfo, is_likely: bool) -> bool {
        let left_bytes = self.left_bytes();
        let disk_bytes = u64::from(info.disk_bytes);
        disk_bytes == left_bytes
            || (u64::from(BUFFER_HEADER_BYTES)..left_bytes).contains(&disk_bytes)
                && (is_likely || self.is_buffer(self.offset + disk_bytes))
    }

    fn is_buffer(&self, offset: u64) -> bool {
        resync::is_buffer(
            self.source,
            offset,
            inflated_limit(self.session_buffer_bytes),
        )
    }

    fn next_buffer(&self, from: u64) -> Option<u64> {
        resync::next_buffer(self.source, from, inflated_limit(self.session_buffer_bytes))
    }

    fn take(&mut self, info: BufferInfo) {
        self.damage_before_last = self.damage.total();
        if info.buffer_type == buffer_type::HEADER && info.offset > 0 && self.begins_log(&info) {
            self.damage.record(info.offset, DamageKind::SecondHeader);
        }
        self.last = Some(info);
        self.index.found += 1;
        let inflated_limit = inflated_limit(self.session_buffer_bytes);
        let size_bytes = self.source.size_bytes();
        let checked = checked(info, size_bytes, inflated_limit, self.damage);
        self.index.buffers.extend(checked);
        self.offset += u64::from(info.disk_bytes);
    }

    /// Whether the first event of a buffer is a log-file header.
    fn begins_log(&self, info: &BufferInfo) -> bool {
        let mut event = [0; 8];
        let at = info.offset + u64::from(BUFFER_HEADER_BYTES);
        self.source.read_exact_at(at, &mut event).is_ok() && {
            let [_, _, header, marker, _, _, hook @ ..] = event;
            // A system header, by the width of pointers.
            marker == 0xC0 && matches!(header, 1 | 2) && hook == [0, 0]
        }
    }

    /// Takes a buffer that is `expected_bytes` large, whatever its header says.
    fn resize(&mut self, info: BufferInfo, expected_bytes: u32) {
        let kind = DamageKind::BufferSize {
            found: info.disk_bytes,
            expected_bytes,
        };
        self.damage.record(info.offset, kind);
        self.take(BufferInfo {
            disk_bytes: expected_bytes,
            // Where its size is wrong too, it is not its data end that is.
            is_cut: !info.is_compressed() && info.data_end > expected_bytes,
            ..info
        });
    }

    /// Goes on behind a buffer whose size leads nowhere, or that is none. The size of the one before may be what is
    /// wrong: the search begins within that.
    fn resynchronise(&mut self, info: BufferInfo, is_likely: bool) -> bool {
        let zero_bytes = self.left_bytes();
        if info.disk_bytes == 0 && is_zero_from(self.source, self.offset) {
            return self.end(DamageKind::UnusedTail { zero_bytes });
        }
        let header_bytes = u64::from(BUFFER_HEADER_BYTES);
        let within_last = self.last.map_or(0, |last| last.offset + header_bytes);
        let next = match self.next_buffer(within_last.max(self.searched)) {
            Some(here) if here == self.offset => self.next_buffer(here + header_bytes),
            next => next,
        };
        self.searched = next.unwrap_or(self.searched);
        match next {
            Some(next) if next < self.offset || self.is_session_size_of_last(next) => {
                self.resize_last(next);
            }
            Some(next) => self.step_over(info, is_likely, next),
            None => return self.take_rest(info, is_likely),
        }
        true
    }

    /// Whether the buffer before would have the session's size if it reached to `next`, which its data do not rule out.
    fn is_session_size_of_last(&self, next: u64) -> bool {
        self.last.is_some_and(|last| {
            !last.is_compressed() && next - last.offset == self.session_buffer_bytes.into()
        })
    }

    /// The buffer before reaches just to `next`: takes it anew.
    fn resize_last(&mut self, next: u64) {
        if let Some(last) = self.last {
            self.damage.forget_after(self.damage_before_last);
            self.index.found -= 1;
            let buffers = &mut self.index.buffers;
            buffers.pop_if(|taken| taken.offset == last.offset);
            self.offset = last.offset;
            self.resize(last, saturated(next - last.offset));
        }
        self.offset = next;
    }

    fn step_over(&mut self, info: BufferInfo, is_likely: bool, next: u64) {
        let bytes = next - self.offset;
        if is_likely && u64::from(info.data_end) <= bytes.max(u64::from(self.session_buffer_bytes))
        {
            self.resize(info, saturated(bytes));
        } else {
            let kind = DamageKind::NoBuffer {
                found: info.disk_bytes,
                skipped_bytes: bytes,
            };
            self.damage.record(self.offset, kind);
            self.offset = next;
        }
    }

    /// Nothing behind this looks like a buffer: it is cut, or the last one, or none. Ends the walk.
    fn take_rest(&mut self, info: BufferInfo, is_likely: bool) -> bool {
        let left_bytes = self.left_bytes();
        if is_likely && u64::from(info.disk_bytes) > left_bytes {
            self.take(info);
        } else if is_likely && left_bytes == self.session_buffer_bytes.into() {
            self.resize(info, self.session_buffer_bytes);
        } else {
            self.end(DamageKind::NoBuffer {
                found: info.disk_bytes,
                skipped_bytes: left_bytes,
            });
        }
        false
    }

    fn end(&mut self, kind: DamageKind) -> bool {
        let zero_bytes = self.left_bytes();
        let kind = if is_zero_from(self.source, self.offset) {
            DamageKind::UnusedTail { zero_bytes }
        } else {
            kind
        };
        self.damage.record(self.offset, kind);
        false
    }
}

/// A compressed buffer inflates to the session's buffer size; twice that is allowed, where it is plausible at all.
fn inflated_limit(session_buffer_bytes: u32) -> u32 {
    if session_buffer_bytes < LEAST_SESSION_BUFFER_BYTES {
        return MOST_BUFFER_BYTES;
    }
    session_buffer_bytes
        .saturating_mul(2)
        .min(MOST_BUFFER_BYTES)
}

fn saturated(bytes: u64) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// Whether the file holds nothing but zero bytes from `offset` on.
fn is_zero_from(source: &Source, offset: u64) -> bool {
    let mut chunk = vec![0; 1 << 16];
    let mut at = offset;
    while at < source.size_bytes() {
        let count = (source.size_bytes() - at).min(chunk.len() as u64);
        let Some(part) = usize::try_from(count)
            .ok()
            .and_then(|count| chunk.get_mut(..count))
        else {
            return false;
        };
        if source.read_exact_at(at, part).is_err() || part.iter().any(|byte| *byte != 0) {
            return false;
        }
        at += count;
    }
    true
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
