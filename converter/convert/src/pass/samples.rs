//! Profile samples: where each was, with the stack that pass 1 found for it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::address_space::AddressSpaces;
use super::frames::{FrameId, Frames};
use super::made_callstacks::MadeCallstacks;
use crate::index::{Index, Interval};
use crate::stacks::{Halves, NodeId, StackIndex};

/// Process id of a thread whose process no event names. No process has this id.
pub const PID_UNKNOWN: u32 = u32::MAX;

/// What samples need.
pub struct Sampling<'a> {
    stacks: &'a StackIndex,
    intervals: &'a [Interval],
    /// Names of sources, by their numbers.
    pub source_names: FxHashMap<u16, Arc<str>>,
    pub spaces: AddressSpaces<'a>,
    made: MadeCallstacks,
    pub frames: Frames,
    addresses: Vec<u64>,
    /// The user half's nodes that have no callstack yet, the innermost first.
    path: Vec<(NodeId, u64)>,
}

impl<'a> Sampling<'a> {
    /// Nothing sampled yet.
    pub fn new(index: &'a Index) -> Self {
        Self {
            stacks: &index.stacks,
            intervals: &index.intervals,
            source_names: source_names(&index.intervals),
            spaces: AddressSpaces::new(&index.images, &index.methods),
            made: MadeCallstacks::default(),
            frames: Frames::new(index.images.len()),
            addresses: Vec::new(),
            path: Vec::new(),
        }
    }

    /// The interval of a source at a time; before the first that is recorded, that one. 0 if none is.
    pub fn interval(&self, source: u32, raw: i64) -> u32 {
        let after = self
            .intervals
            .partition_point(|interval| (interval.source, interval.from_raw) <= (source, raw));
        let before = after.checked_sub(1).and_then(|at| self.intervals.get(at));
        let found = before
            .filter(|interval| interval.source == source)
            .or(self.intervals.get(after))
            .filter(|interval| interval.source == source);
        found.map_or(0, |interval| interval.interval)
    }

    /// Forgets frames and callstacks, where they have become too many. Answers whether it did.
    pub fn make_room(&mut self) -> bool {
        let is_full = self.frames.is_full();
        if is_full {
            self.frames.forget();
            self.spaces.forget_callstacks();
        }
        is_full
    }

    /// The callstack of a sample: the recorded stack, and innermost where the sample was.
    pub fn callstack_of(&mut self, pid: u32, halves: Halves, address: u64) -> NodeId {
        let outer = self.callstack(pid, halves);
        let frame = self.frame(pid, address);
        if self.frames.innermost(outer) == Some(frame) {
            outer
        } else {
            self.frames.callstack(outer, frame)
        }
    }

    /// The callstack of a recorded stack, the root if it is empty.
    pub fn callstack(&mut self, pid: u32, halves: Halves) -> NodeId {
        if halves == Halves::default() {
            return NodeId::ROOT;
        }
        if let Some(made) = self.spaces.callstack(pid, halves) {
            return made;
        }
        let mut callstack = self.user_callstack(pid, halves.user);
        let mut addresses = std::mem::take(&mut self.addresses);
        addresses.clear();
        addresses.extend(self.stacks.addresses(halves.kernel));
        for &address in addresses.iter().rev() {
            let frame = self.frame(pid, address);
            callstack = self.frames.callstack(callstack, frame);
        }
        self.addresses = addresses;
        self.spaces.keep_callstack(pid, halves, callstack);
        callstack
    }

    /// The callstack of a user half. Only what it does not share with stacks that came before is looked up.
    fn user_callstack(&mut self, pid: u32, half: NodeId) -> NodeId {
        let space = self.spaces.version(pid);
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let (mut node, mut callstack) = (half, NodeId::ROOT);
        while let Some((outer, address)) = self.stacks.outer(node) {
            if let Some(known) = self.made.callstack(space, node) {
                callstack = known;
                break;
            }
            path.push((node, address));
            node = outer;
        }
        for &(node, address) in path.iter().rev() {
            let frame = self.frame(pid, address);
            callstack = self.frames.callstack(callstack, frame);
            self.made.keep(space, node, callstack);
        }
        self.path = path;
        callstack
    }

    fn frame(&mut self, pid: u32, address: u64) -> FrameId {
        let image = self.spaces.image_at(pid, address);
        let image = image.and_then(|index| Some((index, self.spaces.facts(index)?)));
        let method = self.spaces.method_at(pid, address);
        self.frames.frame(address, image, method)
    }
}

/// The names of sources that are told; of several for one, the last in the order of texts.
fn source_names(intervals: &[Interval]) -> FxHashMap<u16, Arc<str>> {
    let mut names: FxHashMap<u16, Arc<str>> = FxHashMap::default();
    for Interval {
        source,
        source_name,
        ..
    } in intervals
    {
        let Some(name) = source_name else { continue };
        let known = names.entry(counter_number(*source)).or_default();
        if **name > **known {
            *known = (**name).into();
        }
    }
    names
}

/// The number of a source that is told.
pub fn counter_number(source: u32) -> u16 {
    (source & u32::from(u16::MAX)) as u16
}
