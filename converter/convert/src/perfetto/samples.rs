//! Samples and stacks of events, and what they refer to: mappings, frames and callstacks, each written before the first that
//! uses it, and again only after calls were forgotten.

use std::sync::Arc;

use facts::{Call, Frame, Mapping, Mention, Thread};
use pftrace::{Interned, PerfSample, TraceWriter};
use rustc_hash::{FxHashMap, FxHashSet};

use super::words::Words;

/// Process id of a thread whose process no event names. No process has this id.
const PID_UNKNOWN: u32 = u32::MAX;
/// The id of the mapping that no image is known for, and no method.
const NOWHERE: u64 = 1;

/// What samples refer to, and which of it is written. It grows with mappings, and with calls up to where they are forgotten.
#[derive(Debug, Default)]
pub struct Samples {
    /// By their keys.
    mappings: FxHashMap<u32, KnownMapping>,
    /// Mappings of images and methods.
    places: u64,
    /// Those whose names are written, by their keys.
    functions: FxHashSet<u32>,
    /// Frames that are not written yet.
    frames: Vec<Frame>,
    /// The frames of the callstack that is written, the innermost first.
    path: Vec<u32>,
    /// Key of the first frame since all were forgotten.
    first_frame: Option<u32>,
    /// Key of the first call, likewise.
    first_call: u32,
    /// The calls from that one on.
    calls: Vec<KnownCall>,
    /// Whether a callstack is written, by what it is called in the trace.
    callstacks_written: Vec<bool>,
}

#[derive(Debug)]
struct KnownMapping {
    /// What it is called in the trace, from 1.
    id: u64,
    start: u64,
    end: u64,
    path: Option<Arc<str>>,
    build_id: Option<[u8; 16]>,
    is_written: bool,
}

#[derive(Clone, Copy, Debug)]
struct KnownCall {
    /// What the callstack of the caller is called in the trace.
    caller: u32,
    /// What its frame is called in the trace.
    frame: u32,
}

/// What is written of a sample besides its thread and its stack.
pub struct Moment {
    /// When it was.
    pub ts_ns: u64,
    /// Its CPU; 0 where that is not known.
    pub cpu: u16,
    /// Whether it was in kernel code.
    pub is_kernel: bool,
    /// UUID of the track of what else ETW says.
    pub track_uuid: u64,
    /// That, in words.
    pub words: Words,
}

impl Samples {
    /// Begins the sequence of samples, in which nothing is written yet.
    pub fn begin(&mut self, ts_ns: u64, writer: &mut TraceWriter) {
        for mapping in self.mappings.values_mut() {
            mapping.is_written = false;
        }
        self.functions = FxHashSet::default();
        self.frames.clear();
        self.first_frame = None;
        self.calls.clear();
        self.callstacks_written.clear();
        writer.begin_samples(ts_ns);
    }

    /// Takes in a mapping.
    pub fn mapping(&mut self, of: &Mapping) {
        let is_nowhere = of.end == 0 && of.path.is_none();
        if !is_nowhere {
            self.places += 1;
        }
        let known = KnownMapping {
            id: if is_nowhere {
                NOWHERE
            } else {
                NOWHERE + self.places
            },
            start: of.start,
            end: of.end,
            path: of.path.clone(),
            build_id: of.guid.as_deref().and_then(bytes_of_guid),
            is_written: false,
        };
        self.mappings.insert(of.mapping, known);
    }

    /// Takes in a frame.
    pub fn frame(&mut self, frame: Frame) {
        self.first_frame.get_or_insert(frame.frame);
        self.frames.push(frame);
    }

    /// Takes in a call.
    #[inline]
    pub fn call(&mut self, call: Call) {
        if self.calls.is_empty() {
            self.first_call = call.callsite;
        }
        self.calls.push(KnownCall {
            caller: self.callstack_id(call.caller),
            frame: self.frame_id(call.frame),
        });
    }

    /// Writes a sample, or the stack of an event, and before it what it refers to.
    #[inline]
    pub fn write(
        &mut self,
        at: &Moment,
        thread: Thread,
        mention: Mention,
        callsite: Option<u32>,
        writer: &mut TraceWriter,
    ) {
        let callstack = self.callstack_id(callsite);
        if !self.is_written(callstack) {
            self.write_callstack(at.ts_ns, callstack, writer);
        }
        let sample = PerfSample {
            cpu: at.cpu,
            pid: mention.pid.unwrap_or(PID_UNKNOWN),
            tid: thread.tid,
            is_kernel: at.is_kernel,
            callstack_iid: callstack.into(),
        };
        writer.perf_sample(at.ts_ns, &sample);
    }

    /// What the callstack of a call is called in the trace; 0 for the empty one.
    #[inline]
    fn callstack_id(&self, callsite: Option<u32>) -> u32 {
        callsite.map_or(0, |call| call.wrapping_sub(self.first_call).wrapping_add(1))
    }

    /// What a frame is called in the trace, from 1.
    #[inline]
    fn frame_id(&self, frame: u32) -> u32 {
        let first = self.first_frame.unwrap_or_default();
        frame.wrapping_sub(first).wrapping_add(1)
    }

    /// Whether a callstack is written; from now on it counts as such.
    #[inline]
    fn is_written(&mut self, callstack: u32) -> bool {
        let at = callstack as usize;
        if self.callstacks_written.len() <= at {
            self.callstacks_written.resize(self.calls.len() + 1, false);
        }
        let is_written = self.callstacks_written.get_mut(at);
        is_written.is_none_or(|is_written| std::mem::replace(is_written, true))
    }

    /// Writes a callstack and the frames that came with it.
    fn write_callstack(&mut self, ts_ns: u64, callstack: u32, writer: &mut TraceWriter) {
        let mut frames = std::mem::take(&mut self.path);
        frames.clear();
        let mut next = callstack;
        while let Some(call) = next
            .checked_sub(1)
            .and_then(|at| self.calls.get(at as usize))
        {
            frames.push(call.frame);
            next = call.caller;
        }
        writer.interned(ts_ns, |interned| {
            let mut new_frames = std::mem::take(&mut self.frames);
            for frame in new_frames.drain(..) {
                self.write_frame(&frame, interned);
            }
            self.frames = new_frames;
            let frames = frames.iter().rev().map(|&frame| frame.into());
            interned.callstack(callstack.into(), frames);
        });
        self.path = frames;
    }

    fn write_frame(&mut self, frame: &Frame, interned: &mut Interned<'_>) {
        let id = self.frame_id(frame.frame);
        let Some(mapping) = self.mappings.get_mut(&frame.mapping) else {
            return;
        };
        if !std::mem::replace(&mut mapping.is_written, true) {
            write_mapping(mapping, interned);
        }
        let mut function_name_iid = None;
        if let Some(function) = &frame.function {
            let id = u64::from(function.function) + 1;
            function_name_iid = Some(id);
            if self.functions.insert(function.function) {
                interned.function_name(id, &function.name);
            }
        }
        let written = pftrace::Frame {
            mapping_iid: mapping.id,
            rel_pc: frame.offset,
            function_name_iid,
        };
        interned.frame(id.into(), &written);
    }
}

fn write_mapping(mapping: &KnownMapping, interned: &mut Interned<'_>) {
    // Paths and build ids have ids of their own kind: those of the mapping serve.
    let iid = mapping.id;
    if let Some(path) = &mapping.path {
        interned.path(iid, path);
    }
    if let Some(build_id) = &mapping.build_id {
        interned.build_id(iid, build_id);
    }
    interned.mapping(&pftrace::Mapping {
        iid,
        start: mapping.start,
        end: mapping.end,
        path_iid: mapping.path.as_ref().map(|_| iid),
        build_id_iid: mapping.build_id.map(|_| iid),
    });
}

/// The bytes of a GUID in the order of its text.
fn bytes_of_guid(text: &str) -> Option<[u8; 16]> {
    let digits = text.replace('-', "");
    u128::from_str_radix(&digits, 16)
        .ok()
        .map(u128::to_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREAD: Thread = Thread { tid: 8, utid: 1 };

    /// Takes in a stack of one call, whose keys are `key`, and writes a sample of it, twice.
    fn write_twice(samples: &mut Samples, key: u32, writer: &mut TraceWriter) {
        samples.frame(Frame {
            frame: key,
            mapping: 0,
            offset: 5,
            function: None,
        });
        samples.call(Call {
            callsite: key,
            caller: None,
            depth: 0,
            frame: key,
        });
        for ts_ns in [10, 20] {
            let at = Moment {
                ts_ns,
                cpu: 0,
                is_kernel: false,
                track_uuid: 7,
                words: Words::CounterSample {
                    source: 10,
                    weight_events: None,
                },
            };
            samples.write(&at, THREAD, Mention::default(), Some(key), writer);
        }
    }

    #[test]
    fn what_samples_refer_to_is_written_once_and_anew_after_calls_were_forgotten() {
        let (mut samples, mut writer) = (Samples::default(), TraceWriter::new());
        samples.begin(1, &mut writer);
        samples.mapping(&Mapping {
            mapping: 0,
            start: 4096,
            end: 8192,
            path: Some("a.dll".into()),
            guid: None,
        });
        let mut paths_written = |key| {
            write_twice(&mut samples, key, &mut writer);
            samples.begin(30, &mut writer);
            let bytes = writer.take(Vec::new());
            let is_path = |bytes: &&[u8]| *bytes == b"a.dll";
            bytes.windows(5).filter(is_path).count()
        };
        assert_eq!([0, 1, 2].map(&mut paths_written), [1, 1, 1]);
    }

    #[test]
    fn the_bytes_of_a_guid_are_in_the_order_of_its_text() {
        let bytes = bytes_of_guid("01234567-89ab-cdef-0123-456789abcdef");
        let half = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF];
        assert_eq!(bytes.unwrap(), [half, half].concat().as_slice());
        assert_eq!(bytes_of_guid("no guid"), None);
    }
}
