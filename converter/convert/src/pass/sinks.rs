//! The sinks of one conversion.

use columns::Columns;
use facts::{
    Affinity, Call, CounterSample, CounterSource, Cpu, DiskIo, EventCount, EventStack, File,
    FileIo, Focus, Frame, Freeze, GenericEvent, HardFault, IdealCpu, Image, Input,
    InterruptRoutine, Interrupted, Lost, Mapping, ProcessLife, ProcessOrigin, Ready, ReadyWait,
    Recording, Run, RunBefore, RunCounter, Sample, SampleInterval, Service, Sink, StillReady,
    Suspend, Switch, ThreadLife,
};

use crate::perfetto::{Perfetto, SchedulingPlace};

/// Hands each fact to all sinks.
#[derive(Debug, Default)]
pub struct Sinks {
    /// Writes the Perfetto trace.
    pub perfetto: Perfetto,
    /// Write columns, each in a form that is wanted.
    pub columns: Vec<Columns>,
}

impl Sinks {
    /// Nothing taken yet.
    pub fn new(scheduling: SchedulingPlace, columns: Vec<Columns>) -> Self {
        let perfetto = Perfetto::new(scheduling);
        Self { perfetto, columns }
    }

    /// Tells all that write columns.
    #[inline]
    fn each(&mut self, tell: impl Fn(&mut Columns)) {
        self.columns.iter_mut().for_each(tell);
    }
}

impl Sink for Sinks {
    fn recording(&mut self, recording: &Recording) {
        self.perfetto.recording(recording);
        self.each(|columns| columns.recording(recording));
    }

    fn event_count(&mut self, start_ts_ns: u64, count: &EventCount) {
        self.perfetto.event_count(start_ts_ns, count);
        self.each(|columns| columns.event_count(start_ts_ns, count));
    }

    fn sample_interval(&mut self, ts_ns: u64, interval: &SampleInterval<'_>) {
        self.perfetto.sample_interval(ts_ns, interval);
    }

    fn counter_name(&mut self, start_ts_ns: u64, source: &CounterSource) {
        self.perfetto.counter_name(start_ts_ns, source);
    }

    #[inline]
    fn switch(&mut self, switch: &Switch) {
        self.perfetto.switch(switch);
    }

    #[inline]
    fn run(&mut self, run: &Run) {
        self.each(|columns| columns.run(run));
    }

    fn run_before(&mut self, run: &RunBefore) {
        self.perfetto.run_before(run);
        self.each(|columns| columns.run_before(run));
    }

    fn run_unknown(&mut self, ts_ns: u64, cpu: u16) {
        self.perfetto.run_unknown(ts_ns, cpu);
    }

    fn ideal_cpu(&mut self, ideal: &IdealCpu) {
        self.perfetto.ideal_cpu(ideal);
        self.each(|columns| columns.ideal_cpu(ideal));
    }

    fn counted(&mut self, ts_ns: u64, counted: &[u64]) {
        self.perfetto.counted(ts_ns, counted);
    }

    fn run_counter(&mut self, counter: &RunCounter) {
        self.each(|columns| columns.run_counter(counter));
    }

    fn counter_source(&mut self, source: &CounterSource) {
        self.each(|columns| columns.counter_source(source));
    }

    #[inline]
    fn ready(&mut self, ready: &Ready) {
        self.perfetto.ready(ready);
    }

    #[inline]
    fn ready_wait(&mut self, wait: &ReadyWait) {
        self.each(|columns| columns.ready_wait(wait));
    }

    fn still_ready(&mut self, end_ts_ns: u64, still_ready: &StillReady) {
        self.perfetto.still_ready(end_ts_ns, still_ready);
    }

    fn interrupt_routine(&mut self, routine: &InterruptRoutine) {
        self.perfetto.interrupt_routine(routine);
    }

    fn interrupt(&mut self, interrupt: &Interrupted) {
        self.perfetto.interrupt(interrupt);
        self.each(|columns| columns.interrupt(interrupt));
    }

    fn loss(&mut self, loss: &Lost) {
        self.perfetto.loss(loss);
        self.each(|columns| columns.loss(loss));
    }

    fn recording_ends(&mut self, ts_ns: u64) {
        self.perfetto.recording_ends(ts_ns);
    }

    fn idle_process(&mut self, ts_ns: u64) {
        self.perfetto.idle_process(ts_ns);
    }

    fn process_begins(&mut self, ts_ns: u64, process: &ProcessLife) {
        self.perfetto.process_begins(ts_ns, process);
    }

    fn process_origin(&mut self, ts_ns: u64, origin: &ProcessOrigin<'_>) {
        self.perfetto.process_origin(ts_ns, origin);
    }

    fn process(&mut self, process: &ProcessLife) {
        self.each(|columns| columns.process(process));
    }

    fn thread_created(&mut self, ts_ns: u64, tid: u32) {
        self.perfetto.thread_created(ts_ns, tid);
    }

    fn thread_begins(&mut self, ts_ns: u64, thread: &ThreadLife) {
        self.perfetto.thread_begins(ts_ns, thread);
        self.each(|columns| columns.thread_begins(ts_ns, thread));
    }

    fn thread(&mut self, thread: &ThreadLife) {
        self.each(|columns| columns.thread(thread));
    }

    fn ended(&mut self, ts_ns: u64, id: u32) {
        self.perfetto.ended(ts_ns, id);
    }

    fn image(&mut self, ts_ns: u64, image: &Image) {
        self.perfetto.image(ts_ns, image);
        self.each(|columns| columns.image(ts_ns, image));
    }

    fn mapping(&mut self, mapping: &Mapping) {
        self.perfetto.mapping(mapping);
        self.each(|columns| columns.mapping(mapping));
    }

    fn frame(&mut self, frame: Frame) {
        self.each(|columns| columns.frame(frame.clone()));
        self.perfetto.frame(frame);
    }

    #[inline]
    fn call(&mut self, call: Call) {
        self.perfetto.call(call);
        self.each(|columns| columns.call(call));
    }

    fn calls_forgotten(&mut self, ts_ns: u64) {
        self.perfetto.calls_forgotten(ts_ns);
    }

    #[inline]
    fn sample(&mut self, sample: &Sample) {
        self.perfetto.sample(sample);
        self.each(|columns| columns.sample(sample));
    }

    fn counter_sample(&mut self, sample: &CounterSample) {
        self.perfetto.counter_sample(sample);
        self.each(|columns| columns.counter_sample(sample));
    }

    fn event_stack(&mut self, stack: &EventStack) {
        self.perfetto.event_stack(stack);
        self.each(|columns| columns.event_stack(stack));
    }

    fn cpu(&mut self, cpu: &Cpu) {
        self.each(|columns| columns.cpu(cpu));
    }

    fn affinity(&mut self, affinity: &Affinity) {
        self.each(|columns| columns.affinity(affinity));
    }

    fn freeze(&mut self, freeze: &Freeze) {
        self.each(|columns| columns.freeze(freeze));
    }

    fn focus(&mut self, focus: &Focus) {
        self.each(|columns| columns.focus(focus));
    }

    fn input(&mut self, input: &Input) {
        self.each(|columns| columns.input(input));
    }

    fn service(&mut self, service: &Service) {
        self.each(|columns| columns.service(service));
    }

    fn suspend(&mut self, suspend: &Suspend) {
        self.each(|columns| columns.suspend(suspend));
    }

    fn generic_event(&mut self, event: &GenericEvent<'_>) {
        self.perfetto.generic_event(event);
        self.each(|columns| columns.generic_event(event));
    }

    fn file(&mut self, file: &File) {
        self.each(|columns| columns.file(file));
    }

    fn disk_io(&mut self, io: &DiskIo) {
        self.each(|columns| columns.disk_io(io));
    }

    fn file_io(&mut self, io: &FileIo) {
        self.each(|columns| columns.file_io(io));
    }

    fn hard_fault(&mut self, fault: &HardFault) {
        self.each(|columns| columns.hard_fault(fault));
    }
}
