//! Traces written event by event, converted, and shown as packets.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]
#![allow(dead_code, reason = "each test file uses a part")]

#[path = "../../../pftrace/tests/decode/mod.rs"]
mod decode;
pub mod leak;
pub mod profile;
pub mod real;

use std::collections::HashMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use convert::{Converted, Form, Progress, ProgressStyle, Request};
use synth::events::process::{ProcessChange, ProcessEvent, ProcessInfo};
use synth::events::scheduler::{ContextSwitch, RankOrCState, ReadyThread, ThreadState, WaitReason};
use synth::events::thread::{ThreadChange, ThreadEvent, ThreadInfo};
use synth::file::event::{At, Header, KernelEvent, Origin, ProviderEvent};
use synth::file::session::Session;
use synth::file::writer::TraceWriter;
use tempfile::TempDir;

pub use decode::packet_lines;

/// Real traces next to the project; `None`, and a loud word, where they are not.
pub fn real_files() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/etl");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no real traces at {}", folder.display());
    None
}

/// A trace under construction. Times are ticks of 100 ns after the start.
pub struct Etl {
    writer: TraceWriter<Cursor<Vec<u8>>>,
    start: i64,
    last: i64,
}

impl Etl {
    pub fn new() -> Self {
        Self::of(Session {
            buffer_bytes: 0x1000,
            ..Session::default()
        })
    }

    pub fn of(session: Session) -> Self {
        let start = session.start_ticks;
        let writer = TraceWriter::new(Cursor::default(), session).expect("memory takes a header");
        Self {
            writer,
            start,
            last: 0,
        }
    }

    pub fn put(&mut self, cpu: u16, ticks: i64, event: &impl KernelEvent) -> &mut Self {
        self.put_under(cpu, ticks, Header::PerfInfo, event)
    }

    pub fn put_under(
        &mut self,
        cpu: u16,
        ticks: i64,
        header: Header,
        event: &impl KernelEvent,
    ) -> &mut Self {
        let at = At::new(cpu, self.start + ticks);
        self.writer
            .kernel(at, header, event)
            .expect("memory takes an event");
        self.last = self.last.max(ticks);
        self
    }

    pub fn provider(
        &mut self,
        cpu: u16,
        ticks: i64,
        origin: Origin,
        event: &ProviderEvent,
    ) -> &mut Self {
        let at = At::new(cpu, self.start + ticks);
        self.writer
            .provider(at, origin, event)
            .expect("memory takes an event");
        self.last = self.last.max(ticks);
        self
    }

    /// A whole event, header and all.
    pub fn raw(&mut self, cpu: u16, ticks: i64, event: &[u8]) -> &mut Self {
        let at = At::new(cpu, self.start + ticks);
        self.writer.raw(at, event).expect("memory takes an event");
        self.last = self.last.max(ticks);
        self
    }

    /// Throws away what a processor's buffer holds.
    pub fn lose(&mut self, cpu: u16) -> &mut Self {
        assert!(self.writer.lose(cpu), "the buffer holds something");
        self
    }

    /// The raw timestamp of a time.
    pub fn at(&self, ticks: i64) -> i64 {
        self.start + ticks
    }

    pub fn switch(
        &mut self,
        cpu: u16,
        ticks: i64,
        old: Out,
        new_tid: u32,
        new_priority: u8,
    ) -> &mut Self {
        self.put(cpu, ticks, &switch(old, new_tid, new_priority))
    }

    pub fn ready(&mut self, cpu: u16, ticks: i64, tid: u32) -> &mut Self {
        let ready = ReadyThread {
            tid,
            adjust_reason: 1,
            adjust_increment: 2,
            flags: 0,
        };
        self.put(cpu, ticks, &ready)
    }

    pub fn process(
        &mut self,
        ticks: i64,
        change: ProcessChange,
        process: &ProcessInfo,
    ) -> &mut Self {
        let event = ProcessEvent {
            change,
            version: 4,
            process,
        };
        self.put_under(0, ticks, Header::System(Origin::default()), &event)
    }

    pub fn thread(&mut self, ticks: i64, change: ThreadChange, thread: &ThreadInfo) -> &mut Self {
        let event = ThreadEvent {
            change,
            version: 3,
            thread,
        };
        self.put_under(0, ticks, Header::System(Origin::default()), &event)
    }

    pub fn finish(self) -> Vec<u8> {
        let (sink, _) = self
            .writer
            .finish(self.start + self.last)
            .expect("memory takes the rest");
        sink.into_inner()
    }
}

/// How a thread leaves the CPU.
#[derive(Clone, Copy)]
pub struct Out {
    pub tid: u32,
    pub state: ThreadState,
    pub reason: WaitReason,
    pub rank: u8,
}

pub const IDLE: Out = Out {
    tid: 0,
    state: ThreadState::Running,
    reason: WaitReason::Executive,
    rank: 0,
};

pub fn waits(tid: u32) -> Out {
    Out {
        tid,
        state: ThreadState::Waiting,
        reason: WaitReason::UserRequest,
        rank: 0,
    }
}

pub fn terminates(tid: u32) -> Out {
    Out {
        tid,
        state: ThreadState::Terminated,
        reason: WaitReason::WrTerminated,
        rank: 0,
    }
}

pub fn preempted(tid: u32) -> Out {
    Out {
        tid,
        state: ThreadState::Ready,
        reason: WaitReason::WrPreempted,
        rank: 0,
    }
}

pub fn switch(old: Out, new_tid: u32, new_priority: u8) -> ContextSwitch {
    ContextSwitch {
        version: 4,
        new_tid,
        old_tid: old.tid,
        new_priority,
        old_priority: 9,
        rank_or_c_state: if old.tid == 0 {
            RankOrCState::CState(1)
        } else {
            RankOrCState::Rank(old.rank)
        },
        new_priority_decrement: 1,
        old_wait_reason: old.reason as u8,
        old_wait_mode: 1,
        old_qos: 2,
        new_qos: 0,
        old_state: old.state,
        old_ideal_cpu: 0,
        new_wait_time: 0,
        old_remaining_quantum: 0,
    }
}

/// A converted trace.
pub struct Output {
    pub converted: Converted,
    pub packets: Vec<String>,
    pub trace: Vec<u8>,
}

impl Output {
    /// Scheduling events of all CPUs in time order, `TIME cpu N: …`; times in ns after the start.
    pub fn scheduling(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for packet in &self.packets {
            let Some(bundle) = packet.strip_prefix("etw_events{cpu:") else {
                continue;
            };
            let (cpu, events) = bundle.split_once(',').expect("a bundle has events");
            for event in events.split("{timestamp:").skip(1) {
                let (ts, rest) = event.split_once(',').expect("an event has a body");
                let ts: u64 = ts.parse().expect("a timestamp is a number");
                lines.push((
                    ts,
                    format!("{} cpu {cpu}: {}", ts - 1_000_000_000, short(rest)),
                ));
            }
        }
        lines.sort();
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// Packets that hold `part`, without the parts that are the same in all.
    pub fn with(&self, part: &str) -> Vec<String> {
        self.packets
            .iter()
            .filter(|packet| packet.contains(part))
            .map(|packet| short(packet))
            .collect()
    }

    /// Tag and fields of each generic event, in time order.
    pub fn messages(&self) -> Vec<String> {
        self.packets
            .iter()
            .flat_map(|packet| texts(packet))
            .collect()
    }

    /// Samples of a counter track: time in ns after the start, value.
    pub fn counter(&self, name: &str) -> Vec<(u64, u64)> {
        let named = format!("name:\"{name}\"");
        let track = self.packets.iter().find(|packet| packet.contains(&named));
        let uuid = track.map(|track| number(track, "uuid:"));
        let samples = self.counters().filter(|(_, of, _)| Some(*of) == uuid);
        samples.map(|(ts, _, value)| (ts, value)).collect()
    }

    /// All samples of counters: time in ns after the start, UUID of the track, value.
    fn counters(&self) -> impl Iterator<Item = (u64, u64, u64)> {
        let packets = self.packets.iter();
        let samples = packets.filter(|packet| packet.contains("TYPE_COUNTER"));
        samples.map(|packet| {
            (
                number(packet, "timestamp:") - 1_000_000_000,
                number(packet, "track_uuid:"),
                number(packet, "counter_value:"),
            )
        })
    }

    /// How long interrupts took: time of the end in ns after the start, CPU, routine, ns.
    pub fn interrupts(&self) -> Vec<(u64, u64, String, u64)> {
        const TRACKS: u64 = 1 << 38;
        let of_routines = self.counters().filter(|(_, uuid, _)| *uuid >= TRACKS);
        let told = of_routines.map(|(ts, uuid, dur_ns)| {
            let described = format!("{{uuid:{uuid},");
            let mut packets = self.packets.iter();
            let track = packets.find(|packet| packet.contains(&described));
            let (_, name) = track
                .and_then(|track| track.split_once("name:\""))
                .expect("the track is described");
            let name = name.split('"').next().expect("the name ends");
            (ts, (uuid - TRACKS) >> 17, name.to_owned(), dur_ns)
        });
        told.collect()
    }

    /// Instants that are named by words: time in ns after the start, UUID of the track, words.
    fn named(&self) -> Vec<(u64, u64, String)> {
        let mut names = HashMap::new();
        let mut instants = Vec::new();
        for packet in &self.packets {
            if let Some((_, entry)) = packet.split_once("event_names:[") {
                let text = entry.split('"').nth(1).expect("it has a text");
                names.insert(number(entry, "iid:"), text.to_owned());
            } else if packet.contains("name_iid:") {
                let ts = number(packet, "timestamp:") - 1_000_000_000;
                let name = names.get(&number(packet, "name_iid:"));
                let name = name.expect("the name is given before");
                instants.push((ts, number(packet, "track_uuid:"), name.clone()));
            }
        }
        instants
    }

    /// What is told of runs: time of the switch-in in ns after the start, CPU, words.
    pub fn runs(&self) -> Vec<(u64, u64, String)> {
        const TRACKS: u64 = 1 << 32;
        const CPUS_MAX: u64 = 1 << 16;
        let on_cpus = self.named().into_iter();
        let on_cpus = on_cpus.map(|(ts, uuid, words)| (ts, uuid - TRACKS, words));
        on_cpus.filter(|(_, cpu, _)| *cpu < CPUS_MAX).collect()
    }

    /// Of each run what the words say under these names, one after another; `-` where they say nothing.
    pub fn words_of_runs(&self, names: &[&str]) -> Vec<(u64, String)> {
        let said = |words: &str, name: &str| {
            let mut all = words.split(' ').filter_map(|word| word.split_once('='));
            all.find(|(key, _)| *key == name)
                .map_or_else(|| "-".to_owned(), |(_, value)| value.to_owned())
        };
        let runs = self.runs().into_iter().map(|(ts, _, words)| {
            let said: Vec<_> = names.iter().map(|name| said(&words, name)).collect();
            (ts, said.join(" "))
        });
        runs.collect()
    }
}

/// The number after a key of a packet.
fn number(packet: &str, key: &str) -> u64 {
    let rest = packet.split_once(key).expect("the field is there").1;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("the field is a number")
}

/// Tag and fields of the log messages of a packet.
fn texts(packet: &str) -> Vec<String> {
    let messages = packet.split("tag:\"").skip(1);
    let text = messages.filter_map(|message| {
        let (tag, rest) = message.split_once('"')?;
        let (_, fields) = rest.split_once("\\\"f\\\":")?;
        let (fields, _) = fields.rsplit_once("}\"")?;
        let json = fields.replace("\\\"", "\"").replace("\\\\", "\\");
        Some(format!("{tag} {json}"))
    });
    text.collect()
}

fn short(text: &str) -> String {
    [
        ("c_switch", ""),
        ("new_thread_id:", "new "),
        ("old_thread_id:", "old "),
        ("new_thread_priority:", "priority "),
        ("old_thread_state:", ""),
        ("old_thread_wait_reason_int:", "reason "),
        ("thread_id:", "waker "),
        ("ready_thread{t_waker ", "readies {"),
        ("trusted_packet_sequence_id:1,", ""),
        ("trusted_packet_sequence_id:2,", ""),
        ("}]}", "}"),
        (",", " "),
    ]
    .iter()
    .fold(text.to_owned(), |text, (long, short)| {
        text.replace(long, short)
    })
    .trim_end_matches(['}', '{', ' '])
    .to_owned()
}

/// Converts a trace that is in memory.
pub fn converted(etl: &[u8]) -> Output {
    converted_files(&[("trace.etl", etl)], &Request::default()).expect("the trace converts")
}

/// The Perfetto trace of a trace that is in memory, without what columns have.
pub fn outline_of(etl: &[u8]) -> Output {
    let outline = written(&[("trace.etl", etl)], |inputs, output, progress| {
        let columns = output.with_extension("columns");
        let columns = [(columns.as_path(), Form::Lean)];
        let request = Request::default();
        convert::convert_apart(inputs, output, &columns, &request, false, progress)
    });
    outline.expect("the trace converts")
}

/// Converts files that are in memory, as one trace.
pub fn converted_files(files: &[(&str, &[u8])], request: &Request) -> Result<Output, String> {
    written(files, |inputs, output, progress| {
        convert::convert(inputs, output, request, false, progress)
    })
}

/// What `write` makes of files that are in memory.
fn written(
    files: &[(&str, &[u8])],
    write: impl Fn(&[PathBuf], &Path, &Progress) -> Result<Converted, convert::Error>,
) -> Result<Output, String> {
    let folder = TempDir::new().expect("there is a temporary folder");
    let inputs = files.iter().map(|(name, content)| {
        let input = folder.path().join(name);
        std::fs::write(&input, content).expect("the temporary folder takes a file");
        input
    });
    let inputs: Vec<PathBuf> = inputs.collect();
    let output = folder.path().join("trace.pftrace");
    let progress = Progress::new(ProgressStyle::None);
    let place = format!("{}/", folder.path().display());
    let converted = write(&inputs, &output, &progress)
        .map_err(|error| error.to_string().replace(&place, ""))?;
    let trace = std::fs::read(&output).expect("there is an output");
    let packets = packet_lines(&trace);
    Ok(Output {
        converted,
        packets,
        trace,
    })
}
