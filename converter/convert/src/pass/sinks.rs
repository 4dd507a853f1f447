//! The sinks of one conversion.

use columns::Columns;
use facts::{
    Affinity, Call, CounterSample, CounterSource, Cpu, DiskIo, EventCount, EventStack, FactCounts,
    File, FileIo, Focus, Frame, Freeze, GenericEvent, HardFault, IdealCpu, Image, Input,
    InterruptRoutine, Interrupted, Lost, Mapping, ProcessLife, ProcessOrigin, Ready, ReadyWait,
    Recording, Run, RunBefore, RunCounter, Sample, SampleInterval, Service, Sink, StillReady,
    Suspend, Switch, ThreadLife,
};

use crate::perfetto::{Perfetto, SchedulingPlace};

/// Hands each fact to all sinks.
#[derive(Debug)]
pub struct Sinks {
    /// Writes the Perfetto trace, where one is wanted.
    pub perfetto: Option<Perfetto>,
    /// Write columns, each in a form that is wanted.
    pub columns: Vec<Columns>,
    /// Counts, where that is wanted.
    pub counts: Option<FactCounts>,
}

impl Sinks {
    /// Whether any sink takes requests to files and disks.
    pub fn take_requests(&self) -> bool {
        !self.columns.is_empty() || self.counts.is_some()
    }

    /// Packets of the Perfetto trace that wait to be taken, in bytes.
    #[inline]
    pub fn pending_bytes(&self) -> usize {
        self.perfetto.as_ref().map_or(0, Perfetto::pending_bytes)
    }

    /// Begins again, as if no fact had come. A part of a trace has no columns.
    pub fn begin_again(&mut self) {
        if let Some(perfetto) = &mut self.perfetto {
            *perfetto = Perfetto::new(SchedulingPlace::Within);
        }
        if let Some(counts) = &mut self.counts {
            *counts = FactCounts::default();
        }
    }
}

macro_rules! hand_on {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {
        $(
            #[inline]
            fn $method(&mut self, $($argument: $type),*) {
                if let Some(perfetto) = &mut self.perfetto {
                    perfetto.$method($($argument),*);
                }
                for columns in &mut self.columns {
                    columns.$method($($argument),*);
                }
                if let Some(counts) = &mut self.counts {
                    counts.$method($($argument),*);
                }
            }
        )*
    };
}

impl Sink for Sinks {
    hand_on! {
        recording(recording: &Recording);
        event_count(start_ts_ns: u64, count: &EventCount);
        sample_interval(ts_ns: u64, interval: &SampleInterval<'_>);
        counter_name(start_ts_ns: u64, source: &CounterSource);
        switch(switch: &Switch);
        run(run: &Run);
        run_before(run: &RunBefore);
        run_unknown(ts_ns: u64, cpu: u16);
        ideal_cpu(ideal: &IdealCpu);
        counted(ts_ns: u64, counted: &[u64]);
        run_counter(counter: &RunCounter);
        counter_source(source: &CounterSource);
        ready(ready: &Ready);
        ready_wait(wait: &ReadyWait);
        still_ready(end_ts_ns: u64, still_ready: &StillReady);
        interrupt_routine(routine: &InterruptRoutine);
        interrupt(interrupt: &Interrupted);
        loss(loss: &Lost);
        recording_ends(ts_ns: u64);
        idle_process(ts_ns: u64);
        process_begins(ts_ns: u64, process: &ProcessLife);
        process_origin(ts_ns: u64, origin: &ProcessOrigin<'_>);
        process(process: &ProcessLife);
        thread_created(ts_ns: u64, tid: u32);
        thread_begins(ts_ns: u64, thread: &ThreadLife);
        thread(thread: &ThreadLife);
        ended(ts_ns: u64, id: u32);
        image(ts_ns: u64, image: &Image);
        mapping(mapping: &Mapping);
        call(call: Call);
        calls_forgotten(ts_ns: u64);
        sample(sample: &Sample);
        counter_sample(sample: &CounterSample);
        event_stack(stack: &EventStack);
        cpu(cpu: &Cpu);
        affinity(affinity: &Affinity);
        freeze(freeze: &Freeze);
        focus(focus: &Focus);
        input(input: &Input);
        service(service: &Service);
        suspend(suspend: &Suspend);
        generic_event(event: &GenericEvent<'_>);
        file(file: &File);
        disk_io(io: &DiskIo);
        file_io(io: &FileIo);
        hard_fault(fault: &HardFault);
    }

    fn frame(&mut self, frame: Frame) {
        if let Some(perfetto) = &mut self.perfetto {
            perfetto.frame(frame.clone());
        }
        for columns in &mut self.columns {
            columns.frame(frame.clone());
        }
        if let Some(counts) = &mut self.counts {
            counts.frame(frame);
        }
    }
}
