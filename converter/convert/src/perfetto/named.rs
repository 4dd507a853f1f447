//! Instants that are named by words: each text is written once, and again only after all were forgotten to make room.

use pftrace::TraceWriter;
use rustc_hash::FxHashMap;

use super::words::Words;

/// Texts that are remembered, before all are forgotten and written anew: 8 MiB.
const TEXTS_MAX: usize = 1 << 16;

/// The numbers of the texts that are written.
#[derive(Debug, Default)]
pub struct Named {
    iids: FxHashMap<Words, u64>,
}

impl Named {
    /// Writes an instant on a track.
    #[inline]
    pub fn instant(&mut self, ts_ns: u64, track_uuid: u64, words: Words, writer: &mut TraceWriter) {
        let iid = match self.iids.get(&words) {
            Some(&iid) => iid,
            None => self.name(ts_ns, words, writer),
        };
        writer.named_instant(ts_ns, track_uuid, iid);
    }

    #[cold]
    fn name(&mut self, ts_ns: u64, words: Words, writer: &mut TraceWriter) -> u64 {
        if self.iids.len() >= TEXTS_MAX {
            self.iids.clear();
        }
        if self.iids.is_empty() {
            writer.begin_names(ts_ns);
        }
        let iid = self.iids.len() as u64 + 1;
        writer.name(ts_ns, iid, &words.to_string());
        self.iids.insert(words, iid);
        iid
    }
}
