//! How batches come to the state: through threads that merge and decode in parallel with it, or one after another.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use etl::{MergeStats, TraceFile};
use rayon::Scope;

use super::batch::Batch;
use super::decode::{Decoder, TakeBatches, fill};
use super::state::Pass;
use crate::error::Error;
use crate::index::Index;
use crate::progress::Progress;

/// Batches that may wait for the state: bounds memory. Many, so that no thread waits while others are at large pieces of work.
const BATCHES_WAITING_MAX: usize = 16;
/// Bytes up to which the events of a batch are decoded where they are merged.
const DECODED_HERE_BYTES_MAX: usize = 1 << 13;

/// Puts the whole trace through the state, or a part of it when it was stopped. Answers what the merge met.
///
/// # Errors
/// If the output cannot be written.
pub fn feed(
    pass: &mut Pass<'_>,
    trace: &TraceFile,
    index: &Index,
    progress: &Progress,
) -> Result<MergeStats, Error> {
    if beside::HAS_THREADS {
        by_threads(pass, trace, index, progress)
    } else {
        one_by_one(pass, trace, index, progress)
    }
}

fn one_by_one(
    pass: &mut Pass<'_>,
    trace: &TraceFile,
    index: &Index,
    progress: &Progress,
) -> Result<MergeStats, Error> {
    pass.begin(trace, index)?;
    let mut taker = AtOnce {
        pass,
        decoder: Decoder::new(trace, index),
        progress,
        error: None,
    };
    let merged = fill(trace, index, &mut taker, progress);
    taker.error.map_or(Ok(merged), Err)
}

/// Takes a batch into the state before the next one is filled.
struct AtOnce<'p, 'a> {
    pass: &'p mut Pass<'a>,
    decoder: Decoder<'p>,
    progress: &'p Progress,
    error: Option<Error>,
}

impl TakeBatches for AtOnce<'_, '_> {
    fn take(&mut self, mut batch: Batch) -> Option<Batch> {
        self.decoder.decode_more(&mut batch);
        match self.pass.take_batch(&mut batch, &self.decoder) {
            Ok(()) if self.progress.is_stopped() => None,
            Ok(()) => Some(batch),
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }
}

/// One thread merges, all processors decode, and this one follows the state.
fn by_threads(
    pass: &mut Pass<'_>,
    trace: &TraceFile,
    index: &Index,
    progress: &Progress,
) -> Result<MergeStats, Error> {
    let decoder = Decoder::new(trace, index);
    let (filled, batches) = sync_channel(BATCHES_WAITING_MAX);
    let (returned, empty) = channel();
    std::thread::scope(|scope| {
        let merging = scope.spawn(move || {
            rayon::in_place_scope(|decoding| {
                let mut taker = Across {
                    batches: filled,
                    empty,
                    decoder,
                    decoding,
                };
                fill(trace, index, &mut taker, progress)
            })
        });
        // Meanwhile the first batches are filled.
        pass.begin(trace, index)?;
        take_all(pass, batches, &returned, &decoder, progress)?;
        match merging.join() {
            Ok(merged) => Ok(merged),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Takes in all batches, and gives each back to be filled again.
fn take_all(
    pass: &mut Pass<'_>,
    batches: Receiver<Decoding>,
    returned: &Sender<Batch>,
    decoder: &Decoder<'_>,
    progress: &Progress,
) -> Result<(), Error> {
    for mut batch in batches.into_iter().map_while(Decoding::wait) {
        pass.take_batch(&mut batch, decoder)?;
        // The other side may be done and take nothing back.
        let _ = returned.send(batch);
        if progress.is_stopped() {
            break;
        }
    }
    Ok(())
}

/// A batch, or where it comes from when it is decoded.
enum Decoding {
    Done(Batch),
    UnderWay(Receiver<Batch>),
}

impl Decoding {
    /// Waits for the batch; `None` only if decoding it ended by a panic.
    fn wait(self) -> Option<Batch> {
        match self {
            Self::Done(batch) => Some(batch),
            Self::UnderWay(decoded) => decoded.recv().ok(),
        }
    }
}

/// Sends batches to the thread of the state, and has those that take long decoded on their way.
struct Across<'s, 'a> {
    batches: SyncSender<Decoding>,
    empty: Receiver<Batch>,
    decoder: Decoder<'a>,
    decoding: &'s Scope<'a>,
}

impl TakeBatches for Across<'_, '_> {
    fn take(&mut self, mut batch: Batch) -> Option<Batch> {
        let decoder = self.decoder;
        let decoding = if batch.undecoded_bytes() <= DECODED_HERE_BYTES_MAX {
            decoder.decode_more(&mut batch);
            Decoding::Done(batch)
        } else {
            let (done, decoded) = sync_channel(1);
            self.decoding.spawn(move |_| {
                decoder.decode_more(&mut batch);
                // The other side may have stopped.
                let _ = done.send(batch);
            });
            Decoding::UnderWay(decoded)
        };
        self.batches.send(decoding).ok()?;
        Some(self.empty.try_recv().unwrap_or_default())
    }
}
