//! What becomes of an event: every event read has exactly one fate, so that the sums add up.

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
