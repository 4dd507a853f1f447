//! Image events as pass 1 keeps them.

use etl::{Event, EventId};
use etw::{DebugId, IMAGE_ID_CLASS, Image, ImageInfo, hook, image_id_type, is_kernel_address};

use super::facts::{ImageFacts, Symbols};
use crate::fate::pointer_width;
use crate::lifetime::Sign;
use crate::texts::Texts;

/// One event about an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageRecord {
    /// Raw timestamp.
    pub raw: i64,
    /// What it says.
    pub says: Says,
    /// Of which image.
    pub facts: Box<ImageFacts>,
}

/// What an image event says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// It is loaded, unloaded or there.
    Life(Sign),
    /// It has this identity; the type within the class of such events.
    Identity(u8),
}

/// The record of an image event; `None` if it is none, or cannot be decoded.
pub fn image_record(event: &Event<'_>, texts: &mut Texts) -> Option<ImageRecord> {
    let (says, facts) = match event.id {
        EventId::Kernel(hook) => {
            let sign = match hook {
                hook::IMAGE_LOAD => Sign::Start,
                hook::IMAGE_UNLOAD => Sign::End,
                hook::IMAGE_RUNDOWN_START | hook::IMAGE_RUNDOWN_END => Sign::Alive,
                _ => return None,
            };
            (Says::Life(sign), life(event, texts)?)
        }
        EventId::Classic {
            class: IMAGE_ID_CLASS,
            event_type,
        } => (
            Says::Identity(event_type),
            identity(event_type, event, texts)?,
        ),
        _ => return None,
    };
    Some(ImageRecord {
        raw: event.timestamp,
        says,
        facts: Box::new(facts),
    })
}

fn life(event: &Event<'_>, texts: &mut Texts) -> Option<ImageFacts> {
    let image = Image::decode(event.version, pointer_width(event), event.payload).ok()?;
    let pid = image.pid.or(event.header_pid).unwrap_or(0);
    Some(ImageFacts {
        pid: if image.is_kernel { 0 } else { pid },
        base: image.base,
        size_bytes: image.size_bytes,
        is_kernel: image.is_kernel,
        path: image.file_name.and_then(|name| texts.shared(name)),
        checksum: image.checksum,
        timestamp: image.timestamp.filter(|timestamp| *timestamp != 0),
        ..ImageFacts::default()
    })
}

fn identity(event_type: u8, event: &Event<'_>, texts: &mut Texts) -> Option<ImageFacts> {
    let width = pointer_width(event);
    let of = |base: u64, pid: u32| {
        let is_kernel = is_kernel_address(base, width);
        ImageFacts {
            pid: if is_kernel { 0 } else { pid },
            base,
            is_kernel,
            ..ImageFacts::default()
        }
    };
    match event_type {
        image_id_type::INFO => {
            let info = ImageInfo::decode(width, event.payload).ok()?;
            Some(ImageFacts {
                timestamp: Some(info.timestamp),
                original_name: texts.shared(info.original_name),
                ..of(info.base, event.header_pid.unwrap_or(0))
            })
        }
        image_id_type::RSDS => {
            let id = DebugId::decode(width, event.payload).ok()?;
            let symbols = Symbols {
                guid: id.guid,
                age: id.age,
                pdb_path: id.pdb_path.to_text().into(),
            };
            Some(ImageFacts {
                symbols: Some(symbols),
                ..of(id.base, id.pid)
            })
        }
        _ => None,
    }
}
