//! Mappings, frames and callstacks: each is written once, before the first sample that uses it.

use etl::Guid;
use pftrace::{Interned, Mapping};
use rustc_hash::FxHashMap;

use crate::images::ImageFacts;
use crate::stacks::{NodeId, Trie};

/// A place in a mapping; from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameId(u32);

/// The mapping of addresses that no known image holds; their frames keep the whole address.
const NO_IMAGE: u32 = 1;
/// The callstack that stands for one for which there is no room: a single frame, in no image, at address 0.
pub const NO_ROOM: NodeId = NodeId(1);

/// Everything that samples refer to.
#[derive(Debug)]
pub struct Frames {
    /// Mapping of each image, by its index; 0 is not looked up yet.
    of_image: Vec<u32>,
    /// The same image at the same address in several processes is one mapping.
    mapping_ids: FxHashMap<Module, u32>,
    mappings: Vec<Written<Option<usize>>>,
    /// Offsets by the mapping that they are in, which stands for a node: all of them are leaves.
    frames: Trie<u64>,
    frame_written: Vec<bool>,
    callstacks: Trie<FrameId>,
    callstack_written: Vec<bool>,
}

/// What makes two images the same mapping.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Module {
    base: u64,
    end: u64,
    path: Option<Box<str>>,
    guid: Option<Guid>,
}

#[derive(Clone, Copy, Debug)]
struct Written<T> {
    what: T,
    written: bool,
}

impl<T> Written<T> {
    fn not_yet(what: T) -> Self {
        Self {
            what,
            written: false,
        }
    }
}

impl Frames {
    /// For this number of images.
    pub fn new(images: usize) -> Self {
        let mut frames = Self {
            of_image: vec![0; images],
            mapping_ids: FxHashMap::default(),
            mappings: vec![Written::not_yet(None)],
            frames: Trie::default(),
            frame_written: Vec::new(),
            callstacks: Trie::default(),
            callstack_written: Vec::new(),
        };
        let nowhere = frames.frame(0, None);
        nowhere.and_then(|frame| frames.callstack(NodeId::ROOT, frame));
        frames
    }

    /// The frame of an address in an image, or in none; `None` if there is no room for it.
    pub fn frame(&mut self, address: u64, image: Option<(usize, &ImageFacts)>) -> Option<FrameId> {
        let (mapping, offset) = match image {
            Some((index, facts)) => (self.mapping(index, facts), address - facts.base),
            None => (NO_IMAGE, address),
        };
        let frame = self.frames.child(NodeId(mapping), offset)?;
        Some(FrameId(frame.0))
    }

    fn mapping(&mut self, index: usize, facts: &ImageFacts) -> u32 {
        let known = self.of_image.get(index).copied().unwrap_or(0);
        if known != 0 {
            return known;
        }
        let module = Module {
            base: facts.base,
            end: facts.end(),
            path: facts.path.clone(),
            guid: facts.symbols.as_ref().map(|symbols| symbols.guid),
        };
        let mappings = &mut self.mappings;
        let mapping = *self.mapping_ids.entry(module).or_insert_with(|| {
            mappings.push(Written::not_yet(Some(index)));
            mappings.len() as u32
        });
        if let Some(known) = self.of_image.get_mut(index) {
            *known = mapping;
        }
        mapping
    }

    /// The callstack that goes on from `outer` to `frame`; `None` if there is no room for it.
    pub fn callstack(&mut self, outer: NodeId, frame: FrameId) -> Option<NodeId> {
        self.callstacks.child(outer, frame)
    }

    /// The innermost frame of a callstack.
    pub fn innermost(&self, callstack: NodeId) -> Option<FrameId> {
        self.callstacks.steps_back(callstack).next()
    }

    /// Whether a callstack has been written; from now on it counts as such.
    pub fn is_written(&mut self, callstack: NodeId) -> bool {
        mark(&mut self.callstack_written, callstack.0)
    }

    /// Writes a callstack and what it refers to, so far as that has not been written.
    pub fn write<'a>(
        &mut self,
        callstack: NodeId,
        facts: impl Fn(usize) -> Option<&'a ImageFacts>,
        interned: &mut Interned<'_>,
    ) {
        let mut frames: Vec<FrameId> = self.callstacks.steps_back(callstack).collect();
        frames.reverse();
        for &frame in &frames {
            self.write_frame(frame, &facts, interned);
        }
        let frames = frames.into_iter().map(|frame| u64::from(frame.0));
        interned.callstack(u64::from(callstack.0), frames);
    }

    fn write_frame<'a>(
        &mut self,
        frame: FrameId,
        facts: &impl Fn(usize) -> Option<&'a ImageFacts>,
        interned: &mut Interned<'_>,
    ) {
        let Some((NodeId(mapping), rel_pc)) = self.frames.node(NodeId(frame.0)) else {
            return;
        };
        if mark(&mut self.frame_written, frame.0) {
            return;
        }
        if let Some(known) = entry(&mut self.mappings, mapping)
            && !std::mem::replace(&mut known.written, true)
        {
            write_mapping(mapping, known.what.and_then(facts), interned);
        }
        interned.frame(frame.0.into(), mapping.into(), rel_pc);
    }
}

/// Marks something as written; answers whether it was before.
fn mark(written: &mut Vec<bool>, id: u32) -> bool {
    let index = id as usize;
    if written.len() <= index {
        written.resize(index + 1, false);
    }
    written
        .get_mut(index)
        .is_some_and(|written| std::mem::replace(written, true))
}

fn entry<T>(entries: &mut [T], id: u32) -> Option<&mut T> {
    entries.get_mut((id as usize).checked_sub(1)?)
}

fn write_mapping(mapping: u32, facts: Option<&ImageFacts>, interned: &mut Interned<'_>) {
    // Paths and build ids have ids of their own kind: those of the mapping serve.
    let iid = u64::from(mapping);
    let path = facts.and_then(|facts| facts.path.as_deref());
    let guid = facts
        .and_then(|facts| facts.symbols.as_ref())
        .map(|symbols| symbols.guid);
    if let Some(path) = path {
        interned.path(iid, path);
    }
    if let Some(guid) = guid {
        interned.build_id(iid, &guid.to_text_order());
    }
    interned.mapping(&Mapping {
        iid,
        start: facts.map_or(0, |facts| facts.base),
        end: facts.map_or(0, ImageFacts::end),
        path_iid: path.map(|_| iid),
        build_id_iid: guid.map(|_| iid),
    });
}
