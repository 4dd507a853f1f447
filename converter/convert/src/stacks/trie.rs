//! Paths that share their beginnings, each kept once.

/// A path, by its last node; [`NodeId::ROOT`] is the empty one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The empty path.
    pub const ROOT: Self = Self(0);
}

/// Nodes that a trie holds at most: with steps of 8 bytes 72 MiB, and at most 32 MiB of slots while it is built.
const NODES_MAX: usize = 3 << 21;
/// A multiplier with few patterns, that of the crate `rustc-hash`.
const HASH_FACTOR: u64 = 0xf135_7aea_2e62_a9c5;
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
    /// A hash table of the ids of nodes by parent and last step, which are not kept twice: 0 is free, a taken slot
    /// leads on to the next. The number of slots is a power of two, or 0 when nothing can be added. Nodes that come right
    /// after their parents, most of all as paths are added whole, are found without it.
    slots: Vec<u32>,
    slots_taken: usize,
}

impl<T> Default for Trie<T> {
    fn default() -> Self {
        Self {
            parents: Vec::new(),
            steps: Vec::new(),
            slots: Vec::new(),
            slots_taken: 0,
        }
    }
}

impl<T: Copy + Eq + Into<u64>> Trie<T> {
    /// The path that goes on from `parent` by `step`, which is added if it is new: how many there may be is for the caller
    /// to say. A parent that is no path must have a number that no path comes to.
    #[inline]
    pub fn child(&mut self, parent: NodeId, step: T) -> NodeId {
        if parent.0 as usize == self.len() {
            // Nothing goes on from the newest node yet.
            return self.push(parent, step);
        }
        if let Some(next) = self.next_node(parent, step) {
            return next;
        }
        if self.slots_taken * 4 >= self.slots.len() * SLOTS_TAKEN_MAX_QUARTERS {
            self.grow();
        }
        let (slot, known) = self.find(parent, step);
        if known != 0 {
            return NodeId(known);
        }
        let id = self.push(parent, step);
        self.take_slot(slot, id);
        id
    }

    fn take_slot(&mut self, slot: usize, id: NodeId) {
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = id.0;
            self.slots_taken += 1;
        }
    }

    fn push(&mut self, parent: NodeId, step: T) -> NodeId {
        self.parents.push(parent);
        self.steps.push(step);
        NodeId(self.steps.len() as u32)
    }

    /// The same of a path that is there.
    fn known_child(&self, parent: NodeId, step: T) -> Option<NodeId> {
        if let Some(next) = self.next_node(parent, step) {
            return Some(next);
        }
        let (_, known) = self.find(parent, step);
        (known != 0).then_some(NodeId(known))
    }

    /// The node added right after `parent`, if it goes on from there by `step`.
    #[inline]
    fn next_node(&self, parent: NodeId, step: T) -> Option<NodeId> {
        let next = NodeId(parent.0.wrapping_add(1));
        (self.node(next) == Some((parent, step))).then_some(next)
    }

    /// The slot of a node, or the one that it belongs into, and what it holds.
    #[inline]
    fn find(&self, parent: NodeId, step: T) -> (usize, u32) {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = hash(parent, step.into()) as usize & mask;
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
        self.slots_taken = 0;
        for id in 1..=self.steps.len() as u32 {
            if let Some((parent, step)) = self.node(NodeId(id))
                && parent.0.wrapping_add(1) != id
            {
                let (slot, _) = self.find(parent, step);
                self.take_slot(slot, NodeId(id));
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

/// Of 64 bits wherever it is computed: slots would cluster by one of 32, as long as a pointer is in WebAssembly.
#[inline]
fn hash(parent: NodeId, step: u64) -> u64 {
    let parent = u64::from(parent.0).wrapping_mul(HASH_FACTOR);
    let both = parent.wrapping_add(step).wrapping_mul(HASH_FACTOR);
    both.rotate_left(26)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn paths_share_their_beginnings() {
        let mut trie = Trie::default();
        let long = trie.path([1_u64, 2, 3].into_iter()).unwrap();
        let short = trie.path([1, 2].into_iter()).unwrap();
        assert_eq!(trie.len(), 3);
        assert_eq!(trie.steps_back(long).collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!(trie.steps_back(short).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(trie.path(std::iter::empty()), Some(NodeId::ROOT));
        assert_eq!(trie.steps_back(NodeId::ROOT).count(), 0);
    }

    #[test]
    fn every_path_is_one_node_whatever_was_added_between() {
        let mut trie = Trie::default();
        let mut first_ids: HashMap<Vec<u64>, NodeId> = HashMap::new();
        for number in (0..5000_u64).map(|number| number * 7919 % 4096) {
            let path: Vec<u64> = (0..6).map(|digit| number >> (2 * digit) & 3).collect();
            for length in 1..=path.len() {
                let id = trie.path(path[..length].iter().copied()).unwrap();
                assert_eq!(*first_ids.entry(path[..length].to_vec()).or_insert(id), id);
            }
        }
        assert_eq!(trie.len(), first_ids.len());
        for (path, id) in first_ids {
            let back: Vec<u64> = trie.steps_back(id).collect();
            assert!(back.iter().rev().eq(&path));
        }
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
