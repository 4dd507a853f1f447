//! The ranks of threads, for who looks at the trace in ui.perfetto.dev: a counter track below a thread's own one.

use pftrace::{TraceWriter, Track};
use rustc_hash::{FxHashMap, FxHashSet};

use super::tracks::{RANK_TRACKS, thread_track};

/// Writes the rank of a thread where it becomes another one. Most threads have the rank 0 all the time: these have no track.
#[derive(Debug, Default)]
pub struct Ranks {
    /// The keys of threads that have a track.
    described: FxHashSet<u32>,
    /// The last rank of each thread that has a track of ranks.
    written: FxHashMap<u32, u8>,
}

impl Ranks {
    /// Takes in a thread that has a track, by its key.
    pub fn thread(&mut self, utid: u32) {
        self.described.insert(utid);
    }

    /// A thread begins to run, and has this rank at the end of the run.
    pub fn run(&mut self, ts_ns: u64, utid: u32, rank: u8, writer: &mut TraceWriter) {
        let uuid = RANK_TRACKS + u64::from(utid);
        match self.written.get_mut(&utid) {
            Some(last) if *last == rank => return,
            Some(last) => *last = rank,
            None if rank == 0 => return,
            None => {
                // A thread that nothing describes has no track to put it below.
                if !self.described.contains(&utid) {
                    return;
                }
                let (name, parent_uuid) = ("rank", thread_track(utid));
                writer.track(ts_ns, uuid, &Track::Counter { name, parent_uuid });
                self.written.insert(utid, rank);
            }
        }
        writer.counter(ts_ns, uuid, rank.into());
    }
}
