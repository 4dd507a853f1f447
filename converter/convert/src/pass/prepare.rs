//! What the thread that reads buffers makes of their events, while they are in its cache.

use etl::{Buffer, Event, EventId, HookId};
use etw::{ContextSwitch, Interrupt, InterruptKind, ReadyThread, SampledProfile, hook};

use super::order::Item;
use crate::fate::{Fate, Fates, pointer_width};
use crate::selection::Selection;
use crate::stacks::can_have_stack;
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
            Fate::Skipped(_) => Prepared::Nothing,
            _ if !is_followed(event.id) && !selection.keeps(event.id) => Prepared::Nothing,
            Fate::Converted => converted(&event).unwrap_or(Prepared::Nothing),
            Fate::Generic => Prepared::Generic,
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
fn converted(event: &Event<'_>) -> Option<Prepared> {
    let EventId::Kernel(hook) = event.id else {
        return None;
    };
    if hook == hook::COMPACT_CONTEXT_SWITCH {
        return None;
    }
    if let Some(item) = item(hook, event) {
        return Some(Prepared::Item(item));
    }
    let Some(kind) = InterruptKind::of(hook) else {
        let tid = event.acting.map(|(_, tid)| tid);
        let cpu = event.cpu;
        let other = Prepared::Item(Item::Other { cpu, hook, tid });
        return can_have_stack(hook).then_some(other);
    };
    let width = pointer_width(event);
    let interrupt = Interrupt::decode(kind, event.version, width, event.payload).ok()?;
    Some(Prepared::Interrupt(hook, interrupt))
}

#[inline]
fn item(hook: HookId, event: &Event<'_>) -> Option<Item> {
    let cpu = event.cpu;
    match hook {
        hook::CONTEXT_SWITCH => {
            let switch = ContextSwitch::decode(event.version, event.payload).ok()?;
            let run = None;
            Some(Item::Switch { cpu, switch, run })
        }
        hook::READY_THREAD => {
            let ready = ReadyThread::decode(event.payload).ok()?;
            let acting_tid = event.acting.map(|(_, tid)| tid);
            Some(Item::Ready {
                cpu,
                ready,
                acting_tid,
            })
        }
        hook::PMC_SAMPLE => {
            let sample =
                SampledProfile::decode_counter(pointer_width(event), event.payload).ok()?;
            Some(Item::Sample { cpu, sample })
        }
        hook::SAMPLED_PROFILE | hook::SAMPLED_PROFILE_NMI => {
            let width = pointer_width(event);
            let sample = SampledProfile::decode(event.version, width, event.payload).ok()?;
            Some(Item::Sample { cpu, sample })
        }
        _ => None,
    }
}
