//! What a file says of when its rows begin and end, so that a reader of a stretch of time reads few others.

use crate::table::BLOCK_ROWS;

/// When the rows of a batch begin and end, in ns on the trace clock.
#[derive(Clone, Debug)]
pub struct BatchTimes {
    /// The least beginning and the greatest end.
    span_ns: (u64, u64),
    /// Of each [`BLOCK_ROWS`] rows the least beginning; empty where rows do not last.
    starts_ns: Vec<u64>,
}

impl BatchTimes {
    /// The times of the first row.
    pub const fn of(span_ns: (u64, u64)) -> Self {
        Self {
            span_ns,
            starts_ns: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn add(&mut self, (ts_ns, te_ns): (u64, u64)) {
        let (least_ns, greatest_ns) = self.span_ns;
        self.span_ns = (least_ns.min(ts_ns), greatest_ns.max(te_ns));
    }

    /// Adds the beginning of a row that lasts, by its number in the batch: these ascend.
    pub fn add_start(&mut self, row: usize, ts_ns: u64) {
        match self.starts_ns.get_mut(row / BLOCK_ROWS) {
            Some(least_ns) => *least_ns = ts_ns.min(*least_ns),
            None => self.starts_ns.push(ts_ns),
        }
    }

    /// Whether rows last.
    pub const fn has_starts(&self) -> bool {
        !self.starts_ns.is_empty()
    }
}

/// The value of [`SPANS`](crate::table::SPANS).
pub fn spans(batches: &[BatchTimes]) -> String {
    list(batches.iter().map(|of| {
        let (least_ns, greatest_ns) = of.span_ns;
        format!("[\"{least_ns}\",\"{greatest_ns}\"]")
    }))
}

/// The value of [`STARTS`](crate::table::STARTS).
pub fn starts(batches: &[BatchTimes]) -> String {
    list(batches.iter().map(|of| {
        let (least_ns, _) = of.span_ns;
        list(of.starts_ns.iter().map(|ns| (ns - least_ns).to_string()))
    }))
}

/// A JSON list.
fn list(of: impl Iterator<Item = String>) -> String {
    format!("[{}]", of.collect::<Vec<_>>().join(","))
}
