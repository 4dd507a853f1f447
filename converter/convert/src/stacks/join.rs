//! Stacks joined to their samples.
//!
//! Measured on files of Windows 7 and 8 (`EventTimeStamp` and thread name the event; keys are reused and mean what their
//! next definition on any processor says).

use etl::HookId;
use rustc_hash::FxHashMap;

use super::record::{Definition, Record, StackRecords, What};
use super::trie::{NodeId, Trie};
use crate::fate::Skip;

/// Stack events that no sample shows: kind, why, how many.
pub type LeftOver = FxHashMap<(HookId, Skip), u64>;

/// The stacks of all samples.
#[derive(Debug, Default)]
pub struct StackIndex {
    stacks: Trie<u64>,
    /// Stacks that belong to samples, in order.
    records: Vec<Record>,
}

impl StackIndex {
    /// Joins the records of all buffers.
    pub fn build(mut all: StackRecords) -> (Self, LeftOver) {
        let mut left_over = LeftOver::default();
        for (&hook, &count) in &all.beyond_limit {
            *left_over.entry((hook, Skip::TooManyStacks)).or_default() += count;
        }
        all.stacks.freeze();
        resolve_keys(&mut all, &mut left_over);
        all.records.sort_unstable();
        let mut group = Group::default();
        all.records.retain(|record| {
            let joined = group.joins(record);
            if !joined && record.what != What::SAMPLE {
                let why = (record.what.hook(), Skip::StackOfOther);
                *left_over.entry(why).or_default() += 1;
            }
            joined
        });
        all.records.shrink_to_fit();
        let index = Self {
            stacks: all.stacks,
            records: all.records,
        };
        (index, left_over)
    }

    /// The halves of a sample's stack, kernel and user; the root where there is none.
    pub fn of_sample(&self, raw: i64, tid: u32) -> (NodeId, NodeId) {
        let from = self
            .records
            .partition_point(|record| (record.event_raw, record.tid) < (raw, tid));
        let records = self.records.get(from..).unwrap_or_default();
        let mut halves = (NodeId::ROOT, NodeId::ROOT);
        let own = |record: &&Record| (record.event_raw, record.tid) == (raw, tid);
        for record in records.iter().take_while(own) {
            if record.what.is_kernel() {
                halves.0 = record.what.node();
            } else {
                halves.1 = record.what.node();
            }
        }
        halves
    }

    /// Addresses of a half, the innermost first.
    pub fn addresses(&self, half: NodeId) -> impl Iterator<Item = u64> + '_ {
        self.stacks.steps_back(half)
    }
}

/// Turns uses of keys into stacks.
fn resolve_keys(all: &mut StackRecords, left_over: &mut LeftOver) {
    all.definitions.sort_unstable();
    for key_use in std::mem::take(&mut all.key_uses) {
        let after = (key_use.key, key_use.raw);
        let at = all
            .definitions
            .partition_point(|definition| (definition.key, definition.raw) < after);
        let definition = all
            .definitions
            .get(at)
            .filter(|next| next.key == key_use.key);
        match definition {
            Some(Definition { node, .. }) => all.records.push(Record {
                event_raw: key_use.event_raw,
                tid: key_use.tid,
                what: What::stack(*node, key_use.is_kernel, false),
            }),
            None => {
                let why = (key_use.hook(), Skip::StackKeyUndefined);
                *left_over.entry(why).or_default() += 1;
            }
        }
    }
    all.definitions = Vec::new();
}

/// The records of one event, as they come in order.
#[derive(Default)]
struct Group {
    of: Option<(i64, u32)>,
    has_kernel: bool,
    has_user: bool,
}

impl Group {
    /// Whether a record is a sample's stack, and the first of its half.
    fn joins(&mut self, record: &Record) -> bool {
        let of = Some((record.event_raw, record.tid));
        if record.what == What::SAMPLE {
            *self = Self {
                of,
                ..Self::default()
            };
            return false;
        }
        let half = if record.what.is_kernel() {
            &mut self.has_kernel
        } else {
            &mut self.has_user
        };
        self.of == of && !std::mem::replace(half, true)
    }
}

#[cfg(test)]
mod tests {
    use etw::hook;

    use super::*;
    use crate::stacks::record::KeyUse;

    fn records(
        stacks: &[&[u64]],
        make: impl FnOnce(&[NodeId], &mut StackRecords),
    ) -> (StackIndex, LeftOver) {
        let mut all = StackRecords::default();
        let nodes: Vec<NodeId> = stacks
            .iter()
            .map(|stack| all.stacks.path(stack.iter().copied()).unwrap())
            .collect();
        make(&nodes, &mut all);
        StackIndex::build(all)
    }

    fn record(event_raw: i64, tid: u32, what: What) -> Record {
        Record {
            event_raw,
            tid,
            what,
        }
    }

    #[test]
    fn both_halves_are_joined_by_time_and_thread() {
        let (index, left_over) = records(&[&[10, 11], &[1, 2, 3]], |nodes, all| {
            all.records = vec![
                record(100, 8, What::stack(nodes[1], false, true)),
                record(100, 8, What::SAMPLE),
                record(100, 8, What::stack(nodes[0], true, true)),
                record(100, 12, What::SAMPLE),
                record(101, 8, What::stack(nodes[0], true, true)),
            ];
        });
        let (kernel, user) = index.of_sample(100, 8);
        assert_eq!(index.addresses(kernel).collect::<Vec<_>>(), [11, 10]);
        assert_eq!(index.addresses(user).collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!(index.of_sample(100, 12), (NodeId::ROOT, NodeId::ROOT));
        let expected = [((hook::STACK_WALK, Skip::StackOfOther), 1)];
        assert_eq!(left_over, LeftOver::from_iter(expected));
    }

    #[test]
    fn a_key_means_its_next_definition() {
        let key_use = |key, raw, event_raw| KeyUse {
            key,
            raw,
            event_raw,
            tid: 8,
            is_kernel: false,
        };
        let (index, left_over) = records(&[&[1], &[2]], |nodes, all| {
            all.records = vec![record(100, 8, What::SAMPLE), record(200, 8, What::SAMPLE)];
            all.definitions = vec![
                Definition {
                    key: 7,
                    raw: 300,
                    node: nodes[1],
                },
                Definition {
                    key: 7,
                    raw: 150,
                    node: nodes[0],
                },
            ];
            all.key_uses = vec![
                key_use(7, 150, 100),
                key_use(7, 201, 200),
                key_use(9, 1, 100),
            ];
        });
        let user = |raw| {
            index
                .addresses(index.of_sample(raw, 8).1)
                .collect::<Vec<_>>()
        };
        assert_eq!((user(100), user(200)), (vec![1], vec![2]));
        let expected = [((hook::STACK_KEY_USER, Skip::StackKeyUndefined), 1)];
        assert_eq!(left_over, LeftOver::from_iter(expected));
    }

    #[test]
    fn other_buffers_are_merged_with_their_stacks_kept_once() {
        let part = |event_raw, address| {
            let mut part = StackRecords::default();
            let node = part.stacks.path([1, address].into_iter()).unwrap();
            part.records = vec![
                record(event_raw, 8, What::SAMPLE),
                record(event_raw, 8, What::stack(node, true, true)),
            ];
            part
        };
        let (index, _) = StackIndex::build(part(100, 2).merge(part(200, 3)));
        let kernel = |raw| {
            index
                .addresses(index.of_sample(raw, 8).0)
                .collect::<Vec<_>>()
        };
        assert_eq!((kernel(100), kernel(200)), (vec![2, 1], vec![3, 1]));
        assert_eq!(index.stacks.len(), 3);
    }
}
