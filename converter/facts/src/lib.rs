//! What the state of a recording yields: typed facts, and the sinks that write them in one form or another.
//!
//! State knows no form, a sink knows no state. Times are ns on the trace clock.

mod counts;
mod event;
mod image;
mod interrupt;
mod io;
mod life;
mod loss;
mod recording;
mod run;
mod sink;
mod stack;
mod standing;
mod wait;

pub use counts::FactCounts;
pub use event::{EventHeader, GenericEvent};
pub use image::{Image, ImageSymbols};
pub use interrupt::{InterruptRoutine, Interrupted};
pub use io::{Asked, DiskDeed, DiskIo, File, FileIo, FileIoEnd, HardFault, Request};
pub use life::{ProcessLife, ProcessOrigin, ThreadLife};
pub use loss::Lost;
pub use recording::{CounterSource, EventCount, Recorded, Recording, SampleInterval};
pub use run::{
    IdealCpu, Mention, Run, RunBefore, RunCounter, RunEnd, RunOutlook, RunStart, Switch, Thread,
};
pub use sink::Sink;
pub use stack::{
    Call, CounterSample, EventStack, Frame, Function, Mapping, Sample, StackOf, StackedKind,
};
pub use standing::{Affinity, Cpu, Focus, Freeze, Input, Service, Suspend};
pub use wait::{Ready, ReadyWait, StillReady};
