//! Paths that share their beginnings, each kept once.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// A path, by its last node; [`NodeId::ROOT`] is the empty one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The empty path.
    pub const ROOT: Self = Self(0);
}

/// Nodes that a trie holds at most: some 250 MB while it is built, more than any real trace needs.
const NODES_MAX: usize = 1 << 22;

/// Paths of steps.
#[derive(Debug)]
pub struct Trie<T> {
    /// Each node's parent and last step; the node with index 0 here has id 1.
    nodes: Vec<(NodeId, T)>,
    children: FxHashMap<(NodeId, T), NodeId>,
}

impl<T> Default for Trie<T> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            children: FxHashMap::default(),
        }
    }
}

impl<T: Copy + Eq + Hash> Trie<T> {
    /// The path that goes on from `parent` by `step`; `None` if it is new and the trie is full.
    pub fn child(&mut self, parent: NodeId, step: T) -> Option<NodeId> {
        if let Some(&node) = self.children.get(&(parent, step)) {
            return Some(node);
        }
        if self.nodes.len() >= NODES_MAX {
            return None;
        }
        self.nodes.push((parent, step));
        let node = NodeId(self.nodes.len() as u32);
        self.children.insert((parent, step), node);
        Some(node)
    }

    /// The path of these steps; `None` if the trie is full.
    pub fn path(&mut self, mut steps: impl Iterator<Item = T>) -> Option<NodeId> {
        steps.try_fold(NodeId::ROOT, |node, step| self.child(node, step))
    }

    /// Takes in all paths of another trie; answers the id here of each of its nodes, which is found at its old id.
    pub fn absorb(&mut self, other: Self) -> Vec<Option<NodeId>> {
        let mut moved = vec![Some(NodeId::ROOT)];
        for (parent, step) in other.nodes {
            let parent = moved.get(parent.0 as usize).copied().flatten();
            moved.push(parent.and_then(|parent| self.child(parent, step)));
        }
        moved
    }

    /// Number of paths.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The steps of a path, the last first.
    pub fn steps_back(&self, node: NodeId) -> impl Iterator<Item = T> + '_ {
        let mut node = node;
        std::iter::from_fn(move || {
            let &(parent, step) = self.nodes.get((node.0 as usize).checked_sub(1)?)?;
            node = parent;
            Some(step)
        })
    }

    /// Gives up the means to add paths, and their memory.
    pub fn freeze(&mut self) {
        self.children = FxHashMap::default();
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
    fn another_trie_is_taken_in_with_new_ids() {
        let mut trie = Trie::default();
        trie.path([9, 1].into_iter()).unwrap();
        let mut other = Trie::default();
        let path = other.path([1, 2].into_iter()).unwrap();
        let moved = trie.absorb(other);
        let path = moved[path.0 as usize].unwrap();
        assert_eq!(trie.steps_back(path).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(trie.len(), 4);
    }
}
