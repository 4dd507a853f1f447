//! What becomes of an event: every event read has exactly one fate, so that the sums add up.

use etl::{Event, EventId, HookId};
use etw::{
    ContextSwitch, GroupMasks, PointerWidth, Process, ReadyThread, Thread, ThreadName, hook,
};

/// What becomes of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// It is in the converted trace.
    Converted,
    /// It is left out.
    Skipped(Skip),
}

/// Why an event is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Skip {
    /// This kind of event is counted but not decoded.
    NoDecoder,
    /// Packed context switches, whose format is not public.
    CompactContextSwitch,
    /// A message whose text is in the symbols of its program.
    NeedsSymbols,
    /// The trace does not say on which processor it happened.
    NoProcessor,
    /// It names the idle thread as the one made ready.
    IdleThread,
    /// Its payload is shorter than its layout: damage.
    PayloadShort,
    /// Its payload cannot be found behind its header: damage.
    PayloadLost,
}

impl Fate {
    /// `converted` or `skipped`, as in the trace.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converted => "converted",
            Self::Skipped(_) => "skipped",
        }
    }

    /// Why it is skipped, in words for the user.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::Converted => None,
            Self::Skipped(skip) => Some(skip.reason()),
        }
    }

    /// Whether the event should have been converted but its bytes are bad.
    pub fn is_damage(self) -> bool {
        matches!(self, Self::Skipped(Skip::PayloadShort | Skip::PayloadLost))
    }
}

impl Skip {
    fn reason(self) -> &'static str {
        match self {
            Self::NoDecoder => "no decoder",
            Self::CompactContextSwitch => "compact context switches are not supported",
            Self::NeedsSymbols => "needs the symbols of the program that wrote it",
            Self::NoProcessor => "recorded without processor numbers",
            Self::IdleThread => "names the idle thread",
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

/// Decides what becomes of an event. `has_processors` tells whether the trace's buffers belong to processors.
#[inline]
pub fn fate(event: &Event<'_>, has_processors: bool) -> Fate {
    if event.payload_lost {
        return Fate::Skipped(Skip::PayloadLost);
    }
    match event.id {
        EventId::Kernel(hook) => kernel_fate(hook, event, has_processors),
        EventId::Wpp { .. } => Fate::Skipped(Skip::NeedsSymbols),
        EventId::Classic { .. } | EventId::Manifest(_) | EventId::TraceLogging(_) => {
            Fate::Skipped(Skip::NoDecoder)
        }
    }
}

#[inline]
fn kernel_fate(hook: HookId, event: &Event<'_>, has_processors: bool) -> Fate {
    let decoded = match hook {
        hook::CONTEXT_SWITCH | hook::READY_THREAD if !has_processors => {
            return Fate::Skipped(Skip::NoProcessor);
        }
        hook::CONTEXT_SWITCH => ContextSwitch::decode(event.version, event.payload).is_ok(),
        hook::READY_THREAD => match ReadyThread::decode(event.payload) {
            Ok(ready) if ready.tid == 0 => return Fate::Skipped(Skip::IdleThread),
            ready => ready.is_ok(),
        },
        hook::COMPACT_CONTEXT_SWITCH => return Fate::Skipped(Skip::CompactContextSwitch),
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
        hook::TRACE_HEADER => true,
        _ => return Fate::Skipped(Skip::NoDecoder),
    };
    if decoded {
        Fate::Converted
    } else {
        Fate::Skipped(Skip::PayloadShort)
    }
}
