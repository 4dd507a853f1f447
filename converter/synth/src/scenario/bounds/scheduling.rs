//! Ready waits, a release, a freeze.

use std::io::{Seek, Write};

use super::super::crowd::{IMAGES, pid};
use super::MS;
use crate::events::desktop::{focus, freeze, thaw};
use crate::events::scheduler::{
    ContextSwitch, RankOrCState, ReadyThread, ThreadState, WaitReason as Reason,
};
use crate::file::event::{At, Header, Origin};
use crate::file::writer::{TraceWriter, WriteError};

const SESSION: u32 = 1;

/// A thread on a processor: its id, 0 for the idle thread, its rank and its priority.
type OnCpu = (u32, u8, u8);

const IDLE: OnCpu = (0, 0, 0);

/// A thread of this rank and priority is ready for 100 ms less `short` ticks, while another of rank 0 runs, whose priority is
/// the third; answers when both are done.
pub fn held_up<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    began: i64,
    (rank, priority, other_priority): (u8, u8, u8),
    short: i64,
) -> Result<i64, WriteError> {
    let held_up = (pid(0) + 4, rank, priority);
    let other = (pid(1) + 4, 0, other_priority);
    let ready_ticks = began + 10 * MS;
    let run_ticks = ready_ticks + 100 * MS - short;
    switch(writer, began, IDLE, other)?;
    ready(writer, ready_ticks, held_up.0)?;
    switch(writer, run_ticks, other, held_up)?;
    switch(writer, run_ticks + 10 * MS, held_up, IDLE)?;
    Ok(run_ticks + 10 * MS)
}

/// So many threads block one after the other, and are readied by another 1.5 s later, 10 µs apart.
pub fn release<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    began: i64,
    threads: usize,
) -> Result<i64, WriteError> {
    let releaser = (pid(IMAGES.len() - 1) + 4, 0, 8);
    let blocked = (0..threads).map(|number| {
        let thread = u32::from(number >= IMAGES.len() - 1);
        (pid(number % (IMAGES.len() - 1)) + 4 + 4 * thread, 0, 8)
    });
    let mut ticks = began;
    let mut before = IDLE;
    for thread in blocked.clone().chain([releaser]) {
        switch(writer, ticks, before, thread)?;
        (before, ticks) = (thread, ticks + 100);
    }
    ticks += 1500 * MS;
    for (tid, _, _) in blocked {
        ticks += 100;
        ready(writer, ticks, tid)?;
    }
    switch(writer, ticks + MS, releaser, IDLE)?;
    Ok(ticks + MS)
}

/// The editor gets the focus, is frozen, and is thawed 100 ms less `short` ticks later.
pub fn freeze_in_focus<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    began: i64,
    short: i64,
) -> Result<i64, WriteError> {
    let [browser, editor, service] = [pid(0), pid(2), pid(7)];
    let by = Origin {
        tid: service + 4,
        pid: service,
    };
    let frozen = began + 10 * MS;
    let thawed = frozen + 100 * MS - short;
    let events = [
        (began, focus(SESSION, browser, editor)),
        (frozen, freeze(editor)),
        (thawed, thaw(editor)),
    ];
    for (ticks, event) in events {
        writer.provider(At::new(0, ticks), by, &event.event())?;
    }
    Ok(thawed)
}

/// A switch from a thread that blocks.
fn switch<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    ticks: i64,
    (old_tid, old_rank, old_priority): OnCpu,
    (new_tid, _, new_priority): OnCpu,
) -> Result<(), WriteError> {
    let (rank_or_c_state, old_wait_reason, old_state) = if old_tid == 0 {
        (RankOrCState::CState(1), 0, ThreadState::Running)
    } else {
        let reason = Reason::UserRequest as u8;
        (RankOrCState::Rank(old_rank), reason, ThreadState::Waiting)
    };
    let event = ContextSwitch {
        version: 4,
        new_tid,
        old_tid,
        new_priority,
        old_priority,
        rank_or_c_state,
        new_priority_decrement: 0,
        old_wait_reason,
        old_wait_mode: 1,
        old_qos: 0,
        new_qos: 0,
        old_state,
        old_ideal_cpu: 0,
        new_wait_time: 1,
        old_remaining_quantum: 0,
    };
    writer.kernel(At::new(0, ticks), Header::PerfInfo, &event)
}

fn ready<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    ticks: i64,
    tid: u32,
) -> Result<(), WriteError> {
    let event = ReadyThread {
        tid,
        adjust_reason: 0,
        adjust_increment: 0,
        flags: 0,
    };
    writer.kernel(At::new(0, ticks), Header::PerfInfo, &event)
}
