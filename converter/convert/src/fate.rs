//! What becomes of an event: every event read has exactly one fate, so that the sums add up.

use std::sync::Arc;

use etl::{Event, EventId, Guid, HookId};
use etw::{IMAGE_ID_CLASS, PointerWidth, image_id_type};
use schema::{MANIFEST_EVENT_ID, SchemaCollector, Schemas};

use crate::stacks::STACK_GROUP;
use crate::told::{self, Told};

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
            Self::RecordedBesides => "also recorded whole",
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

    /// What becomes of an event, and what it tells. Every provider's event is kept; kernel events if their layout is known or they are few.
    #[inline(always)]
    pub fn of<'a>(&self, event: &Event<'a>) -> (Fate, Told<'a>) {
        if event.payload_lost {
            return (Fate::Skipped(Skip::PayloadLost), Told::Nothing);
        }
        match event.id {
            EventId::Kernel(hook) => {
                // Changed where it is: to move what was just decoded waits for what was written.
                let mut decoded = told::kernel(hook, event);
                if decoded.0 == Fate::Skipped(Skip::NoDecoder) && self.is_known(hook, event) {
                    decoded.0 = Fate::Generic;
                }
                decoded
            }
            EventId::Wpp { .. } => (Fate::Skipped(Skip::NeedsSymbols), Told::Nothing),
            EventId::Classic {
                class: METADATA, ..
            } => (Fate::Converted, Told::Nothing),
            EventId::Classic {
                class: IMAGE_ID_CLASS,
                event_type: event_type @ (image_id_type::INFO | image_id_type::RSDS),
            } => told::image_identity(event_type, event),
            EventId::Manifest(descriptor) if descriptor.id == MANIFEST_EVENT_ID => {
                (Fate::Converted, Told::Nothing)
            }
            EventId::Classic { .. } | EventId::Manifest(_) | EventId::TraceLogging(_) => {
                (Fate::Generic, Told::Nothing)
            }
        }
    }

    fn is_known(&self, hook: HookId, event: &Event<'_>) -> bool {
        !NEVER_GENERIC_GROUPS.contains(&hook.group())
            && !NEVER_GENERIC.contains(&hook)
            && (RAW_GROUPS.contains(&hook.group()) || self.known.find(event).is_some())
    }
}
