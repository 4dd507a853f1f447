//! Paths that share their beginnings, each kept once.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// A path, by its last node; [`NodeId::ROOT`] is the empty one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The empty path.
    pub const ROOT: Self = Self(0);
}

/// Nodes that a trie holds at most: with steps of 8 bytes 72 MiB, and 32 MiB of slots while it is built.
const NODES_MAX: usize = 3 << 21;
/// How full the slots may be, in quarters.
const SLOTS_TAKEN_MAX_QUARTERS: usize = 3;
const SLOTS_AT_FIRST: usize = 1 << 8;

/// Paths of steps.
#[derive(Debug)]
pub struct Trie<T> {
    /// Each node's parent; the node with index 0 here has id 1.
    parents: Vec<NodeId>,
    /// Each node's last step, apart from the parents since a pair would be padded.
    steps: Vec<T>,
    /// A hash table of the ids of all nodes by parent and last step, which are not kept twice: 0 is free, a taken slot
    /// leads on to the next. The number of slots is a power of two, or 0 when nothing can be added.
    slots: Vec<u32>,
}

impl<T> Default for Trie<T> {
    fn default() -> Self {
        Self {
            parents: Vec::new(),
            steps: Vec::new(),
            slots: Vec::new(),
        }
    }
}

impl<T: Copy + Eq + Hash> Trie<T> {
    /// The path that goes on from `parent` by `step`, which is added if it is new: how many there may be is for the caller
    /// to say.
    #[inline]
    pub fn child(&mut self, parent: NodeId, step: T) -> NodeId {
        if self.steps.len() * 4 >= self.slots.len() * SLOTS_TAKEN_MAX_QUARTERS {
            self.grow();
        }
        let (slot, known) = self.find(parent, step);
        if known != 0 {
            return NodeId(known);
        }
        self.parents.push(parent);
        self.steps.push(step);
        let id = self.steps.len() as u32;
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = id;
        }
        NodeId(id)
    }

    /// The same of a path that is there.
    fn known_child(&self, parent: NodeId, step: T) -> Option<NodeId> {
        let (_, known) = self.find(parent, step);
        (known != 0).then_some(NodeId(known))
    }

    /// The slot of a node, or the one that it belongs into, and what it holds.
    #[inline]
    fn find(&self, parent: NodeId, step: T) -> (usize, u32) {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = FxBuildHasher.hash_one((parent, step)) as usize & mask;
        loop {
            let id = self.slots.get(slot).copied().unwrap_or(0);
            if id == 0 || self.node(NodeId(id)) == Some((parent, step)) {
                return (slot, id);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let count = (self.slots.len() * 2).max(SLOTS_AT_FIRST);
        // The old ones go first: both at once would be too much.
        self.slots = Vec::new();
        self.slots = vec![0; count];
        for id in 1..=self.steps.len() as u32 {
            let Some((parent, step)) = self.node(NodeId(id)) else {
                continue;
            };
            let (slot, _) = self.find(parent, step);
            if let Some(slot) = self.slots.get_mut(slot) {
                *slot = id;
            }
        }
    }

    /// The path of these steps; `None` if it is new and the trie is full.
    pub fn path(&mut self, mut steps: impl Iterator<Item = T>) -> Option<NodeId> {
        steps.try_fold(NodeId::ROOT, |node, step| {
            if self.len() < NODES_MAX {
                Some(self.child(node, step))
            } else {
                self.known_child(node, step)
            }
        })
    }

    /// Number of paths.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// A path without its last step, and that step; `None` for the empty path.
    #[inline]
    pub fn node(&self, node: NodeId) -> Option<(NodeId, T)> {
        let index = (node.0 as usize).checked_sub(1)?;
        Some((*self.parents.get(index)?, *self.steps.get(index)?))
    }

    /// The steps of a path, the last first.
    pub fn steps_back(&self, node: NodeId) -> impl Iterator<Item = T> + '_ {
        let mut node = node;
        std::iter::from_fn(move || {
            let (parent, step) = self.node(node)?;
            node = parent;
            Some(step)
        })
    }

    /// Gives up the means to add paths, and their memory.
    pub fn freeze(&mut self) {
        self.slots = Vec::new();
        self.parents.shrink_to_fit();
        self.steps.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_share_their_beginnings() {
        let mut trie = Trie::default();
        let long = trie.path([1, 2, 3].into_iter()).unwrap();
        let short = trie.path([1, 2].into_iter()).unwrap();
        assert_eq!(trie.len(), 3);
        assert_eq!(trie.steps_back(long).collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!(trie.steps_back(short).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(trie.path(std::iter::empty()), Some(NodeId::ROOT));
        assert_eq!(trie.steps_back(NodeId::ROOT).count(), 0);
    }

    #[test]
    fn many_paths_are_found_again_and_a_full_trie_takes_no_more() {
        let mut trie = Trie::default();
        let nodes: Vec<_> = (0..NODES_MAX as u64)
            .map(|step| trie.path([step].into_iter()).unwrap())
            .collect();
        assert_eq!(trie.path([70_000].into_iter()), Some(nodes[70_000]));
        assert_eq!(trie.path([0, 0].into_iter()), None);
        assert_eq!((trie.len(), trie.slots.len()), (NODES_MAX, 1 << 23));
    }
}
