//! Ready waits: all of them, and as pictures of a whole recording need them, the longest one by one and the rest counted.

use std::path::Path;

use facts::ReadyWait;

use crate::error::Error;
use crate::form::Form;
use crate::longest::{Counted, Longest};
use crate::stretch_counts::StretchCounts;
use crate::table::Table;
use crate::tables::{LongReadyWaits, ReadyWaitRest, ReadyWaits};
use crate::writer::{TableWriter, Writer, extend_in_batches};

/// The longest waits that have rows of their own.
const LONGEST: usize = 10_000;
/// Of the others, the longest before and after which different ranks were recorded.
const LONGEST_IN_DOUBT: usize = 1_000;

/// Writes ready waits, and parts them into those that have rows of their own and those that are counted.
pub struct WaitFiles {
    all_file: TableWriter<ReadyWaits>,
    longest: Longest,
    in_doubt: Longest,
    count: u64,
    rest: StretchCounts,
    /// On their way from `longest` to `in_doubt`, and from there to `rest`.
    shed: Vec<Counted>,
    shed_again: Vec<Counted>,
    long_file: TableWriter<LongReadyWaits>,
    rest_file: TableWriter<ReadyWaitRest>,
}

impl WaitFiles {
    /// No waits yet.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn create(folder: &Path, form: Form) -> Result<Self, Error> {
        Self::keeping(folder, form, (LONGEST, LONGEST_IN_DOUBT))
    }

    /// Keeps so many of the longest, and so many of the others in doubt.
    fn keeping(
        folder: &Path,
        form: Form,
        (longest, in_doubt): (usize, usize),
    ) -> Result<Self, Error> {
        Ok(Self {
            all_file: TableWriter::create(folder, form, ReadyWaits::default())?,
            longest: Longest::new(longest),
            in_doubt: Longest::new(in_doubt),
            count: 0,
            rest: StretchCounts::create(folder, form)?,
            shed: Vec::new(),
            shed_again: Vec::new(),
            long_file: TableWriter::create(folder, form, LongReadyWaits::default())?,
            rest_file: TableWriter::create(folder, form, ReadyWaitRest::default())?,
        })
    }

    fn sum_up(&mut self, wait: ReadyWait) -> Result<(), Error> {
        let number = self.count;
        self.count += 1;
        self.rest.reach(wait.te_ns)?;
        self.longest.push(Counted { number, wait }, &mut self.shed);
        self.sort_out_shed();
        Ok(())
    }

    /// Those in doubt may have rows of their own; the others are counted.
    fn sort_out_shed(&mut self) {
        for counted in self.shed.drain(..) {
            if is_in_doubt(&counted.wait) {
                self.in_doubt.push(counted, &mut self.shed_again);
            } else {
                self.rest.add(&counted.wait);
            }
        }
        for counted in self.shed_again.drain(..) {
            self.rest.add(&counted.wait);
        }
    }
}

/// Whether different ranks were recorded before and after it.
fn is_in_doubt(wait: &ReadyWait) -> bool {
    let both = wait.rank_before.zip(wait.rank_after);
    both.is_some_and(|(before, after)| before != after)
}

impl Writer for WaitFiles {
    type Fact = ReadyWait;
    const NAME: &'static str = ReadyWaits::NAME;

    fn extend(&mut self, waits: &mut Vec<ReadyWait>) -> Result<(), Error> {
        for wait in waits.iter() {
            self.sum_up(*wait)?;
        }
        self.all_file.extend(waits)
    }

    fn finish(mut self) -> Result<u64, Error> {
        let longest = std::mem::replace(&mut self.longest, Longest::new(0));
        let mut long = longest.finish(&mut self.shed);
        self.sort_out_shed();
        let in_doubt = std::mem::replace(&mut self.in_doubt, Longest::new(0));
        long.extend(in_doubt.finish(&mut self.shed_again));
        self.sort_out_shed();
        long.sort_unstable_by_key(|counted| counted.number);
        let mut waits: Vec<_> = long.into_iter().map(|counted| counted.wait).collect();
        self.long_file.extend(&mut waits)?;

        let (mut rest, stretches_bytes) = self.rest.finish()?;
        extend_in_batches(&mut self.rest_file, rest.rows())?;
        let bytes = self.all_file.finish()? + self.long_file.finish()? + self.rest_file.finish()?;
        Ok(bytes + stretches_bytes)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int8Type;
    use arrow_array::{Array, ArrayRef, RecordBatch};

    use super::*;

    fn wait(ts_ns: u64, length_ns: u64, ranks: (Option<u8>, Option<u8>)) -> ReadyWait {
        ReadyWait {
            ts_ns,
            te_ns: ts_ns + length_ns,
            priority: Some(8),
            rank_before: ranks.0,
            rank_after: ranks.1,
            ..ReadyWait::default()
        }
    }

    /// The rows of a table, a line each.
    fn rows(folder: &Path, table: &str) -> Vec<String> {
        let file = std::fs::File::open(folder.join(format!("{table}.arrow"))).unwrap();
        let batches = arrow_ipc::reader::FileReader::try_new(file, None).unwrap();
        let text_of = |batch: &RecordBatch, row: usize| {
            let values = batch.columns().iter().map(|column| value(column, row));
            values.collect::<Vec<_>>().join(" ")
        };
        let batches = batches.map(Result::unwrap);
        batches
            .flat_map(|batch| {
                let all = 0..batch.num_rows();
                all.map(|row| text_of(&batch, row)).collect::<Vec<_>>()
            })
            .collect()
    }

    fn value(column: &ArrayRef, row: usize) -> String {
        if column.is_null(row) {
            return "null".to_owned();
        }
        if let Some(names) = column.as_dictionary_opt::<Int8Type>() {
            let name = usize::from(names.keys().value(row).unsigned_abs());
            return names.values().as_string::<i32>().value(name).to_owned();
        }
        let printed = format!("{:?}", column.slice(row, 1));
        let line = printed.lines().find(|line| line.starts_with("  "));
        line.unwrap_or_default()
            .trim()
            .trim_end_matches(',')
            .to_owned()
    }

    #[test]
    fn the_longest_and_the_longest_in_doubt_have_rows_and_the_rest_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let mut sums = WaitFiles::keeping(folder.path(), Form::Arrow, (2, 1)).unwrap();
        let same = (Some(2), Some(2));
        let changed = (Some(2), Some(0));
        let mut waits = vec![
            wait(10, 1_000, same),
            wait(20, 5_000, same),
            wait(30, 400, changed),
            wait(40, 1_004, same),
            wait(50, 9_000, (None, Some(4))),
            wait(60, 401, changed),
            wait(70, 402, (None, None)),
            wait(80, 403, (Some(2), None)),
        ];
        sums.extend(&mut waits).unwrap();
        assert!(sums.finish().unwrap() > 0);

        let long = rows(folder.path(), "etw_ready_wait_long");
        let starts: Vec<_> = long
            .iter()
            .filter_map(|row| row.split(' ').next())
            .collect();
        assert_eq!(starts, ["20", "50", "60"]);
        // Thread, rank, priority, cause, bin, how many, sum, longest.
        assert_eq!(
            rows(folder.path(), "etw_ready_wait_rest"),
            [
                "0 null 8 preempted 260 1 402 402",
                "0 2 8 preempted 260 2 803 403",
                "0 2 8 preempted 300 2 2004 1004",
            ]
        );
    }
}
