//! The payload of one event, value by value.

use std::borrow::Cow;

use redact::{Kind, Redactor, number_kind, text_kind};
use schema::{Field, Filter, Scalar, Shown, scalar_text};

/// Fields of kernel events whose texts describe hardware that many have.
const HARMLESS: &[(&str, &[&str])] = &[
    ("SysConfig/LogDisk", &["DriveLetterString", "FileSystem"]),
    ("SysConfig/PhyDisk", &["BootDriveLetter"]),
    (
        "SysConfig/Platform",
        &[
            "SystemManufacturer",
            "SystemProductName",
            "BiosDate",
            "BiosVersion",
        ],
    ),
    (
        "SysConfig/Processor",
        &["ProcessorName", "ProcessorIdentifier", "VendorIdentifier"],
    ),
];

/// Lets through what may be written of the values of one event.
#[derive(Debug)]
pub struct EventFilter<'r> {
    redactor: &'r Redactor,
    /// `provider/event`.
    tag: String,
    /// The names of its fields, and of their values, come with Windows.
    is_known: bool,
    harmless: &'static [&'static str],
}

impl<'r> EventFilter<'r> {
    /// For an event of this name; `is_known_here` if its layout does not come from the trace.
    pub fn new(redactor: &'r Redactor, provider: &str, event: &str, is_known_here: bool) -> Self {
        let tag = format!("{provider}/{event}");
        let listed = HARMLESS.iter().find(|(listed, _)| *listed == tag);
        Self {
            redactor,
            tag,
            is_known: is_known_here || redactor.knows_provider(provider),
            harmless: listed
                .filter(|_| is_known_here)
                .map_or(&[], |(_, fields)| fields),
        }
    }

    /// What may be written of the text of a field, which is in the JSON too; `None` for nothing.
    pub fn shown(&self, field: &str, text: &str) -> Option<Box<str>> {
        let kind = text_kind(&self.tag, field);
        let shown = self.redactor.text_again(kind, text);
        shown.map(|shown| shown.into_owned().into())
    }

    fn text(&self, kind: Kind, text: &str) -> Shown {
        match self.redactor.text(kind, text) {
            Some(shown) if shown == text => Shown::Itself,
            Some(shown) => Shown::Text(shown.into_owned()),
            None => Shown::Nothing,
        }
    }

    fn number(&self, kind: Kind, value: impl FnOnce() -> String) -> Shown {
        if self.redactor.keeps(kind, value) {
            Shown::Itself
        } else {
            Shown::Nothing
        }
    }
}

impl Filter for EventFilter<'_> {
    fn value(&self, field: &Field, in_array: bool, value: Scalar<'_>) -> Shown {
        let name = field.name();
        if self.harmless.contains(&name) {
            return Shown::Itself;
        }
        let text = scalar_text(value);
        match (value, text) {
            (Scalar::Utf16(_) | Scalar::Bytes8(_), Some(text)) => {
                self.text(text_kind(&self.tag, name), &text)
            }
            (Scalar::Sid(_), Some(text)) => self.text(Kind::Users, &text),
            (Scalar::Ipv4(_) | Scalar::Ipv6(_) | Scalar::SocketAddress(_), Some(text)) => {
                self.text(Kind::Hosts, &text)
            }
            (Scalar::Guid(_), Some(text)) => match self.redactor.guid(guid_kind(name), &text) {
                Some(pseudonym) => Shown::Text(pseudonym),
                None => Shown::Itself,
            },
            (Scalar::Mapped(..), Some(_)) if self.is_known => Shown::Itself,
            (_, Some(text)) => self.text(Kind::Fields, &text),
            (Scalar::U64(number) | Scalar::Hex(number), None) => {
                self.integer(field, in_array, || number.to_string())
            }
            (Scalar::I64(number), None) => self.integer(field, in_array, || number.to_string()),
            (_, None) => Shown::Itself,
        }
    }

    fn name<'f>(&self, field: &'f Field) -> Cow<'f, str> {
        if self.is_known {
            field.name().into()
        } else {
            self.redactor.provider(field.name())
        }
    }

    fn shows_bytes(&self, bytes: &[u8]) -> bool {
        bytes.is_empty()
            || self
                .redactor
                .keeps(Kind::Fields, || format!("{} bytes", bytes.len()))
    }
}

impl EventFilter<'_> {
    fn integer(&self, field: &Field, in_array: bool, value: impl FnOnce() -> String) -> Shown {
        match number_kind(field.name()) {
            Some(kind) => self.number(kind, value),
            None if in_array && field.is_small_integer() => self.number(Kind::Fields, value),
            None => Shown::Itself,
        }
    }
}

fn guid_kind(field: &str) -> Kind {
    match text_kind("", field) {
        Kind::Hosts => Kind::Hosts,
        _ => Kind::Fields,
    }
}
