//! Instrumentation manifests: the XML in which providers describe their events.

use std::collections::HashMap;

use quick_xml::events::{BytesStart, Event as Xml};
use quick_xml::{Reader, XmlVersion};

use crate::error::SchemaError;
use crate::event_info::VersionedSchema;
use crate::manifest_provider::Provider;

const MOST_ELEMENTS: u32 = 1 << 20;

/// Parses an instrumentation manifest: the schemas of all events of all its providers, maps included.
///
/// # Errors
/// Where it is no UTF-8 or no XML, or has more than a million elements. An event whose template cannot be used is left
/// out.
pub fn manifest_schemas(xml: &[u8]) -> Result<Vec<VersionedSchema>, SchemaError> {
    let text =
        std::str::from_utf8(xml).map_err(|error| SchemaError::new(error.valid_up_to(), "UTF-8"))?;
    let mut reader = Reader::from_str(text);
    let mut manifest = Manifest::default();
    for _ in 0..MOST_ELEMENTS {
        let offset = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        match reader.read_event() {
            Ok(Xml::Start(element)) => manifest.start(&Element::new(&element, offset)?),
            Ok(Xml::Empty(element)) => {
                manifest.start(&Element::new(&element, offset)?);
                manifest.end(element.local_name().into_inner());
            }
            Ok(Xml::End(element)) => manifest.end(element.local_name().into_inner()),
            Ok(Xml::Eof) => return Ok(manifest.schemas()),
            Ok(_) => {}
            Err(_) => return Err(SchemaError::new(offset, "well-formed XML")),
        }
    }
    Err(SchemaError::new(xml.len(), "at most 1048576 elements"))
}

/// The start of an element: its name and attributes.
pub(crate) struct Element {
    pub(crate) tag: Box<str>,
    /// Where it stands in the manifest.
    pub(crate) offset: usize,
    attributes: Vec<(Box<str>, Box<str>)>,
}

impl Element {
    fn new(element: &BytesStart<'_>, offset: usize) -> Result<Self, SchemaError> {
        let wrong = || SchemaError::new(offset, "attributes of well-formed XML");
        let mut attributes = Vec::new();
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|_| wrong())?;
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|_| wrong())?;
            attributes.push((attribute.key.local_name().into_inner().into(), value.into()));
        }
        Ok(Self {
            tag: element.local_name().into_inner().into(),
            offset,
            attributes,
        })
    }

    /// The value of an attribute.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| **key == *name)
            .map(|(_, value)| value.as_ref())
    }

    /// The value of an attribute that is a decimal or `0x` number.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        self.text(name).and_then(parse_number)
    }
}

/// A decimal or `0x` number.
pub(crate) fn parse_number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

#[derive(Default)]
struct Manifest {
    providers: Vec<Provider>,
    strings: HashMap<Box<str>, Box<str>>,
}

impl Manifest {
    fn start(&mut self, element: &Element) {
        match &*element.tag {
            "provider" => self.providers.extend(Provider::new(element)),
            "string" => {
                if let (Some(id), Some(value)) = (element.text("id"), element.text("value")) {
                    // Of several languages the first counts.
                    self.strings
                        .entry(id.into())
                        .or_insert_with(|| value.into());
                }
            }
            _ => {
                if let Some(provider) = self.providers.last_mut() {
                    provider.start(element);
                }
            }
        }
    }

    fn end(&mut self, tag: &str) {
        if let Some(provider) = self.providers.last_mut() {
            provider.end(tag);
        }
    }

    fn schemas(self) -> Vec<VersionedSchema> {
        let strings = self.strings;
        self.providers
            .into_iter()
            .flat_map(|provider| provider.schemas(&strings))
            .collect()
    }
}

#[cfg(test)]
#[path = "manifest_tests.rs"]
mod tests;
