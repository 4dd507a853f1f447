//! Stacks, in the order of the events that they belong to.
//!
//! Measured on files of Windows 7 and 8 (`EventTimeStamp` and thread name the event; keys are reused and mean what their
//! next definition on any processor says).

use super::record::{Definition, Half, KeyUse, LeftOver, Lists, Record, Source, StackRecords};
use super::trie::{NodeId, Trie};
use crate::fate::Skip;

/// The stacks of all events.
#[derive(Debug, Default)]
pub struct StackIndex {
    stacks: Trie<u64>,
    /// By event: the kernel half, the user half, or both.
    records: Vec<Record>,
}

impl StackIndex {
    /// Joins the records of all buffers.
    pub fn build(mut all: StackRecords) -> (Self, LeftOver) {
        let (mut lists, mut left_over) = all.take();
        // What is given up first makes room for what comes.
        lists.stacks.freeze();
        let stacks = std::mem::take(&mut lists.stacks);
        let records = joined(lists, &stacks, &mut left_over);
        (Self { stacks, records }, left_over)
    }

    /// Whether there are no stacks.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Whether there are stacks of events of this time.
    pub fn has(&self, raw: i64) -> bool {
        let found = self
            .records
            .binary_search_by_key(&raw, |record| record.event_raw);
        found.is_ok()
    }

    /// All halves, by time and thread of their events.
    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }

    /// The stack around a half's innermost frame, and the address of that; `None` for the root.
    pub fn outer(&self, half: NodeId) -> Option<(NodeId, u64)> {
        self.stacks.node(half)
    }

    /// Addresses of a half, the innermost first.
    pub fn addresses(&self, half: NodeId) -> impl Iterator<Item = u64> + '_ {
        self.stacks.steps_back(half)
    }
}

/// All halves, those known by keys too, in the order of their events and each once.
fn joined(lists: Lists, stacks: &Trie<u64>, left_over: &mut LeftOver) -> Vec<Record> {
    let Lists {
        mut records,
        mut key_uses,
        mut definitions,
        ..
    } = lists;
    definitions.sort_unstable();
    for same in definitions.chunk_by_mut(|a, b| (a.key, a.raw) == (b.key, b.raw)) {
        sort_by_addresses(same, stacks, |definition| definition.node);
    }
    while let Some(key_use) = key_uses.pop() {
        if key_uses.len().is_multiple_of(KEY_USES_FREED_AT_ONCE) {
            key_uses.shrink_to_fit();
        }
        match resolved(&key_use, &definitions) {
            Some(half) => records.push(Record {
                event_raw: key_use.event_raw,
                thread: key_use.thread,
                half,
            }),
            None => {
                let why = (key_use.hook(), Skip::StackKeyUndefined);
                *left_over.entry(why).or_default() += 1;
            }
        }
    }
    drop(definitions);
    records.sort_unstable();
    for same in records.chunk_by_mut(|a, b| a.is_same(b)) {
        sort_by_addresses(same, stacks, |record| record.half.node());
    }
    records.dedup_by(|later, first| {
        let of = |record: &Record| {
            let half = record.half;
            let place = (half.is_in_header(), half.is_kernel());
            (record.event_raw, record.thread, place)
        };
        let is_second = of(later) == of(first);
        if is_second {
            let why = (later.half.hook(), Skip::SecondStack);
            *left_over.entry(why).or_default() += 1;
        }
        is_second
    });
    records.shrink_to_fit();
    records
}

/// Puts what differs by its stack alone in order of the addresses: numbers of nodes hang on which thread came first.
fn sort_by_addresses<T>(same: &mut [T], stacks: &Trie<u64>, node_of: impl Fn(&T) -> NodeId) {
    if same.len() > 1 {
        same.sort_by(|a, b| {
            let addresses = |of: &T| stacks.steps_back(node_of(of));
            addresses(a).cmp(addresses(b))
        });
    }
}

/// The half that a key stands for: what its next definition says.
fn resolved(key_use: &KeyUse, definitions: &[Definition]) -> Option<Half> {
    let after = (key_use.key, key_use.raw);
    let at = definitions.partition_point(|definition| (definition.key, definition.raw) < after);
    let next = definitions.get(at)?;
    (next.key == key_use.key).then(|| match key_use.is_kernel {
        Some(is_kernel) => Half::new(next.node, is_kernel, Source::Key, key_use.cpu),
        None => Half::new(next.node, next.is_kernel, Source::Header, key_use.cpu),
    })
}

/// Uses of keys become stacks piece by piece: as both at once they would be too much.
const KEY_USES_FREED_AT_ONCE: usize = 1 << 18;

#[cfg(test)]
mod tests {
    use etw::hook;

    use super::super::record::ThreadOn;
    use super::*;

    fn records(
        stacks: &[&[u64]],
        make: impl FnOnce(&[NodeId], &mut Lists),
    ) -> (Vec<Record>, Trie<u64>, LeftOver) {
        let mut lists = Lists::default();
        let nodes: Vec<NodeId> = stacks
            .iter()
            .map(|stack| lists.stacks.path(stack.iter().copied()).unwrap())
            .collect();
        make(&nodes, &mut lists);
        let stacks = std::mem::take(&mut lists.stacks);
        let mut left_over = LeftOver::default();
        let records = joined(lists, &stacks, &mut left_over);
        (records, stacks, left_over)
    }

    fn record(event_raw: i64, tid: u32, half: Half) -> Record {
        Record {
            event_raw,
            thread: ThreadOn::new(tid, 0),
            half,
        }
    }

    fn inline(node: NodeId, is_kernel: bool) -> Half {
        Half::new(node, is_kernel, Source::Inline, 0)
    }

    /// Time, thread and half of all stacks, with their addresses.
    fn listed(records: &[Record], stacks: &Trie<u64>) -> Vec<(i64, u32, bool, Vec<u64>)> {
        let of = |record: &Record| {
            let addresses = stacks.steps_back(record.half.node()).collect();
            let Record {
                event_raw,
                thread,
                half,
            } = *record;
            (event_raw, thread.tid(), half.is_kernel(), addresses)
        };
        records.iter().map(of).collect()
    }

    #[test]
    fn halves_stand_in_the_order_of_their_events_and_each_once() {
        let (records, stacks, left_over) = records(&[&[10, 11], &[1, 2, 3]], |nodes, all| {
            all.records = vec![
                record(101, 8, inline(nodes[0], true)),
                record(100, 8, inline(nodes[1], false)),
                record(100, 8, inline(nodes[0], true)),
                record(100, 8, inline(nodes[1], true)),
            ];
        });
        let expected = [
            (100, 8, true, vec![3, 2, 1]),
            (100, 8, false, vec![3, 2, 1]),
            (101, 8, true, vec![11, 10]),
        ];
        assert_eq!(listed(&records, &stacks), expected);
        let expected = [((Some(hook::STACK_WALK), Skip::SecondStack), 1)];
        assert_eq!(left_over, LeftOver::from_iter(expected));
    }

    #[test]
    fn which_of_two_stacks_stays_does_not_hang_on_which_was_read_first() {
        for stacks in [[&[1_u64], &[2]], [&[2], &[1]]] {
            let stacks: Vec<&[u64]> = stacks.iter().map(|stack| &stack[..]).collect();
            let (records, stacks, _) = records(&stacks, |nodes, all| {
                let halves = nodes.iter().map(|&node| record(100, 8, inline(node, true)));
                all.records = halves.collect();
                let define = |&node| Definition {
                    key: 7,
                    raw: 200,
                    node,
                    is_kernel: false,
                };
                all.definitions = nodes.iter().map(define).collect();
                all.key_uses = vec![KeyUse {
                    key: 7,
                    raw: 150,
                    event_raw: 120,
                    thread: ThreadOn::new(8, 0),
                    cpu: 0,
                    is_kernel: Some(false),
                }];
            });
            let expected = [(100, 8, true, vec![1]), (120, 8, false, vec![1])];
            assert_eq!(listed(&records, &stacks), expected);
        }
    }

    #[test]
    fn a_key_means_its_next_definition() {
        let key_use = |key, raw, event_raw, is_kernel| KeyUse {
            key,
            raw,
            event_raw,
            thread: ThreadOn::new(8, 0),
            cpu: 0,
            is_kernel,
        };
        let (records, stacks, left_over) = records(&[&[1], &[2]], |nodes, all| {
            let define = |raw, node| Definition {
                key: 7,
                raw,
                node,
                is_kernel: false,
            };
            all.definitions = vec![define(300, nodes[1]), define(150, nodes[0])];
            all.key_uses = vec![
                key_use(7, 150, 100, Some(false)),
                key_use(7, 201, 200, Some(true)),
                key_use(7, 250, 250, None),
                key_use(9, 1, 100, Some(false)),
                key_use(9, 1, 100, None),
            ];
        });
        let expected = [
            (100, 8, false, vec![1]),
            (200, 8, true, vec![2]),
            (250, 8, false, vec![2]),
        ];
        assert_eq!(listed(&records, &stacks), expected);
        let undefined = Skip::StackKeyUndefined;
        let expected = [
            ((Some(hook::STACK_KEY_USER), undefined), 1),
            ((None, undefined), 1),
        ];
        assert_eq!(left_over, LeftOver::from_iter(expected));
    }
}
