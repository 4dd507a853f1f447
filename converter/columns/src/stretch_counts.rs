//! Counts of waits: of a whole recording, and, where that is long, of each of its stretches and of groups of these.

use std::path::{Path, PathBuf};

use facts::ReadyWait;

use crate::error::Error;
use crate::form::Form;
use crate::table::BATCH_ROWS;
use crate::tables::{ReadyWaitStretches, RestInStretch};
use crate::wait_counts::WaitCounts;
use crate::writer::{TableWriter, Writer, extend_in_batches};

/// Waits that end in a stretch, about. Who asks for a range of time reads those of one stretch one by one, half at each end of the range.
const STRETCH_WAITS: u64 = 32 * BATCH_ROWS as u64;
/// A recording with fewer stretches has no counts of these: all its waits are read soon, and the files of a short one take more room for
/// each wait.
const STRETCHES_MIN: usize = 5;
/// So many stretches are counted together too: most of what is counted of one is alike in the next one, so that a long range reads less.
const GROUP_STRETCHES: usize = 4;

/// Counts waits that come in the order of their ends, or later.
pub struct StretchCounts {
    /// Of the stretch that is under way.
    current: WaitCounts,
    /// Of those that are over.
    over: OverStretches,
    /// How many waits have ended in it so far, and when the last of these did.
    ended: u64,
    last_te_ns: u64,
    /// After which time the first stretch begins, and when those that are over end.
    bounds_ns: Vec<u64>,
    /// Of each stretch that is over, the waits that came later.
    late: Vec<WaitCounts>,
    /// How many waits a stretch has.
    stretch_waits: u64,
    folder: PathBuf,
    form: Form,
}

impl StretchCounts {
    /// No waits yet.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn create(folder: &Path, form: Form) -> Result<Self, Error> {
        Self::of_stretches(folder, form, STRETCH_WAITS)
    }

    fn of_stretches(folder: &Path, form: Form, stretch_waits: u64) -> Result<Self, Error> {
        Ok(Self {
            current: WaitCounts::default(),
            over: OverStretches::new(begin_file(folder, form)?),
            ended: 0,
            last_te_ns: 0,
            bounds_ns: Vec::new(),
            late: Vec::new(),
            stretch_waits,
            folder: folder.to_owned(),
            form,
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
        // What ends at one time is in one stretch.
        if self.ended >= self.stretch_waits && te_ns > self.last_te_ns {
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
        if self.late.len() + 1 >= STRETCHES_MIN {
            self.end_stretch()?;
        } else {
            // What was written is dropped.
            self.over.file = begin_file(&self.folder, self.form)?;
            self.bounds_ns.clear();
        }
        let mut whole = self.over.take_whole();
        // Waits that came when their stretches were over have rows of their own.
        let bounds = self.bounds_ns.iter().zip(self.bounds_ns.iter().skip(1));
        for ((begin_ns, end_ns), late) in bounds.zip(&mut self.late) {
            self.over.add(late, (*begin_ns, *end_ns))?;
        }
        whole.take(&mut self.over.take_whole());
        for late in &mut self.late {
            whole.take(late);
        }
        whole.take(&mut self.current);
        let bytes = self.over.file.map_or(Ok(0), Writer::finish)?;
        Ok((whole, bytes))
    }

    fn end_stretch(&mut self) -> Result<(), Error> {
        let begin_ns = self.bounds_ns.last().copied().unwrap_or_default();
        self.bounds_ns.push(self.last_te_ns);
        self.ended = 0;
        self.late.push(WaitCounts::default());
        self.over
            .add(&mut self.current, (begin_ns, self.last_te_ns))
    }
}

/// Counts of stretches that are over: written, in the lean form, and added up.
struct OverStretches {
    file: Option<TableWriter<ReadyWaitStretches>>,
    /// Of the stretches of the group that is under way: how many there are, and after which time the first of them begins.
    group: WaitCounts,
    in_group: usize,
    group_begin_ns: u64,
    /// Of the groups that are over.
    groups: WaitCounts,
}

impl OverStretches {
    fn new(file: Option<TableWriter<ReadyWaitStretches>>) -> Self {
        Self {
            file,
            group: WaitCounts::default(),
            in_group: 0,
            group_begin_ns: 0,
            groups: WaitCounts::default(),
        }
    }

    /// Adds the next stretch, and has its counts begin anew.
    fn add(
        &mut self,
        stretch: &mut WaitCounts,
        (begin_ns, end_ns): (u64, u64),
    ) -> Result<(), Error> {
        write(self.file.as_mut(), (begin_ns, end_ns), stretch)?;
        if self.in_group == 0 {
            self.group_begin_ns = begin_ns;
        }
        self.group.take(stretch);
        self.in_group += 1;
        if self.in_group == GROUP_STRETCHES {
            let span_ns = (self.group_begin_ns, end_ns);
            write(self.file.as_mut(), span_ns, &mut self.group)?;
            self.groups.take(&mut self.group);
            self.in_group = 0;
        }
        Ok(())
    }

    /// Gives the counts of all that were added, and begins anew.
    fn take_whole(&mut self) -> WaitCounts {
        self.groups.take(&mut self.group);
        self.in_group = 0;
        std::mem::take(&mut self.groups)
    }
}

/// A file without rows, where the form has one.
fn begin_file(folder: &Path, form: Form) -> Result<Option<TableWriter<ReadyWaitStretches>>, Error> {
    match form {
        Form::Lean => TableWriter::create(folder, form, ReadyWaitStretches::default()).map(Some),
        Form::Arrow | Form::Parquet => Ok(None),
    }
}

/// Writes counts of a span of time in batches of their own.
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
    fn stretches_and_groups_end_with_a_time_and_what_comes_late_is_counted_where_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let mut counts = StretchCounts::of_stretches(folder.path(), Form::Lean, 2).unwrap();
        let mut add = |te_ns: u64, is_counted: bool| {
            counts.reach(te_ns).unwrap();
            if is_counted {
                counts.add(&wait(te_ns, 200));
            }
        };
        // The first stretch has a third wait, which ends when the second one does.
        for te_ns in [1_000, 1_300, 1_300] {
            add(te_ns, te_ns != 1_000);
        }
        for te_ns in [1_400, 1_500, 1_600, 1_700, 1_800, 1_900, 2_000] {
            add(te_ns, true);
        }
        counts.add(&wait(1_000, 300));
        let (mut rest, bytes) = counts.finish().unwrap();
        assert!(bytes > 0);
        let whole: Vec<_> = rest
            .rows()
            .map(|rest| (rest.bin, rest.waits, rest.sum_ns))
            .collect();
        assert_eq!(whole, [(230, 9, 1_800), (247, 1, 300)]);
        let spans = [
            r#"["999","1300"]"#,
            r#"["1300","1500"]"#,
            r#"["1500","1700"]"#,
            r#"["1700","1900"]"#,
            r#"["999","1900"]"#,
            r#"["1900","2000"]"#,
            r#"["999","1300"]"#,
            r#"["999","1900"]"#,
        ];
        assert_eq!(
            read(folder.path()),
            (
                vec![
                    vec![(2, 400)],
                    vec![(2, 400)],
                    vec![(2, 400)],
                    vec![(2, 400)],
                    vec![(8, 1_600)],
                    vec![(1, 200)],
                    vec![(1, 300)],
                    vec![(1, 300)]
                ],
                Some(format!("[{}]", spans.join(",")))
            )
        );
    }

    #[test]
    fn few_stretches_have_no_counts_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let mut counts = StretchCounts::of_stretches(folder.path(), Form::Lean, 2).unwrap();
        for te_ns in 1_000..1_008 {
            counts.reach(te_ns).unwrap();
            counts.add(&wait(te_ns, 200));
        }
        counts.add(&wait(1_001, 200));
        let (mut rest, _) = counts.finish().unwrap();
        assert_eq!(rest.rows().map(|of| of.waits).collect::<Vec<_>>(), [9]);
        assert_eq!(read(folder.path()), (vec![], None));
    }
}
