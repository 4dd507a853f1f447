//! `many-processors`: 96 processors in two groups, under any clock; interrupts, changes of priority and affinity, a
//! registry key that is opened, and a sleep of the machine, each once or twice, for golden tests.

use std::io::{Seek, Write};

use super::Options;
use crate::events::interrupt::{Interrupt, InterruptKind};
use crate::events::power::{PostSleep, PreSleep};
use crate::events::priority::{Migration, PriorityKind, SetAffinity, SetPriority};
use crate::events::process::{ProcessChange, ProcessEvent, ProcessInfo};
use crate::events::registry::KeyOpened;
use crate::events::scheduler::{
    AntiStarvationBoost, ContextSwitch, RankOrCState, ReadyThread, ThreadState as State,
    WaitReason as Reason,
};
use crate::events::thread::{ThreadChange, ThreadEvent, ThreadInfo};
use crate::file::event::{At, Header, KernelEvent, Origin};
use crate::file::session::{Clock, Session};
use crate::file::writer::{TraceWriter, WriteError};
use crate::truth::Truth;

const CPUS: u32 = 96;
const BUFFER_BYTES: u32 = 0x1000;
const MS: i64 = 1_000_000;
const END: i64 = 100 * MS;
const APP: u32 = 2000;
/// May run on the last processor only.
const BOUND: u32 = 2004;
const OTHER: u32 = 2008;
/// The last processor, the 48th of the second group.
const LAST: u16 = 95;
const LAST_MASK: u64 = 1 << 47;
const DRIVER: u64 = 0xFFFF_F800_1000_0000;
const COUNTER_HZ: i64 = 10_000_000;

/// Writes the trace: the bound thread runs on processor 95 from 10 to 15 ms, held up from 11 to 14 ms by a DPC with an ISR
/// in it; it is readied by the other one at 21 ms and not switched in before 25 ms, where another DPC ends. At 30 ms its
/// priority is raised, at 33 ms a registry key is opened, from 40 to 60 ms the machine sleeps.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    clock: Clock,
) -> Result<(W, Truth), WriteError> {
    let mut session = Session {
        clock,
        ..options.session(CPUS, BUFFER_BYTES)
    };
    if clock == Clock::SystemTime {
        session.start_ticks = session.start_filetime.cast_signed();
    }
    let mut stage = Stage {
        writer: TraceWriter::new(sink, session.clone())?,
    };
    stage.rundown(
        10_000,
        (ProcessChange::RundownStart, ThreadChange::RundownStart),
    )?;
    stage.run()?;
    stage.rundown(
        END - 10_000,
        (ProcessChange::RundownEnd, ThreadChange::RundownEnd),
    )?;
    let end_ticks = session.ticks_at(END);
    let (sink, written) = stage.writer.finish(end_ticks)?;
    let truth = Truth::new("many-processors", 0, &session, end_ticks, &written);
    Ok((sink, truth))
}

/// A trace under construction. Times are in ns after the start.
struct Stage<W> {
    writer: TraceWriter<W>,
}

impl<W: Write + Seek> Stage<W> {
    fn run(&mut self) -> Result<(), WriteError> {
        let isr = InterruptKind::Isr {
            vector: 0x51,
            handled: true,
        };
        let dpc = InterruptKind::Dpc;
        self.put(0, 5 * MS, &affinity())?;
        self.switch(LAST, 10 * MS, (0, 0), (BOUND, 8))?;
        self.interrupt(isr, 12 * MS, MS / 2, 0x10)?;
        self.interrupt(dpc, 14 * MS, 3 * MS, 0x20)?;
        self.switch(LAST, 15 * MS, (BOUND, 8), (0, 0))?;
        self.switch(70, 20 * MS, (0, 0), (OTHER, 9))?;
        let ready = ReadyThread {
            tid: BOUND,
            adjust_reason: 1,
            adjust_increment: 1,
            flags: 0,
        };
        self.put(70, 21 * MS, &ready)?;
        self.interrupt(dpc, 25 * MS, 5 * MS, 0x20)?;
        self.switch(LAST, 25 * MS + 1000, (0, 0), (BOUND, 9))?;
        let raised = SetPriority {
            kind: PriorityKind::Dynamic,
            tid: BOUND,
            old: 9,
            new: 12,
        };
        self.put(70, 30 * MS, &raised)?;
        let moved = Migration {
            tid: OTHER,
            source_cpu: 70,
            target_cpu: 3,
            priority: 9,
            old_ideal_cpu: Some(70),
        };
        self.put(70, 31 * MS, &moved)?;
        let starved = AntiStarvationBoost {
            tid: OTHER,
            cpu: 3,
            old_priority: 9,
        };
        self.put(0, 32 * MS, &starved)?;
        let opened = KeyOpened {
            initial_ticks: self.writer.session().ticks_at(33 * MS - 1000),
            status: 0,
            key_control_block: 0xFFFF_A000_1234_5690,
            name: r"Software\Policies",
        };
        self.put(70, 33 * MS, &opened)?;
        self.sleep(40 * MS, 60 * MS)?;
        self.switch(70, 70 * MS, (OTHER, 9), (0, 0))?;
        self.switch(LAST, 80 * MS, (BOUND, 12), (0, 0))
    }

    fn sleep(&mut self, from: i64, until: i64) -> Result<(), WriteError> {
        let pre = PreSleep {
            counter: from / 100,
            hz: COUNTER_HZ,
        };
        let counter = until / 100;
        self.put(0, from, &pre)?;
        self.put(0, until, &PostSleep { counter })
    }

    fn interrupt(
        &mut self,
        kind: InterruptKind,
        end: i64,
        length: i64,
        offset: u64,
    ) -> Result<(), WriteError> {
        let initial_ticks = self.writer.session().ticks_at(end - length);
        let event = Interrupt {
            kind,
            initial_ticks,
            routine: DRIVER + offset,
        };
        self.put(LAST, end, &event)
    }

    /// Old and new side: thread and priority. A thread that leaves waits.
    fn switch(
        &mut self,
        cpu: u16,
        time: i64,
        old: (u32, u8),
        new: (u32, u8),
    ) -> Result<(), WriteError> {
        let (rank_or_c_state, old_state) = match old {
            (0, _) => (RankOrCState::CState(1), State::Running),
            _ => (RankOrCState::Rank(0), State::Waiting),
        };
        let event = ContextSwitch {
            version: 4,
            new_tid: new.0,
            old_tid: old.0,
            new_priority: new.1,
            old_priority: old.1,
            rank_or_c_state,
            new_priority_decrement: 0,
            old_wait_reason: Reason::UserRequest as u8,
            old_wait_mode: 1,
            old_qos: 0,
            new_qos: 0,
            old_state,
            old_ideal_cpu: 0,
            new_wait_time: 1,
            old_remaining_quantum: 0,
        };
        self.put(cpu, time, &event)
    }

    fn rundown(
        &mut self,
        time: i64,
        (process_change, thread_change): (ProcessChange, ThreadChange),
    ) -> Result<(), WriteError> {
        let process = ProcessInfo::new(APP, 4, "app.exe");
        let event = ProcessEvent {
            change: process_change,
            version: 4,
            process: &process,
        };
        self.put(0, time, &event)?;
        for (tid, steps) in [(BOUND, 1), (OTHER, 2)] {
            let thread = ThreadInfo {
                affinity: (1 << 48) - 1,
                ..ThreadInfo::new(APP, tid, 8)
            };
            let event = ThreadEvent {
                change: thread_change,
                version: 3,
                thread: &thread,
            };
            let header = Header::System(Origin::default());
            self.put_under(0, time + steps * 1000, header, &event)?;
        }
        Ok(())
    }

    fn put(&mut self, cpu: u16, time: i64, event: &impl KernelEvent) -> Result<(), WriteError> {
        self.put_under(cpu, time, Header::PerfInfo, event)
    }

    fn put_under(
        &mut self,
        cpu: u16,
        time: i64,
        header: Header,
        event: &impl KernelEvent,
    ) -> Result<(), WriteError> {
        let ticks = self.writer.session().ticks_at(time);
        self.writer.kernel(At::new(cpu, ticks), header, event)
    }
}

const fn affinity() -> SetAffinity {
    SetAffinity {
        tid: BOUND,
        group: 1,
        mask: LAST_MASK,
    }
}
