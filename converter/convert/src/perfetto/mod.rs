//! The sink that writes a Perfetto trace. Form: `docs/encoding.md`.

mod generic;
mod head;
mod lives;
mod named;
mod ranks;
mod routines;
mod samples;
mod tracks;
mod words;

use etw::thread_state;
use facts::{
    Call, CounterSample, CounterSource, EventCount, EventStack, Frame, GenericEvent, IdealCpu,
    Image, InterruptRoutine, Interrupted, Lost, Mapping, Mention, ProcessLife, ProcessOrigin,
    Ready, Recording, RunBefore, RunOutlook, Sample, SampleInterval, Sink, StillReady, Switch,
    Thread, ThreadLife,
};
use pftrace::TraceWriter;

use generic::Messages;
use named::Named;
use ranks::Ranks;
use routines::Routines;
use samples::{Moment, Samples};
use tracks::{
    COUNTER_TRACKS, EVENT_STACK_TRACK, IDEAL_CPU_TRACK, PMC_SAMPLE_TRACK, RUN_TRACKS, SAMPLE_TRACK,
    TRACE_TRACK, process_track,
};
use words::Words;

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
    writer: TraceWriter,
    scheduling: SchedulingPlace,
    /// The greatest key of a thread that an event of scheduling mentioned.
    mentioned_utid: u32,
    ranks: Ranks,
    named: Named,
    routines: Routines,
    samples: Samples,
    messages: Messages,
}

impl Perfetto {
    /// Nothing written yet.
    pub fn new(scheduling: SchedulingPlace) -> Self {
        Self {
            scheduling,
            ..Self::default()
        }
    }

    /// Bytes that wait to be taken.
    pub fn pending_bytes(&self) -> usize {
        self.writer.pending_bytes()
    }

    /// Takes the bytes of the packets since the last time, and leaves `empty` to collect into.
    pub fn take(&mut self, empty: Vec<u8>) -> Vec<u8> {
        self.writer.take(empty)
    }

    /// Whether scheduling is written here.
    #[inline]
    fn has_scheduling(&self) -> bool {
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

    /// Writes a sample or a stack. Where columns have these, only what tells something new of a thread, without its stack:
    /// the importer gives keys to threads as it meets them.
    #[inline]
    fn moment(&mut self, at: &Moment, thread: Thread, mention: Mention, callsite: Option<u32>) {
        let is_within = self.has_scheduling();
        if is_within || mention.is_new {
            let callsite = callsite.filter(|_| is_within);
            self.samples
                .write(at, thread, mention, callsite, &mut self.writer);
        }
        if is_within {
            self.named
                .instant(at.ts_ns, at.track_uuid, at.words, &mut self.writer);
        }
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
        head::begin(of, &mut self.writer);
        if of.recorded.stacks {
            self.samples.begin(of.start_ts_ns, &mut self.writer);
        }
        head::recording(of, &mut self.writer);
    }

    fn event_count(&mut self, start_ts_ns: u64, count: &EventCount) {
        head::event_count(start_ts_ns, count, &mut self.writer);
    }

    fn sample_interval(&mut self, ts_ns: u64, interval: &SampleInterval<'_>) {
        head::sample_interval(ts_ns, interval, &mut self.writer);
    }

    fn counter_name(&mut self, start_ts_ns: u64, source: &CounterSource) {
        head::counter_name(start_ts_ns, source, &mut self.writer);
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

    fn still_ready(&mut self, end_ts_ns: u64, still_ready: &StillReady) {
        head::still_ready(end_ts_ns, still_ready, &mut self.writer);
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

    fn idle_process(&mut self, ts_ns: u64) {
        lives::idle_process(ts_ns, &mut self.writer);
    }

    fn process_begins(&mut self, ts_ns: u64, process: &ProcessLife) {
        lives::process_begins(ts_ns, process, &mut self.writer);
    }

    fn process_origin(&mut self, ts_ns: u64, origin: &ProcessOrigin<'_>) {
        lives::process_origin(ts_ns, origin, &mut self.writer);
    }

    fn thread_created(&mut self, ts_ns: u64, tid: u32) {
        self.writer.thread_created(ts_ns, tid);
    }

    fn thread_begins(&mut self, ts_ns: u64, thread: &ThreadLife) {
        let utid = thread.thread.utid;
        if self.has_scheduling() {
            self.ranks.thread(utid);
        }
        lives::thread_begins(ts_ns, thread, &mut self.writer);
    }

    fn ended(&mut self, ts_ns: u64, id: u32) {
        self.writer.task_free(ts_ns, id);
    }

    fn image(&mut self, ts_ns: u64, image: &Image) {
        if !self.has_scheduling() {
            return;
        }
        let symbols = image.symbols.as_ref();
        let uuid = image.upid.map_or(TRACE_TRACK, process_track);
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

    fn mapping(&mut self, mapping: &Mapping) {
        if self.has_scheduling() {
            self.samples.mapping(mapping);
        }
    }

    fn frame(&mut self, frame: Frame) {
        if self.has_scheduling() {
            self.samples.frame(frame);
        }
    }

    #[inline]
    fn call(&mut self, call: Call) {
        if self.has_scheduling() {
            self.samples.call(call);
        }
    }

    fn calls_forgotten(&mut self, ts_ns: u64) {
        if self.has_scheduling() {
            self.samples.begin(ts_ns, &mut self.writer);
        }
    }

    #[inline]
    fn sample(&mut self, sample: &Sample) {
        let at = Moment {
            ts_ns: sample.ts_ns,
            cpu: sample.cpu,
            is_kernel: sample.is_kernel,
            track_uuid: SAMPLE_TRACK,
            words: Words::of_sample(sample),
        };
        self.moment(&at, sample.thread, sample.mention, sample.callsite);
    }

    fn counter_sample(&mut self, sample: &CounterSample) {
        let at = Moment {
            ts_ns: sample.ts_ns,
            cpu: sample.cpu,
            is_kernel: sample.is_kernel,
            track_uuid: PMC_SAMPLE_TRACK,
            words: Words::of_counter_sample(sample),
        };
        self.moment(&at, sample.thread, sample.mention, sample.callsite);
    }

    #[inline]
    fn event_stack(&mut self, stack: &EventStack) {
        let at = Moment {
            ts_ns: stack.ts_ns,
            cpu: stack.cpu.unwrap_or(0),
            is_kernel: stack.is_kernel,
            track_uuid: EVENT_STACK_TRACK,
            words: Words::of_stack(stack),
        };
        self.moment(&at, stack.thread, stack.mention, stack.callsite);
    }

    fn generic_event(&mut self, event: &GenericEvent<'_>) {
        if event.mention.is_new || self.has_scheduling() {
            self.messages.write(event, &mut self.writer);
        }
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

    fn recording_ends(&mut self, ts_ns: u64) {
        head::end(ts_ns, &mut self.writer);
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
