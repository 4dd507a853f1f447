//! CPU time by step of time: what pictures of a whole recording are drawn from, whatever the number of its runs.

use std::path::Path;

use facts::{Run, RunOutlook};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::form::Form;
use crate::table::Table;
use crate::tables::{CpuTime, CpuTimes};
use crate::writer::{TableWriter, Writer};

/// Steps of equal length that a recording is divided into.
const STEPS: u64 = 512;

/// What CPU time is summed by within a step: thread, priority, rank.
type CpuKey = (u32, i8, Option<u8>);

/// What the sums need of a run.
#[derive(Clone, Copy, Debug)]
pub struct Stay {
    ts_ns: u64,
    te_ns: u64,
    key: CpuKey,
}

impl From<&Run> for Stay {
    fn from(run: &Run) -> Self {
        let rank = run.outlook.as_ref().and_then(RunOutlook::rank);
        Self {
            ts_ns: run.ts_ns,
            te_ns: run.te_ns,
            key: (run.thread.utid, run.priority, rank),
        }
    }
}

/// Sums CPU time by step of time. Runs come in the order of their ends, so that a step is over once a run ends after it; of runs that
/// end later still, a step has rows of their own.
pub struct CpuTimeSums {
    start_ns: u64,
    step_ns: u64,
    /// The step that runs end in now, and its sums: ran ns, and switches.
    step: u64,
    sums: FxHashMap<CpuKey, (u64, u32)>,
    rows: Vec<CpuTime>,
    file: TableWriter<CpuTimes>,
}

impl CpuTimeSums {
    /// No sums yet, of a recording of this span.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn create(
        folder: &Path,
        form: Form,
        (start_ns, end_ns): (u64, u64),
    ) -> Result<Self, Error> {
        let step_ns = end_ns.saturating_sub(start_ns).div_ceil(STEPS).max(1);
        Ok(Self {
            start_ns,
            step_ns,
            step: 0,
            sums: FxHashMap::default(),
            rows: Vec::new(),
            file: TableWriter::create(folder, form, CpuTimes { step_ns })?,
        })
    }

    fn add(&mut self, run: &Stay) {
        let key = run.key;
        let from = run.ts_ns.max(self.start_ns) - self.start_ns;
        let to = run.te_ns.max(self.start_ns) - self.start_ns;
        let first = (from / self.step_ns).min(STEPS - 1);
        let last = (to.saturating_sub(1).max(from) / self.step_ns).min(STEPS - 1);
        if last > self.step {
            self.end_step();
            self.step = last;
        }
        for step in first..=last {
            let begin = step * self.step_ns;
            let ran_ns = to.min(begin + self.step_ns).saturating_sub(from.max(begin));
            let switches = u32::from(step == first);
            if step == self.step {
                let sum = self.sums.entry(key).or_default();
                sum.0 += ran_ns;
                sum.1 += switches;
            } else {
                self.push_rows(step, key, (ran_ns, switches));
            }
        }
    }

    fn end_step(&mut self) {
        let mut sums: Vec<_> = self.sums.drain().collect();
        sums.sort_unstable();
        for (key, sum) in sums {
            self.push_rows(self.step, key, sum);
        }
    }

    /// Several rows where one cannot hold how long all CPUs were idle in the step.
    fn push_rows(
        &mut self,
        step: u64,
        (utid, priority, rank): CpuKey,
        (mut left_ns, switches): (u64, u32),
    ) {
        let mut switches = Some(switches);
        while left_ns > 0 || switches.is_some() {
            let ran_ns = u32::try_from(left_ns).unwrap_or(u32::MAX);
            left_ns -= u64::from(ran_ns);
            self.rows.push(CpuTime {
                ts_ns: self.start_ns + step * self.step_ns,
                dur_ns: self.step_ns,
                utid,
                priority,
                rank,
                ran_ns,
                switches: switches.take().unwrap_or_default(),
            });
        }
    }
}

impl Writer for CpuTimeSums {
    type Fact = Stay;
    const NAME: &'static str = CpuTimes::NAME;

    fn extend(&mut self, runs: &mut Vec<Stay>) -> Result<(), Error> {
        for run in runs.drain(..) {
            self.add(&run);
        }
        self.file.extend(&mut self.rows)
    }

    fn finish(mut self) -> Result<u64, Error> {
        self.end_step();
        self.file.extend(&mut self.rows)?;
        self.file.finish()
    }
}
