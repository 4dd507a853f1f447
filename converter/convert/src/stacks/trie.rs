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

/// Nodes that a trie holds at most: with steps of 8 bytes 32 MB, and 16 MB while it is built.
const NODES_MAX: usize = 1 << 21;
/// Nodes beyond these, for paths of one step: where there is no room for a path, there still is for its last step.
const SINGLE_NODES_MAX: usize = 1 << 18;
const SLOTS_AT_FIRST: usize = 1 << 8;

/// Paths of steps.
#[derive(Debug)]
pub struct Trie<T> {
    /// Each node's parent and last step; the node with index 0 here has id 1.
    nodes: Vec<(NodeId, T)>,
    /// A hash table of the ids of all nodes by parent and last step, which are not kept twice: 0 is free, a taken slot
    /// leads on to the next. The number of slots is a power of two, or 0 when nothing can be added.
    slots: Vec<u32>,
}

impl<T> Default for Trie<T> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            slots: Vec::new(),
        }
    }
}

impl<T: Copy + Eq + Hash> Trie<T> {
    /// The path that goes on from `parent` by `step`; `None` if it is new and the trie is full.
    pub fn child(&mut self, parent: NodeId, step: T) -> Option<NodeId> {
        if self.nodes.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let (slot, known) = self.find(parent, step);
        if known != 0 {
            return Some(NodeId(known));
        }
        let single = if parent == NodeId::ROOT {
            SINGLE_NODES_MAX
        } else {
            0
        };
        if self.nodes.len() >= NODES_MAX + single {
            return None;
        }
        self.nodes.push((parent, step));
        let id = self.nodes.len() as u32;
        *self.slots.get_mut(slot)? = id;
        Some(NodeId(id))
    }

    /// The slot of a node, or the one that it belongs into, and what it holds.
    #[inline]
    fn find(&self, parent: NodeId, step: T) -> (usize, u32) {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = FxBuildHasher.hash_one((parent, step)) as usize & mask;
        loop {
            let id = self.slots.get(slot).copied().unwrap_or(0);
            let index = (id as usize).wrapping_sub(1);
            if id == 0 || self.nodes.get(index) == Some(&(parent, step)) {
                return (slot, id);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let count = (self.slots.len() * 2).max(SLOTS_AT_FIRST);
        self.slots = vec![0; count];
        for index in 0..self.nodes.len() {
            let Some(&(parent, step)) = self.nodes.get(index) else {
                continue;
            };
            let (slot, _) = self.find(parent, step);
            if let Some(slot) = self.slots.get_mut(slot) {
                *slot = index as u32 + 1;
            }
        }
    }

    /// The path of these steps; `None` if the trie is full.
    pub fn path(&mut self, mut steps: impl Iterator<Item = T>) -> Option<NodeId> {
        steps.try_fold(NodeId::ROOT, |node, step| self.child(node, step))
    }

    /// Number of paths.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A path without its last step, and that step; `None` for the empty path.
    pub fn node(&self, node: NodeId) -> Option<(NodeId, T)> {
        self.nodes.get((node.0 as usize).checked_sub(1)?).copied()
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
        self.nodes.shrink_to_fit();
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
            .map(|step| trie.child(NodeId::ROOT, step).unwrap())
            .collect();
        assert_eq!(trie.child(NodeId::ROOT, 70_000), Some(nodes[70_000]));
        assert_eq!(trie.child(nodes[0], 0), None);
        assert!(trie.child(NodeId::ROOT, u64::MAX).is_some());
        assert_eq!(trie.len(), NODES_MAX + 1);
    }
}
