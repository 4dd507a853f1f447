//! The sink that writes a Perfetto trace. Form: `docs/encoding.md`.

mod named;
mod ranks;
mod routines;
mod tracks;
mod words;

use etw::thread_state;
use facts::{
    EventCount, IdealCpu, Image, InterruptRoutine, Interrupted, Lost, Ready, Recording, RunBefore,
    RunOutlook, Sink, Switch, Thread,
};
use pftrace::{TraceWriter, Track};
use rustc_hash::FxHashMap;

use named::Named;
use ranks::Ranks;
use routines::Routines;
pub use tracks::{
    COUNTER_TRACKS, ETW_TRACK, IDEAL_CPU_TRACK, PROCESS_TRACKS, RUN_TRACKS, THREAD_TRACKS,
    TRACE_TRACK,
};
use words::Words;

/// Version of the contract in `docs/encoding.md`.
const SCHEMA: u64 = 2;

/// Where scheduling goes, context switches, ready events and interrupts, and with it samples, stacks and images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SchedulingPlace {
    /// Into the Perfetto trace.
    #[default]
    Within,
    /// Into columns. Of all these only those are written that mention a thread first, so that threads have the same keys in both; and
    /// what columns have no form for.
    Apart,
}

/// Packets of a Perfetto trace, as bytes.
#[derive(Debug, Default)]
pub struct Perfetto {
    /// Where packets go.
    pub writer: TraceWriter,
    scheduling: SchedulingPlace,
    /// The greatest key of a thread that an event of scheduling mentioned.
    mentioned_utid: u32,
    /// UUIDs of processes' tracks, by the keys of the processes.
    process_tracks: FxHashMap<u32, u64>,
    ranks: Ranks,
    named: Named,
    routines: Routines,
}

impl Perfetto {
    /// Nothing written yet.
    pub fn new(scheduling: SchedulingPlace) -> Self {
        Self {
            scheduling,
            ..Self::default()
        }
    }

    /// Writes the track of a process, by its key.
    pub fn process_track(&mut self, ts_ns: u64, upid: u32, uuid: u64, track: &Track<'_>) {
        self.process_tracks.insert(upid, uuid);
        self.writer.track(ts_ns, uuid, track);
    }

    /// Writes the track of a thread, by its key.
    pub fn thread_track(&mut self, ts_ns: u64, utid: u32, uuid: u64, track: &Track<'_>) {
        if self.has_scheduling() {
            self.ranks.thread(utid, uuid);
        }
        self.writer.track(ts_ns, uuid, track);
    }

    /// Whether scheduling is written here.
    #[inline]
    pub fn has_scheduling(&self) -> bool {
        self.scheduling == SchedulingPlace::Within
    }

    /// Whether an event that mentions two threads is written. Keys rise, so that a new thread has the greatest.
    #[inline]
    fn writes(&mut self, one: Thread, other: Thread) -> bool {
        let greatest = one.utid.max(other.utid);
        let is_first = greatest > self.mentioned_utid;
        self.mentioned_utid = self.mentioned_utid.max(greatest);
        is_first || self.has_scheduling()
    }

    /// What is known of the run that begins on a CPU.
    #[inline]
    fn run_begins(&mut self, ts_ns: u64, cpu: u16, thread: Thread, run: &RunOutlook) {
        let uuid = RUN_TRACKS + u64::from(cpu);
        self.named
            .instant(ts_ns, uuid, Words::of_run(run), &mut self.writer);
        if let Some(rank) = run.rank() {
            self.ranks.run(ts_ns, thread.utid, rank, &mut self.writer);
        }
    }
}

impl Sink for Perfetto {
    fn recording(&mut self, of: &Recording) {
        self.writer
            .instant(of.start_ts_ns, TRACE_TRACK, "etw.trace", |values| {
                values.uint("schema", SCHEMA);
                values.int("start_utc_ns", of.start_utc_ns);
                values.int("boot_utc_ns", of.boot_utc_ns);
                values.int("utc_offset_minutes", i64::from(of.utc_offset_minutes));
                values.string("session_name", of.session_name.as_deref());
                values.string("file_name", of.file_name.as_deref());
                values.uint("os_build", u64::from(of.os_build));
                values.string("os_version", &*of.os_version);
                values.uint("pointer_bytes", u64::from(of.pointer_bytes));
                values.uint("cpu_count", u64::from(of.cpu_count));
                values.uint("cpu_mhz", u64::from(of.cpu_mhz));
                values.string("clock", of.clock);
                values.uint("clock_hz", of.clock_hz);
                values.uint("timer_resolution_ns", of.timer_resolution_ns);
                values.uint("end_ts", of.end_ts_ns);
                values.uint("events_read", of.events_read);
                values.uint("events_converted", of.events_converted);
                values.uint("events_generic", of.events_generic);
                values.uint("events_skipped", of.events_skipped);
                values.uint("events_lost", u64::from(of.events_lost));
                values.uint("buffers_read", of.buffers_read);
                values.uint("buffers_lost", u64::from(of.buffers_lost));
                values.uint("context_switches", of.context_switches);
                values.uint("ready_threads", of.ready_threads);
                values.string("kernel_flags", &*of.kernel_flags);
                values.uint("selected_from_ts", of.selected_from_ts_ns);
                values.uint("selected_to_ts", of.selected_to_ts_ns);
                values.string("selected_kinds", of.selected_kinds.as_deref());
                values.uint("selected_processes", of.selected_processes);
                values.string("redacted", of.redacted.as_deref());
            });
    }

    fn event_count(&mut self, start_ts_ns: u64, of: &EventCount) {
        self.writer
            .instant(start_ts_ns, TRACE_TRACK, "etw.events", |values| {
                values.string("provider", &*of.provider);
                values.string("event", &*of.event);
                values.uint("version", u64::from(of.version));
                values.uint("count", of.count);
                values.string("fate", of.fate);
                values.string("reason", of.reason);
            });
    }

    #[inline]
    fn switch(&mut self, switch: &Switch) {
        if !self.writes(switch.new, switch.old) {
            return;
        }
        let written = pftrace::ContextSwitch {
            new_tid: switch.new.tid,
            old_tid: switch.old.tid,
            new_priority: switch.new_priority,
            old_state: importable_state(switch.old_state),
            old_wait_reason: switch.old_wait_reason,
        };
        self.writer
            .context_switch(switch.cpu, switch.ts_ns, &written);
        if self.has_scheduling()
            && let Some(run) = &switch.begins
        {
            self.run_begins(switch.ts_ns, switch.cpu, switch.new, run);
        }
    }

    fn run_before(&mut self, run: &RunBefore) {
        let tid = run.thread.tid;
        let end = Words::End(run.end).to_string();
        self.writer
            .instant(run.ts_ns, TRACE_TRACK, "etw.run_before", |values| {
                values.uint("tid", u64::from(tid));
                values.string("end", end.as_str());
            });
    }

    /// Written where columns have scheduling too: they have no row of such a run.
    fn run_unknown(&mut self, ts_ns: u64, cpu: u16) {
        self.writer
            .instant(ts_ns, TRACE_TRACK, "etw.run_unknown", |values| {
                values.uint("cpu", u64::from(cpu));
            });
    }

    fn ideal_cpu(&mut self, ideal: &IdealCpu) {
        if !self.has_scheduling() {
            return;
        }
        let words = Words::IdealCpu {
            tid: ideal.thread.tid,
            ideal_cpu: ideal.ideal_cpu,
        };
        self.named
            .instant(ideal.ts_ns, IDEAL_CPU_TRACK, words, &mut self.writer);
    }

    fn counted(&mut self, ts_ns: u64, counted: &[u64]) {
        if !self.has_scheduling() {
            return;
        }
        for (&value, uuid) in counted.iter().zip(COUNTER_TRACKS..) {
            self.writer.counter(ts_ns, uuid, value);
        }
    }

    #[inline]
    fn ready(&mut self, ready: &Ready) {
        if !self.writes(ready.thread, ready.waker) {
            return;
        }
        let (readied, waker) = (ready.thread.tid, ready.waker.tid);
        self.writer
            .ready_thread(ready.cpu, ready.ts_ns, readied, waker);
    }

    fn interrupt_routine(&mut self, of: &InterruptRoutine) {
        self.writer
            .instant(of.ts_ns, TRACE_TRACK, "etw.interrupt_source", |values| {
                values.uint("source", u64::from(of.number));
                values.string("kind", of.source.kind.name());
                values.uint("routine", of.source.routine);
                values.string("module", of.module.as_deref());
                values.uint("rva", of.rva);
                values.uint("return_value", of.source.return_value.map(u64::from));
                values.uint("vector", of.source.vector.map(u64::from));
                values.uint("message", of.source.message.map(u64::from));
            });
    }

    fn interrupt(&mut self, interrupt: &Interrupted) {
        if !self.has_scheduling() {
            return;
        }
        self.routines.interrupt(interrupt, &mut self.writer);
    }

    fn image(&mut self, ts_ns: u64, image: &Image) {
        if !self.has_scheduling() {
            return;
        }
        let symbols = image.symbols.as_ref();
        let track = image.upid.and_then(|upid| self.process_tracks.get(&upid));
        let uuid = track.copied().unwrap_or(TRACE_TRACK);
        self.writer.instant(ts_ns, uuid, "etw.image", |values| {
            values.uint("pid", image.pid.map(u64::from));
            values.uint("base", image.base);
            values.uint("size", image.size_bytes);
            values.string("path", image.path.as_deref());
            values.string("original_name", image.original_name.as_deref());
            values.uint("timestamp", image.timestamp.map(u64::from));
            values.uint("checksum", image.checksum.map(u64::from));
            values.string("pdb", symbols.map(|symbols| &*symbols.pdb_path));
            values.string("guid", symbols.map(|symbols| &*symbols.guid));
            values.uint("age", symbols.map(|symbols| u64::from(symbols.age)));
            values.uint("load_ts", image.load_ts_ns);
            values.uint("unload_ts", image.unload_ts_ns);
        });
    }

    fn loss(&mut self, loss: &Lost) {
        self.writer
            .instant(loss.ts_ns, TRACE_TRACK, "etw.loss", |values| {
                values.string("kind", loss.kind);
                values.uint("dur_ns", loss.te_ns.saturating_sub(loss.ts_ns));
                values.uint("cpu", loss.cpu.map(u64::from));
                values.uint("count", loss.count);
                values.string("message", &*loss.message);
            });
    }
}

/// The importer knows states 0 to 7; the later ones are kinds of waiting, and the run sample keeps them.
fn importable_state(state: u8) -> u8 {
    if state <= 7 {
        state
    } else {
        thread_state::WAITING
    }
}
