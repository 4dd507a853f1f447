//! Buffers that are in a file twice, as where it was put together anew: they count once.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use crate::damage::{DamageKind, DamageLog};
use crate::index::{BUFFER_HEADER_BYTES, BufferInfo};
use crate::source::Source;

/// Leaves out buffers whose processor, number and events one before them has; notes and answers how many these are.
pub(crate) fn leave_out(
    source: &Source,
    buffers: &mut Vec<BufferInfo>,
    damage: &mut DamageLog,
) -> u32 {
    let mut numbered: Vec<_> = buffers.iter().map(key).collect();
    numbered.sort_unstable();
    let same_key = numbered
        .windows(2)
        .filter(|pair| pair.first() == pair.last());
    // Few or none: the bytes of other buffers are not read here.
    let suspects: Vec<_> = same_key.filter_map(|pair| pair.first().copied()).collect();
    if suspects.is_empty() {
        return 0;
    }
    let mut seen: HashMap<_, BufferInfo> = HashMap::new();
    let (mut count, mut first_offset) = (0, None);
    buffers.retain(|info| {
        if suspects.binary_search(&key(info)).is_err() {
            return true;
        }
        let Some(bytes) = events(source, info) else {
            return true;
        };
        let mut hasher = DefaultHasher::new();
        hasher.write(&bytes);
        let first = *seen.entry((key(info), hasher.finish())).or_insert(*info);
        let is_doubled = first.offset != info.offset && events(source, &first) == Some(bytes);
        if is_doubled {
            first_offset.get_or_insert(info.offset);
            count += 1;
        }
        !is_doubled
    });
    if let Some(offset) = first_offset {
        damage.record(offset, DamageKind::Doubled { count });
    }
    count
}

/// What buffers have in common that are the same.
fn key(info: &BufferInfo) -> (i64, u16, u32, u16, u16) {
    let BufferInfo {
        sequence,
        cpu,
        data_end,
        flags,
        buffer_type,
        ..
    } = *info;
    (sequence, cpu, data_end, flags, buffer_type)
}

/// The bytes of a buffer's events as they lie in the file; `None` if they cannot be read.
fn events(source: &Source, info: &BufferInfo) -> Option<Vec<u8>> {
    let end = if info.is_compressed() {
        info.disk_bytes
    } else {
        info.disk_bytes.min(info.data_end)
    };
    let count = end.saturating_sub(BUFFER_HEADER_BYTES);
    let mut bytes = vec![0; usize::try_from(count).ok()?];
    let begin = info.offset + u64::from(BUFFER_HEADER_BYTES);
    source.read_exact_at(begin, &mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use crate::TraceFile;
    use crate::support::{LogHeader, START_RAW, TestBuffer, perfinfo64, trace};

    fn buffer(cpu: u16, sequence: i64, payload: u8) -> TestBuffer {
        TestBuffer::new(
            cpu,
            sequence,
            vec![perfinfo64(0x0524, START_RAW, &[payload; 24])],
        )
    }

    /// The numbers of the buffers that are kept, and what is told.
    fn kept(buffers: &[TestBuffer]) -> (Vec<i64>, Vec<String>) {
        let opened = TraceFile::from_bytes(trace(LogHeader::default(), buffers)).unwrap();
        let numbers = opened.buffers().iter().map(|info| info.sequence);
        let told = opened.damage().items().iter();
        (numbers.collect(), told.map(ToString::to_string).collect())
    }

    #[test]
    fn a_buffer_that_is_in_the_file_again_counts_once() {
        for [one, two] in [
            [buffer(0, 1, 1), buffer(0, 2, 2)],
            [buffer(0, 1, 1).compressed(), buffer(0, 2, 2).compressed()],
        ] {
            let third_at = [
                TestBuffer::header(&LogHeader::default()),
                one.clone(),
                two.clone(),
            ];
            let third_at: usize = third_at.iter().map(|buffer| buffer.bytes().len()).sum();
            let told =
                format!("offset {third_at:#x}: 2 buffers that the file has twice were read once");
            assert_eq!(
                kept(&[one.clone(), two, one.clone(), one]),
                (vec![0, 1, 2], vec![told])
            );
        }
    }

    #[test]
    fn buffers_that_only_share_a_number_are_kept() {
        let others = [buffer(0, 1, 1), buffer(0, 1, 2), buffer(1, 1, 1)];
        assert_eq!(kept(&others), (vec![0, 1, 1, 1], vec![]));
    }
}
