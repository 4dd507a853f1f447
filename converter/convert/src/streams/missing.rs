//! Where CPUs lack buffers, by the numbers of the file's buffers around the place.

use etl::TraceFile;

/// A stretch of a CPU's time whose buffers are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Which CPU.
    pub cpu: u16,
    /// The buffer before it; `None` if it begins with the recording.
    pub after: Option<usize>,
    /// The buffer after it; `None` if it ends with the recording.
    pub before: Option<usize>,
    /// Another thread ran after it than before. Else they may as well be another CPU's.
    pub is_sure: bool,
    /// The file ends before the CPU's last buffers, for all that is known.
    pub is_cut_off: bool,
}

impl Missing {
    /// The file that lacks them.
    pub fn file(&self, trace: &TraceFile) -> Option<u16> {
        let (file, _) = place(trace, self.after.or(self.before)?)?;
        Some(file)
    }

    /// Between which numbers of the file's buffers they are missing: after the first, and not after the second.
    fn numbers(&self, trace: &TraceFile) -> Option<(u16, i64, i64)> {
        let file = self.file(trace)?;
        let number = |buffer: Option<usize>| {
            let place = place(trace, buffer?).filter(|place| place.0 == file);
            place.map(|(_, sequence)| sequence)
        };
        let (after, before) = (number(self.after), number(self.before));
        Some((file, after.unwrap_or(i64::MIN), before.unwrap_or(i64::MAX)))
    }
}

/// All stretches of missing buffers, by the numbers around them.
#[derive(Debug, Default)]
pub struct Stretches {
    /// File and number that each begins after, ascending.
    begins: Vec<(u16, i64)>,
    /// File and number up to which it, or one before it, reaches.
    reaches: Vec<(u16, i64)>,
}

impl Stretches {
    /// Those of all CPUs.
    pub fn of(trace: &TraceFile, missing: &[Missing]) -> Self {
        let mut numbers: Vec<_> = missing
            .iter()
            .filter_map(|stretch| stretch.numbers(trace))
            .collect();
        numbers.sort_unstable();
        let reaches = numbers.iter().scan((0, i64::MIN), |reach, stretch| {
            *reach = (*reach).max((stretch.0, stretch.2));
            Some(*reach)
        });
        Self {
            reaches: reaches.collect(),
            begins: numbers
                .iter()
                .map(|stretch| (stretch.0, stretch.1))
                .collect(),
        }
    }

    /// Whether one is around the place of numbers that are missing before this one.
    pub fn have(&self, file: u16, sequence: i64) -> bool {
        let begun = self
            .begins
            .partition_point(|begin| *begin < (file, sequence));
        let reach = begun.checked_sub(1).and_then(|last| self.reaches.get(last));
        reach.is_some_and(|reach| *reach >= (file, sequence))
    }
}

/// File and sequence number of a buffer.
pub(super) fn place(trace: &TraceFile, buffer: usize) -> Option<(u16, i64)> {
    let info = trace.buffers().get(buffer)?;
    Some((info.file, info.sequence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_have_the_numbers_within_them() {
        let stretches = Stretches {
            begins: vec![(0, 1), (0, 2), (0, 20), (1, i64::MIN)],
            reaches: vec![(0, 9), (0, 9), (0, 22), (1, 5)],
        };
        let have = |file| (0..30).filter(move |number| stretches.have(file, *number));
        let first: Vec<i64> = have(0).collect();
        assert_eq!(first, [2, 3, 4, 5, 6, 7, 8, 9, 21, 22]);
    }
}
