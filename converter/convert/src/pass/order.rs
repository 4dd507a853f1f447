//! The order of scheduling events that have the same raw time.
//!
//! The file keeps order within a CPU only. Between CPUs a ready event is a cause and the switch-in of its thread the
//! effect, so it must come first.

use etl::HookId;
use etw::{ContextSwitch, ReadyThread, SampledProfile};

use crate::run::RunEnd;

/// A scheduling event, with what pass 1 knows of the time after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A context switch; `run` is the end of the run that it begins.
    Switch {
        cpu: u16,
        switch: ContextSwitch,
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
            _ => None,
        }
    }

    fn readied_tid(&self) -> Option<u32> {
        match self {
            Self::Ready { ready, .. } => Some(ready.tid),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Begun,
    Done,
}

/// Puts items of one raw time into an order in which causes stand first and each CPU's own order is kept. Where both
/// cannot be had (a circle of wakes within one tick), each CPU's own order wins.
pub fn causal_order(items: &[Item], ordered: &mut Vec<Item>) {
    ordered.clear();
    let any_ready = items.iter().any(|item| item.readied_tid().is_some());
    if items.len() < 2 || !any_ready {
        ordered.extend_from_slice(items);
        return;
    }
    let mut visits = vec![Visit::New; items.len()];
    for index in 0..items.len() {
        visit(index, items, &mut visits, ordered);
    }
}

fn visit(index: usize, items: &[Item], visits: &mut [Visit], ordered: &mut Vec<Item>) {
    let (Some(item), Some(state)) = (items.get(index), visits.get_mut(index)) else {
        return;
    };
    if *state != Visit::New {
        return;
    }
    *state = Visit::Begun;
    if let Some(tid) = item.switched_in_tid() {
        let cause = items
            .iter()
            .enumerate()
            .skip(index + 1)
            .find(|(_, other)| other.readied_tid() == Some(tid) && other.cpu() != item.cpu());
        if let Some((cause, _)) = cause {
            visit_cpu_up_to(cause, items, visits, ordered);
        }
    }
    ordered.push(*item);
    if let Some(state) = visits.get_mut(index) {
        *state = Visit::Done;
    }
}

/// Visits an item after those before it on its CPU, unless one of them waits for something itself.
fn visit_cpu_up_to(last: usize, items: &[Item], visits: &mut [Visit], ordered: &mut Vec<Item>) {
    let Some(cpu) = items.get(last).map(Item::cpu) else {
        return;
    };
    for index in 0..=last {
        if items.get(index).map(Item::cpu) != Some(cpu) {
            continue;
        }
        if visits.get(index) == Some(&Visit::Begun) {
            return;
        }
        visit(index, items, visits, ordered);
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
        let mut ordered = Vec::new();
        causal_order(items, &mut ordered);
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
