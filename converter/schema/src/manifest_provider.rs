//! One provider of a manifest: its maps, templates and events, gathered element by element.

use std::collections::HashMap;
use std::sync::Arc;

use etl::Guid;

use crate::event_info::VersionedSchema;
use crate::event_schema::{EventSchema, SchemaKey, composed_name, plain_name};
use crate::manifest::Element;
use crate::manifest_template::Template;
use crate::value_map::ValueMap;

pub(crate) struct Provider {
    guid: Guid,
    name: Box<str>,
    maps: HashMap<Box<str>, MapDraft>,
    templates: HashMap<Box<str>, Template>,
    events: Vec<EventDraft>,
    open_map: Option<(Box<str>, MapDraft)>,
    open_template: Option<(Box<str>, Template)>,
}

#[derive(Default)]
struct MapDraft {
    is_bitmap: bool,
    entries: Vec<(u32, Box<str>)>,
}

struct EventDraft {
    id: u16,
    version: u8,
    name: Option<Box<str>>,
    symbol: Option<Box<str>>,
    task: Option<Box<str>>,
    opcode: Option<Box<str>>,
    keywords: Box<[Box<str>]>,
    template: Option<Box<str>>,
}

impl Provider {
    /// A provider without events yet; `None` without a GUID.
    pub(crate) fn new(element: &Element) -> Option<Self> {
        Some(Self {
            guid: parse_guid(element.text("guid")?)?,
            name: element.text("name").unwrap_or_default().into(),
            maps: HashMap::new(),
            templates: HashMap::new(),
            events: Vec::new(),
            open_map: None,
            open_template: None,
        })
    }

    pub(crate) fn start(&mut self, element: &Element) {
        let owned = |name: &str| element.text(name).map(Box::<str>::from);
        match &*element.tag {
            "valueMap" => self.open_map(element, false),
            "bitMap" => self.open_map(element, true),
            "map" => {
                if let (Some((_, map)), Some(value)) = (&mut self.open_map, element.number("value"))
                    && let (Ok(value), Some(message)) = (u32::try_from(value), owned("message"))
                {
                    map.entries.push((value, message));
                }
            }
            "template" => self.open_template = owned("tid").map(|tid| (tid, Template::default())),
            "data" | "struct" => {
                if let Some((_, template)) = &mut self.open_template {
                    template.start(element);
                }
            }
            "event" => self.events.extend(EventDraft::new(element)),
            _ => {}
        }
    }

    fn open_map(&mut self, element: &Element, is_bitmap: bool) {
        let name = element.text("name").map(Box::<str>::from);
        self.open_map = name.map(|name| {
            (
                name,
                MapDraft {
                    is_bitmap,
                    entries: Vec::new(),
                },
            )
        });
    }

    pub(crate) fn end(&mut self, tag: &str) {
        match tag {
            "valueMap" | "bitMap" => self.maps.extend(self.open_map.take()),
            "template" => self.templates.extend(self.open_template.take()),
            "struct" => {
                if let Some((_, template)) = &mut self.open_template {
                    template.end_struct();
                }
            }
            _ => {}
        }
    }

    /// The schemas of the events whose templates can be used; `strings` are the manifest's texts by id.
    pub(crate) fn schemas(self, strings: &HashMap<Box<str>, Box<str>>) -> Vec<VersionedSchema> {
        let maps: HashMap<&str, Arc<ValueMap>> = self
            .maps
            .iter()
            .map(|(name, map)| (name.as_ref(), Arc::new(map.build(strings))))
            .collect();
        self.events
            .iter()
            .filter_map(|event| self.schema(event, &maps))
            .collect()
    }

    fn schema(
        &self,
        event: &EventDraft,
        maps: &HashMap<&str, Arc<ValueMap>>,
    ) -> Option<VersionedSchema> {
        let mut layout = match &event.template {
            Some(tid) => self.templates.get(tid)?.layout().ok()?,
            None => Default::default(),
        };
        layout.resolve_maps(&|name| maps.get(name).cloned());
        let task = event.task.as_deref().map(plain_name);
        let opcode = event.opcode.as_deref().map(plain_name);
        let name = match (&event.name, &event.symbol, task) {
            (Some(name), _, _) => name.clone(),
            (None, Some(symbol), None) => symbol.clone(),
            _ => composed_name(event.id, task, opcode),
        };
        let schema = EventSchema {
            provider_name: self.name.clone(),
            provider_group: None,
            name,
            task: task.map(Into::into),
            opcode: opcode.map(Into::into),
            keywords: event.keywords.clone(),
            tags: 0,
            layout,
        };
        let key = SchemaKey::Manifest {
            provider: self.guid,
            id: event.id,
        };
        Some(VersionedSchema {
            key,
            version: event.version,
            schema,
        })
    }
}

impl MapDraft {
    /// Replaces `$(string.id)` by its text.
    fn build(&self, strings: &HashMap<Box<str>, Box<str>>) -> ValueMap {
        let text = |message: &str| {
            let id = message
                .strip_prefix("$(string.")
                .and_then(|rest| rest.strip_suffix(')'));
            id.and_then(|id| strings.get(id))
                .map_or(message, AsRef::as_ref)
                .trim_end()
                .into()
        };
        let entries = self
            .entries
            .iter()
            .map(|(value, message)| (*value, text(message)))
            .collect();
        ValueMap::new(self.is_bitmap, entries)
    }
}

impl EventDraft {
    fn new(element: &Element) -> Option<Self> {
        let owned = |name: &str| element.text(name).map(Box::<str>::from);
        Some(Self {
            id: element.number("value")?.try_into().ok()?,
            version: element.number("version").unwrap_or(0).try_into().ok()?,
            name: owned("name"),
            symbol: owned("symbol"),
            task: owned("task"),
            opcode: owned("opcode"),
            keywords: element
                .text("keywords")
                .unwrap_or_default()
                .split_whitespace()
                .map(Into::into)
                .collect(),
            template: owned("template"),
        })
    }
}

/// A GUID in registry form, with or without braces.
fn parse_guid(text: &str) -> Option<Guid> {
    let digits: String = text.trim_matches(['{', '}']).split('-').collect();
    (digits.len() == 32)
        .then(|| u128::from_str_radix(&digits, 16).ok().map(Guid::new))
        .flatten()
}
