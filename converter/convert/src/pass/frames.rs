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
/// Frames that are kept at most; each further address would be the first one's.
const FRAMES_MAX: usize = 1 << 19;

/// Everything that samples refer to.
#[derive(Debug)]
pub struct Frames {
    /// Mapping of each image, by its index; 0 is not looked up yet.
    of_image: Vec<u32>,
    /// The same image at the same address in several processes is one mapping.
    mapping_ids: FxHashMap<Module, u32>,
    mappings: Vec<Written<Option<usize>>>,
    frame_ids: FxHashMap<(u32, u64), FrameId>,
    frames: Vec<Written<(u32, u64)>>,
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
        Self {
            of_image: vec![0; images],
            mapping_ids: FxHashMap::default(),
            mappings: vec![Written::not_yet(None)],
            frame_ids: FxHashMap::default(),
            frames: Vec::new(),
            callstacks: Trie::default(),
            callstack_written: Vec::new(),
        }
    }

    /// The frame of an address in an image, or in none.
    pub fn frame(&mut self, address: u64, image: Option<(usize, &ImageFacts)>) -> FrameId {
        let place = match image {
            Some((index, facts)) => (self.mapping(index, facts), address - facts.base),
            None => (NO_IMAGE, address),
        };
        if let Some(&frame) = self.frame_ids.get(&place) {
            return frame;
        }
        if self.frames.len() >= FRAMES_MAX {
            return FrameId(1);
        }
        self.frames.push(Written::not_yet(place));
        let frame = FrameId(self.frames.len() as u32);
        self.frame_ids.insert(place, frame);
        frame
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

    /// The callstack that goes on from `outer` to `frame`; `outer` itself if there is no room for more.
    pub fn callstack(&mut self, outer: NodeId, frame: FrameId) -> NodeId {
        self.callstacks.child(outer, frame).unwrap_or(outer)
    }

    /// The innermost frame of a callstack.
    pub fn innermost(&self, callstack: NodeId) -> Option<FrameId> {
        self.callstacks.steps_back(callstack).next()
    }

    /// Whether a callstack has been written; from now on it counts as such.
    pub fn is_written(&mut self, callstack: NodeId) -> bool {
        let index = callstack.0 as usize;
        if self.callstack_written.len() <= index {
            self.callstack_written.resize(index + 1, false);
        }
        self.callstack_written
            .get_mut(index)
            .is_some_and(|written| std::mem::replace(written, true))
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
        let Some(known) = entry(&mut self.frames, frame.0) else {
            return;
        };
        if std::mem::replace(&mut known.written, true) {
            return;
        }
        let (mapping, rel_pc) = known.what;
        if let Some(known) = entry(&mut self.mappings, mapping)
            && !std::mem::replace(&mut known.written, true)
        {
            write_mapping(mapping, known.what.and_then(facts), interned);
        }
        interned.frame(frame.0.into(), mapping.into(), rel_pc);
    }
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
