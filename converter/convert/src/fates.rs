//! Decides what becomes of each event, and decodes what it tells on the way.

use std::sync::Arc;

use etl::{Event, EventId, Guid, HookId};
use etw::{IMAGE_ID_CLASS, image_id_type};
use schema::{MANIFEST_EVENT_ID, SchemaCollector, Schemas};

use crate::fate::{Fate, Skip};
use crate::stacks::STACK_GROUP;
use crate::told::{self, Told};

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
