//! What lies where in memory, process by process, at the time that pass 2 has come to.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::images::{ImageFacts, ImageLife};
use crate::stacks::{Halves, NodeId};

/// Callstacks of all address spaces that are remembered; beyond, all are made anew.
const CALLSTACKS_MAX: usize = 1 << 18;

/// The address spaces of all processes.
#[derive(Debug)]
pub struct AddressSpaces<'a> {
    images: &'a [ImageLife],
    kernel: Space,
    processes: FxHashMap<u32, Space>,
    callstacks_kept: usize,
}

/// Loaded images by their base: end and index.
#[derive(Debug, Default)]
struct Space {
    images: BTreeMap<u64, (u64, usize)>,
    /// Callstacks made of the two halves of recorded stacks while these images were loaded.
    callstacks: FxHashMap<Halves, NodeId>,
}

impl Space {
    fn image_at(&self, address: u64) -> Option<usize> {
        let (_, &(end, image)) = self.images.range(..=address).next_back()?;
        (address < end).then_some(image)
    }
}

impl<'a> AddressSpaces<'a> {
    /// Empty address spaces.
    pub fn new(images: &'a [ImageLife]) -> Self {
        Self {
            images,
            kernel: Space::default(),
            processes: FxHashMap::default(),
            callstacks_kept: 0,
        }
    }

    /// An image; index in the pass's list.
    pub fn facts(&self, image: usize) -> Option<&'a ImageFacts> {
        self.images.get(image).map(|image| &image.life.facts)
    }

    /// Loads an image.
    pub fn load(&mut self, image: usize) {
        if let Some(facts) = self.facts(image) {
            let space = self.changed(facts);
            space.images.insert(facts.base, (facts.end(), image));
        }
    }

    /// Unloads an image, if it is still what lies at its base.
    pub fn unload(&mut self, image: usize) {
        if let Some(facts) = self.facts(image) {
            let space = self.changed(facts);
            if space.images.get(&facts.base) == Some(&(facts.end(), image)) {
                space.images.remove(&facts.base);
            }
        }
    }

    /// The space that an image is in; what was made of its images no longer holds.
    fn changed(&mut self, facts: &ImageFacts) -> &mut Space {
        if facts.is_kernel {
            self.forget_callstacks();
            return &mut self.kernel;
        }
        let space = self.processes.entry(facts.pid).or_default();
        self.callstacks_kept -= space.callstacks.len();
        space.callstacks.clear();
        space
    }

    fn forget_callstacks(&mut self) {
        for space in self.processes.values_mut() {
            space.callstacks = FxHashMap::default();
        }
        self.callstacks_kept = 0;
    }

    /// The image that an address of a process belongs to.
    pub fn image_at(&self, pid: u32, address: u64) -> Option<usize> {
        let own = self.processes.get(&pid);
        own.and_then(|space| space.image_at(address))
            .or_else(|| self.kernel.image_at(address))
    }

    /// The callstack that was made of two halves in a process before.
    pub fn callstack(&self, pid: u32, halves: Halves) -> Option<NodeId> {
        self.processes.get(&pid)?.callstacks.get(&halves).copied()
    }

    /// Keeps the callstack made of two halves until the images of the process change.
    pub fn keep_callstack(&mut self, pid: u32, halves: Halves, callstack: NodeId) {
        if self.callstacks_kept >= CALLSTACKS_MAX {
            self.forget_callstacks();
        }
        let space = self.processes.entry(pid).or_default();
        if space.callstacks.insert(halves, callstack).is_none() {
            self.callstacks_kept += 1;
        }
    }
}
