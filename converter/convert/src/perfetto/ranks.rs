//! The ranks of threads, for who looks at the trace in ui.perfetto.dev: a counter track below a thread's own one.

use pftrace::{TraceWriter, Track};
use rustc_hash::FxHashMap;

use super::tracks::RANK_TRACKS;

/// Writes the rank of a thread where it becomes another one. Most threads have the rank 0 all the time: these have no track.
#[derive(Debug, Default)]
pub struct Ranks {
    /// UUIDs of threads' tracks, by the keys of the threads.
    thread_tracks: FxHashMap<u32, u64>,
    /// The last rank of each thread that has a track of ranks.
    written: FxHashMap<u32, u8>,
}

impl Ranks {
    /// Takes in a thread, by its key, and the UUID of its track.
    pub fn thread(&mut self, utid: u32, track_uuid: u64) {
        self.thread_tracks.insert(utid, track_uuid);
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
                let Some(&parent_uuid) = self.thread_tracks.get(&utid) else {
                    return;
                };
                let name = "rank";
                writer.track(ts_ns, uuid, &Track::Counter { name, parent_uuid });
                self.written.insert(utid, rank);
            }
        }
        writer.counter(ts_ns, uuid, rank.into());
    }
}
