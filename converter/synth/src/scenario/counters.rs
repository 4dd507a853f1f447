//! `counters`: two threads of one program, on a processor each, whose context switches carry hardware counters.

use std::io::{Seek, Write};

use super::Options;
use crate::events::process::{ProcessChange, ProcessEvent, ProcessInfo};
use crate::events::profile::PmcCounterConfig;
use crate::events::scheduler::{ContextSwitch, RankOrCState, ThreadState, WaitReason};
use crate::events::thread::{ThreadChange, ThreadEvent, ThreadInfo};
use crate::file::event::{At, Header, KernelEvent};
use crate::file::writer::{TraceWriter, WriteError};
use crate::truth::Truth;

const CPUS: u32 = 2;
const BUFFER_BYTES: u32 = 0x2000;
const APP: u32 = 2000;
const QUICK: u32 = 2004;
const SLOW: u32 = 2008;
const IDLE: u32 = 0;
const MS: i64 = 10_000;
const END: i64 = 100 * MS;

/// A context switch: time in ms, CPU, who leaves and who comes, with their QoS levels, and the counters: instructions, cycles.
type Switch = (i64, u16, (u32, u8), (u32, u8), [u64; 2]);

/// `QUICK` retires 50 000 instructions in 70 000 cycles, and is put to QoS level 2 between its two runs; `SLOW` retires 1000 in
/// 90 000 cycles.
const SWITCHES: [Switch; 6] = [
    (10, 0, (IDLE, 0), (QUICK, 0), [1_000, 5_000]),
    (12, 1, (IDLE, 0), (SLOW, 2), [500, 500]),
    (20, 0, (QUICK, 0), (IDLE, 0), [11_000, 25_000]),
    (30, 1, (SLOW, 2), (IDLE, 0), [1_500, 90_500]),
    (40, 0, (IDLE, 0), (QUICK, 2), [11_100, 25_500]),
    (60, 0, (QUICK, 0), (IDLE, 0), [51_100, 75_500]),
];

/// Writes the trace.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(sink: W, options: Options) -> Result<(W, Truth), WriteError> {
    let mut writer = options.writer(sink, CPUS, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let names = PmcCounterConfig(&["InstructionRetired", "TotalCycles"]);
    put(&mut writer, 0, 1, Header::PerfInfo, &names)?;
    let process = &ProcessInfo::new(APP, 4, "app.exe");
    let event = ProcessEvent {
        change: ProcessChange::RundownStart,
        version: 4,
        process,
    };
    put(&mut writer, 0, 2, Header::PerfInfo, &event)?;
    for (at, tid) in [(3, QUICK), (4, SLOW)] {
        let event = ThreadEvent {
            change: ThreadChange::RundownStart,
            version: 3,
            thread: &ThreadInfo::new(APP, tid, 8),
        };
        put(&mut writer, 0, at, Header::PerfInfo, &event)?;
    }
    for (at_ms, cpu, old, new, counters) in SWITCHES {
        let header = Header::PerfInfoWithCounters(counters);
        put(&mut writer, cpu, at_ms * MS, header, &switch(old, new))?;
    }
    let end_ticks = session.start_ticks + END;
    let (sink, written) = writer.finish(end_ticks)?;
    let truth = Truth::new("counters", options.seed, &session, end_ticks, &written);
    Ok((sink, truth))
}

fn switch((old_tid, old_qos): (u32, u8), (new_tid, new_qos): (u32, u8)) -> ContextSwitch {
    let (old_state, old_wait_reason, rank_or_c_state) = match old_tid {
        IDLE => (
            ThreadState::Running,
            WaitReason::Executive,
            RankOrCState::CState(1),
        ),
        _ => (
            ThreadState::Waiting,
            WaitReason::UserRequest,
            RankOrCState::Rank(0),
        ),
    };
    ContextSwitch {
        version: 5,
        new_tid,
        old_tid,
        new_priority: if new_tid == IDLE { 0 } else { 8 },
        old_priority: if old_tid == IDLE { 0 } else { 8 },
        rank_or_c_state,
        new_priority_decrement: 0,
        old_wait_reason: old_wait_reason as u8,
        old_wait_mode: 1,
        old_qos,
        new_qos,
        old_state,
        old_ideal_cpu: 0,
        new_wait_time: 1,
        old_remaining_quantum: 0,
    }
}

fn put<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    cpu: u16,
    time: i64,
    header: Header,
    event: &impl KernelEvent,
) -> Result<(), WriteError> {
    let ticks = writer.session().start_ticks + time;
    writer.kernel(At::new(cpu, ticks), header, event)
}
