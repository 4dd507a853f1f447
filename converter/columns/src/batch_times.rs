//! What a file says of when its rows begin and end, so that a reader of a stretch of time reads few others.

use crate::table::BLOCK_ROWS;

/// When the rows of a batch begin and end, in ns on the trace clock.
#[derive(Clone, Debug)]
pub struct BatchTimes {
    /// The least beginning and the greatest end.
    span_ns: (u64, u64),
    /// Of each [`BLOCK_ROWS`] rows the least beginning and the greatest end; empty where rows do not last.
    blocks_ns: Vec<(u64, u64)>,
}

impl BatchTimes {
    /// The times of the first row.
    pub const fn of(span_ns: (u64, u64)) -> Self {
        Self {
            span_ns,
            blocks_ns: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn add(&mut self, span_ns: (u64, u64)) {
        self.span_ns = joined(self.span_ns, span_ns);
    }

    /// Adds a row to its block where rows last, by its number in the batch: these ascend.
    pub fn add_to_block(&mut self, row: usize, span_ns: (u64, u64)) {
        match self.blocks_ns.get_mut(row / BLOCK_ROWS) {
            Some(block_ns) => *block_ns = joined(*block_ns, span_ns),
            None => self.blocks_ns.push(span_ns),
        }
    }

    /// Whether rows last.
    pub const fn has_blocks(&self) -> bool {
        !self.blocks_ns.is_empty()
    }
}

/// From the least beginning to the greatest end.
fn joined(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    (a.0.min(b.0), a.1.max(b.1))
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
    of_blocks(batches, |(start_ns, _)| start_ns)
}

/// The value of [`ENDS`](crate::table::ENDS).
pub fn ends(batches: &[BatchTimes]) -> String {
    of_blocks(batches, |(_, end_ns)| end_ns)
}

/// A time of each block, after the least of its batch.
fn of_blocks(batches: &[BatchTimes], time_ns: impl Fn((u64, u64)) -> u64) -> String {
    list(batches.iter().map(|of| {
        let (least_ns, _) = of.span_ns;
        let blocks_ns = of.blocks_ns.iter();
        list(blocks_ns.map(|block_ns| (time_ns(*block_ns) - least_ns).to_string()))
    }))
}

/// A JSON list.
fn list(of: impl Iterator<Item = String>) -> String {
    format!("[{}]", of.collect::<Vec<_>>().join(","))
}
