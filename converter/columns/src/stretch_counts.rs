//! Counts of waits: of a whole recording, and, where that is long, of each of its stretches.

use std::path::Path;

use facts::ReadyWait;

use crate::error::Error;
use crate::form::Form;
use crate::table::BATCH_ROWS;
use crate::tables::{ReadyWaitStretches, RestInStretch};
use crate::wait_counts::WaitCounts;
use crate::writer::{TableWriter, Writer, extend_in_batches};

/// Waits that end in a stretch, about. Who asks for a range of time reads those of one stretch one by one, half at each end of the range.
const STRETCH_WAITS: u64 = 32 * BATCH_ROWS as u64;
/// The same of the first stretch. A recording that has only this one has no counts of stretches: all its waits are read soon.
const FIRST_STRETCH_WAITS: u64 = 2 * STRETCH_WAITS;

/// Counts waits that come in the order of their ends, or later.
pub struct StretchCounts {
    whole: WaitCounts,
    /// Of the stretch that is under way.
    current: WaitCounts,
    /// How many waits have ended in it so far, and when the last of these did.
    ended: u64,
    last_te_ns: u64,
    /// After which time the first stretch begins, and when those that are over end.
    bounds_ns: Vec<u64>,
    /// Of each stretch that is over, the waits that came later.
    late: Vec<WaitCounts>,
    /// How many waits the first stretch has, and each of the others.
    stretch_waits: (u64, u64),
    /// In the lean form alone.
    file: Option<TableWriter<ReadyWaitStretches>>,
}

impl StretchCounts {
    /// No waits yet.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn create(folder: &Path, form: Form) -> Result<Self, Error> {
        Self::of_stretches(folder, form, (FIRST_STRETCH_WAITS, STRETCH_WAITS))
    }

    fn of_stretches(folder: &Path, form: Form, stretch_waits: (u64, u64)) -> Result<Self, Error> {
        Ok(Self {
            whole: WaitCounts::default(),
            current: WaitCounts::default(),
            ended: 0,
            last_te_ns: 0,
            bounds_ns: Vec::new(),
            late: Vec::new(),
            stretch_waits,
            file: match form {
                Form::Lean => Some(TableWriter::create(
                    folder,
                    form,
                    ReadyWaitStretches::default(),
                )?),
                Form::Arrow | Form::Parquet => None,
            },
        })
    }

    /// Goes on to the end of a wait, whether it is counted or not.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn reach(&mut self, te_ns: u64) -> Result<(), Error> {
        if self.bounds_ns.is_empty() {
            self.bounds_ns.push(te_ns.saturating_sub(1));
        }
        let (first, other) = self.stretch_waits;
        let most = if self.bounds_ns.len() == 1 {
            first
        } else {
            other
        };
        // What ends at one time is in one stretch.
        if self.ended >= most && te_ns > self.last_te_ns {
            self.end_stretch()?;
        }
        self.ended += 1;
        self.last_te_ns = self.last_te_ns.max(te_ns);
        Ok(())
    }

    /// Counts a wait, once its end was reached.
    pub fn add(&mut self, wait: &ReadyWait) {
        let ends_ns = self.bounds_ns.get(1..).unwrap_or_default();
        let is_over = ends_ns.last().is_some_and(|end_ns| wait.te_ns <= *end_ns);
        let late = is_over.then(|| ends_ns.partition_point(|end_ns| *end_ns < wait.te_ns));
        let late = late.and_then(|stretch| self.late.get_mut(stretch));
        late.unwrap_or(&mut self.current).add(wait);
    }

    /// Ends the file of stretches, and gives the counts of all waits; answers the size of the file too.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<(WaitCounts, u64), Error> {
        // One stretch alone is the whole.
        if self.bounds_ns.len() > 1 {
            self.end_stretch()?;
            self.write_late()?;
        }
        self.whole.take(&mut self.current);
        let bytes = self.file.map_or(Ok(0), Writer::finish)?;
        Ok((self.whole, bytes))
    }

    fn end_stretch(&mut self) -> Result<(), Error> {
        let begin_ns = self.bounds_ns.last().copied().unwrap_or_default();
        self.bounds_ns.push(self.last_te_ns);
        self.ended = 0;
        self.late.push(WaitCounts::default());
        write(
            self.file.as_mut(),
            (begin_ns, self.last_te_ns),
            &mut self.current,
        )?;
        self.whole.take(&mut self.current);
        Ok(())
    }

    /// Waits that came when their stretches were over have rows of their own.
    fn write_late(&mut self) -> Result<(), Error> {
        let bounds = self.bounds_ns.iter().zip(self.bounds_ns.iter().skip(1));
        for ((begin_ns, end_ns), counts) in bounds.zip(&mut self.late) {
            write(self.file.as_mut(), (*begin_ns, *end_ns), counts)?;
            self.current.take(counts);
        }
        self.whole.take(&mut self.current);
        Ok(())
    }
}

/// Writes the counts of a stretch in batches of their own.
fn write(
    file: Option<&mut TableWriter<ReadyWaitStretches>>,
    span_ns: (u64, u64),
    counts: &mut WaitCounts,
) -> Result<(), Error> {
    let Some(file) = file else {
        return Ok(());
    };
    let rows = counts.rows().map(|rest| RestInStretch { span_ns, rest });
    extend_in_batches(file, rows)?;
    file.end_batch()
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Int64Type, UInt32Type};

    use super::*;
    use crate::table::SPANS;

    fn wait(te_ns: u64, length_ns: u64) -> ReadyWait {
        ReadyWait {
            ts_ns: te_ns - length_ns,
            te_ns,
            ..ReadyWait::default()
        }
    }

    /// Of each batch how many waits there are, and their lengths together; and the times of the batches.
    fn read(folder: &Path) -> (Vec<Vec<(u32, i64)>>, Option<String>) {
        let file = std::fs::File::open(folder.join("etw_ready_wait_stretch.arrow")).unwrap();
        let reader = arrow_ipc::reader::FileReader::try_new(file, None).unwrap();
        let spans = reader.custom_metadata().get(SPANS).cloned();
        let batches = reader.map(|batch| {
            let batch = batch.unwrap();
            let waits = batch
                .column_by_name("waits")
                .unwrap()
                .as_primitive::<UInt32Type>();
            let sums_ns = batch
                .column_by_name("sum_ns")
                .unwrap()
                .as_primitive::<Int64Type>();
            let rows = waits.values().iter().zip(sums_ns.values());
            rows.map(|(waits, sum_ns)| (*waits, *sum_ns)).collect()
        });
        (batches.collect(), spans)
    }

    #[test]
    fn stretches_end_with_a_time_and_what_comes_late_is_counted_where_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let mut counts = StretchCounts::of_stretches(folder.path(), Form::Lean, (3, 2)).unwrap();
        let mut add = |te_ns: u64, is_counted: bool| {
            counts.reach(te_ns).unwrap();
            if is_counted {
                counts.add(&wait(te_ns, 200));
            }
        };
        // The first stretch has a fourth wait, which ends when the third one does.
        for te_ns in [1_000, 1_100, 1_300, 1_300] {
            add(te_ns, te_ns != 1_100);
        }
        for te_ns in [1_400, 1_500, 1_600] {
            add(te_ns, true);
        }
        counts.add(&wait(1_100, 300));
        let (mut rest, bytes) = counts.finish().unwrap();
        assert!(bytes > 0);
        let whole: Vec<_> = rest
            .rows()
            .map(|rest| (rest.bin, rest.waits, rest.sum_ns))
            .collect();
        assert_eq!(whole, [(230, 6, 1_200), (247, 1, 300)]);
        let spans = r#"[["999","1300"],["1300","1500"],["1500","1600"],["999","1300"]]"#;
        assert_eq!(
            read(folder.path()),
            (
                vec![
                    vec![(3, 600)],
                    vec![(2, 400)],
                    vec![(1, 200)],
                    vec![(1, 300)]
                ],
                Some(spans.to_owned())
            )
        );
    }

    #[test]
    fn one_stretch_alone_has_no_counts_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let mut counts = StretchCounts::of_stretches(folder.path(), Form::Lean, (3, 2)).unwrap();
        for te_ns in [1_000, 1_100, 1_200] {
            counts.reach(te_ns).unwrap();
            counts.add(&wait(te_ns, 200));
        }
        let (mut rest, _) = counts.finish().unwrap();
        assert_eq!(rest.rows().map(|of| of.waits).collect::<Vec<_>>(), [3]);
        assert_eq!(read(folder.path()), (vec![], None));
    }
}
