//! The sink: each fact goes to its table.

use std::path::Path;

use facts::{
    Affinity, Call, CounterSample, CounterSource, Cpu, DiskIo, EventCount, EventStack, File,
    FileIo, Focus, Frame, Freeze, GenericEvent, HardFault, IdealCpu, Image, Input, Interrupted,
    Lost, Mapping, ProcessLife, ReadyWait, Recording, Run, RunBefore, RunCounter, Sample, Service,
    Sink, Suspend, ThreadLife,
};

use crate::cpu_time_sums::CpuTimeSums;
use crate::error::Error;
use crate::event::OwnedEvent;
use crate::event_files::EventFiles;
use crate::form::Form;
use crate::lane::Lane;
use crate::table::Table;
use crate::tables::{
    Affinities, Callsites, CounterSources, Cpus, DiskIos, EventCounts, EventStacks, FileIos, Files,
    Focuses, FrameFunctions, Frames, Freezes, HardFaults, IdealCpus, Images, Inputs, Interrupts,
    Losses, Mappings, PmcSamples, Processes, RunCounters, Runs, RunsBefore, Samples, Services,
    Suspends, Threads, Trace,
};
use crate::wait_files::WaitFiles;
use crate::writer::TableWriter;

/// Columns of a recording. Dropped before [`Columns::finish`], they leave nothing.
#[derive(Debug)]
pub struct Columns {
    affinities: TableLane<Affinities>,
    callsites: TableLane<Callsites>,
    counter_sources: TableLane<CounterSources>,
    cpu_times: Lane<CpuTimeSums>,
    cpus: TableLane<Cpus>,
    disk_ios: TableLane<DiskIos>,
    event_counts: TableLane<EventCounts>,
    event_stacks: TableLane<EventStacks>,
    file_ios: TableLane<FileIos>,
    files: TableLane<Files>,
    focuses: TableLane<Focuses>,
    frame_functions: TableLane<FrameFunctions>,
    frames: TableLane<Frames>,
    freezes: TableLane<Freezes>,
    /// In the lean form alone.
    generic_events: Option<Lane<EventFiles>>,
    hard_faults: TableLane<HardFaults>,
    has_events: bool,
    ideal_cpus: TableLane<IdealCpus>,
    images: TableLane<Images>,
    inputs: TableLane<Inputs>,
    interrupts: TableLane<Interrupts>,
    losses: TableLane<Losses>,
    mappings: TableLane<Mappings>,
    pmc_samples: TableLane<PmcSamples>,
    processes: TableLane<Processes>,
    ready_waits: Lane<WaitFiles>,
    run_counters: TableLane<RunCounters>,
    runs: TableLane<Runs>,
    runs_before: TableLane<RunsBefore>,
    samples: TableLane<Samples>,
    services: TableLane<Services>,
    suspends: TableLane<Suspends>,
    threads: TableLane<Threads>,
    trace: TableLane<Trace>,
}

/// The way of facts that are rows as they are.
type TableLane<T> = Lane<TableWriter<T>>;

impl Columns {
    /// Begins files in `folder`, which must be there, of a recording of this span, in ns on the trace clock.
    ///
    /// # Errors
    /// If it cannot be written to.
    pub fn create(folder: &Path, form: Form, span_ns: (u64, u64)) -> Result<Self, Error> {
        let cpu_times = CpuTimeSums::create(folder, form, span_ns)?;
        Ok(Self {
            affinities: lane(folder, form, Affinities)?,
            callsites: lane(folder, form, Callsites)?,
            counter_sources: lane(folder, form, CounterSources)?,
            cpu_times: Lane::to(folder, cpu_times),
            cpus: lane(folder, form, Cpus)?,
            disk_ios: lane(folder, form, DiskIos::default())?,
            event_counts: lane(folder, form, EventCounts)?,
            event_stacks: lane(folder, form, EventStacks::default())?,
            file_ios: lane(folder, form, FileIos::default())?,
            files: lane(folder, form, Files)?,
            focuses: lane(folder, form, Focuses)?,
            frame_functions: lane(folder, form, FrameFunctions)?,
            frames: lane(folder, form, Frames)?,
            freezes: lane(folder, form, Freezes)?,
            generic_events: match form {
                Form::Lean => Some(Lane::to(folder, EventFiles::create(folder, form)?)),
                Form::Arrow | Form::Parquet => None,
            },
            hard_faults: lane(folder, form, HardFaults)?,
            has_events: false,
            ideal_cpus: lane(folder, form, IdealCpus)?,
            images: lane(folder, form, Images)?,
            inputs: lane(folder, form, Inputs::default())?,
            interrupts: lane(folder, form, Interrupts)?,
            losses: lane(folder, form, Losses)?,
            mappings: lane(folder, form, Mappings)?,
            pmc_samples: lane(folder, form, PmcSamples)?,
            processes: lane(folder, form, Processes)?,
            ready_waits: Lane::to(folder, WaitFiles::create(folder, form)?),
            run_counters: lane(folder, form, RunCounters)?,
            runs: lane(folder, form, Runs::default())?,
            runs_before: lane(folder, form, RunsBefore::default())?,
            samples: lane(folder, form, Samples)?,
            services: lane(folder, form, Services)?,
            suspends: lane(folder, form, Suspends)?,
            threads: lane(folder, form, Threads)?,
            trace: lane(folder, form, Trace)?,
        })
    }

    /// Writes what is left, and gives the files their names; answers the size of all in bytes.
    ///
    /// # Errors
    /// If a file could not be written.
    pub fn finish(self) -> Result<u64, Error> {
        Ok(self.affinities.finish()?
            + self.callsites.finish()?
            + self.counter_sources.finish()?
            + self.cpu_times.finish()?
            + self.cpus.finish()?
            + self.disk_ios.finish()?
            + self.event_counts.finish()?
            + self.event_stacks.finish()?
            + self.file_ios.finish()?
            + self.files.finish()?
            + self.focuses.finish()?
            + self.frame_functions.finish()?
            + self.frames.finish()?
            + self.freezes.finish()?
            + self.generic_events.map_or(Ok(0), Lane::finish)?
            + self.hard_faults.finish()?
            + self.ideal_cpus.finish()?
            + self.images.finish()?
            + self.inputs.finish()?
            + self.interrupts.finish()?
            + self.losses.finish()?
            + self.mappings.finish()?
            + self.pmc_samples.finish()?
            + self.processes.finish()?
            + self.ready_waits.finish()?
            + self.run_counters.finish()?
            + self.runs.finish()?
            + self.runs_before.finish()?
            + self.samples.finish()?
            + self.services.finish()?
            + self.suspends.finish()?
            + self.threads.finish()?
            + self.trace.finish()?)
    }
}

fn lane<T: Table>(folder: &Path, form: Form, table: T) -> Result<TableLane<T>, Error> {
    let file = TableWriter::create(folder, form, table)?;
    Ok(Lane::to(folder, file))
}

impl Sink for Columns {
    fn recording(&mut self, recording: &Recording) {
        self.trace.push(recording.clone());
    }

    fn event_count(&mut self, _start_ts_ns: u64, count: &EventCount) {
        self.event_counts.push(count.clone());
    }

    #[inline]
    fn run(&mut self, run: &Run) {
        self.runs.push(*run);
        self.cpu_times.push(run.into());
    }

    fn run_before(&mut self, run: &RunBefore) {
        self.runs_before.push(*run);
    }

    fn run_counter(&mut self, counter: &RunCounter) {
        self.run_counters.push(*counter);
    }

    fn counter_source(&mut self, source: &CounterSource) {
        self.counter_sources.push(source.clone());
    }

    fn ideal_cpu(&mut self, ideal: &IdealCpu) {
        self.ideal_cpus.push(*ideal);
    }

    #[inline]
    fn ready_wait(&mut self, wait: &ReadyWait) {
        self.ready_waits.push(*wait);
    }

    fn interrupt(&mut self, interrupt: &Interrupted) {
        self.interrupts.push(interrupt.clone());
    }

    fn loss(&mut self, loss: &Lost) {
        self.losses.push(loss.clone());
    }

    fn process(&mut self, process: &ProcessLife) {
        self.processes.push(process.clone());
    }

    fn thread_begins(&mut self, _ts_ns: u64, thread: &ThreadLife) {
        self.threads.push(thread.clone());
    }

    fn thread(&mut self, thread: &ThreadLife) {
        self.threads.push(thread.clone());
    }

    fn image(&mut self, _ts_ns: u64, image: &Image) {
        self.images.push(image.clone());
    }

    fn mapping(&mut self, mapping: &Mapping) {
        self.mappings.push(mapping.clone());
    }

    fn frame(&mut self, frame: Frame) {
        let function = frame.function.as_ref();
        if function.is_some_and(|function| !function.name.is_empty()) {
            self.frame_functions.push(frame.clone());
        }
        self.frames.push(frame);
    }

    fn call(&mut self, call: Call) {
        self.callsites.push(call);
    }

    fn sample(&mut self, sample: &Sample) {
        self.samples.push(*sample);
    }

    fn counter_sample(&mut self, sample: &CounterSample) {
        self.pmc_samples.push(sample.clone());
    }

    fn event_stack(&mut self, stack: &EventStack) {
        self.event_stacks.push(*stack);
    }

    fn cpu(&mut self, cpu: &Cpu) {
        self.cpus.push(*cpu);
    }

    fn affinity(&mut self, affinity: &Affinity) {
        self.affinities.push(affinity.clone());
    }

    fn freeze(&mut self, freeze: &Freeze) {
        self.freezes.push(*freeze);
    }

    fn focus(&mut self, focus: &Focus) {
        self.focuses.push(*focus);
    }

    fn input(&mut self, input: &Input) {
        self.inputs.push(input.clone());
    }

    fn service(&mut self, service: &Service) {
        self.services.push(service.clone());
    }

    fn suspend(&mut self, suspend: &Suspend) {
        self.suspends.push(*suspend);
    }

    fn generic_event(&mut self, event: &GenericEvent<'_>) {
        // One that is not told shows that there are events.
        if self.has_events && !event.is_told {
            return;
        }
        self.has_events = true;
        if let Some(lane) = &mut self.generic_events {
            lane.push(OwnedEvent::from(event));
        }
    }

    fn file(&mut self, file: &File) {
        self.files.push(file.clone());
    }

    fn disk_io(&mut self, io: &DiskIo) {
        self.disk_ios.push(io.clone());
    }

    fn file_io(&mut self, io: &FileIo) {
        self.file_ios.push(*io);
    }

    fn hard_fault(&mut self, fault: &HardFault) {
        self.hard_faults.push(*fault);
    }
}
