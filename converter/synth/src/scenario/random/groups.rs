//! Where processors are: Windows puts those beyond 64 into further groups, and affinities are of one group.

use serde::Serialize;

use crate::sim::rng::Rng;

/// The most processors of a group, for which a mask has bits.
const GROUP_CPUS: u32 = 64;
/// The most groups that these machines have.
const MAX_GROUPS: u32 = 4;

/// Where a processor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Its group.
    pub group: u16,
    /// Its number there.
    pub number: u8,
}

/// Where a thread may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Affinity {
    /// `None`: in all groups.
    pub group: Option<u16>,
    /// The group's processors, as bits.
    pub mask: u64,
    /// An event told the group; those of starts and rundowns tell the mask alone.
    pub is_group_recorded: bool,
}

impl Affinity {
    /// Whether a processor there may be used.
    pub fn allows(self, place: Place) -> bool {
        self.group
            .is_none_or(|group| group == place.group && self.mask & bit(place) > 0)
    }
}

/// Processors of one group as bits.
pub fn mask_of(places: impl Iterator<Item = Place>) -> u64 {
    places.fold(0, |mask, place| mask | bit(place))
}

fn bit(place: Place) -> u64 {
    1 << (u32::from(place.number) % u64::BITS)
}

/// The places of so many processors: one group up to 64, else two to four of any sizes. On most machines one group
/// follows the other.
pub fn places(rng: &mut Rng, cpu_count: u32) -> Vec<Place> {
    let mut sizes = vec![cpu_count];
    if cpu_count > GROUP_CPUS {
        let least = cpu_count.div_ceil(GROUP_CPUS).max(2);
        let groups = least + rng.below(MAX_GROUPS + 1 - least);
        sizes = group_sizes(rng, cpu_count, groups);
    }
    let mut left: Vec<(u16, u8, u32)> = (0..)
        .zip(sizes)
        .map(|(group, size)| (group, 0, size))
        .collect();
    let takes_turns = rng.below(4) == 0;
    let mut places = Vec::new();
    while let Some((group, number, size)) = left.first_mut() {
        places.push(Place {
            group: *group,
            number: *number,
        });
        *number += 1;
        *size -= 1;
        if *size == 0 {
            left.remove(0);
        } else if takes_turns {
            left.rotate_left(1);
        }
    }
    places
}

/// Divides processors into groups. No group is empty or too large.
fn group_sizes(rng: &mut Rng, cpu_count: u32, groups: u32) -> Vec<u32> {
    let mut left = cpu_count;
    let mut sizes = Vec::new();
    for others in (0..groups).rev() {
        let least = left.saturating_sub(others * GROUP_CPUS).max(1);
        let most = (left - others).min(GROUP_CPUS);
        let size = least + rng.below(most - least + 1);
        sizes.push(size);
        left -= size;
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_processor_has_a_place_of_its_own_in_groups_of_up_to_64() {
        for seed in 0..2_000 {
            let mut rng = Rng::new(seed);
            let cpu_count = 1 + rng.below(200);
            let places = places(&mut rng, cpu_count);
            assert_eq!(places.len(), cpu_count as usize);
            let groups = places.iter().map(|place| place.group).max().unwrap() + 1;
            assert!(if cpu_count > 64 {
                (2..=4).contains(&groups)
            } else {
                groups == 1
            });
            let count: u32 = (0..groups)
                .map(|group| places.iter().filter(move |place| place.group == group))
                .map(|own| mask_of(own.copied()).count_ones())
                .inspect(|size| assert!((1..=64).contains(size)))
                .sum();
            assert_eq!(count, cpu_count, "seed {seed}");
        }
    }
}
