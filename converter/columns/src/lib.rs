//! The sink that writes columns: each table an Arrow or Parquet file, named as the table is in SQL.
//!
//! Rows stand in the order in which they came to be known, which for what lasts is the order of its ends, in record batches
//! of at most [`BATCH_ROWS`]. The metadata of an Arrow file has, as [`SPANS`], the least `ts` and the greatest `te` of each batch
//! (an instant lasts 1 ns), and as [`STARTS`] and [`ENDS`] the least `ts` and the greatest `te` of each [`BLOCK_ROWS`] rows of what
//! lasts, so that a range costs what the range holds.

mod batch_file;
mod batch_times;
mod bins;
mod column;
mod cpu_time_sums;
mod error;
mod event;
mod event_files;
mod form;
mod lane;
mod longest;
mod shape;
mod sink;
mod stretch_counts;
mod table;
mod tables;
mod wait_counts;
mod wait_files;
mod writer;

pub use error::Error;
pub use form::Form;
pub use sink::Columns;
pub use table::{BATCH_ROWS, BLOCK_ROWS, ENDS, SPANS, STARTS, UNORDERED};
