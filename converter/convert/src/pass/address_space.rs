//! What lies where in memory, process by process, at the time that pass 2 has come to.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::images::{ImageFacts, ImageLife};
use crate::methods::{Method, MethodName, Methods};
use crate::stacks::{Halves, NodeId};

/// Callstacks of all address spaces that are remembered; beyond, all are made anew.
const CALLSTACKS_MAX: usize = 1 << 18;

/// The address spaces of all processes.
#[derive(Debug)]
pub struct AddressSpaces<'a> {
    images: &'a [ImageLife],
    methods: &'a Methods,
    kernel: Space<'a>,
    processes: FxHashMap<u32, Space<'a>>,
    callstacks_kept: usize,
    versions: u32,
}

/// What lies in an address space as long as nothing changes: none that was before or is elsewhere has the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpaceVersion(u32);

#[cfg(test)]
impl SpaceVersion {
    pub fn of_number(number: u32) -> Self {
        Self(number)
    }
}

/// What is in one address space.
#[derive(Debug, Default)]
struct Space<'a> {
    /// Loaded images by their base: end and index.
    images: BTreeMap<u64, (u64, usize)>,
    /// Index of the process, where it has methods of .NET.
    process: Option<usize>,
    /// Its methods that stay as long as it lives, by address.
    staying: &'a [Method],
    /// Those that are loaded now, by address.
    passing: BTreeMap<u64, &'a Method>,
    /// Callstacks made of the two halves of recorded stacks while all this was so.
    callstacks: FxHashMap<Halves, NodeId>,
    /// `None` until somebody asks.
    version: Option<SpaceVersion>,
}

impl Space<'_> {
    fn image_at(&self, address: u64) -> Option<usize> {
        let (_, &(end, image)) = self.images.range(..=address).next_back()?;
        (address < end).then_some(image)
    }

    fn method_at(&self, address: u64) -> Option<&Method> {
        let after = self
            .staying
            .partition_point(|method| method.start <= address);
        let staying = after.checked_sub(1).and_then(|at| self.staying.get(at));
        let passing = self.passing.range(..=address).next_back();
        let holds = |method: &&Method| address < method.end();
        let passing = passing.map(|(_, method)| *method).filter(holds);
        passing.or(staying.filter(holds))
    }
}

impl<'a> AddressSpaces<'a> {
    /// Empty address spaces.
    pub fn new(images: &'a [ImageLife], methods: &'a Methods) -> Self {
        Self {
            images,
            methods,
            kernel: Space::default(),
            processes: FxHashMap::default(),
            callstacks_kept: 0,
            versions: 0,
        }
    }

    /// What lies in the memory of a process now.
    pub fn version(&mut self, pid: u32) -> SpaceVersion {
        let space = self.processes.entry(pid).or_default();
        *space.version.get_or_insert_with(|| {
            self.versions += 1;
            SpaceVersion(self.versions)
        })
    }

    /// An image; index in the pass's list.
    pub fn facts(&self, image: usize) -> Option<&'a ImageFacts> {
        self.images.get(image).map(|image| &*image.life.facts)
    }

    /// The methods of all processes.
    pub fn methods(&self) -> &'a Methods {
        self.methods
    }

    /// Begins the life of a process under its id: its methods are there, those of the one before are gone.
    pub fn begin_process(&mut self, pid: u32, process: usize) {
        let process = Some(process).filter(|process| self.methods.has_process(*process));
        if process.is_none()
            && self
                .processes
                .get(&pid)
                .is_none_or(|space| space.process.is_none())
        {
            return;
        }
        let methods = self.methods;
        let space = self.changed_of(pid);
        space.process = process;
        space.staying = process.map_or(&[], |process| methods.staying_in(process));
        let passing = process.map_or(&[][..], |process| methods.passing_in(process));
        space.passing = passing
            .iter()
            .filter(|life| life.from_raw == i64::MIN)
            .map(|life| (life.method.start, &life.method))
            .collect();
    }

    /// Loads a method.
    pub fn load_method(&mut self, method: usize) {
        if let Some((space, method)) = self.space_of_method(method) {
            space.passing.insert(method.start, method);
        }
    }

    /// Unloads a method, if it is still what lies at its address.
    pub fn unload_method(&mut self, method: usize) {
        if let Some((space, method)) = self.space_of_method(method)
            && space.passing.get(&method.start) == Some(&method)
        {
            space.passing.remove(&method.start);
        }
    }

    /// A method and the space that it is in; `None` if its process is not the one that lives now under its id.
    fn space_of_method(&mut self, method: usize) -> Option<(&mut Space<'a>, &'a Method)> {
        let life = self.methods.passing.get(method)?;
        let current = self.processes.get(&life.pid)?.process;
        (current == Some(life.process)).then(|| (self.changed_of(life.pid), &life.method))
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
    fn changed(&mut self, facts: &ImageFacts) -> &mut Space<'a> {
        if facts.is_kernel {
            self.forget_callstacks();
            return &mut self.kernel;
        }
        self.changed_of(facts.pid)
    }

    fn changed_of(&mut self, pid: u32) -> &mut Space<'a> {
        let space = self.processes.entry(pid).or_default();
        self.callstacks_kept -= space.callstacks.len();
        space.callstacks.clear();
        space.version = None;
        space
    }

    /// Forgets what was made of halves.
    pub fn forget_callstacks(&mut self) {
        for space in self.processes.values_mut() {
            space.callstacks = FxHashMap::default();
            space.version = None;
        }
        self.callstacks_kept = 0;
    }

    /// The image that an address of a process belongs to.
    pub fn image_at(&self, pid: u32, address: u64) -> Option<usize> {
        let own = self.processes.get(&pid);
        own.and_then(|space| space.image_at(address))
            .or_else(|| self.kernel.image_at(address))
    }

    /// What the method is called that an address of a process belongs to.
    pub fn method_at(&self, pid: u32, address: u64) -> Option<MethodName> {
        let method = self.processes.get(&pid)?.method_at(address)?;
        Some(method.name)
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
