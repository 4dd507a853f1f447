//! Where facts go.

use crate::event::GenericEvent;
use crate::image::Image;
use crate::interrupt::{InterruptRoutine, Interrupted};
use crate::io::{DiskIo, File, FileIo, HardFault};
use crate::life::{ProcessLife, ProcessOrigin, ThreadLife};
use crate::loss::Lost;
use crate::recording::{CounterSource, EventCount, Recording, SampleInterval};
use crate::run::{IdealCpu, Run, RunBefore, RunCounter, Switch};
use crate::stack::{Call, CounterSample, EventStack, Frame, Mapping, Sample};
use crate::standing::{Affinity, Cpu, Focus, Freeze, Input, Service, Suspend};
use crate::wait::{Ready, ReadyWait, StillReady};

/// Takes facts in the order in which they come to be known. A sink takes those that it has a form for.
pub trait Sink {
    /// What the recording says of itself. It comes first.
    fn recording(&mut self, _recording: &Recording) {}

    /// How many events of a kind there are, `_start_ts_ns` being when the recording starts.
    fn event_count(&mut self, _start_ts_ns: u64, _count: &EventCount) {}

    /// How often a source makes samples from `_ts_ns` on.
    fn sample_interval(&mut self, _ts_ns: u64, _interval: &SampleInterval<'_>) {}

    /// What the session calls a hardware counter, whether it counted or not.
    fn counter_name(&mut self, _start_ts_ns: u64, _source: &CounterSource) {}

    /// A run ends on a CPU and another one begins.
    fn switch(&mut self, _switch: &Switch) {}

    /// A run has ended; or it was still open where the recording ends.
    fn run(&mut self, _run: &Run) {}

    /// How a run ended that was under way before its CPU's first switch.
    fn run_before(&mut self, _run: &RunBefore) {}

    /// It is not known who runs on a CPU from its switch at `_ts_ns` up to its next one.
    fn run_unknown(&mut self, _ts_ns: u64, _cpu: u16) {}

    /// A thread has another ideal processor, or its first that is known.
    fn ideal_cpu(&mut self, _ideal: &IdealCpu) {}

    /// How far each hardware counter came in a run that ends at `_ts_ns`.
    fn counted(&mut self, _ts_ns: u64, _counted: &[u64]) {}

    /// What one hardware counter counted in a run that has ended.
    fn run_counter(&mut self, _counter: &RunCounter) {}

    /// A hardware counter that counted in some run, where the recording ends.
    fn counter_source(&mut self, _source: &CounterSource) {}

    /// A ready event.
    fn ready(&mut self, _ready: &Ready) {}

    /// A ready wait has ended; or it had not where the recording ends.
    fn ready_wait(&mut self, _wait: &ReadyWait) {}

    /// A thread is still ready where the recording ends.
    fn still_ready(&mut self, _end_ts_ns: u64, _still_ready: &StillReady) {}

    /// A routine that interrupts run, before the first of these.
    fn interrupt_routine(&mut self, _routine: &InterruptRoutine) {}

    /// An interrupt has ended.
    fn interrupt(&mut self, _interrupt: &Interrupted) {}

    /// Something was lost.
    fn loss(&mut self, _loss: &Lost) {}

    /// The recording ends: only what is told at its end comes after.
    fn recording_ends(&mut self, _ts_ns: u64) {}

    /// Nothing describes the process of the idle threads, which is there all the same.
    fn idle_process(&mut self, _ts_ns: u64) {}

    /// A process begins at `_ts_ns`, or was there before. Who created it is not known yet, nor what services it hosts.
    fn process_begins(&mut self, _ts_ns: u64, _process: &ProcessLife) {}

    /// Where a process comes from, after it and its creator.
    fn process_origin(&mut self, _ts_ns: u64, _origin: &ProcessOrigin<'_>) {}

    /// A process, where the recording ends.
    fn process(&mut self, _process: &ProcessLife) {}

    /// A thread is created, and has this id from now on.
    fn thread_created(&mut self, _ts_ns: u64, _tid: u32) {}

    /// A thread begins at `_ts_ns`, or was there before.
    fn thread_begins(&mut self, _ts_ns: u64, _thread: &ThreadLife) {}

    /// A thread that events name and nothing describes, where the recording ends.
    fn thread(&mut self, _thread: &ThreadLife) {}

    /// The thread or the process of this id is gone: the next one that has it is another.
    fn ended(&mut self, _ts_ns: u64, _id: u32) {}

    /// An image in memory, at `_ts_ns`, where its stay begins, or was there before.
    fn image(&mut self, _ts_ns: u64, _image: &Image) {}

    /// What code lies in.
    fn mapping(&mut self, _mapping: &Mapping) {}

    /// An instruction in stacks.
    fn frame(&mut self, _frame: Frame) {}

    /// A frame in a stack.
    fn call(&mut self, _call: Call) {}

    /// From `_ts_ns` on nothing refers to the calls and frames that were told.
    fn calls_forgotten(&mut self, _ts_ns: u64) {}

    /// A sample of the profile.
    fn sample(&mut self, _sample: &Sample) {}

    /// A sample of a hardware counter.
    fn counter_sample(&mut self, _sample: &CounterSample) {}

    /// The stack of an event.
    fn event_stack(&mut self, _stack: &EventStack) {}

    /// A CPU of the machine.
    fn cpu(&mut self, _cpu: &Cpu) {}

    /// A span in which a thread could run on certain CPUs only.
    fn affinity(&mut self, _affinity: &Affinity) {}

    /// A span in which a process was frozen.
    fn freeze(&mut self, _freeze: &Freeze) {}

    /// A span in which a process had the focus.
    fn focus(&mut self, _focus: &Focus) {}

    /// The user did something.
    fn input(&mut self, _input: &Input) {}

    /// A service of Windows.
    fn service(&mut self, _service: &Service) {}

    /// A span in which the machine slept.
    fn suspend(&mut self, _suspend: &Suspend) {}

    /// An event of any kind that is not told as what it is; or is, and has more to say.
    fn generic_event(&mut self, _event: &GenericEvent<'_>) {}

    /// A file that requests name, where its name is known: maybe after them.
    fn file(&mut self, _file: &File) {}

    /// A disk is done with a request.
    fn disk_io(&mut self, _io: &DiskIo) {}

    /// An operation on a file has ended; or its end is not told.
    fn file_io(&mut self, _io: &FileIo) {}

    /// Memory that a thread waited for is there.
    fn hard_fault(&mut self, _fault: &HardFault) {}
}
