//! How many events of each kind there are, and what becomes of them.

use std::hash::{Hash, Hasher};

use etl::{Event, EventDescriptor, EventId, Guid, HookId, extended_type};
use rustc_hash::FxHashMap;
use schema::{EventSchema, Schemas};

use crate::fate::{Fate, Skip};
use crate::selection::kinds::KindName;

/// Which event, its version aside.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A kernel event.
    Kernel(HookId),
    /// A classic event that is not the kernel's.
    Classic {
        /// Event class.
        class: Guid,
        /// Type within the class.
        event_type: u8,
    },
    /// An event described by a manifest.
    Manifest {
        /// Who wrote it.
        provider: Guid,
        /// Id within the provider.
        id: u16,
    },
    /// An event that carries its own description.
    TraceLogging {
        /// Who wrote it.
        provider: Guid,
        /// Its name.
        name: Box<str>,
    },
    /// A WPP message.
    Wpp {
        /// Message GUID, where the message names one.
        guid: Option<Guid>,
        /// Message number.
        number: u16,
    },
    /// Kinds beyond the most that are told apart.
    Other,
}

/// A kind with version and fate.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Counted {
    /// Which event.
    pub kind: Kind,
    /// Version of its layout.
    pub version: u8,
    /// What becomes of it.
    pub fate: Fate,
}

/// Kinds that are told apart; more than any real trace has, so that a forged one cannot take all memory.
const KINDS_MAX: usize = 100_000;

/// A kernel event with version and fate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OfKernel {
    hook: HookId,
    version: u8,
    fate: Fate,
}

/// As one number, which is faster.
impl Hash for OfKernel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let fate = match self.fate {
            Fate::Converted => 0,
            Fate::Generic => 1,
            Fate::Skipped(skip) => 2 + skip as u32,
        };
        state.write_u32(u32::from(self.hook.0) << 16 | u32::from(self.version) << 8 | fate);
    }
}

/// How many kinds are at hand, a power of two.
const AT_HAND: usize = 16;

/// Counts of the kernel's events that came last: each event of a trace is counted, and most are of few kinds.
#[derive(Debug, Default)]
pub struct AtHand([Option<(OfKernel, u64)>; AT_HAND]);

impl AtHand {
    /// Counts one event; gives the count of another kind that it takes the place of.
    #[inline]
    fn add(&mut self, key: OfKernel) -> Option<(OfKernel, u64)> {
        let place = usize::from(key.hook.0 ^ key.hook.0 >> 8) % AT_HAND;
        match self.0.get_mut(place)? {
            Some((known, count)) if *known == key => {
                *count += 1;
                None
            }
            other => other.replace((key, 1)),
        }
    }
}

/// Counts of events.
#[derive(Debug, Default)]
pub struct Counts {
    kernel: FxHashMap<OfKernel, u64>,
    other: FxHashMap<Counted, u64>,
}

impl Counts {
    /// Counts one event. It may stay at hand until [`Counts::add_at_hand`].
    #[inline]
    pub fn add(&mut self, event: &Event<'_>, fate: Fate, at_hand: &mut AtHand) {
        if let EventId::Kernel(hook) = event.id {
            let version = event.version;
            let key = OfKernel {
                hook,
                version,
                fate,
            };
            if let Some(other) = at_hand.add(key) {
                self.add_kernel(other);
            }
        } else {
            self.add_other(kind_of(event), event.version, fate, 1);
        }
    }

    /// Counts the events that are at hand.
    pub fn add_at_hand(&mut self, AtHand(kinds): AtHand) {
        for kind in kinds.into_iter().flatten() {
            self.add_kernel(kind);
        }
    }

    fn add_kernel(&mut self, (key, count): (OfKernel, u64)) {
        *self.kernel.entry(key).or_default() += count;
    }

    fn add_other(&mut self, kind: Kind, version: u8, fate: Fate, count: u64) {
        let full = self.other.len() >= KINDS_MAX;
        let key = Counted {
            kind,
            version,
            fate,
        };
        if full && !self.other.contains_key(&key) {
            let rest = Counted {
                kind: Kind::Other,
                version: 0,
                fate,
            };
            *self.other.entry(rest).or_default() += count;
        } else {
            *self.other.entry(key).or_default() += count;
        }
    }

    /// Adds the counts of another part of the trace.
    pub fn merge(&mut self, part: Self) {
        for kind in part.kernel {
            self.add_kernel(kind);
        }
        for (key, count) in part.other {
            self.add_other(key.kind, key.version, key.fate, count);
        }
    }

    /// Lets events be skipped that were counted as converted: whether they are shown hangs on others.
    pub fn skip(&mut self, hook: HookId, skip: Skip, count: u64) {
        let is_converted = |of: &&OfKernel| of.hook == hook && of.fate == Fate::Converted;
        let kinds: Vec<_> = self.kernel.keys().filter(is_converted).copied().collect();
        let mut left = count;
        for kind in kinds {
            let converted = self.kernel.entry(kind).or_default();
            let moved = left.min(*converted);
            *converted -= moved;
            left -= moved;
            let fate = Fate::Skipped(skip);
            *self.kernel.entry(OfKernel { fate, ..kind }).or_default() += moved;
        }
        self.kernel.retain(|_, count| *count > 0);
    }

    /// The same for events of a class that is not the kernel's.
    pub fn skip_classic(&mut self, class: Guid, event_type: u8, skip: Skip, count: u64) {
        let kind = Kind::Classic { class, event_type };
        let converted = |key: &&Counted| key.kind == kind && key.fate == Fate::Converted;
        let Some(key) = self.other.keys().find(converted).cloned() else {
            return;
        };
        if let Some(converted) = self.other.get_mut(&key) {
            let moved = count.min(*converted);
            *converted -= moved;
            self.add_other(kind, key.version, Fate::Skipped(skip), moved);
        }
        self.other.retain(|_, count| *count > 0);
    }

    /// Lets kinds be skipped that are not selected.
    pub fn select(&mut self, keeps: impl Fn(EventId) -> bool) {
        let left_out = |kind: &Kind, fate: Fate| {
            !matches!(fate, Fate::Skipped(_)) && kind.as_id().is_some_and(|id| !keeps(id))
        };
        let not_selected = Fate::Skipped(Skip::NotSelected);
        for (mut of, count) in std::mem::take(&mut self.kernel) {
            if left_out(&Kind::Kernel(of.hook), of.fate) {
                of.fate = not_selected;
            }
            *self.kernel.entry(of).or_default() += count;
        }
        for (mut counted, count) in std::mem::take(&mut self.other) {
            if left_out(&counted.kind, counted.fate) {
                counted.fate = not_selected;
            }
            *self.other.entry(counted).or_default() += count;
        }
    }

    /// All kinds, in a fixed order.
    pub fn sorted(&self) -> Vec<(Counted, u64)> {
        let kernel = self.kernel.iter().map(|(of, &count)| {
            let &OfKernel { version, fate, .. } = of;
            let kind = Kind::Kernel(of.hook);
            (
                Counted {
                    kind,
                    version,
                    fate,
                },
                count,
            )
        });
        let other = self.other.iter().map(|(key, &count)| (key.clone(), count));
        let mut all: Vec<_> = kernel.chain(other).collect();
        all.sort_unstable();
        all
    }

    /// Events that are converted or generic, by the kinds that a user can choose.
    pub fn by_kind(&self) -> Vec<(KindName, u64)> {
        let mut choices = KindName::ALL.map(|(kind, _)| (kind, 0)).to_vec();
        for (counted, count) in self.sorted() {
            let kind = counted.kind.as_id().and_then(KindName::of);
            let choice = choices.iter_mut().find(|(own, _)| Some(*own) == kind);
            // Names of files outside of the range count as converted, though most are not written.
            let is_written = match counted.fate {
                Fate::Generic => true,
                Fate::Converted => kind != Some(KindName::Io),
                Fate::Skipped(_) => false,
            };
            if let Some(choice) = choice.filter(|_| is_written) {
                choice.1 += count;
            }
        }
        choices.retain(|(_, count)| *count > 0);
        choices
    }

    /// Events of one kernel hook that have this fate.
    pub fn of_hook(&self, hook: HookId, fate: Fate) -> u64 {
        self.kernel
            .iter()
            .filter(|(of, _)| of.hook == hook && of.fate == fate)
            .map(|(_, count)| count)
            .sum()
    }

    /// Events read, and what becomes of them.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for (counted, count) in self.sorted() {
            totals.read += count;
            match counted.fate {
                Fate::Converted => totals.converted += count,
                Fate::Generic => totals.generic += count,
                Fate::Skipped(_) => totals.skipped += count,
            }
        }
        totals
    }
}

/// Sums over all kinds: `converted + generic + skipped = read`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// All events that could be read.
    pub read: u64,
    /// Those converted to what their kind is.
    pub converted: u64,
    /// Those kept as generic events.
    pub generic: u64,
    /// Those left out.
    pub skipped: u64,
}

fn kind_of(event: &Event<'_>) -> Kind {
    match event.id {
        EventId::Kernel(hook) => Kind::Kernel(hook),
        EventId::Classic { class, event_type } => Kind::Classic { class, event_type },
        EventId::Manifest(descriptor) => Kind::Manifest {
            provider: descriptor.provider,
            id: descriptor.id,
        },
        EventId::TraceLogging(descriptor) => {
            let schema = event
                .extended()
                .find(|item| item.item_type == extended_type::TRACE_LOGGING_SCHEMA);
            Kind::TraceLogging {
                provider: descriptor.provider,
                name: schema
                    .and_then(|item| etw::trace_logging_name(item.data))
                    .unwrap_or_default()
                    .into(),
            }
        }
        EventId::Wpp { guid, number } => Kind::Wpp { guid, number },
    }
}

impl Kind {
    /// An event of this kind, so far as it goes by id; `None` for [`Kind::Other`].
    fn as_id(&self) -> Option<EventId> {
        let described = |provider, id| EventDescriptor {
            provider,
            id,
            ..EventDescriptor::default()
        };
        Some(match *self {
            Self::Kernel(hook) => EventId::Kernel(hook),
            Self::Classic { class, event_type } => EventId::Classic { class, event_type },
            Self::Manifest { provider, id } => EventId::Manifest(described(provider, id)),
            Self::TraceLogging { provider, .. } => EventId::TraceLogging(described(provider, 0)),
            Self::Wpp { guid, number } => EventId::Wpp { guid, number },
            Self::Other => return None,
        })
    }
}

impl Counted {
    /// Provider or kernel group, as people call it; the same as in generic events.
    pub fn provider(&self, schemas: &Schemas) -> String {
        let guid = match &self.kind {
            Kind::Kernel(hook) => {
                return etw::group_name(hook.group()).map_or_else(
                    || format!("kernel group {:02X}", hook.group()),
                    ToOwned::to_owned,
                );
            }
            Kind::Classic { class, .. } => *class,
            Kind::Manifest { provider, .. } | Kind::TraceLogging { provider, .. } => *provider,
            Kind::Wpp { guid: None, .. } => return "WPP".to_owned(),
            Kind::Wpp {
                guid: Some(guid), ..
            } => *guid,
            Kind::Other => return "other".to_owned(),
        };
        let described = match self.kind {
            Kind::TraceLogging { .. } => schemas.trace_logging_provider(guid),
            _ => self.schema(schemas).map(|schema| &*schema.provider_name),
        };
        let named = etw::provider_name(guid).or(described.filter(|name| !name.is_empty()));
        named.map_or_else(|| guid.to_string(), ToOwned::to_owned)
    }

    fn schema<'s>(&self, schemas: &'s Schemas) -> Option<&'s EventSchema> {
        match self.kind {
            Kind::Kernel(hook) => schemas.of_kernel(hook, self.version),
            Kind::Classic { class, event_type } => {
                schemas.of_classic(class, event_type, self.version)
            }
            Kind::Manifest { provider, id } => schemas.of_manifest(provider, id, self.version),
            Kind::TraceLogging { .. } | Kind::Wpp { .. } | Kind::Other => None,
        }
    }

    /// GUID of the provider or class; `None` for kernel events, which are known by their hook id.
    pub fn provider_guid(&self) -> Option<Guid> {
        match self.kind {
            Kind::Kernel(_) | Kind::Other => None,
            Kind::Classic { class, .. } => Some(class),
            Kind::Manifest { provider, .. } | Kind::TraceLogging { provider, .. } => Some(provider),
            Kind::Wpp { guid, .. } => guid,
        }
    }

    /// Name of the event within its provider, or its number; the same as in generic events.
    pub fn event(&self, schemas: &Schemas) -> String {
        let known = match self.kind {
            Kind::Kernel(hook) => etw::hook_name(hook),
            _ => None,
        };
        let described = self.schema(schemas).map(|schema| &*schema.name);
        if let Some(name) = known.or(described.filter(|name| !name.is_empty())) {
            return name.to_owned();
        }
        match &self.kind {
            Kind::Kernel(hook) => format!("type {:02X}", hook.event_type()),
            Kind::Classic { event_type, .. } => format!("type {event_type:02X}"),
            Kind::Manifest { id, .. } => format!("event {id}"),
            Kind::TraceLogging { name, .. } if !name.is_empty() => name.to_string(),
            Kind::TraceLogging { .. } => "unnamed".to_owned(),
            Kind::Wpp { number, .. } => format!("message {number}"),
            Kind::Other => "more kinds than are told apart".to_owned(),
        }
    }

    /// Hook id, type, event id or message number.
    pub fn id(&self) -> u16 {
        match self.kind {
            Kind::Kernel(hook) => hook.0,
            Kind::Classic { event_type, .. } => u16::from(event_type),
            Kind::Manifest { id, .. } => id,
            Kind::Wpp { number, .. } => number,
            Kind::TraceLogging { .. } | Kind::Other => 0,
        }
    }
}
