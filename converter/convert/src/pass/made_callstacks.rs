//! Which callstacks were made of recorded stacks, for those that begin in the same way.

use super::address_space::SpaceVersion;
use crate::stacks::NodeId;

/// Stacks that are remembered: a power of two, 3 MiB. A stack takes the place of another one.
const PLACES: usize = 1 << 18;

/// Callstacks by the recorded stack and by what lay in memory then.
#[derive(Debug, Default)]
pub struct MadeCallstacks {
    /// Empty until the first one is kept.
    places: Vec<Made>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Made {
    space: SpaceVersion,
    stack: NodeId,
    callstack: NodeId,
}

impl MadeCallstacks {
    /// The callstack that was made of a stack.
    #[inline]
    pub fn callstack(&self, space: SpaceVersion, stack: NodeId) -> Option<NodeId> {
        let made = self.places.get(place(stack))?;
        (made.space == space && made.stack == stack).then_some(made.callstack)
    }

    /// Keeps the callstack made of a stack.
    #[inline]
    pub fn keep(&mut self, space: SpaceVersion, stack: NodeId, callstack: NodeId) {
        if self.places.is_empty() {
            self.places = vec![Made::default(); PLACES];
        }
        if let Some(made) = self.places.get_mut(place(stack)) {
            *made = Made {
                space,
                stack,
                callstack,
            };
        }
    }
}

/// Nodes are numbered as they are met: those that are near each other have places of their own.
fn place(stack: NodeId) -> usize {
    stack.0 as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callstack_is_found_as_long_as_its_space_is_the_same() {
        let mut made = MadeCallstacks::default();
        let [space, changed] = [1, 2].map(SpaceVersion::of_number);
        assert_eq!(made.callstack(space, NodeId(7)), None);
        made.keep(space, NodeId(7), NodeId(70));
        assert_eq!(made.callstack(space, NodeId(7)), Some(NodeId(70)));
        assert_eq!(made.callstack(changed, NodeId(7)), None);
        assert_eq!(made.callstack(space, NodeId(8)), None);
    }

    #[test]
    fn a_stack_takes_the_place_of_another_one() {
        let mut made = MadeCallstacks::default();
        let space = SpaceVersion::of_number(1);
        let (first, second) = (NodeId(7), NodeId(7 + PLACES as u32));
        made.keep(space, first, NodeId(70));
        made.keep(space, second, NodeId(71));
        assert_eq!(made.callstack(space, first), None);
        assert_eq!(made.callstack(space, second), Some(NodeId(71)));
    }
}
