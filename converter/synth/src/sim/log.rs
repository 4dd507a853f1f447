//! Turns what the machine does into trace events, while logging is on.

use std::io::{Seek, Write};

use super::machine::Interrupt;
use super::process::Process;
use super::thread::Thread;
use crate::events::interrupt;
use crate::events::process::{ProcessChange, ProcessEvent, ProcessTerminate};
use crate::events::scheduler::{AntiStarvationBoost, ContextSwitch, ReadyThread};
use crate::events::thread::{ThreadChange, ThreadEvent};
use crate::file::event::{At, Header, KernelEvent, Origin};
use crate::file::writer::{TraceWriter, WriteError, Written};

const PROCESS_VERSION: u8 = 4;
const THREAD_VERSION: u8 = 3;
/// Distance of rundown events, in ticks.
const RUNDOWN_STEP: i64 = 8;

/// The log of a simulation. Times are in ticks after the header event.
#[derive(Debug)]
pub struct Log<W> {
    writer: TraceWriter<W>,
    on: bool,
}

impl<W: Write + Seek> Log<W> {
    /// A log that is off: the simulation can warm up.
    pub const fn new(writer: TraceWriter<W>) -> Self {
        Self { writer, on: false }
    }

    /// Turns logging on or off.
    pub const fn set_on(&mut self, on: bool) {
        self.on = on;
    }

    /// Whether events are written.
    pub const fn is_on(&self) -> bool {
        self.on
    }

    /// The writer, for events that no machine makes.
    pub const fn writer(&mut self) -> &mut TraceWriter<W> {
        &mut self.writer
    }

    /// Closes the file.
    pub fn finish(self, end: i64) -> Result<(W, Written), WriteError> {
        let end_ticks = self.writer.session().start_ticks + end;
        self.writer.finish(end_ticks)
    }

    pub(super) fn context_switch(
        &mut self,
        cpu: u16,
        time: i64,
        switch: &ContextSwitch,
    ) -> Result<(), WriteError> {
        self.put(cpu, time, Header::PerfInfo, switch)
    }

    pub(super) fn ready_thread(
        &mut self,
        cpu: u16,
        time: i64,
        ready: &ReadyThread,
    ) -> Result<(), WriteError> {
        self.put(cpu, time, Header::PerfInfo, ready)
    }

    pub(super) fn starvation(
        &mut self,
        time: i64,
        boost: &AntiStarvationBoost,
    ) -> Result<(), WriteError> {
        self.put(boost.cpu, time, Header::PerfInfo, boost)
    }

    pub(super) fn interrupt(&mut self, end: i64, interrupt: &Interrupt) -> Result<(), WriteError> {
        let event = interrupt::Interrupt {
            kind: interrupt.kind,
            initial_ticks: self.writer.session().start_ticks + interrupt.time,
            routine: interrupt.routine,
        };
        self.put(interrupt.cpu, end, Header::PerfInfo, &event)
    }

    pub(super) fn process(
        &mut self,
        cpu: u16,
        time: i64,
        by: Origin,
        change: ProcessChange,
        process: &Process,
    ) -> Result<(), WriteError> {
        let event = ProcessEvent {
            change,
            version: PROCESS_VERSION,
            process: &process.info,
        };
        self.put(cpu, time, Header::System(by), &event)
    }

    pub(super) fn process_terminate(
        &mut self,
        cpu: u16,
        time: i64,
        by: Origin,
        pid: u32,
    ) -> Result<(), WriteError> {
        self.put(cpu, time, Header::System(by), &ProcessTerminate { pid })
    }

    pub(super) fn thread(
        &mut self,
        cpu: u16,
        time: i64,
        by: Origin,
        change: ThreadChange,
        thread: &Thread,
    ) -> Result<(), WriteError> {
        let event = ThreadEvent {
            change,
            version: THREAD_VERSION,
            thread: &thread.info,
        };
        self.put(cpu, time, Header::System(by), &event)
    }

    /// Writes each process followed by its threads from `time` on and says when it was done.
    pub(super) fn rundown<'a>(
        &mut self,
        time: i64,
        end: bool,
        processes: impl Iterator<Item = (&'a Process, Vec<&'a Thread>)>,
    ) -> Result<i64, WriteError> {
        let (tid, pid) = self.writer.session().origin;
        let by = Origin { tid, pid };
        let (process_change, thread_change) = if end {
            (ProcessChange::RundownEnd, ThreadChange::RundownEnd)
        } else {
            (ProcessChange::RundownStart, ThreadChange::RundownStart)
        };
        let mut at = time;
        for (process, threads) in processes {
            let event = ProcessEvent {
                change: process_change,
                version: PROCESS_VERSION,
                process: &process.info,
            };
            at += RUNDOWN_STEP;
            self.put_always(0, at, Header::PerfInfo, &event)?;
            for thread in threads {
                let event = ThreadEvent {
                    change: thread_change,
                    version: THREAD_VERSION,
                    thread: &thread.info,
                };
                at += RUNDOWN_STEP;
                self.put_always(0, at, Header::System(by), &event)?;
            }
        }
        Ok(at)
    }

    fn put(
        &mut self,
        cpu: u16,
        time: i64,
        header: Header,
        event: &impl KernelEvent,
    ) -> Result<(), WriteError> {
        if self.on {
            self.put_always(cpu, time, header, event)
        } else {
            Ok(())
        }
    }

    /// Writes an event whether logging is on or not.
    pub fn put_always(
        &mut self,
        cpu: u16,
        time: i64,
        header: Header,
        event: &impl KernelEvent,
    ) -> Result<(), WriteError> {
        let at = At::new(cpu, self.writer.session().start_ticks + time);
        self.writer.kernel(at, header, event)
    }
}
