//! `minimal`: two processors, three threads and a dozen switches, each written out, for golden tests.

use std::collections::BTreeMap;
use std::io::{Seek, Write};

use super::Options;
use crate::events::process::{ProcessChange, ProcessEvent, ProcessInfo};
use crate::events::scheduler::{
    ContextSwitch, READY_FROM_DPC, RankOrCState, ReadyThread, ThreadState as State,
    WaitReason as Reason,
};
use crate::events::system::{Extension, Mark, SCHEDULER_MASKS};
use crate::events::thread::{ThreadChange, ThreadEvent, ThreadInfo};
use crate::file::bytes::Sid;
use crate::file::event::{At, Header, KernelEvent, Origin};
use crate::file::writer::{TraceWriter, WriteError};
use crate::sim::watch::Why;
use crate::truth::{Truth, WaitTruth};

const CPUS: u32 = 2;
const BUFFER_BYTES: u32 = 0x2000;
const SYSTEM: u32 = 4;
const SYSTEM_TID: u32 = 100;
const APP: u32 = 2000;
const APP_TID: u32 = 2004;
const LOCK: u32 = 3000;
const LOCK_TID: u32 = 3004;
const MS: i64 = 10_000;
const END: i64 = 100 * MS;

/// Writes the trace: a lock thread at priority 14 and rank 2 is readied at 30 ms and switched in at 70 ms, because the
/// application's and System's threads of rank 0 hold both processors. At 71 ms the application takes the processor back.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(sink: W, options: Options) -> Result<(W, Truth), WriteError> {
    let mut writer = options.writer(sink, CPUS, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let extension = Extension {
        end: false,
        masks: SCHEDULER_MASKS,
        kernel_event_version: 0x50,
    };
    put(&mut writer, 0, 1, Header::System(tracer()), &extension)?;
    rundown(
        &mut writer,
        10,
        (ProcessChange::RundownStart, ThreadChange::RundownStart),
    )?;
    scheduler_events(&mut writer)?;
    put(
        &mut writer,
        0,
        95 * MS,
        Header::System(tracer()),
        &Mark("minimal"),
    )?;
    rundown(
        &mut writer,
        96 * MS,
        (ProcessChange::RundownEnd, ThreadChange::RundownEnd),
    )?;
    put(
        &mut writer,
        0,
        END,
        Header::System(tracer()),
        &Extension {
            end: true,
            ..extension
        },
    )?;
    let end_ticks = session.start_ticks + END;
    let (sink, written) = writer.finish(end_ticks)?;
    let mut truth = Truth::new("minimal", 0, &session, end_ticks, &written);
    truth.wait = Some(WaitTruth {
        tid: LOCK_TID,
        pid: LOCK,
        process: "LockApp.exe".to_owned(),
        waker_tid: SYSTEM_TID,
        waker_pid: SYSTEM,
        waker_in_dpc: false,
        last_switch_out_ticks: Some(session.start_ticks + 9 * MS),
        ready_ticks: session.start_ticks + 30 * MS,
        switch_in_ticks: session.start_ticks + 70 * MS,
        ready_ns: 30_000_000,
        switch_in_ns: 70_000_000,
        ready_dur_ns: 40_000_000,
        since_last_ns: Some(61_000_000),
        cpu: 1,
        priority: 14,
        rank: 2,
        shares_ns: BTreeMap::from([(Why::Rank, 40_000_000)]),
    });
    Ok((sink, truth))
}

/// One side of a switch: thread id and priority.
type Side = (u32, u8);
const IDLE: Side = (0, 0);
const ON_SYSTEM: Side = (SYSTEM_TID, 12);
const ON_APP: Side = (APP_TID, 8);
const ON_LOCK: Side = (LOCK_TID, 14);

/// How the old thread of a switch leaves.
#[derive(Clone, Copy)]
enum Leaving {
    Idle,
    Blocked(u8, Reason),
    Preempted(u8),
}

fn scheduler_events<W: Write + Seek>(w: &mut TraceWriter<W>) -> Result<(), WriteError> {
    use Leaving::{Blocked, Idle, Preempted};
    ready(w, 0, 5 * MS, LOCK_TID, READY_FROM_DPC)?;
    switch(w, 0, 6 * MS, IDLE, ON_LOCK, Idle)?;
    ready(w, 1, 7 * MS, APP_TID, READY_FROM_DPC)?;
    switch(w, 1, 8 * MS, IDLE, ON_APP, Idle)?;
    switch(w, 0, 9 * MS, ON_LOCK, IDLE, Blocked(2, Reason::WrQueue))?;
    ready(w, 0, 20 * MS, SYSTEM_TID, READY_FROM_DPC)?;
    switch(w, 0, 20 * MS + 50, IDLE, ON_SYSTEM, Idle)?;
    ready(w, 0, 30 * MS, LOCK_TID, 0)?;
    switch(
        w,
        1,
        70 * MS,
        ON_APP,
        ON_LOCK,
        Blocked(0, Reason::UserRequest),
    )?;
    ready(w, 0, 71 * MS, APP_TID, 0)?;
    switch(w, 1, 71 * MS + 10, ON_LOCK, ON_APP, Preempted(2))?;
    switch(
        w,
        0,
        78 * MS,
        ON_SYSTEM,
        ON_LOCK,
        Blocked(0, Reason::Executive),
    )?;
    switch(w, 0, 79 * MS, ON_LOCK, IDLE, Blocked(2, Reason::WrQueue))?;
    ready(w, 1, 80 * MS, SYSTEM_TID, READY_FROM_DPC)?;
    switch(w, 0, 80 * MS + 40, IDLE, ON_SYSTEM, Idle)?;
    switch(
        w,
        0,
        82 * MS,
        ON_SYSTEM,
        IDLE,
        Blocked(0, Reason::Executive),
    )?;
    switch(w, 1, 85 * MS, ON_APP, IDLE, Blocked(0, Reason::UserRequest))?;
    ready(w, 0, 90 * MS, SYSTEM_TID, READY_FROM_DPC)?;
    switch(w, 0, 90 * MS + 30, IDLE, ON_SYSTEM, Idle)
}

fn switch<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    cpu: u16,
    time: i64,
    old: Side,
    new: Side,
    leaving: Leaving,
) -> Result<(), WriteError> {
    let (rank_or_c_state, old_state, reason) = match leaving {
        Leaving::Idle => (RankOrCState::CState(1), State::Running, Reason::Executive),
        Leaving::Blocked(rank, reason) => (RankOrCState::Rank(rank), State::Waiting, reason),
        Leaving::Preempted(rank) => (RankOrCState::Rank(rank), State::Ready, Reason::WrPreempted),
    };
    let event = ContextSwitch {
        version: 4,
        new_tid: new.0,
        old_tid: old.0,
        new_priority: new.1,
        old_priority: old.1,
        rank_or_c_state,
        new_priority_decrement: 0,
        old_wait_reason: reason as u8,
        old_wait_mode: u8::from(matches!(reason, Reason::UserRequest | Reason::WrQueue)),
        old_qos: 0,
        new_qos: 0,
        old_state,
        old_ideal_cpu: u8::try_from(cpu).unwrap_or(0),
        new_wait_time: 1,
        old_remaining_quantum: 0,
    };
    put(writer, cpu, time, Header::PerfInfo, &event)
}

fn ready<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    cpu: u16,
    time: i64,
    tid: u32,
    flags: u8,
) -> Result<(), WriteError> {
    let event = ReadyThread {
        tid,
        adjust_reason: 0,
        adjust_increment: 0,
        flags,
    };
    put(writer, cpu, time, Header::PerfInfo, &event)
}

fn processes() -> [ProcessInfo; 4] {
    let outside_sessions = |pid, image| ProcessInfo {
        session_id: u32::MAX,
        sid: None,
        ..ProcessInfo::new(pid, 0, image)
    };
    let user = |pid, image, command_line: &str| ProcessInfo {
        session_id: 1,
        sid: Some(Sid::user()),
        command_line: command_line.to_owned(),
        ..ProcessInfo::new(pid, SYSTEM, image)
    };
    [
        outside_sessions(0, "Idle"),
        outside_sessions(SYSTEM, "System"),
        user(APP, "app.exe", "\"C:\\Program Files\\App\\app.exe\" --busy"),
        user(
            LOCK,
            "LockApp.exe",
            "LockApp.exe -ServerName:WindowsDefaultLockScreen",
        ),
    ]
}

fn threads() -> [ThreadInfo; 5] {
    let named = |info, name: &str| ThreadInfo {
        name: Some(name.to_owned()),
        ..info
    };
    [
        ThreadInfo::new(0, 0, 0),
        ThreadInfo::new(0, 0, 0),
        ThreadInfo::new(SYSTEM, SYSTEM_TID, 12),
        named(ThreadInfo::new(APP, APP_TID, 8), "worker"),
        named(ThreadInfo::new(LOCK, LOCK_TID, 14), "lock screen"),
    ]
}

/// Writes all processes, then all threads, a tick apart.
fn rundown<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    time: i64,
    changes: (ProcessChange, ThreadChange),
) -> Result<(), WriteError> {
    let mut at = time;
    for process in &processes() {
        put(
            writer,
            0,
            at,
            Header::PerfInfo,
            &ProcessEvent {
                change: changes.0,
                version: 4,
                process,
            },
        )?;
        at += 1;
    }
    for thread in &threads() {
        put(
            writer,
            0,
            at,
            Header::System(tracer()),
            &ThreadEvent {
                change: changes.1,
                version: 3,
                thread,
            },
        )?;
        at += 1;
    }
    Ok(())
}

/// The thread that runs the session: outside the trace's story.
const fn tracer() -> Origin {
    Origin {
        tid: SYSTEM_TID,
        pid: SYSTEM,
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
