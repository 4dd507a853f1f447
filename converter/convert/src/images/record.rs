//! Image events as pass 1 keeps them.

use etl::{Event, EventId};
use etw::{Image, hook, is_kernel_address};

use super::facts::{Identity, ImageFacts, Symbols};
use crate::lifetime::Sign;
use crate::texts::Texts;
use crate::told::{Told, pointer_width};

/// What events say about images.
#[derive(Debug, Default)]
pub struct ImageRecords {
    pub(super) lives: Vec<LifeRecord>,
    pub(super) identities: Vec<IdentityRecord>,
}

/// An image is loaded, unloaded or there.
#[derive(Debug)]
pub(super) struct LifeRecord {
    /// Raw timestamp.
    pub raw: i64,
    pub sign: Sign,
    pub facts: Box<ImageFacts>,
}

/// An image has this identity.
#[derive(Debug)]
pub(super) struct IdentityRecord {
    /// Raw timestamp.
    pub raw: i64,
    /// The type within the class of such events.
    pub event_type: u8,
    /// Process id and address of the image.
    pub image: (u32, u64),
    pub identity: Identity,
}

impl ImageRecords {
    /// Adds what an event tells; answers whether it is one about an image that can be decoded.
    pub fn add(&mut self, event: &Event<'_>, told: &Told<'_>, texts: &mut Texts) {
        match event.id {
            EventId::Kernel(hook) => {
                let sign = match hook {
                    hook::IMAGE_LOAD => Sign::Start,
                    hook::IMAGE_UNLOAD => Sign::End,
                    hook::IMAGE_RUNDOWN_START | hook::IMAGE_RUNDOWN_END => Sign::Alive,
                    _ => return,
                };
                self.lives
                    .extend(life(event, texts).map(|facts| LifeRecord {
                        raw: event.timestamp,
                        sign,
                        facts: Box::new(facts),
                    }));
            }
            EventId::Classic { event_type, .. } => {
                self.identities
                    .extend(identity(event_type, event, told, texts));
            }
            _ => {}
        }
    }

    /// Adds those of other buffers.
    pub fn merge(&mut self, other: Self) {
        self.lives.extend(other.lives);
        self.identities.extend(other.identities);
    }
}

fn life(event: &Event<'_>, texts: &mut Texts) -> Option<ImageFacts> {
    let image = Image::decode(event.version, pointer_width(event), event.payload).ok()?;
    let pid = image.pid.or(event.header_pid).unwrap_or(0);
    Some(ImageFacts {
        pid: if image.is_kernel { 0 } else { pid },
        base: image.base,
        size_bytes: image.size_bytes,
        is_kernel: image.is_kernel,
        path: image.file_name.and_then(|name| texts.wide(name)),
        checksum: image.checksum,
        timestamp: image.timestamp.filter(|timestamp| *timestamp != 0),
        ..ImageFacts::default()
    })
}

fn identity(
    event_type: u8,
    event: &Event<'_>,
    told: &Told<'_>,
    texts: &mut Texts,
) -> Option<IdentityRecord> {
    let (pid, base, identity) = match told {
        Told::ImageInfo(info) => {
            let identity = Identity::Build {
                timestamp: info.timestamp,
                original_name: texts.wide(info.original_name),
            };
            (event.header_pid.unwrap_or(0), info.base, identity)
        }
        Told::DebugId(id) => {
            let identity = Identity::Symbols(Symbols {
                guid: id.guid,
                age: id.age,
                pdb_path: texts.ansi(id.pdb_path),
            });
            (id.pid, id.base, identity)
        }
        _ => return None,
    };
    let is_kernel = is_kernel_address(base, pointer_width(event));
    Some(IdentityRecord {
        raw: event.timestamp,
        event_type,
        image: (if is_kernel { 0 } else { pid }, base),
        identity,
    })
}
