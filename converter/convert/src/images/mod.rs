//! Images over the whole trace: built in pass 1, used and written in pass 2.

mod facts;
mod record;

use rustc_hash::FxHashMap;

use crate::lifetime::{Facts, Incarnation, Incarnations, Lifetimes, Sign};

pub use facts::ImageFacts;
pub use record::{ImageRecord, Says, image_record};

/// A stay of an image at an address, and the process it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageLife {
    /// When it was there, and what is known of it.
    pub life: Incarnation<Box<ImageFacts>>,
    /// Index in [`Lifetimes::processes`]; `None` for the kernel's images, and where the process is not known.
    pub process: Option<usize>,
}

/// Builds all stays from the records of all buffers. Answers too how many identities belong to no image, by their type.
pub fn images(
    mut records: Vec<ImageRecord>,
    lifetimes: &Lifetimes,
) -> (Vec<ImageLife>, FxHashMap<u8, u64>) {
    records.sort_by_key(|record| (record.raw, phase(record.says)));
    let mut lives = Incarnations::new();
    let mut identities = Vec::new();
    for record in records {
        match record.says {
            Says::Life(sign) => lives.add(record.raw, sign, record.facts),
            Says::Identity(event_type) => identities.push((record.raw, event_type, record.facts)),
        }
    }
    let mut lives = lives.into_vec();
    let orphans = identify(&mut lives, identities);
    let images = lives
        .into_iter()
        .map(|life| within_process(life, lifetimes))
        .collect();
    (images, orphans)
}

/// Order at equal times: an unload makes room for a load.
fn phase(says: Says) -> u8 {
    match says {
        Says::Life(Sign::End) => 0,
        Says::Life(Sign::Start) => 1,
        Says::Life(Sign::Alive) => 2,
        Says::Identity(_) => 3,
    }
}

/// Gives each identity to the image that was at its address last: it has the time of that image's event.
fn identify(
    lives: &mut [Incarnation<Box<ImageFacts>>],
    identities: Vec<(i64, u8, Box<ImageFacts>)>,
) -> FxHashMap<u8, u64> {
    let mut at: FxHashMap<(u32, u64), Vec<usize>> = FxHashMap::default();
    for (index, life) in lives.iter().enumerate() {
        at.entry(life.facts.id()).or_default().push(index);
    }
    let mut orphans = FxHashMap::default();
    for (raw, event_type, facts) in identities {
        let last = at
            .get(&facts.id())
            .and_then(|indexes| {
                let has_come =
                    |index: &&usize| lives.get(**index).is_some_and(|life| life.from_raw <= raw);
                indexes.iter().rev().find(has_come)
            })
            .copied();
        match last.and_then(|index| lives.get_mut(index)) {
            Some(life) => life.facts.add(facts),
            None => *orphans.entry(event_type).or_default() += 1,
        }
    }
    orphans
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
