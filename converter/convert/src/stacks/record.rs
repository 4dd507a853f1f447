//! What pass 1 keeps of stack events, and of stacks that stand in the headers of others.

use etl::{Event, HookId};
use etw::{
    Addresses, ExtendedStack, StackKeyDefinition, StackKeyUse, StackWalk, extended_stacks, hook,
};
use rustc_hash::FxHashMap;

use super::trie::{NodeId, Trie};
use crate::fate::pointer_width;

/// Records of each kind that are kept at most: 64 to 128 MB.
const RECORDS_MAX: usize = 1 << 22;

/// One half of the stack of some event. The order puts the kernel half before the user half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Record {
    /// Raw timestamp of the event whose stack it is.
    pub event_raw: i64,
    /// The thread.
    pub tid: u32,
    /// Which half, and its addresses.
    pub half: Half,
}

/// A half of a stack, in 32 bits: there are millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Half(u32);

/// Where a half of a stack was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// In a stack event, with its addresses.
    Inline,
    /// In a stack event, as a key.
    Key,
    /// In the header of the event whose stack it is.
    Header,
}

impl Half {
    const USER: u32 = 1 << 31;
    const INLINE: u32 = 1 << 30;
    const HEADER: u32 = 1 << 29;
    const NODE: u32 = Self::HEADER - 1;

    /// A half of a stack.
    pub fn new(node: NodeId, is_kernel: bool, source: Source) -> Self {
        let half = if is_kernel { 0 } else { Self::USER };
        let source = match source {
            Source::Inline => Self::INLINE,
            Source::Key => 0,
            Source::Header => Self::HEADER,
        };
        Self(node.0 | half | source)
    }

    /// Whether it is the kernel half of a stack.
    pub fn is_kernel(self) -> bool {
        self.0 & Self::USER == 0
    }

    /// The stack.
    pub fn node(self) -> NodeId {
        NodeId(self.0 & Self::NODE)
    }

    /// The kind of stack event that it came with; `None` where it stood in the header of its own event.
    pub fn hook(self) -> Option<HookId> {
        if self.0 & Self::HEADER != 0 {
            return None;
        }
        Some(match (self.0 & Self::INLINE != 0, self.is_kernel()) {
            (true, _) => hook::STACK_WALK,
            (false, true) => hook::STACK_KEY_KERNEL,
            (false, false) => hook::STACK_KEY_USER,
        })
    }

    fn moved(self, moved: &[Option<NodeId>]) -> Option<Self> {
        let node = moved.get(self.node().0 as usize).copied().flatten()?;
        Some(Self(self.0 & !Self::NODE | node.0))
    }
}

/// A half of a stack, known by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyUse {
    /// The key.
    pub key: u64,
    /// Raw timestamp of this event: the key's next definition counts.
    pub raw: i64,
    /// Raw timestamp of the event whose stack it is.
    pub event_raw: i64,
    /// The thread.
    pub tid: u32,
    /// Which half; `None` where the key stands for both, in the header of the event itself.
    pub is_kernel: Option<bool>,
}

/// What a key stood for up to a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    /// The key.
    pub key: u64,
    /// Raw timestamp of the definition.
    pub raw: i64,
    /// The stack.
    pub node: NodeId,
    /// Whether its innermost address is kernel code.
    pub is_kernel: bool,
}

/// The stacks of some buffers.
#[derive(Debug, Default)]
pub struct StackRecords {
    pub(super) stacks: Trie<u64>,
    pub(super) records: Vec<Record>,
    pub(super) key_uses: Vec<KeyUse>,
    pub(super) definitions: Vec<Definition>,
    /// Stacks for which there was no room, by their kind of event as in [`Half::hook`].
    pub(super) beyond_limit: FxHashMap<Option<HookId>, u64>,
}

impl StackRecords {
    /// Takes in a stack event that is converted.
    pub fn add(&mut self, hook: HookId, event: &Event<'_>) {
        let kept = match hook {
            hook::STACK_WALK => self.add_stack(event),
            hook::STACK_KEY_KERNEL | hook::STACK_KEY_USER => self.add_key_use(hook, event),
            _ => self.add_definition(event),
        };
        if kept.is_none() {
            *self.beyond_limit.entry(Some(hook)).or_default() += 1;
        }
    }

    /// Takes in the stacks in an event's header, where it has any.
    pub fn add_header(&mut self, event: &Event<'_>) {
        let Some((_, tid)) = event.acting else {
            return;
        };
        let event_raw = event.timestamp;
        for stack in extended_stacks(event) {
            let kept = match stack {
                ExtendedStack::Addresses(addresses) => self.node(addresses).and_then(|node| {
                    let half = Half::new(node, addresses.is_kernel(), Source::Header);
                    push(
                        &mut self.records,
                        Record {
                            event_raw,
                            tid,
                            half,
                        },
                    )
                }),
                ExtendedStack::Key(key) => push(
                    &mut self.key_uses,
                    KeyUse {
                        key,
                        raw: event_raw,
                        event_raw,
                        tid,
                        is_kernel: None,
                    },
                ),
            };
            if kept.is_none() {
                *self.beyond_limit.entry(None).or_default() += 1;
            }
        }
    }

    fn add_stack(&mut self, event: &Event<'_>) -> Option<()> {
        let stack = StackWalk::decode(pointer_width(event), event.payload).ok()?;
        let node = self.node(stack.addresses)?;
        let record = Record {
            event_raw: stack.event_raw,
            tid: stack.tid,
            half: Half::new(node, stack.addresses.is_kernel(), Source::Inline),
        };
        push(&mut self.records, record)
    }

    fn add_key_use(&mut self, hook: HookId, event: &Event<'_>) -> Option<()> {
        let used = StackKeyUse::decode(pointer_width(event), event.payload).ok()?;
        let key_use = KeyUse {
            key: used.key,
            raw: event.timestamp,
            event_raw: used.event_raw,
            tid: used.tid,
            is_kernel: Some(hook == hook::STACK_KEY_KERNEL),
        };
        push(&mut self.key_uses, key_use)
    }

    fn add_definition(&mut self, event: &Event<'_>) -> Option<()> {
        let defined = StackKeyDefinition::decode(pointer_width(event), event.payload).ok()?;
        let node = self.node(defined.addresses)?;
        let definition = Definition {
            key: defined.key,
            raw: event.timestamp,
            node,
            is_kernel: defined.addresses.is_kernel(),
        };
        push(&mut self.definitions, definition)
    }

    fn node(&mut self, addresses: Addresses<'_>) -> Option<NodeId> {
        self.stacks.path(addresses.iter().rev())
    }

    /// Adds the records of other buffers.
    pub fn merge(mut self, mut other: Self) -> Self {
        if self.stacks.len() < other.stacks.len() {
            std::mem::swap(&mut self, &mut other);
        }
        let moved = self.stacks.absorb(std::mem::take(&mut other.stacks));
        for record in other.records {
            let half = record.half.moved(&moved);
            let kept = half.and_then(|half| push(&mut self.records, Record { half, ..record }));
            if kept.is_none() {
                *self.beyond_limit.entry(record.half.hook()).or_default() += 1;
            }
        }
        for definition in other.definitions {
            let node = moved.get(definition.node.0 as usize).copied().flatten();
            let kept = node
                .and_then(|node| push(&mut self.definitions, Definition { node, ..definition }));
            if kept.is_none() {
                // The uses of the key tell that it is missing.
                continue;
            }
        }
        for key_use in other.key_uses {
            if push(&mut self.key_uses, key_use).is_none() {
                *self.beyond_limit.entry(key_use.hook()).or_default() += 1;
            }
        }
        for (hook, count) in other.beyond_limit {
            *self.beyond_limit.entry(hook).or_default() += count;
        }
        self
    }
}

impl KeyUse {
    /// The kind of stack event that it is; `None` for one in the header of its own event.
    pub fn hook(&self) -> Option<HookId> {
        Some(if self.is_kernel? {
            hook::STACK_KEY_KERNEL
        } else {
            hook::STACK_KEY_USER
        })
    }
}

fn push<T>(records: &mut Vec<T>, record: T) -> Option<()> {
    if records.len() >= RECORDS_MAX {
        return None;
    }
    records.push(record);
    Some(())
}
