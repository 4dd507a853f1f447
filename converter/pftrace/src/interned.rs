//! What samples share, and instants of equal names, each under an id of its kind (`iid`, from 1).

use crate::field::interned_data as field;
use crate::wire::{LongMessage, Wire};

/// A stretch of memory that holds an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Its id.
    pub iid: u64,
    /// Address of its first byte.
    pub start: u64,
    /// Address after its last byte; not less than `start`, or the importer ends itself.
    pub end: u64,
    /// Its file; `None` where no image is known.
    pub path_iid: Option<u64>,
    /// What identifies its build.
    pub build_id_iid: Option<u64>,
}

/// A place in a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The mapping.
    pub mapping_iid: u64,
    /// Bytes from the mapping's start.
    pub rel_pc: u64,
    /// The function, where it is known when the trace is written.
    pub function_name_iid: Option<u64>,
}

/// Adds to what samples refer to. Whatever an entry refers to must be there before a sample uses it.
#[derive(Debug)]
pub struct Interned<'a> {
    pub(crate) data: &'a mut Vec<u8>,
}

impl Interned<'_> {
    /// Name of instants.
    pub fn event_name(&mut self, iid: u64, name: &str) {
        self.string(field::EVENT_NAMES, iid, name.as_bytes());
    }

    /// Path of a mapping's file.
    pub fn path(&mut self, iid: u64, path: &str) {
        self.string(field::MAPPING_PATHS, iid, path.as_bytes());
    }

    /// Build id of a mapping's file.
    pub fn build_id(&mut self, iid: u64, build_id: &[u8]) {
        self.string(field::BUILD_IDS, iid, build_id);
    }

    /// Name of a function.
    pub fn function_name(&mut self, iid: u64, name: &str) {
        self.string(field::FUNCTION_NAMES, iid, name.as_bytes());
    }

    /// A mapping.
    pub fn mapping(&mut self, mapping: &Mapping) {
        self.data.short_message(field::MAPPINGS, |m| {
            m.uint(field::IID, mapping.iid);
            if let Some(iid) = mapping.build_id_iid {
                m.uint(field::MAPPING_BUILD_ID, iid);
            }
            m.uint(field::MAPPING_START, mapping.start);
            m.uint(field::MAPPING_END, mapping.end);
            if let Some(iid) = mapping.path_iid {
                m.uint(field::MAPPING_PATH_STRING_IDS, iid);
            }
        });
    }

    /// A frame.
    pub fn frame(&mut self, iid: u64, frame: &Frame) {
        self.data.short_message(field::FRAMES, |m| {
            m.uint(field::IID, iid);
            if let Some(iid) = frame.function_name_iid {
                m.uint(field::FRAME_FUNCTION_NAME_ID, iid);
            }
            m.uint(field::FRAME_MAPPING_ID, frame.mapping_iid);
            m.uint(field::FRAME_REL_PC, frame.rel_pc);
        });
    }

    /// A stack of frames, the outermost first.
    pub fn callstack(&mut self, iid: u64, frame_iids: impl IntoIterator<Item = u64>) {
        self.data.message(field::CALLSTACKS, |m| {
            m.uint(field::IID, iid);
            for frame in frame_iids {
                m.uint(field::CALLSTACK_FRAME_IDS, frame);
            }
        });
    }

    fn string(&mut self, kind: u32, iid: u64, bytes: &[u8]) {
        self.data.message(kind, |m| {
            m.uint(field::IID, iid);
            m.bytes(field::STRING, bytes);
        });
    }
}
