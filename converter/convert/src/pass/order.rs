//! The order of scheduling events that have the same raw time.
//!
//! The file keeps order within a CPU only. Between CPUs a thread that is switched in was made ready, or switched out
//! elsewhere, before; and one that is made ready was switched out before.

use etl::HookId;
use etw::{ContextSwitch, ReadyThread, SampledProfile, thread_state};
use rustc_hash::FxHashMap;

use facts::RunEnd;

/// A scheduling event, with what pass 1 knows of the time after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A context switch; `run` is the end of the run that it begins.
    Switch {
        cpu: u16,
        switch: ContextSwitch,
        run: Option<RunEnd>,
    },
    /// A context switch with only two runs known: the one that it ends and the one that it begins. `run` is `None` if
    /// the latter is not known.
    Compact {
        cpu: u16,
        old: RunEnd,
        run: Option<RunEnd>,
    },
    /// A thread is made ready; `acting_tid` is the readier, where the event's own header names it.
    Ready {
        cpu: u16,
        ready: ReadyThread,
        acting_tid: Option<u32>,
    },
    /// A profile sample.
    Sample { cpu: u16, sample: SampledProfile },
    /// A kernel event that is written elsewhere, but may have a stack; `tid` is the thread that its header names.
    Other {
        cpu: u16,
        hook: HookId,
        tid: Option<u32>,
    },
    /// After this, events of the CPU were lost.
    GapStart { cpu: u16 },
    /// Events of the CPU are recorded again; `run` is the end of the run that is under way.
    GapEnd { cpu: u16, run: Option<RunEnd> },
}

impl Item {
    fn cpu(&self) -> u16 {
        match self {
            Self::Switch { cpu, .. }
            | Self::Compact { cpu, .. }
            | Self::Ready { cpu, .. }
            | Self::Sample { cpu, .. }
            | Self::Other { cpu, .. }
            | Self::GapStart { cpu }
            | Self::GapEnd { cpu, .. } => *cpu,
        }
    }

    fn switched_in_tid(&self) -> Option<u32> {
        match self {
            Self::Switch { switch, run, .. } => Some(run.map_or(switch.new_tid, |run| run.tid)),
            Self::Compact { run, .. } => run.map(|run| run.tid),
            _ => None,
        }
    }

    fn switched_out_tid(&self) -> Option<u32> {
        match self {
            Self::Switch { switch, .. } => Some(switch.old_tid),
            Self::Compact { old, .. } => Some(old.tid),
            _ => None,
        }
    }

    /// The thread that runs on a CPU from here on, if this tells: `None` within where that is not known.
    pub fn running_after(&self, cpu: u16) -> Option<Option<u32>> {
        match self {
            _ if self.cpu() != cpu => None,
            Self::Switch { .. } | Self::Compact { .. } => Some(self.switched_in_tid()),
            Self::GapStart { .. } => Some(None),
            Self::GapEnd { run, .. } => Some(run.map(|run| run.tid)),
            Self::Ready { .. } | Self::Sample { .. } | Self::Other { .. } => None,
        }
    }

    /// Whether this may have the stack of a thread and is no switch: of one that it names, else of one that runs on its CPU.
    fn may_have_stack_of(&self, tid: u32, is_on: impl Fn(u16) -> bool) -> bool {
        match self {
            Self::Ready {
                cpu,
                acting_tid: named,
                ..
            }
            | Self::Other {
                cpu, tid: named, ..
            } => named.map_or_else(|| is_on(*cpu), |named| named == tid),
            Self::Sample { sample, .. } => sample.tid == tid,
            _ => false,
        }
    }

    fn readied_tid(&self) -> Option<u32> {
        match self {
            Self::Ready { ready, .. } => Some(ready.tid),
            _ => None,
        }
    }
}

/// The threads that an item switches in, where another item of the same raw time may have a stack of the thread too.
pub fn contested(items: &[Item]) -> impl Iterator<Item = u32> {
    let switched_in = items
        .iter()
        .filter_map(|item| Some((item.cpu(), item.switched_in_tid()?)));
    switched_in.filter_map(|(on, tid)| {
        let mut others = items.iter();
        others
            .any(|other| other.may_have_stack_of(tid, |cpu| cpu == on))
            .then_some(tid)
    })
}

/// Whether a thread can be switched in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It waits for something, or nothing is known of it.
    Blocked,
    /// It could run.
    Ready,
    /// It runs.
    Running,
}

/// Puts items of one raw time into an order in which causes stand first and each CPU's own order is kept. Where both
/// cannot be had (a circle of wakes within one tick), each CPU's own order wins. `before` tells how threads stood before.
pub fn causal_order(items: &[Item], before: impl Fn(u32) -> Standing, ordered: &mut Vec<Item>) {
    ordered.clear();
    let first_cpu = items.first().map(Item::cpu);
    if items.iter().all(|item| Some(item.cpu()) == first_cpu) {
        ordered.extend_from_slice(items);
        return;
    }
    let mut left = items.to_vec();
    let mut changed = FxHashMap::default();
    while !left.is_empty() {
        let standing = |tid| changed.get(&tid).copied().unwrap_or_else(|| before(tid));
        let next =
            (0..left.len()).find(|&at| is_first(at, &left) && !is_too_early(at, &left, standing));
        let item = left.remove(next.unwrap_or(0));
        match item {
            Item::Switch { switch, .. } => {
                let is_ready = switch.old_state == thread_state::READY;
                let after = if is_ready {
                    Standing::Ready
                } else {
                    Standing::Blocked
                };
                changed.insert(switch.old_tid, after);
                changed.extend(item.switched_in_tid().map(|tid| (tid, Standing::Running)));
            }
            Item::Compact { old, .. } => {
                changed.insert(old.tid, Standing::Blocked);
                changed.extend(item.switched_in_tid().map(|tid| (tid, Standing::Running)));
            }
            Item::Ready { ready, .. } if standing(ready.tid) == Standing::Blocked => {
                changed.insert(ready.tid, Standing::Ready);
            }
            _ => {}
        }
        ordered.push(item);
    }
}

/// Whether an item is the next one of its CPU.
fn is_first(at: usize, left: &[Item]) -> bool {
    let cpu = left.get(at).map(Item::cpu);
    !left.iter().take(at).any(|other| Some(other.cpu()) == cpu)
}

/// Whether something on another CPU must have come before: what lets a thread run that is switched in, or the end of
/// the run of one that is made ready.
fn is_too_early(at: usize, left: &[Item], standing: impl Fn(u32) -> Standing) -> bool {
    let Some(item) = left.get(at) else {
        return false;
    };
    let elsewhere = || left.iter().filter(|other| other.cpu() != item.cpu());
    match item {
        Item::Ready { ready, .. } => {
            standing(ready.tid) != Standing::Blocked
                && elsewhere().any(|other| other.switched_out_tid() == Some(ready.tid))
        }
        _ => item.switched_in_tid().is_some_and(|tid| {
            let leaves = |other: &Item| other.switched_out_tid() == Some(tid);
            let stays = || !left.iter().any(|o| o.cpu() == item.cpu() && leaves(o));
            let is_readied = |other: &Item| other.readied_tid() == Some(tid);
            tid != 0
                && match standing(tid) {
                    Standing::Ready => elsewhere().any(leaves) && stays(),
                    _ => elsewhere().any(|other| leaves(other) || is_readied(other)),
                }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switch(cpu: u16, old_tid: u32, new_tid: u32) -> Item {
        let switch = ContextSwitch {
            new_tid,
            old_tid,
            new_priority: 8,
            old_priority: 8,
            previous_c_state: None,
            old_rank: None,
            new_priority_decrement: 0,
            old_wait_reason: 0,
            old_wait_mode: 0,
            old_state: 5,
            old_qos: 0,
            new_qos: None,
            old_ideal_cpu: 0,
        };
        Item::Switch {
            cpu,
            switch,
            run: None,
        }
    }

    fn ready(cpu: u16, tid: u32) -> Item {
        let ready = ReadyThread {
            tid,
            adjust_reason: 0,
            adjust_increment: 0,
            flags: 0,
        };
        Item::Ready {
            cpu,
            ready,
            acting_tid: None,
        }
    }

    fn ordered(items: &[Item]) -> Vec<Item> {
        ordered_where(items, |_| Standing::Blocked)
    }

    fn ordered_where(items: &[Item], before: impl Fn(u32) -> Standing) -> Vec<Item> {
        let mut ordered = Vec::new();
        causal_order(items, before, &mut ordered);
        ordered
    }

    #[test]
    fn a_wake_comes_before_the_switch_in_that_it_causes() {
        let (switch_in, readier_in, wake) = (switch(0, 0, 8), switch(5, 0, 12), ready(5, 8));
        assert_eq!(
            ordered(&[switch_in, readier_in, wake]),
            [readier_in, wake, switch_in]
        );
    }

    #[test]
    fn a_switch_out_comes_before_the_switch_in_elsewhere() {
        let (here, there) = (switch(0, 0, 8), switch(5, 8, 0));
        assert_eq!(ordered(&[here, there]), [there, here]);
    }

    #[test]
    fn a_thread_may_go_elsewhere_and_come_back() {
        let (back, gone) = (switch(0, 0, 8), switch(0, 8, 0));
        let (in_between, out_again) = (switch(5, 0, 8), switch(5, 8, 0));
        assert_eq!(
            ordered(&[in_between, gone, back, out_again]),
            [gone, in_between, out_again, back]
        );
    }

    #[test]
    fn a_thread_stays_on_the_cpu_that_it_does_not_leave() {
        let (stay, come, go) = (switch(5, 0, 8), switch(0, 0, 8), switch(0, 8, 0));
        let ready = |_| Standing::Ready;
        assert_eq!(ordered_where(&[stay, come, go], ready), [come, go, stay]);
    }

    #[test]
    fn a_ready_thread_runs_and_blocks_before_it_is_woken() {
        let (wake, switch_in, switch_out) = (ready(5, 8), switch(0, 0, 8), switch(0, 8, 0));
        let items = [wake, switch_in, switch_out];
        assert_eq!(
            ordered_where(&items, |_| Standing::Ready),
            [switch_in, switch_out, wake]
        );
        assert_eq!(ordered(&items), items);
    }

    #[test]
    fn unrelated_events_keep_their_order() {
        let items = [switch(0, 0, 8), ready(5, 12), switch(6, 0, 16)];
        assert_eq!(ordered(&items), items);
    }

    #[test]
    fn each_cpu_keeps_its_order_in_a_circle() {
        let items = [switch(0, 0, 8), ready(0, 12), switch(1, 0, 12), ready(1, 8)];
        let order = ordered(&items);
        let of_cpu = |cpu| {
            order
                .iter()
                .filter(|item| item.cpu() == cpu)
                .copied()
                .collect::<Vec<_>>()
        };
        assert_eq!(of_cpu(0), items[..2]);
        assert_eq!(of_cpu(1), items[2..]);
        assert_eq!(order.len(), 4);
    }
}
