//! Signs that events or buffers were lost while recording (§7 row 37).

use crate::index::{BufferInfo, buffer_flag};

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
            (missing > 0).then_some(Loss {
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
        assert_eq!(
            losses(&buffers(&[i64::MIN, i64::MAX]), false, 1),
            [Loss {
                before_buffer: 1,
                kind: LossKind::SequenceGap {
                    missing: u64::MAX - 1
                }
            }]
        );
    }

    #[test]
    fn buffers_overwritten_in_a_circular_file_are_no_loss() {
        assert_eq!(losses(&buffers(&[0, 7, 5, 6]), true, 1), []);
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
