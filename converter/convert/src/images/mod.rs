//! Images over the whole trace: built in pass 1, used and written in pass 2.

mod facts;
mod record;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::lifetime::{Incarnation, Incarnations, Lifetimes, Sign};

pub use facts::ImageFacts;
pub use record::ImageRecords;

/// A stay of an image at an address, and the process it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageLife {
    /// When it was there, and what is known of it.
    pub life: Incarnation<Box<ImageFacts>>,
    /// Index in [`Lifetimes::processes`]; `None` for the kernel's images, and where the process is not known.
    pub process: Option<usize>,
}

/// Stays of images, as their own events tell.
#[derive(Debug)]
pub struct Images {
    lives: Vec<Incarnation<Box<ImageFacts>>>,
    /// How many identities belong to no image, by their type.
    pub orphans: FxHashMap<u8, u64>,
}

impl Images {
    /// Builds all stays from the records of all buffers.
    pub fn build(records: ImageRecords) -> Self {
        let ImageRecords {
            lives: mut records,
            mut identities,
        } = records;
        records.par_sort_by_key(|record| (record.raw, phase(record.sign)));
        identities.par_sort_by_key(|record| record.raw);
        let mut lives = Incarnations::with_capacity(records.len());
        for record in records {
            lives.add(record.raw, record.sign, record.facts);
        }
        let mut orphans = FxHashMap::default();
        for record in identities {
            // It has the time of its image's event.
            match lives.at(record.image, record.raw) {
                Some(life) => life.facts.identify(record.identity),
                None => *orphans.entry(record.event_type).or_default() += 1,
            }
        }
        let lives = lives.into_vec();
        Self { lives, orphans }
    }

    /// All stays, none longer than its process lives.
    pub fn within_processes(self, lifetimes: &Lifetimes) -> Vec<ImageLife> {
        let lives = self.lives.into_par_iter();
        lives.map(|life| within_process(life, lifetimes)).collect()
    }
}

/// Order at equal times: an unload makes room for a load.
fn phase(sign: Sign) -> u8 {
    match sign {
        Sign::End => 0,
        Sign::Start => 1,
        Sign::Alive => 2,
    }
}

/// An image is there no longer than its process.
fn within_process(mut life: Incarnation<Box<ImageFacts>>, lifetimes: &Lifetimes) -> ImageLife {
    let process = if life.facts.is_kernel {
        None
    } else {
        lifetimes.process_of(life.facts.pid, life.seen_raw)
    };
    if let Some(process) = process.and_then(|index| lifetimes.processes.get(index)) {
        life.from_raw = life.from_raw.max(process.from_raw);
        life.until_raw = life.until_raw.min(process.until_raw);
    }
    ImageLife { life, process }
}
