//! What the thread that reads buffers makes of their events, while they are in its cache.

use etl::{Buffer, Event, EventId, HookId};
use etw::{Interrupt, hook};

use super::order::Item;
use crate::fate::Fate;
use crate::fates::Fates;
use crate::selection::Selection;
use crate::stacks::can_have_stack;
use crate::told::Told;
use facts::RunEnd;

/// What an event is to pass 2.
#[derive(Clone, Copy, Debug)]
pub enum Prepared {
    /// Pass 1 has taken all that it tells, or it is left out.
    Nothing,
    /// A generic event, to be decoded when its time comes: its text may be long.
    Generic,
    /// It changes or shows what a CPU does. For the last context switch of the buffer the end of its run is not known.
    Item(Item),
    /// A DPC or an ISR has ended.
    Interrupt(HookId, Interrupt),
}

/// Prepares a buffer's events, in their order. Scheduling is always prepared, since other events are placed by it.
pub fn prepare(buffer: &Buffer, fates: &Fates, selection: &Selection) -> Vec<Prepared> {
    let mut last_switch = None;
    let mut all: Vec<Prepared> = Vec::with_capacity(buffer.len());
    for event in buffer.events() {
        let prepared = match fates.of(&event) {
            (Fate::Skipped(_), _) => Prepared::Nothing,
            _ if !is_followed(event.id) && !selection.keeps(event.id) => Prepared::Nothing,
            (Fate::Converted, told) => converted(&event, told),
            (Fate::Generic, _) => Prepared::Generic,
        };
        if let Prepared::Item(Item::Switch { switch, .. }) = &prepared {
            let before = last_switch.and_then(|at: usize| all.get_mut(at));
            if let Some(Prepared::Item(Item::Switch { run, .. })) = before {
                *run = Some(RunEnd::of(switch));
            }
            last_switch = Some(all.len());
        }
        all.push(prepared);
    }
    all
}

fn is_followed(id: EventId) -> bool {
    matches!(
        id,
        EventId::Kernel(hook::CONTEXT_SWITCH | hook::READY_THREAD)
    )
}

#[inline]
fn converted(event: &Event<'_>, told: Told<'_>) -> Prepared {
    let EventId::Kernel(hook) = event.id else {
        return Prepared::Nothing;
    };
    let cpu = event.cpu;
    let tid = event.acting.map(|(_, tid)| tid);
    match told {
        Told::ContextSwitch(switch) => Prepared::Item(Item::Switch {
            cpu,
            switch,
            run: None,
        }),
        Told::ReadyThread(ready) => Prepared::Item(Item::Ready {
            cpu,
            ready,
            acting_tid: tid,
        }),
        Told::Sample(sample) => Prepared::Item(Item::Sample { cpu, sample }),
        Told::Interrupt(interrupt) => Prepared::Interrupt(hook, interrupt),
        Told::CompactSwitches(_) => Prepared::Nothing,
        _ if can_have_stack(hook) => Prepared::Item(Item::Other { cpu, hook, tid }),
        _ => Prepared::Nothing,
    }
}
