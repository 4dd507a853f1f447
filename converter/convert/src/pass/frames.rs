//! Mappings, frames and callstacks: each is told before the first sample that uses it, and again only after all were
//! forgotten to make room.

use std::sync::Arc;

use etl::Guid;
use facts::{Function, Sink};
use rustc_hash::FxHashMap;

use super::address_space::AddressSpaces;
use crate::images::ImageFacts;
use crate::methods::{MethodName, NameId};
use crate::stacks::{NodeId, Trie};

/// A place in a mapping, and the method that it is in; from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameId(u32);

impl From<FrameId> for u64 {
    fn from(FrameId(number): FrameId) -> Self {
        number.into()
    }
}

/// The mapping, and the area, of addresses that no known image holds and no method; their frames keep the whole address.
const NOWHERE: u32 = 1;
/// Marks the number of an area as that of a node, which it is not.
const AREA: u32 = 1 << 31;
/// Calls that are remembered, before all are forgotten and told anew: with their frames 8 MiB.
const CALLS_MAX: usize = 1 << 18;
/// Likewise frames.
const FRAMES_MAX: usize = 1 << 16;

/// Everything that samples refer to.
#[derive(Debug)]
pub struct Frames {
    /// Area of each image, by its index; 0 is not looked up yet.
    of_image: Vec<u32>,
    /// The same image at the same address in several processes is one mapping.
    mapping_ids: FxHashMap<Module, u32>,
    mappings: Vec<Mapped>,
    /// The names of methods in mappings.
    functions: FxHashMap<MethodName, u32>,
    function_names: Vec<MethodName>,
    areas: Vec<Area>,
    area_ids: FxHashMap<Area, u32>,
    /// Offsets in mappings by the area that they are in, which stands for a node: all of them are leaves.
    frames: Trie<u64>,
    callstacks: Trie<FrameId>,
    told: Told,
}

/// How many frames and calls have keys, which go on when all are forgotten.
#[derive(Debug, Default)]
struct Told {
    /// Keys of mappings, by their numbers; `None` until a frame is in one.
    mapping_keys: Vec<Option<u32>>,
    mappings: u32,
    /// Those that were forgotten, and of those that are known how many were told.
    frames_before: u32,
    frames: u32,
    calls_before: u32,
    calls: u32,
    /// How many calls called each call that is known and told.
    depths: Vec<u16>,
}

/// What makes two mappings the same.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Module {
    Image {
        base: u64,
        end: u64,
        path: Option<Arc<str>>,
        guid: Option<Guid>,
    },
    /// Code that was generated for the methods of a file.
    Generated(NameId),
}

/// What a mapping is told from.
#[derive(Clone, Copy, Debug)]
enum Mapped {
    Nothing,
    /// An image, by its index.
    Image(usize),
    Generated(NameId),
}

impl Mapped {
    fn image<'a>(self, spaces: &AddressSpaces<'a>) -> Option<&'a ImageFacts> {
        match self {
            Self::Image(index) => spaces.facts(index),
            Self::Nothing | Self::Generated(_) => None,
        }
    }

    fn path(self, spaces: &AddressSpaces<'_>) -> Option<Arc<str>> {
        match self {
            Self::Generated(module) => Some(spaces.methods().module(module).into()),
            Self::Nothing | Self::Image(_) => self.image(spaces)?.path.clone(),
        }
    }
}

/// What the frames of a method in a mapping have in common, or those of none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Area {
    mapping: u32,
    /// 0 for none.
    function: u32,
}

impl Frames {
    /// For this number of images.
    pub fn new(images: usize) -> Self {
        let mut frames = Self {
            of_image: vec![0; images],
            mapping_ids: FxHashMap::default(),
            mappings: vec![Mapped::Nothing],
            functions: FxHashMap::default(),
            function_names: Vec::new(),
            areas: Vec::new(),
            area_ids: FxHashMap::default(),
            frames: Trie::default(),
            callstacks: Trie::default(),
            told: Told::default(),
        };
        frames.area(NOWHERE, None);
        frames
    }

    /// Forgets frames and callstacks. Mappings are as few as images and files of methods.
    pub fn forget(&mut self) {
        let told = &mut self.told;
        told.frames_before += std::mem::take(&mut told.frames);
        told.calls_before += std::mem::take(&mut told.calls);
        told.depths.clear();
        self.frames = Trie::default();
        self.callstacks = Trie::default();
    }

    /// Reports to `sink` the frames and calls that came since the last report.
    pub fn tell(&mut self, spaces: &AddressSpaces<'_>, sink: &mut impl Sink) {
        while let Some((NodeId(area), offset)) = self.frames.node(NodeId(self.told.frames + 1)) {
            let Area { mapping, function } = self.area_at(area & !AREA);
            let mapping = self.mapping_key(mapping, spaces, sink);
            sink.frame(facts::Frame {
                frame: self.told.frames_before + self.told.frames,
                mapping,
                offset,
                function: self.function(function, spaces),
            });
            self.told.frames += 1;
        }
        while let Some((caller, FrameId(frame))) = self.callstacks.node(NodeId(self.told.calls + 1))
        {
            let depth = self.depth_within(caller);
            self.told.depths.push(depth);
            sink.call(facts::Call {
                callsite: self.told.calls_before + self.told.calls,
                caller: self.key_of(caller),
                depth,
                frame: self.told.frames_before + frame - 1,
            });
            self.told.calls += 1;
        }
    }

    /// The key of a callstack's innermost call; `None` for the empty one.
    pub fn key_of(&self, NodeId(callstack): NodeId) -> Option<u32> {
        Some(self.told.calls_before + callstack.checked_sub(1)?)
    }

    /// How many calls called those that a callstack calls.
    fn depth_within(&self, NodeId(callstack): NodeId) -> u16 {
        let caller = (callstack as usize)
            .checked_sub(1)
            .and_then(|at| self.told.depths.get(at));
        // The records of the two halves of a stack hold fewer.
        caller.map_or(0, |depth| depth.saturating_add(1))
    }

    /// The key of a mapping, which is told if it is the first time.
    fn mapping_key(
        &mut self,
        mapping: u32,
        spaces: &AddressSpaces<'_>,
        sink: &mut impl Sink,
    ) -> u32 {
        let index = mapping as usize;
        let keys = &mut self.told.mapping_keys;
        if keys.len() <= index {
            keys.resize(index + 1, None);
        }
        if let Some(&Some(key)) = keys.get(index) {
            return key;
        }
        let key = self.told.mappings;
        self.told.mappings += 1;
        if let Some(place) = keys.get_mut(index) {
            *place = Some(key);
        }
        let mapped = entry(&self.mappings, mapping).unwrap_or(Mapped::Nothing);
        let image = mapped.image(spaces);
        sink.mapping(&facts::Mapping {
            mapping: key,
            start: image.map_or(0, |image| image.base),
            end: image.map_or(0, ImageFacts::end),
            path: mapped.path(spaces),
            guid: image
                .and_then(|image| image.symbols.as_ref())
                .map(|symbols| symbols.guid.to_string()),
        });
        key
    }

    /// The method of this number.
    fn function(&self, function: u32, spaces: &AddressSpaces<'_>) -> Option<Function> {
        let name = entry(&self.function_names, function)?;
        Some(Function {
            function: function.checked_sub(1)?,
            name: spaces.methods().full_name(name),
        })
    }

    /// Whether it is time to forget all.
    pub fn is_full(&self) -> bool {
        self.callstacks.len() >= CALLS_MAX || self.frames.len() >= FRAMES_MAX
    }

    /// The frame of an address in an image or in none, and in a method or in none.
    pub fn frame(
        &mut self,
        address: u64,
        image: Option<(usize, &ImageFacts)>,
        method: Option<MethodName>,
    ) -> FrameId {
        let offset = address - image.map_or(0, |(_, facts)| facts.base);
        let area = match (image, method) {
            (None, None) => NOWHERE,
            (Some((index, facts)), None) => self.area_of_image(index, facts),
            (Some((index, facts)), Some(_)) => {
                let area = self.area_of_image(index, facts);
                let mapping = self.area_at(area).mapping;
                self.area(mapping, method)
            }
            (None, Some(name)) => {
                let of = Mapped::Generated(name.module);
                let mapping = self.mapping(Module::Generated(name.module), of);
                self.area(mapping, method)
            }
        };
        FrameId(self.frames.child(NodeId(AREA | area), offset).0)
    }

    /// The area of an image's frames that are in no method.
    fn area_of_image(&mut self, index: usize, facts: &ImageFacts) -> u32 {
        let known = self.of_image.get(index).copied().unwrap_or(0);
        if known != 0 {
            return known;
        }
        let module = Module::Image {
            base: facts.base,
            end: facts.end(),
            path: facts.path.clone(),
            guid: facts.symbols.as_ref().map(|symbols| symbols.guid),
        };
        let mapping = self.mapping(module, Mapped::Image(index));
        let area = self.area(mapping, None);
        if let Some(known) = self.of_image.get_mut(index) {
            *known = area;
        }
        area
    }

    fn mapping(&mut self, module: Module, mapped: Mapped) -> u32 {
        let mappings = &mut self.mappings;
        *self.mapping_ids.entry(module).or_insert_with(|| {
            mappings.push(mapped);
            mappings.len() as u32
        })
    }

    fn area(&mut self, mapping: u32, method: Option<MethodName>) -> u32 {
        let names = &mut self.function_names;
        let function = method.map_or(0, |name| {
            *self.functions.entry(name).or_insert_with(|| {
                names.push(name);
                names.len() as u32
            })
        });
        let areas = &mut self.areas;
        let area = Area { mapping, function };
        *self.area_ids.entry(area).or_insert_with(|| {
            areas.push(area);
            areas.len() as u32
        })
    }

    fn area_at(&self, area: u32) -> Area {
        let known = (area as usize)
            .checked_sub(1)
            .and_then(|at| self.areas.get(at));
        known.copied().unwrap_or(Area {
            mapping: NOWHERE,
            function: 0,
        })
    }

    /// The callstack that goes on from `outer` to `frame`.
    pub fn callstack(&mut self, outer: NodeId, frame: FrameId) -> NodeId {
        self.callstacks.child(outer, frame)
    }

    /// The innermost frame of a callstack.
    pub fn innermost(&self, callstack: NodeId) -> Option<FrameId> {
        self.callstacks.steps_back(callstack).next()
    }
}

fn entry<T: Copy>(entries: &[T], id: u32) -> Option<T> {
    entries.get((id as usize).checked_sub(1)?).copied()
}
