//! What becomes of an event: every event read has exactly one fate, so that the sums add up.

use std::sync::Arc;

use etl::{Event, EventId, Guid, HookId};
use etw::{
    CompactSwitches, ContextSwitch, DebugId, GroupMasks, IMAGE_ID_CLASS, Image, ImageInfo,
    Interrupt, InterruptKind, PointerWidth, Process, ProfileInterval, ReadyThread, SampledProfile,
    StackKeyDefinition, StackKeyUse, StackWalk, Thread, ThreadName, hook, image_id_type,
};
use schema::{MANIFEST_EVENT_ID, SchemaCollector, Schemas};

use crate::stacks::STACK_GROUP;

/// What becomes of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// It is in the converted trace as what its kind is, or has told how to decode others.
    Converted,
    /// It is in the converted trace as a generic event.
    Generic,
    /// It is left out.
    Skipped(Skip),
}

/// Why an event is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Skip {
    /// This kind of event is counted but not decoded.
    NoDecoder,
    /// Compact context switches of a CPU whose whole ones of the same time are recorded too.
    RecordedBesides,
    /// A further stack of the same event.
    SecondStack,
    /// A stack whose addresses were not recorded.
    StackKeyUndefined,
    /// More stacks than are kept in memory.
    TooManyStacks,
    /// More methods of .NET programs than are kept in memory.
    TooManyMethods,
    /// A stack in the header of an event that names no thread.
    StackWithoutThread,
    /// A stack that names an event after itself: damage.
    StackOfLaterEvent,
    /// One half of a stack, in the header of its event; what the other half came with is not documented.
    StackHalfApart,
    /// The identity of an image that no other event names.
    ImageUnknown,
    /// A message whose text is in the symbols of its program.
    NeedsSymbols,
    /// The trace does not say on which processor it happened.
    NoProcessor,
    /// It names the idle thread as the one made ready.
    IdleThread,
    /// The user's selection leaves it out.
    NotSelected,
    /// Its payload is shorter than its layout: damage.
    PayloadShort,
    /// Its payload cannot be found behind its header: damage.
    PayloadLost,
}

impl Fate {
    /// `converted`, `generic` or `skipped`, as in the trace.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converted => "converted",
            Self::Generic => "generic",
            Self::Skipped(_) => "skipped",
        }
    }

    /// Why it is skipped, in words for the user.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::Converted | Self::Generic => None,
            Self::Skipped(skip) => Some(skip.reason()),
        }
    }

    /// Whether the event should have been converted but its bytes are bad.
    pub fn is_damage(self) -> bool {
        matches!(
            self,
            Self::Skipped(Skip::PayloadShort | Skip::PayloadLost | Skip::StackOfLaterEvent)
        )
    }
}

impl Skip {
    /// In words for the user.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NoDecoder => "no decoder",
            Self::RecordedBesides => "recorded whole besides",
            Self::SecondStack => "second stack of the same moment and thread",
            Self::StackKeyUndefined => "stack key that is never defined",
            Self::TooManyStacks => "more stacks than are kept",
            Self::TooManyMethods => "more methods than are kept",
            Self::StackWithoutThread => "their events name no thread",
            Self::StackOfLaterEvent => "names an event after itself",
            Self::StackHalfApart => "the other half was recorded apart",
            Self::ImageUnknown => "identity of an image that is not in the trace",
            Self::NeedsSymbols => "needs the symbols of the program that wrote it",
            Self::NoProcessor => "recorded without processor numbers",
            Self::IdleThread => "names the idle thread",
            Self::NotSelected => "not selected",
            Self::PayloadShort => "payload shorter than its layout",
            Self::PayloadLost => "payload cannot be located",
        }
    }
}

/// The pointer width of an event's payload, by its own header.
pub fn pointer_width(event: &Event<'_>) -> PointerWidth {
    match event.pointer_bytes {
        4 => PointerWidth::Bits32,
        _ => PointerWidth::Bits64,
    }
}

/// Decides what becomes of events.
#[derive(Clone, Debug)]
pub struct Fates {
    /// What is known of kernel events without the trace's help.
    known: Arc<Schemas>,
}

/// Kernel groups whose events are far too many for generic events: stacks.
const NEVER_GENERIC_GROUPS: [u8; 1] = [STACK_GROUP];
/// Kernel events that are far too many for generic events: samples of the profile, in both their forms.
const NEVER_GENERIC: [HookId; 2] = [HookId(0x0F2E), HookId(0x0F47)];

/// Kernel groups whose events are kept as bytes where their layout is not known, since they are few: of the session itself,
/// of processes, of the system's configuration and of power.
const RAW_GROUPS: [u8; 4] = [0x00, 0x03, 0x0B, 0x12];

/// `KernelTraceControl MetaData`: the descriptions of events that a merge embeds.
pub const METADATA: Guid = Guid::new(0xbbccf6c1_6cd1_48c4_80ff_839482e37671);

impl Fates {
    /// With what is known beforehand.
    pub fn new() -> Self {
        Self {
            known: Arc::new(SchemaCollector::new().finish()),
        }
    }

    /// What becomes of an event. Every provider's event is kept; kernel events if their layout is known or they are few.
    #[inline]
    pub fn of(&self, event: &Event<'_>) -> Fate {
        if event.payload_lost {
            return Fate::Skipped(Skip::PayloadLost);
        }
        match event.id {
            EventId::Kernel(hook) => match kernel_fate(hook, event) {
                Fate::Skipped(Skip::NoDecoder) if self.is_known(hook, event) => Fate::Generic,
                fate => fate,
            },
            EventId::Wpp { .. } => Fate::Skipped(Skip::NeedsSymbols),
            EventId::Classic {
                class: METADATA, ..
            } => Fate::Converted,
            EventId::Classic {
                class: IMAGE_ID_CLASS,
                event_type: event_type @ (image_id_type::INFO | image_id_type::RSDS),
            } => identity_fate(event_type, event),
            EventId::Manifest(descriptor) if descriptor.id == MANIFEST_EVENT_ID => Fate::Converted,
            EventId::Classic { .. } | EventId::Manifest(_) | EventId::TraceLogging(_) => {
                Fate::Generic
            }
        }
    }

    fn is_known(&self, hook: HookId, event: &Event<'_>) -> bool {
        !NEVER_GENERIC_GROUPS.contains(&hook.group())
            && !NEVER_GENERIC.contains(&hook)
            && (RAW_GROUPS.contains(&hook.group()) || self.known.find(event).is_some())
    }
}

fn identity_fate(event_type: u8, event: &Event<'_>) -> Fate {
    let width = pointer_width(event);
    let decoded = match event_type {
        image_id_type::INFO => ImageInfo::decode(width, event.payload).is_ok(),
        _ => DebugId::decode(width, event.payload).is_ok(),
    };
    converted_if(decoded)
}

fn converted_if(decoded: bool) -> Fate {
    if decoded {
        Fate::Converted
    } else {
        Fate::Skipped(Skip::PayloadShort)
    }
}

#[inline]
fn kernel_fate(hook: HookId, event: &Event<'_>) -> Fate {
    let decoded = match hook {
        hook::CONTEXT_SWITCH | hook::COMPACT_CONTEXT_SWITCH | hook::READY_THREAD
            if !event.has_cpu =>
        {
            return Fate::Skipped(Skip::NoProcessor);
        }
        hook::CONTEXT_SWITCH => ContextSwitch::decode(event.version, event.payload).is_ok(),
        hook::READY_THREAD => match ReadyThread::decode(event.payload) {
            Ok(ready) if ready.tid == 0 => return Fate::Skipped(Skip::IdleThread),
            ready => ready.is_ok(),
        },
        hook::COMPACT_CONTEXT_SWITCH => CompactSwitches::decode(event.payload).is_ok(),
        hook::PROCESS_START
        | hook::PROCESS_END
        | hook::PROCESS_RUNDOWN_START
        | hook::PROCESS_RUNDOWN_END => {
            Process::decode(event.version, pointer_width(event), event.payload).is_ok()
        }
        hook::THREAD_START
        | hook::THREAD_END
        | hook::THREAD_RUNDOWN_START
        | hook::THREAD_RUNDOWN_END => {
            Thread::decode(event.version, pointer_width(event), event.payload).is_ok()
        }
        hook::THREAD_NAME => ThreadName::decode(event.payload).is_ok(),
        hook::TRACE_EXTENSION | hook::TRACE_END_EXTENSION => {
            GroupMasks::decode(event.payload).is_ok()
        }
        hook::SAMPLED_PROFILE | hook::SAMPLED_PROFILE_NMI | hook::PMC_SAMPLE if !event.has_cpu => {
            return Fate::Skipped(Skip::NoProcessor);
        }
        hook::SAMPLED_PROFILE | hook::SAMPLED_PROFILE_NMI => {
            SampledProfile::decode(event.version, pointer_width(event), event.payload).is_ok()
        }
        hook::PMC_SAMPLE => {
            SampledProfile::decode_counter(pointer_width(event), event.payload).is_ok()
        }
        hook::PROFILE_SET_INTERVAL
        | hook::PROFILE_COLLECTION_START
        | hook::PROFILE_COLLECTION_END => ProfileInterval::decode(event.payload).is_ok(),
        hook::STACK_WALK => StackWalk::decode(pointer_width(event), event.payload).is_ok(),
        hook::STACK_KEY_KERNEL | hook::STACK_KEY_USER => {
            StackKeyUse::decode(pointer_width(event), event.payload).is_ok()
        }
        hook::STACK_KEY_CREATE | hook::STACK_KEY_DELETE | hook::STACK_KEY_RUNDOWN => {
            StackKeyDefinition::decode(pointer_width(event), event.payload).is_ok()
        }
        hook::IMAGE_LOAD
        | hook::IMAGE_UNLOAD
        | hook::IMAGE_RUNDOWN_START
        | hook::IMAGE_RUNDOWN_END => {
            event.payload.len() >= Image::least_bytes(event.version, pointer_width(event))
        }
        hook::TRACE_HEADER => true,
        _ => match InterruptKind::of(hook).filter(|_| event.has_cpu) {
            Some(kind) => {
                Interrupt::decode(kind, event.version, pointer_width(event), event.payload).is_ok()
            }
            None => return Fate::Skipped(Skip::NoDecoder),
        },
    };
    converted_if(decoded)
}
