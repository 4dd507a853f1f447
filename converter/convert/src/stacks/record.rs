//! What pass 1 keeps of samples and stack events.

use etl::{Event, EventId, HookId};
use etw::{Addresses, SampledProfile, StackKeyDefinition, StackKeyUse, StackWalk, hook};
use rustc_hash::FxHashMap;

use super::trie::{NodeId, Trie};
use crate::fate::pointer_width;

/// Records of each kind that are kept at most: 128 to 192 MB.
const RECORDS_MAX: usize = 1 << 23;

/// A sample, or one half of the stack of some event. The order puts a sample before its stacks, and the kernel half
/// before the user half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Record {
    /// Raw timestamp of the event that is sampled, or whose stack it is.
    pub event_raw: i64,
    /// The thread.
    pub tid: u32,
    /// What it is.
    pub what: What,
}

/// A sample or a stack, in 32 bits: there are millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct What(u32);

impl What {
    /// A sample.
    pub const SAMPLE: Self = Self(0);
    const USER: u32 = 1 << 31;
    const INLINE: u32 = 1 << 30;

    /// A half of a stack; `inline` if it was recorded with its addresses.
    pub fn stack(node: NodeId, is_kernel: bool, inline: bool) -> Self {
        let half = if is_kernel { 0 } else { Self::USER };
        let source = if inline { Self::INLINE } else { 0 };
        Self(node.0 | half | source)
    }

    /// Whether it is the kernel half of a stack.
    pub fn is_kernel(self) -> bool {
        self.0 & Self::USER == 0
    }

    /// The stack.
    pub fn node(self) -> NodeId {
        NodeId(self.0 & !(Self::USER | Self::INLINE))
    }

    /// The kind of event that it came with.
    pub fn hook(self) -> HookId {
        match (self.0 & Self::INLINE != 0, self.is_kernel()) {
            (true, _) => hook::STACK_WALK,
            (false, true) => hook::STACK_KEY_KERNEL,
            (false, false) => hook::STACK_KEY_USER,
        }
    }

    fn moved(self, moved: &[Option<NodeId>]) -> Option<Self> {
        let node = moved.get(self.node().0 as usize).copied().flatten()?;
        Some(Self(self.0 & (Self::USER | Self::INLINE) | node.0))
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
    /// Whether it is the kernel half.
    pub is_kernel: bool,
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
}

/// The samples and stack events of some buffers.
#[derive(Debug, Default)]
pub struct StackRecords {
    pub(super) stacks: Trie<u64>,
    pub(super) records: Vec<Record>,
    pub(super) key_uses: Vec<KeyUse>,
    pub(super) definitions: Vec<Definition>,
    /// Stack events for which there was no room.
    pub(super) beyond_limit: FxHashMap<HookId, u64>,
}

impl StackRecords {
    /// Takes in an event that is converted; those that are no samples or stacks are ignored.
    pub fn add(&mut self, event: &Event<'_>) {
        let EventId::Kernel(hook) = event.id else {
            return;
        };
        let kept = match hook {
            hook::SAMPLED_PROFILE | hook::SAMPLED_PROFILE_NMI => self.add_sample(event),
            hook::STACK_WALK => self.add_stack(event),
            hook::STACK_KEY_KERNEL | hook::STACK_KEY_USER => self.add_key_use(hook, event),
            hook::STACK_KEY_CREATE | hook::STACK_KEY_DELETE | hook::STACK_KEY_RUNDOWN => {
                self.add_definition(event)
            }
            _ => return,
        };
        if kept.is_none() {
            *self.beyond_limit.entry(hook).or_default() += 1;
        }
    }

    fn add_sample(&mut self, event: &Event<'_>) -> Option<()> {
        let sample =
            SampledProfile::decode(event.version, pointer_width(event), event.payload).ok()?;
        // A sample beyond the limit is written all the same, without its stack.
        let _ = push(
            &mut self.records,
            Record {
                event_raw: event.timestamp,
                tid: sample.tid,
                what: What::SAMPLE,
            },
        );
        Some(())
    }

    fn add_stack(&mut self, event: &Event<'_>) -> Option<()> {
        let stack = StackWalk::decode(pointer_width(event), event.payload).ok()?;
        let node = self.node(stack.addresses)?;
        let what = What::stack(node, stack.addresses.is_kernel(), true);
        let record = Record {
            event_raw: stack.event_raw,
            tid: stack.tid,
            what,
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
            is_kernel: hook == hook::STACK_KEY_KERNEL,
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
            let what = record.what.moved(&moved);
            let kept = what.and_then(|what| push(&mut self.records, Record { what, ..record }));
            if kept.is_none() && record.what != What::SAMPLE {
                *self.beyond_limit.entry(record.what.hook()).or_default() += 1;
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
                let hook = key_use.hook();
                *self.beyond_limit.entry(hook).or_default() += 1;
            }
        }
        for (hook, count) in other.beyond_limit {
            *self.beyond_limit.entry(hook).or_default() += count;
        }
        self
    }
}

impl KeyUse {
    /// The kind of event that it is.
    pub fn hook(&self) -> HookId {
        if self.is_kernel {
            hook::STACK_KEY_KERNEL
        } else {
            hook::STACK_KEY_USER
        }
    }
}

fn push<T>(records: &mut Vec<T>, record: T) -> Option<()> {
    if records.len() >= RECORDS_MAX {
        return None;
    }
    records.push(record);
    Some(())
}
