//! Images coming and going: one packet for each stay in memory.

use super::Pass;
use super::emit::INITIAL_THREADS_TS_NS;
use super::lives::Action;
use crate::error::Error;
use crate::images::ImageLife;
use crate::perfetto::{PROCESS_TRACKS, TRACE_TRACK};

/// All loads and unloads within the trace.
pub fn actions(images: &[ImageLife]) -> impl Iterator<Item = (i64, Action)> + '_ {
    images.iter().enumerate().flat_map(|(index, image)| {
        let (from_raw, until_raw) = (image.life.from_raw, image.life.until_raw);
        let load = (from_raw != i64::MIN).then_some((from_raw, Action::LoadImage(index)));
        let unload = (until_raw != i64::MAX).then_some((until_raw, Action::UnloadImage(index)));
        [load, unload].into_iter().flatten()
    })
}

impl Pass<'_> {
    /// Writes the images that were loaded before the trace.
    pub(super) fn write_initial_images(&mut self) -> Result<(), Error> {
        for (index, image) in self.images.iter().enumerate() {
            if image.life.from_raw == i64::MIN {
                self.sampling.spaces.load(index);
                self.write_image(INITIAL_THREADS_TS_NS, None, image);
                self.write_full_chunk()?;
            }
        }
        Ok(())
    }

    /// Writes the images that are loaded where the selected range begins.
    pub(super) fn write_loaded_images(&mut self, from_raw: i64) {
        for image in self.images {
            let is_loaded = image.life.from_raw < from_raw && image.life.until_raw >= from_raw;
            let process_lives = image
                .process
                .is_none_or(|process| self.lives.is_open(self.lifetimes, process));
            if is_loaded && process_lives {
                let load_ts_ns = image.life.create_raw.map(|raw| self.emit.ts_of(raw));
                self.write_image(INITIAL_THREADS_TS_NS, load_ts_ns, image);
            }
        }
    }

    pub(super) fn load_image(&mut self, raw: i64, index: usize) {
        let Some(image) = self.images.get(index) else {
            return;
        };
        self.sampling.spaces.load(index);
        let ts_ns = self.emit.stamp(raw);
        let load_ts_ns = image.life.create_raw.map(|_| ts_ns);
        self.write_image(ts_ns, load_ts_ns, image);
    }

    fn write_image(&mut self, ts_ns: u64, load_ts_ns: Option<u64>, image: &ImageLife) {
        if self.kept.is_some_and(|kept| !kept.has_image(image)) {
            return;
        }
        let unload_ts_ns = image.life.exit_raw.map(|raw| self.emit.ts_of(raw));
        let facts = &image.life.facts;
        let symbols = facts.symbols.as_ref();
        let guid = symbols.map(|symbols| symbols.guid.to_string());
        let track = image
            .process
            .map_or(TRACE_TRACK, |process| PROCESS_TRACKS + process as u64);
        let pid = (!facts.is_kernel).then_some(u64::from(facts.pid));
        self.emit
            .packets()
            .instant(ts_ns, track, "etw.image", |values| {
                values.uint("pid", pid);
                values.uint("base", facts.base);
                values.uint("size", facts.size_bytes);
                values.string("path", facts.path.as_deref());
                values.string("original_name", facts.original_name.as_deref());
                values.uint("timestamp", facts.timestamp.map(u64::from));
                values.uint("checksum", facts.checksum.map(u64::from));
                values.string("pdb", symbols.map(|symbols| &*symbols.pdb_path));
                values.string("guid", guid.as_deref());
                values.uint("age", symbols.map(|symbols| u64::from(symbols.age)));
                values.uint("load_ts", load_ts_ns);
                values.uint("unload_ts", unload_ts_ns);
            });
    }
}
