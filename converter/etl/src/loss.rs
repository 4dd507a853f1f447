//! Signs that events or buffers were lost while recording (§7 row 37).

use crate::damage::{DamageKind, DamageLog};
use crate::index::{BufferInfo, buffer_flag};
use crate::trace_header::LogFileHeader;
use crate::walk::MOST_BUFFERS;

/// Something was lost at some time before a buffer's first event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Index in [`TraceFile::buffers`](crate::TraceFile::buffers) of the first buffer after the gap.
    pub before_buffer: usize,
    /// What was lost.
    pub kind: LossKind,
}

/// What was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossKind {
    /// The buffer's flag says that events of its processor were lost.
    Events,
    /// The buffer's flag says that buffers of its processor were lost.
    Buffers,
    /// Sequence numbers are missing: so many buffers, of unknown processors.
    SequenceGap {
        /// Missing sequence numbers.
        missing: u64,
    },
}

/// Buffers are missing at the end of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutEnd {
    /// Number of the file; see [`TraceFile::file_name`](crate::TraceFile::file_name).
    pub file: u16,
    /// How many of unknown processors, where the log-file header tells.
    pub missing: Option<u64>,
}

/// Whether buffers are missing at the end: those that the header counts and that are neither there, once or `doubled`, nor
/// among the missing numbers. Where it does not count, since the file was not closed, the file's last bytes tell. In a circular file that has
/// wrapped the end is somewhere within, and the header counts what was overwritten too.
pub(crate) fn cut_end(
    header: &LogFileHeader,
    buffers: &[BufferInfo],
    doubled: u32,
    losses: &[Loss],
    damage: &DamageLog,
) -> Option<CutEnd> {
    let kept = usize::try_from(header.start_buffers).unwrap_or(usize::MAX);
    let oldest = buffers.iter().skip(kept).map(|info| info.sequence).min();
    let has_wrapped = oldest.is_some_and(|oldest| oldest > i64::from(header.start_buffers));
    if header.is_circular() && has_wrapped {
        return None;
    }
    let missing_numbers = losses.iter().fold(0, |sum: u64, loss| match loss.kind {
        LossKind::SequenceGap { missing } => sum.saturating_add(missing),
        LossKind::Events | LossKind::Buffers => sum,
    });
    // A buffer that was lost while recording may have had a number, but was never written.
    let in_gaps = missing_numbers.saturating_sub(header.buffers_lost.into());
    let read = buffers.len() as u64 + u64::from(doubled);
    let there = in_gaps.saturating_add(read);
    let counted = Some(header.buffers_written).filter(|counted| *counted <= MOST_BUFFERS);
    let missing = u64::from(counted.unwrap_or(0)).saturating_sub(there);
    let is_closed = header.end_utc_ns.is_some();
    (missing > 0 || !is_closed && is_cut_at_end(buffers, damage)).then_some(CutEnd {
        file: 0,
        missing: (missing > 0).then_some(missing),
    })
}

/// Whether something that is no whole buffer is at the end of the file.
pub(crate) fn is_cut_at_end(buffers: &[BufferInfo], damage: &DamageLog) -> bool {
    let last_offset = buffers.last().map_or(0, |info| info.offset);
    damage.items().iter().any(|item| match item.kind {
        DamageKind::ArchiveCut { .. } | DamageKind::TooManyBuffers { .. } => true,
        DamageKind::Truncated { .. }
        | DamageKind::HeaderCut { .. }
        | DamageKind::Unreadable { .. }
        | DamageKind::NoBuffer { .. }
        | DamageKind::TooLarge { .. }
        | DamageKind::Processor { .. } => item.offset >= last_offset,
        _ => false,
    })
}

/// All signs of loss, by buffer. In a wrapped circular file the gap after the `kept` first buffers is no loss:
/// those are never overwritten, the ones after them were.
pub(crate) fn losses(buffers: &[BufferInfo], circular: bool, kept: usize) -> Vec<Loss> {
    let mut losses: Vec<Loss> = sequence_gaps(buffers, if circular { kept } else { 0 });
    for (before_buffer, info) in buffers.iter().enumerate() {
        let flags = [
            (buffer_flag::EVENTS_LOST, LossKind::Events),
            (buffer_flag::BUFFER_LOST, LossKind::Buffers),
        ];
        let set = flags.iter().filter(|(flag, _)| info.flags & flag != 0);
        losses.extend(set.map(|(_, kind)| Loss {
            before_buffer,
            kind: *kind,
        }));
    }
    losses.sort_by_key(|loss| loss.before_buffer);
    losses
}

fn sequence_gaps(buffers: &[BufferInfo], skipped: usize) -> Vec<Loss> {
    let mut order: Vec<(i64, usize)> = buffers
        .iter()
        .enumerate()
        .skip(skipped)
        .map(|(index, info)| (info.sequence, index))
        .collect();
    order.sort_unstable();
    let pairs = order.iter().zip(order.iter().skip(1));
    pairs
        .filter_map(|(&(earlier, _), &(later, before_buffer))| {
            let missing = later.abs_diff(earlier).saturating_sub(1);
            // No session loses so many: then it is a number that is damaged.
            (1..=u32::MAX.into()).contains(&missing).then_some(Loss {
                before_buffer,
                kind: LossKind::SequenceGap { missing },
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffers(sequences: &[i64]) -> Vec<BufferInfo> {
        sequences
            .iter()
            .map(|sequence| BufferInfo {
                sequence: *sequence,
                ..BufferInfo::default()
            })
            .collect()
    }

    #[test]
    fn file_order_is_no_loss_but_a_missing_number_is() {
        assert_eq!(losses(&buffers(&[0, 2, 1, 3]), false, 1), []);
        assert_eq!(
            losses(&buffers(&[0, 6, 1, 2]), false, 1),
            [Loss {
                before_buffer: 1,
                kind: LossKind::SequenceGap { missing: 3 }
            }]
        );
        assert_eq!(losses(&buffers(&[0, 1, 1 << 40]), false, 1), []);
        assert_eq!(losses(&buffers(&[i64::MIN, i64::MAX]), false, 1), []);
    }

    #[test]
    fn buffers_overwritten_in_a_circular_file_are_no_loss() {
        assert_eq!(losses(&buffers(&[0, 7, 5, 6]), true, 1), []);
    }

    /// What is missing at the end of a file with these numbers.
    fn missing(header: &LogFileHeader, sequences: &[i64]) -> Option<Option<u64>> {
        let buffers = buffers(sequences);
        let losses = losses(&buffers, header.is_circular(), 1);
        let damage = DamageLog::default();
        cut_end(header, &buffers, 0, &losses, &damage).map(|end| end.missing)
    }

    fn header(buffers_written: u32) -> LogFileHeader {
        let payload = crate::support::LogHeader {
            buffers_written,
            ..crate::support::LogHeader::default()
        }
        .payload();
        let parsed = LogFileHeader::parse(&payload, 8, 0, &mut DamageLog::default());
        LogFileHeader {
            buffers_lost: 0,
            ..parsed.unwrap().0
        }
    }

    #[test]
    fn buffers_that_are_counted_and_not_there_are_missing_at_the_end() {
        assert_eq!(missing(&header(4), &[0, 2, 1, 3]), None);
        assert_eq!(missing(&header(9), &[0, 2, 1, 3]), Some(Some(5)));
        assert_eq!(missing(&header(2), &[0, 2, 1, 3]), None);
        // So many are in no file that can be read.
        assert_eq!(missing(&header(u32::MAX), &[0, 2, 1, 3]), None);
    }

    #[test]
    fn those_whose_numbers_are_missing_are_not_at_the_end() {
        assert_eq!(missing(&header(9), &[0, 2, 8, 3]), None);
        assert_eq!(missing(&header(9), &[0, 2, 6, 3]), Some(Some(2)));
        // Lost while recording, and so never written.
        let lossy = LogFileHeader {
            buffers_lost: 3,
            ..header(9)
        };
        assert_eq!(missing(&lossy, &[0, 2, 6, 3]), Some(Some(5)));
        assert_eq!(missing(&lossy, &[0, 1, 2, 3, 4, 5, 6, 10, 11]), None);
    }

    #[test]
    fn a_circular_file_that_has_wrapped_counts_what_is_overwritten() {
        let circular = LogFileHeader {
            log_file_mode: 2,
            ..header(9)
        };
        assert_eq!(missing(&circular, &[0, 7, 8, 5, 6]), None);
        assert_eq!(missing(&circular, &[0, 1, 2, 3]), Some(Some(5)));
    }

    #[test]
    fn a_file_that_was_not_closed_may_lack_more_than_the_buffer_in_which_it_ends() {
        let open = LogFileHeader {
            end_utc_ns: None,
            ..header(0)
        };
        let buffers = vec![BufferInfo::default()];
        let mut damage = DamageLog::default();
        assert_eq!(cut_end(&open, &buffers, 0, &[], &damage), None);
        let kind = DamageKind::Truncated {
            expected_bytes: 0x1000,
            found_bytes: 0x800,
        };
        damage.record(0, kind);
        let (file, missing) = (0, None);
        let end = CutEnd { file, missing };
        assert_eq!(cut_end(&open, &buffers, 0, &[], &damage), Some(end));
        assert_eq!(cut_end(&header(1), &buffers, 0, &[], &damage), None);
    }

    #[test]
    fn flags_tell_of_loss_before_their_buffer() {
        let mut three = buffers(&[0, 1, 2]);
        three[1].flags = buffer_flag::EVENTS_LOST | buffer_flag::BUFFER_LOST;
        assert_eq!(
            losses(&three, false, 1),
            [
                Loss {
                    before_buffer: 1,
                    kind: LossKind::Events
                },
                Loss {
                    before_buffer: 1,
                    kind: LossKind::Buffers
                }
            ]
        );
    }
}
