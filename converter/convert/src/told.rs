//! What an event tells, decoded: once, for all who use it.

use etl::{Event, HookId};
use etw::{
    CompactSwitches, ContextSwitch, DebugId, GroupMasks, Image, ImageInfo, Interrupt,
    InterruptKind, PointerWidth, Process, ProfileInterval, ReadyThread, SampledProfile,
    StackKeyDefinition, StackKeyUse, StackWalk, Thread, ThreadName, hook, image_id_type,
};

use crate::fate::{Fate, Skip};

/// What an event of the kernel tells, or one that a merge embeds. What is rare and large is in a box: an event is handed on in few bytes.
#[derive(Clone, Debug)]
pub enum Told<'a> {
    /// Nothing that is decoded before it is used.
    Nothing,
    ContextSwitch(ContextSwitch),
    CompactSwitches(Box<CompactSwitches<'a>>),
    ReadyThread(ReadyThread),
    Process(Box<Process<'a>>),
    Thread(Box<Thread<'a>>),
    ThreadName(ThreadName<'a>),
    Sample(SampledProfile),
    Interval(ProfileInterval<'a>),
    Interrupt(Interrupt),
    Stack(StackWalk<'a>),
    StackKeyUse(StackKeyUse),
    StackKeyDefinition(StackKeyDefinition<'a>),
    ImageInfo(Box<ImageInfo<'a>>),
    DebugId(Box<DebugId<'a>>),
    GroupMasks(GroupMasks),
}

/// The pointer width of an event's payload, by its own header.
pub fn pointer_width(event: &Event<'_>) -> PointerWidth {
    match event.pointer_bytes {
        4 => PointerWidth::Bits32,
        _ => PointerWidth::Bits64,
    }
}

/// What becomes of a kernel event, and what it tells. Most events are of the first two kinds: they are decoded where they are used.
#[inline(always)]
pub fn kernel<'a>(hook: HookId, event: &Event<'a>) -> (Fate, Told<'a>) {
    match hook {
        hook::CONTEXT_SWITCH if event.has_cpu => {
            match ContextSwitch::decode(event.version, event.payload) {
                Ok(switch) => (Fate::Converted, Told::ContextSwitch(switch)),
                Err(_) => skipped(Skip::PayloadShort),
            }
        }
        hook::READY_THREAD if event.has_cpu => match ReadyThread::decode(event.payload) {
            Ok(ready) if ready.tid == 0 => skipped(Skip::IdleThread),
            Ok(ready) => (Fate::Converted, Told::ReadyThread(ready)),
            Err(_) => skipped(Skip::PayloadShort),
        },
        _ => match other_kernel(hook, event) {
            Ok(told) => (Fate::Converted, told),
            Err(skip) => skipped(skip),
        },
    }
}

#[inline(always)]
const fn skipped<'a>(skip: Skip) -> (Fate, Told<'a>) {
    (Fate::Skipped(skip), Told::Nothing)
}

/// What a kernel event of another kind tells, or why it is left out.
fn other_kernel<'a>(hook: HookId, event: &Event<'a>) -> Result<Told<'a>, Skip> {
    let (version, payload) = (event.version, event.payload);
    let width = || pointer_width(event);
    let told = match hook {
        hook::CONTEXT_SWITCH
        | hook::COMPACT_CONTEXT_SWITCH
        | hook::READY_THREAD
        | hook::SAMPLED_PROFILE
        | hook::SAMPLED_PROFILE_NMI
        | hook::PMC_SAMPLE
            if !event.has_cpu =>
        {
            return Err(Skip::NoProcessor);
        }
        hook::COMPACT_CONTEXT_SWITCH => CompactSwitches::decode(payload)
            .map(|switches| Told::CompactSwitches(Box::new(switches))),
        hook::PROCESS_START
        | hook::PROCESS_END
        | hook::PROCESS_RUNDOWN_START
        | hook::PROCESS_RUNDOWN_END => Process::decode(version, width(), payload)
            .map(|process| Told::Process(Box::new(process))),
        hook::THREAD_START
        | hook::THREAD_END
        | hook::THREAD_RUNDOWN_START
        | hook::THREAD_RUNDOWN_END => {
            Thread::decode(version, width(), payload).map(|thread| Told::Thread(Box::new(thread)))
        }
        hook::THREAD_NAME => ThreadName::decode(payload).map(Told::ThreadName),
        hook::TRACE_EXTENSION | hook::TRACE_END_EXTENSION => {
            GroupMasks::decode(payload).map(Told::GroupMasks)
        }
        hook::SAMPLED_PROFILE | hook::SAMPLED_PROFILE_NMI => {
            SampledProfile::decode(version, width(), payload).map(Told::Sample)
        }
        hook::PMC_SAMPLE => SampledProfile::decode_counter(width(), payload).map(Told::Sample),
        hook::PROFILE_SET_INTERVAL
        | hook::PROFILE_COLLECTION_START
        | hook::PROFILE_COLLECTION_END => ProfileInterval::decode(payload).map(Told::Interval),
        hook::STACK_WALK => StackWalk::decode(width(), payload).map(Told::Stack),
        hook::STACK_KEY_KERNEL | hook::STACK_KEY_USER => {
            StackKeyUse::decode(width(), payload).map(Told::StackKeyUse)
        }
        hook::STACK_KEY_CREATE | hook::STACK_KEY_DELETE | hook::STACK_KEY_RUNDOWN => {
            StackKeyDefinition::decode(width(), payload).map(Told::StackKeyDefinition)
        }
        hook::IMAGE_LOAD
        | hook::IMAGE_UNLOAD
        | hook::IMAGE_RUNDOWN_START
        | hook::IMAGE_RUNDOWN_END => {
            let least_bytes = Image::least_bytes(version, width());
            return if payload.len() >= least_bytes {
                Ok(Told::Nothing)
            } else {
                Err(Skip::PayloadShort)
            };
        }
        hook::TRACE_HEADER => return Ok(Told::Nothing),
        _ => match InterruptKind::of(hook).filter(|_| event.has_cpu) {
            Some(kind) => Interrupt::decode(kind, version, width(), payload).map(Told::Interrupt),
            None => return Err(Skip::NoDecoder),
        },
    };
    told.map_err(|_| Skip::PayloadShort)
}

/// What becomes of an event that names the file of an image, and what it tells.
pub fn image_identity<'a>(event_type: u8, event: &Event<'a>) -> (Fate, Told<'a>) {
    let width = pointer_width(event);
    let told = match event_type {
        image_id_type::INFO => {
            ImageInfo::decode(width, event.payload).map(|info| Told::ImageInfo(Box::new(info)))
        }
        _ => DebugId::decode(width, event.payload).map(|id| Told::DebugId(Box::new(id))),
    };
    match told {
        Ok(told) => (Fate::Converted, told),
        Err(_) => skipped(Skip::PayloadShort),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_handed_on_in_few_bytes() {
        assert_eq!(size_of::<Told<'_>>(), 48);
    }
}
