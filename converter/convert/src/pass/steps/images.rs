//! Images coming and going: one fact for each stay in memory.

use facts::{Image, ImageSymbols, Sink};

use crate::error::Error;
use crate::first_times::INITIAL_THREADS_TS_NS;
use crate::images::ImageLife;
use crate::pass::state::Pass;

impl Pass<'_> {
    /// Reports the images that were loaded before the trace.
    pub fn tell_initial_images(&mut self) -> Result<(), Error> {
        for (index, image) in self.images.iter().enumerate() {
            if image.life.from_raw == i64::MIN {
                self.sampling.spaces.load(index);
                self.tell_image(INITIAL_THREADS_TS_NS, None, image);
                self.write_full_chunk()?;
            }
        }
        Ok(())
    }

    /// Reports the images that are loaded where the selected range begins.
    pub fn tell_loaded_images(&mut self, from_raw: i64) {
        for image in self.images {
            let is_loaded = image.life.from_raw < from_raw && image.life.until_raw >= from_raw;
            let process_lives = image
                .process
                .is_none_or(|process| self.lives.is_open(self.lifetimes, process));
            if is_loaded && process_lives {
                let load_ts_ns = image.life.create_raw.map(|raw| self.emit.ts_of(raw));
                self.tell_image(INITIAL_THREADS_TS_NS, load_ts_ns, image);
            }
        }
    }

    pub fn load_image(&mut self, raw: i64, index: usize) {
        let Some(image) = self.images.get(index) else {
            return;
        };
        self.sampling.spaces.load(index);
        let ts_ns = self.emit.stamp(raw);
        let load_ts_ns = image.life.create_raw.map(|_| ts_ns);
        self.tell_image(ts_ns, load_ts_ns, image);
    }

    fn tell_image(&mut self, ts_ns: u64, load_ts_ns: Option<u64>, image: &ImageLife) {
        if self.kept.is_some_and(|kept| !kept.has_image(image)) {
            return;
        }
        let facts = &image.life.facts;
        let told = Image {
            upid: image
                .process
                .and_then(|process| self.emit.keys.described(process)),
            pid: (!facts.is_kernel).then_some(facts.pid),
            base: facts.base,
            size_bytes: facts.size_bytes,
            path: facts.path.clone(),
            symbols: facts.symbols.as_ref().map(|symbols| ImageSymbols {
                pdb_path: symbols.pdb_path.clone(),
                guid: symbols.guid.to_string().into(),
                age: symbols.age,
            }),
            timestamp: facts.timestamp,
            checksum: facts.checksum,
            original_name: facts.original_name.clone(),
            load_ts_ns,
            unload_ts_ns: image.life.exit_raw.map(|raw| self.emit.ts_of(raw)),
        };
        self.emit.sinks.image(ts_ns, &told);
    }
}
