//! The schemas of one trace: gathered in a first pass over its events, asked in a second.

use std::collections::HashMap;
use std::sync::Arc;

use etl::{Event, EventId, Guid, HookId, extended_type};
use rustc_hash::FxHashMap;

use crate::bundled;
use crate::collector::Problems;
use crate::event_schema::{EventSchema, SchemaKey};
use crate::value_map::ValueMap;

/// Versions of one event's schema, ascending.
pub(crate) type Versions = Vec<(u8, EventSchema)>;
/// The schemas of TraceLogging events: by the bytes of the schema, for each provider.
pub(crate) type TraceLogging = FxHashMap<Guid, FxHashMap<Box<[u8]>, EventSchema>>;

/// All schemas of a trace. Made by [`SchemaCollector::finish`](crate::SchemaCollector::finish).
#[derive(Debug, Default)]
pub struct Schemas {
    pub(crate) described: FxHashMap<SchemaKey, Versions>,
    pub(crate) tracelogging: TraceLogging,
    pub(crate) problems: Problems,
}

impl Schemas {
    /// The schema of an event: the trace's own if it has one, or else the bundled one.
    ///
    /// Of the trace's own it is that of the event's version or else of the highest known version below, whose fields
    /// are a prefix of the event's, or else of the lowest one.
    #[inline]
    pub fn find(&self, event: &Event<'_>) -> Option<&EventSchema> {
        self.own(event).or_else(|| bundled::find(event))
    }

    fn own(&self, event: &Event<'_>) -> Option<&EventSchema> {
        match event.id {
            EventId::TraceLogging(descriptor) => {
                let mut items = event.extended();
                let schema =
                    items.find(|item| item.item_type == extended_type::TRACE_LOGGING_SCHEMA)?;
                self.tracelogging
                    .get(&descriptor.provider)?
                    .get(schema.data)
            }
            EventId::Manifest(descriptor) => {
                let key = SchemaKey::Manifest {
                    provider: descriptor.provider,
                    id: descriptor.id,
                };
                self.described(key, event.version)
            }
            EventId::Classic { class, event_type } => {
                self.described(SchemaKey::Classic { class, event_type }, event.version)
            }
            EventId::Kernel(_) | EventId::Wpp { .. } => None,
        }
    }

    /// The schema of a kernel event by its hook id and version, where one is known.
    pub fn of_kernel(&self, hook: HookId, version: u8) -> Option<&EventSchema> {
        bundled::of_kernel(hook, version)
    }

    /// The same for an event that a manifest describes.
    pub fn of_manifest(&self, provider: Guid, id: u16, version: u8) -> Option<&EventSchema> {
        let key = SchemaKey::Manifest { provider, id };
        let bundled = || bundled::described(&key, version);
        self.described(key, version).or_else(bundled)
    }

    /// The same for a classic event that is not the kernel's.
    pub fn of_classic(&self, class: Guid, event_type: u8, version: u8) -> Option<&EventSchema> {
        let key = SchemaKey::Classic { class, event_type };
        let bundled = || bundled::described(&key, version);
        self.described(key, version).or_else(bundled)
    }

    /// What a provider calls itself in its TraceLogging events.
    pub fn trace_logging_provider(&self, provider: Guid) -> Option<&str> {
        let schemas = self.tracelogging.get(&provider)?.values();
        schemas.map(|schema| &*schema.provider_name).min()
    }

    fn described(&self, key: SchemaKey, version: u8) -> Option<&EventSchema> {
        let versions = self.described.get(&key)?;
        let best = versions.iter().rev().find(|(known, _)| *known <= version);
        best.or_else(|| versions.first()).map(|(_, schema)| schema)
    }

    /// GUID and name of each provider that the trace describes; a provider may come several times.
    pub fn providers(&self) -> impl Iterator<Item = (Guid, &str)> {
        let described = self.described.iter().flat_map(|(key, versions)| {
            let guid = match key {
                SchemaKey::Manifest { provider, .. } => *provider,
                SchemaKey::Classic { class, .. } => *class,
            };
            versions.iter().map(move |(_, schema)| (guid, schema))
        });
        let tracelogging = self
            .tracelogging
            .iter()
            .flat_map(|(guid, schemas)| schemas.values().map(|schema| (*guid, schema)));
        described
            .chain(tracelogging)
            .map(|(guid, schema)| (guid, &*schema.provider_name))
            .filter(|(_, name)| !name.is_empty())
    }

    /// How many kinds of events have a schema in the trace.
    pub fn len(&self) -> usize {
        let described: usize = self.described.values().map(Vec::len).sum();
        described
            + self
                .tracelogging
                .values()
                .map(FxHashMap::len)
                .sum::<usize>()
    }

    /// Whether the trace has no schema.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What could not be used, a kind of fault each, and how often it was met.
    pub fn problems(&self) -> impl Iterator<Item = (String, u64)> {
        self.problems.iter()
    }

    pub(crate) fn resolve_maps(&mut self, maps: &HashMap<(Guid, Box<str>), Arc<ValueMap>>) {
        for (key, versions) in &mut self.described {
            let provider = match key {
                SchemaKey::Manifest { provider, .. } => *provider,
                SchemaKey::Classic { class, .. } => *class,
            };
            for (_, schema) in versions {
                schema
                    .layout
                    .resolve_maps(&|name| maps.get(&(provider, name.into())).cloned());
            }
        }
    }
}
