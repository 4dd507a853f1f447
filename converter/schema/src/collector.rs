//! Gathers the schemas of a trace from its events.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use etl::{Event, EventId, Guid, extended_type};

use crate::error::SchemaError;
use crate::event_info::{VersionedSchema, event_info, event_map};
use crate::event_schema::EventSchema;
use crate::event_source::{MANIFEST_EVENT_ID, ManifestChunks};
use crate::manifest::manifest_schemas;
use crate::registry::Schemas;
use crate::tracelogging::tracelogging_schema;
use crate::value_map::ValueMap;

const MOST_SCHEMAS: usize = 65_536;
/// `KernelTraceControl MetaData`, the class of what the merge embeds (§6.5).
const METADATA: Guid = Guid::new(0xbbccf6c1_6cd1_48c4_80ff_839482e37671);
const EVENT_INFO_TYPE: u8 = 0x20;
const MAP_INFO_TYPE: u8 = 0x21;

/// What could not be used, by kind of schema and of fault.
#[derive(Debug, Default)]
pub(crate) struct Problems(BTreeMap<(&'static str, &'static str), Problem>);

#[derive(Debug)]
struct Problem {
    first_offset: usize,
    count: u64,
}

impl Problems {
    fn add(&mut self, what: &'static str, error: &SchemaError) {
        self.add_many(
            what,
            error.expected,
            Problem {
                first_offset: error.offset,
                count: 1,
            },
        );
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (String, u64)> {
        self.0.iter().map(|((what, expected), problem)| {
            let error = SchemaError::new(problem.first_offset, expected);
            (format!("{what}: {error}"), problem.count)
        })
    }

    fn add_many(&mut self, what: &'static str, expected: &'static str, problem: Problem) {
        let known = self.0.entry((what, expected)).or_insert(Problem {
            count: 0,
            ..problem
        });
        known.count += problem.count;
    }
}

/// Takes all events of a trace, in any order, and keeps the schemas that some of them hold.
#[derive(Debug, Default)]
pub struct SchemaCollector {
    schemas: Schemas,
    count: usize,
    maps: HashMap<(Guid, Box<str>), Arc<ValueMap>>,
    chunks: ManifestChunks,
    /// Schemas that were found in manifests: they give way to those that the merge embedded.
    manifests: Vec<VersionedSchema>,
    manifest_providers: HashSet<Guid>,
}

impl SchemaCollector {
    /// A collector without schemas.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps the schema that `event` holds, if it holds one that is new.
    #[inline]
    pub fn add_event(&mut self, event: &Event<'_>) {
        match event.id {
            EventId::TraceLogging(descriptor) => self.add_tracelogging(descriptor.provider, event),
            EventId::Manifest(descriptor) if descriptor.id == MANIFEST_EVENT_ID => {
                self.add_chunk(descriptor.provider, event);
            }
            EventId::Classic {
                class: METADATA,
                event_type,
            } => self.add_metadata(event_type, event.payload),
            _ => {}
        }
    }

    /// Keeps the schemas of an instrumentation manifest that is not from the trace.
    ///
    /// # Errors
    /// Where it is no manifest.
    pub fn add_manifest(&mut self, xml: &[u8]) -> Result<(), SchemaError> {
        self.manifests.extend(manifest_schemas(xml)?);
        Ok(())
    }

    /// Adds what another collector has found in other events of the same trace.
    pub fn absorb(&mut self, other: Self) {
        for (key, versions) in other.schemas.described {
            versions.into_iter().for_each(|(version, schema)| {
                self.add_described(VersionedSchema {
                    key,
                    version,
                    schema,
                })
            });
        }
        for (provider, events) in other.schemas.tracelogging {
            for (bytes, schema) in events {
                self.keep_tracelogging(provider, &bytes, || Ok(schema));
            }
        }
        for ((what, expected), problem) in other.schemas.problems.0 {
            self.schemas.problems.add_many(what, expected, problem);
        }
        self.maps.extend(other.maps);
        self.manifests.extend(other.manifests);
        self.manifest_providers.extend(other.manifest_providers);
        for complete in self.chunks.absorb(other.chunks) {
            match complete {
                Ok((provider, xml)) => self.parse_manifest(provider, &xml),
                Err(error) => self.schemas.problems.add("EventSource manifest", &error),
            }
        }
    }

    /// All schemas found.
    pub fn finish(mut self) -> Schemas {
        for manifest in std::mem::take(&mut self.manifests) {
            self.add_described(manifest);
        }
        for _ in 0..self.chunks.pending() {
            let error = SchemaError::new(0, "all chunks of the manifest");
            self.schemas.problems.add("EventSource manifest", &error);
        }
        self.schemas.resolve_maps(&self.maps);
        self.schemas
    }

    #[cold]
    fn add_metadata(&mut self, event_type: u8, payload: &[u8]) {
        match event_type {
            EVENT_INFO_TYPE => match event_info(payload) {
                Ok(schema) => self.add_described(schema),
                Err(error) => self.schemas.problems.add("TRACE_EVENT_INFO", &error),
            },
            MAP_INFO_TYPE => match event_map(payload) {
                Ok(named) if self.maps.len() < MOST_SCHEMAS => {
                    self.maps
                        .entry((named.provider, named.name))
                        .or_insert_with(|| Arc::new(named.map));
                }
                Ok(_) => self.schemas.problems.add("EVENT_MAP_INFO", &too_many()),
                Err(error) => self.schemas.problems.add("EVENT_MAP_INFO", &error),
            },
            _ => {}
        }
    }

    fn add_described(&mut self, found: VersionedSchema) {
        if self.count >= MOST_SCHEMAS {
            return self.schemas.problems.add("schemas", &too_many());
        }
        let versions = self.schemas.described.entry(found.key).or_default();
        if let Err(index) = versions.binary_search_by_key(&found.version, |(version, _)| *version) {
            versions.insert(index, (found.version, found.schema));
            self.count += 1;
        }
    }

    #[cold]
    fn add_chunk(&mut self, provider: Guid, event: &Event<'_>) {
        if self.manifest_providers.contains(&provider) {
            return;
        }
        match self
            .chunks
            .add(event.header_pid.unwrap_or(0), provider, event.payload)
        {
            Ok(Some(xml)) => self.parse_manifest(provider, &xml),
            Ok(None) => {}
            Err(error) => self.schemas.problems.add("EventSource manifest", &error),
        }
    }

    fn parse_manifest(&mut self, provider: Guid, xml: &[u8]) {
        if !self.manifest_providers.insert(provider) {
            return;
        }
        if let Err(error) = self.add_manifest(xml) {
            self.schemas.problems.add("EventSource manifest", &error);
        }
    }

    fn add_tracelogging(&mut self, provider: Guid, event: &Event<'_>) {
        let item = |item_type| {
            event
                .extended()
                .find(|item| item.item_type == item_type)
                .map(|item| item.data)
        };
        if let Some(bytes) = item(extended_type::TRACE_LOGGING_SCHEMA) {
            let traits = || item(extended_type::PROVIDER_TRAITS);
            self.keep_tracelogging(provider, bytes, || tracelogging_schema(bytes, traits()));
        }
    }

    fn keep_tracelogging(
        &mut self,
        provider: Guid,
        bytes: &[u8],
        schema: impl FnOnce() -> Result<EventSchema, SchemaError>,
    ) {
        let events = self.schemas.tracelogging.entry(provider).or_default();
        if events.contains_key(bytes) {
            return;
        }
        match schema() {
            Ok(_) if self.count >= MOST_SCHEMAS => {
                self.schemas.problems.add("schemas", &too_many())
            }
            Ok(schema) => {
                events.insert(bytes.into(), schema);
                self.count += 1;
            }
            Err(error) => self.schemas.problems.add("TraceLogging", &error),
        }
    }
}

fn too_many() -> SchemaError {
    SchemaError::new(0, "at most 65536 schemas")
}
