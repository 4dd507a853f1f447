//! Disorder that costs nothing: buffers that are in the file twice, or not in the order of their numbers.

use crate::sim::rng::Rng;

/// What of a file is put out of order, by chance.
#[derive(Debug)]
pub(super) struct Disorder {
    rng: Rng,
    /// Buffers that are written after the next one of their processor, with that.
    held: Vec<(usize, Vec<u8>)>,
}

impl Disorder {
    /// The same disorder for the same seed.
    pub const fn new(seed: u64) -> Self {
        let rng = Rng::new(seed);
        let held = Vec::new();
        Self { rng, held }
    }

    /// Whether to swap the last event of a buffer and the first of the next.
    pub fn swaps_edge(&mut self) -> bool {
        self.rng.below(3) == 0
    }

    /// The buffers to write when this one of a processor is full.
    pub fn buffers(&mut self, cpu: usize, buffer: Vec<u8>) -> Vec<Vec<u8>> {
        let held = self.held.iter().position(|(of, _)| *of == cpu);
        if held.is_none() && self.rng.below(3) == 0 {
            self.held.push((cpu, buffer));
            return Vec::new();
        }
        let mut buffers = vec![buffer];
        buffers.extend(held.map(|at| self.held.swap_remove(at).1));
        if self.rng.below(4) == 0 {
            buffers.extend(buffers.first().cloned());
        }
        buffers
    }

    /// Those that still wait for a next one.
    pub fn rest(&mut self) -> Vec<Vec<u8>> {
        let held = std::mem::take(&mut self.held);
        held.into_iter().map(|(_, buffer)| buffer).collect()
    }
}
