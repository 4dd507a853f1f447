//! What pass 1 keeps of stack events, and of stacks that stand in the headers of others.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use etl::{Event, EventId, HookId};
use etw::{
    Addresses, ExtendedStack, StackKeyDefinition, StackKeyUse, StackWalk, extended_stacks, hook,
};
use rustc_hash::FxHashMap;

use super::trie::{NodeId, Trie};
use crate::fate::Skip;
use crate::told::Told;

/// Bytes that the records of all buffers may take together: 8 million halves of stacks, or half as many uses of keys.
/// Their addresses, in a trie, have a limit of their own.
const RECORDS_MAX_BYTES: usize = 128 << 20;

/// One half of the stack of some event. The order puts stacks in headers behind those of stack events, and the kernel half
/// before the user half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Record {
    /// Raw timestamp of the event whose stack it is.
    pub event_raw: i64,
    /// The thread.
    pub thread: ThreadOn,
    /// Which half, and its addresses.
    pub half: Half,
}

impl Record {
    /// Whether only the stack of another may differ.
    pub fn is_same(&self, other: &Self) -> bool {
        let event = |record: &Self| (record.event_raw, record.thread);
        event(self) == event(other) && self.half.is_same(other.half)
    }
}

/// A thread, by its id. All CPUs have an idle thread, whose id is 0: that is told apart by its CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadOn(u32);

impl ThreadOn {
    /// No thread has an id from here on: they are handles, whose two low bits are 0.
    const IDLE: u32 = u32::MAX - u16::MAX as u32;

    /// A thread that runs on a CPU.
    pub fn new(tid: u32, cpu: u16) -> Self {
        Self(match tid {
            0 => Self::IDLE + u32::from(cpu),
            tid => tid,
        })
    }

    /// Its id.
    pub fn tid(self) -> u32 {
        if self.0 >= Self::IDLE { 0 } else { self.0 }
    }
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
    const HEADER: u32 = 1 << 31;
    const USER: u32 = 1 << 30;
    const INLINE: u32 = 1 << 29;
    const CPU: u32 = 0x3F;
    const CPU_SHIFT: u32 = 23;
    const NODE: u32 = (1 << Self::CPU_SHIFT) - 1;

    /// A half of a stack that was recorded on a CPU.
    pub fn new(node: NodeId, is_kernel: bool, source: Source, cpu: u16) -> Self {
        let half = if is_kernel { 0 } else { Self::USER };
        let cpu = (u32::from(cpu) & Self::CPU) << Self::CPU_SHIFT;
        let source = match source {
            Source::Inline => Self::INLINE,
            Source::Key => 0,
            Source::Header => Self::HEADER,
        };
        Self(node.0 | half | source | cpu)
    }

    /// Whether it stood in the header of its own event.
    pub fn is_in_header(self) -> bool {
        self.0 & Self::HEADER != 0
    }

    /// Whether it can have been recorded on this CPU: of the number, the low 6 bits are kept.
    pub fn may_be_of(self, cpu: u16) -> bool {
        self.0 >> Self::CPU_SHIFT & Self::CPU == u32::from(cpu) & Self::CPU
    }

    /// Whether only the stack of another may differ.
    fn is_same(self, other: Self) -> bool {
        self.0 & !Self::NODE == other.0 & !Self::NODE
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
        if self.is_in_header() {
            return None;
        }
        Some(match (self.0 & Self::INLINE != 0, self.is_kernel()) {
            (true, _) => hook::STACK_WALK,
            (false, true) => hook::STACK_KEY_KERNEL,
            (false, false) => hook::STACK_KEY_USER,
        })
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
    pub thread: ThreadOn,
    /// CPU on which this event was recorded.
    pub cpu: u16,
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

/// Stacks that are not kept: the kind of stack event (`None`: in the header of another event), why, how many.
pub type LeftOver = FxHashMap<(Option<HookId>, Skip), u64>;

/// The stacks of some buffers.
#[derive(Debug, Default)]
pub struct StackRecords {
    common: Arc<Mutex<Lists>>,
    /// Stacks that are not kept.
    pub(super) left_over: LeftOver,
}

/// What the records of all buffers have in common: all but counts, so that nothing is in memory twice when they are joined.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The addresses.
    pub stacks: Trie<u64>,
    /// In no order.
    pub records: Vec<Record>,
    /// In no order.
    pub key_uses: Vec<KeyUse>,
    /// In no order.
    pub definitions: Vec<Definition>,
}

impl Lists {
    /// Whether there is room for a further record.
    fn has_room(&self) -> bool {
        let bytes = size_of_val(self.records.as_slice())
            + size_of_val(self.key_uses.as_slice())
            + size_of_val(self.definitions.as_slice());
        bytes < RECORDS_MAX_BYTES
    }

    /// A path of addresses.
    fn node(&mut self, addresses: Addresses<'_>) -> Result<NodeId, Skip> {
        let outermost_first = addresses.iter().rev();
        self.stacks.path(outermost_first).ok_or(Skip::TooManyStacks)
    }
}

impl StackRecords {
    /// For other buffers of the same trace; nothing is kept of them yet.
    pub fn beside(&self) -> Self {
        Self {
            common: Arc::clone(&self.common),
            ..Self::default()
        }
    }

    /// All that is kept, which is taken away.
    pub(super) fn take(&mut self) -> (Lists, LeftOver) {
        let lists = std::mem::take(&mut *self.lists());
        (lists, std::mem::take(&mut self.left_over))
    }

    fn lists(&self) -> MutexGuard<'_, Lists> {
        self.common.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lists, if there is room for a further record.
    fn with_room(&self) -> Result<MutexGuard<'_, Lists>, Skip> {
        let lists = self.lists();
        if lists.has_room() {
            Ok(lists)
        } else {
            Err(Skip::TooManyStacks)
        }
    }

    /// Takes in a stack event that is converted.
    pub fn add(&mut self, event: &Event<'_>, told: &Told<'_>) {
        let EventId::Kernel(hook) = event.id else {
            return;
        };
        let kept = match told {
            Told::Stack(stack) => self.add_stack(event, stack),
            Told::StackKeyUse(used) => self.add_key_use(hook, event, used),
            Told::StackKeyDefinition(defined) => self.add_definition(event, defined),
            _ => Ok(()),
        };
        if let Err(why) = kept {
            self.leave(Some(hook), why);
        }
    }

    /// Takes in the stacks in an event's header, where it has any.
    pub fn add_header(&mut self, event: &Event<'_>) {
        let event_raw = event.timestamp;
        for (match_id, stack) in extended_stacks(event) {
            let Some((_, tid)) = event.acting else {
                self.leave(None, Skip::StackWithoutThread);
                continue;
            };
            if match_id != 0 {
                self.leave(None, Skip::StackHalfApart);
            }
            let kept = self.with_room().and_then(|mut lists| {
                match stack {
                    ExtendedStack::Addresses(addresses) => {
                        let node = lists.node(addresses)?;
                        let is_kernel = addresses.is_kernel();
                        lists.records.push(Record {
                            event_raw,
                            thread: ThreadOn::new(tid, event.cpu),
                            half: Half::new(node, is_kernel, Source::Header, event.cpu),
                        });
                    }
                    ExtendedStack::Key(key) => lists.key_uses.push(KeyUse {
                        key,
                        raw: event_raw,
                        event_raw,
                        thread: ThreadOn::new(tid, event.cpu),
                        cpu: event.cpu,
                        is_kernel: None,
                    }),
                }
                Ok(())
            });
            if let Err(why) = kept {
                self.leave(None, why);
            }
        }
    }

    fn leave(&mut self, hook: Option<HookId>, why: Skip) {
        *self.left_over.entry((hook, why)).or_default() += 1;
    }

    fn add_stack(&mut self, event: &Event<'_>, stack: &StackWalk<'_>) -> Result<(), Skip> {
        let event_raw = before_itself(stack.event_raw, event)?;
        let mut lists = self.with_room()?;
        let node = lists.node(stack.addresses)?;
        lists.records.push(Record {
            event_raw,
            thread: ThreadOn::new(stack.tid, event.cpu),
            half: Half::new(node, stack.addresses.is_kernel(), Source::Inline, event.cpu),
        });
        Ok(())
    }

    fn add_key_use(
        &mut self,
        hook: HookId,
        event: &Event<'_>,
        used: &StackKeyUse,
    ) -> Result<(), Skip> {
        let key_use = KeyUse {
            key: used.key,
            raw: event.timestamp,
            event_raw: before_itself(used.event_raw, event)?,
            thread: ThreadOn::new(used.tid, event.cpu),
            cpu: event.cpu,
            is_kernel: Some(hook == hook::STACK_KEY_KERNEL),
        };
        self.with_room()?.key_uses.push(key_use);
        Ok(())
    }

    fn add_definition(
        &mut self,
        event: &Event<'_>,
        defined: &StackKeyDefinition<'_>,
    ) -> Result<(), Skip> {
        let mut lists = self.with_room()?;
        let node = lists.node(defined.addresses)?;
        lists.definitions.push(Definition {
            key: defined.key,
            raw: event.timestamp,
            node,
            is_kernel: defined.addresses.is_kernel(),
        });
        Ok(())
    }

    /// Adds what was left over of other buffers: all else they have in common.
    pub fn merge(mut self, other: Self) -> Self {
        for (left, count) in other.left_over {
            *self.left_over.entry(left).or_default() += count;
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

/// The time of the event whose stack a stack event is: that comes first.
fn before_itself(event_raw: i64, event: &Event<'_>) -> Result<i64, Skip> {
    if event_raw <= event.timestamp {
        Ok(event_raw)
    } else {
        Err(Skip::StackOfLaterEvent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_records_share_one_limit() {
        let all = StackRecords::default();
        let record = Record {
            event_raw: 1,
            thread: ThreadOn::new(4, 0),
            half: Half::new(NodeId::ROOT, true, Source::Inline, 0),
        };
        let most = RECORDS_MAX_BYTES / size_of::<Record>();
        all.lists().records = vec![record; most - 1];
        let beside = all.beside();
        let key_use = KeyUse {
            key: 1,
            raw: 1,
            event_raw: 1,
            thread: ThreadOn::new(4, 0),
            cpu: 0,
            is_kernel: None,
        };
        beside.with_room().unwrap().key_uses.push(key_use);
        assert_eq!(all.with_room().err(), Some(Skip::TooManyStacks));
    }
}
