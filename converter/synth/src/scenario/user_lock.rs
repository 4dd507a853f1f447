//! `user-lock`: a shell's thread holds the lock of the window manager, for which an editor in focus and a browser wait.

use std::io::{Seek, Write};

use super::Options;
use crate::events::desktop::{focus, user_lock_acquired, user_lock_released};
use crate::events::manifest::ManifestEvent;
use crate::events::process::{ProcessChange, ProcessEvent, ProcessInfo};
use crate::events::scheduler::{
    ContextSwitch, RankOrCState, ReadyThread, ThreadState, WaitReason as Reason,
};
use crate::events::thread::{ThreadChange, ThreadEvent, ThreadInfo};
use crate::file::event::{At, Header, Origin};
use crate::file::writer::{TraceWriter, WriteError};
use crate::truth::{Truth, UserLockTruth};

const BUFFER_BYTES: u32 = 0x2000;
/// Ticks of the clock, which is the performance counter.
const MS: i64 = 10_000;
const NS_PER_TICK: i64 = 100;
const TAKEN: i64 = 100 * MS;
const EDITOR_WANTS: i64 = 120 * MS;

const SESSION: u32 = 1;
const SHELL: u32 = 1000;
const EDITOR: u32 = 2000;
const BROWSER: u32 = 3000;

/// What the trace shows of the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    /// For how long the shell holds it.
    pub ms: u32,
    /// Whether the editor is seen to wait for messages before and after, and to block for the lock.
    pub shows_messages: bool,
}

/// Writes the trace, of a second. The shell has the lock from 100 ms on for so long: it runs for half of that, and then
/// waits for a disk. The editor, which has the focus, wants the lock from 120 ms on, the browser from 150 ms on; each
/// gets it in its turn and holds it for 1 ms.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    hold: Hold,
) -> Result<(W, Truth), WriteError> {
    let mut writer = options.writer(sink, 1, BUFFER_BYTES)?;
    let session = writer.session().clone();
    rundown(
        &mut writer,
        10,
        ProcessChange::RundownStart,
        ThreadChange::RundownStart,
    )?;
    let held = i64::from(hold.ms) * MS;
    let freed = TAKEN + held;
    let log = |writer: &mut TraceWriter<W>, time: i64, pid: u32, event: &ManifestEvent| {
        let at = At::new(0, session.start_ticks + time);
        writer.provider(at, Origin { tid: pid + 4, pid }, &event.event())
    };
    log(&mut writer, MS, SHELL, &focus(SESSION, SHELL, EDITOR))?;
    let idle = if hold.shows_messages {
        Reason::WrUserRequest
    } else {
        Reason::UserRequest
    };
    if hold.shows_messages {
        switch(&mut writer, 50 * MS, 0, EDITOR, None)?;
        switch(&mut writer, 51 * MS, EDITOR, 0, Some(idle))?;
    }
    switch(&mut writer, TAKEN - MS, 0, SHELL, None)?;
    log(&mut writer, TAKEN, SHELL, &user_lock_acquired(0, 1))?;
    if hold.shows_messages {
        let woken = EDITOR_WANTS - 10;
        ready(&mut writer, woken, EDITOR)?;
        switch(
            &mut writer,
            woken + 5,
            SHELL,
            EDITOR,
            Some(Reason::WrPreempted),
        )?;
        switch(
            &mut writer,
            EDITOR_WANTS,
            EDITOR,
            SHELL,
            Some(Reason::WrResource),
        )?;
    }
    switch(
        &mut writer,
        TAKEN + held / 2,
        SHELL,
        0,
        Some(Reason::Executive),
    )?;
    ready(&mut writer, freed - 10, SHELL)?;
    switch(&mut writer, freed - 5, 0, SHELL, None)?;
    log(
        &mut writer,
        freed,
        SHELL,
        &user_lock_released(ticks(held), 1),
    )?;
    let mut before = SHELL;
    for (turn, (pid, wanted)) in (0..).zip([(EDITOR, EDITOR_WANTS), (BROWSER, 150 * MS)]) {
        let got = freed + turn * MS + 10;
        ready(&mut writer, got - 8, pid)?;
        switch(&mut writer, got - 5, before, pid, Some(idle))?;
        let waited = (got - wanted).max(0);
        let token = turn.unsigned_abs() + 2;
        log(
            &mut writer,
            got,
            pid,
            &user_lock_acquired(ticks(waited), token),
        )?;
        log(
            &mut writer,
            got + MS - 20,
            pid,
            &user_lock_released(ticks(MS - 20), token),
        )?;
        before = pid;
    }
    switch(&mut writer, freed + 2 * MS + 5, before, 0, Some(idle))?;
    let end = 1000 * MS;
    rundown(
        &mut writer,
        end - 10,
        ProcessChange::RundownEnd,
        ThreadChange::RundownEnd,
    )?;
    let end_ticks = session.start_ticks + end;
    let (sink, written) = writer.finish(end_ticks)?;
    let mut truth = Truth::new("user-lock", 0, &session, end_ticks, &written);
    truth.user_lock = Some(UserLockTruth {
        holder_tid: SHELL + 4,
        held_ns: (freed - EDITOR_WANTS).max(0) * NS_PER_TICK,
        waiter_tid: EDITOR + 4,
    });
    Ok((sink, truth))
}

fn ticks(time: i64) -> u64 {
    u64::try_from(time).unwrap_or(0)
}

/// From the thread of one process to that of another, 0 for the idle thread; `reason` is why the old one
/// leaves.
fn switch<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    time: i64,
    old: u32,
    new: u32,
    reason: Option<Reason>,
) -> Result<(), WriteError> {
    let thread = |pid: u32| if pid == 0 { (0, 0) } else { (pid + 4, 8) };
    let (old_tid, old_priority) = thread(old);
    let (new_tid, new_priority) = thread(new);
    let event = ContextSwitch {
        version: 4,
        new_tid,
        old_tid,
        new_priority,
        old_priority,
        rank_or_c_state: reason.map_or(RankOrCState::CState(1), |_| RankOrCState::Rank(0)),
        new_priority_decrement: 0,
        old_wait_reason: reason.map_or(0, |reason| reason as u8),
        old_wait_mode: 0,
        old_qos: 0,
        new_qos: 0,
        old_state: match reason {
            None => ThreadState::Running,
            Some(Reason::WrPreempted) => ThreadState::Ready,
            Some(_) => ThreadState::Waiting,
        },
        old_ideal_cpu: 0,
        new_wait_time: 1,
        old_remaining_quantum: 0,
    };
    let at = At::new(0, writer.session().start_ticks + time);
    writer.kernel(at, Header::PerfInfo, &event)
}

fn ready<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    time: i64,
    pid: u32,
) -> Result<(), WriteError> {
    let event = ReadyThread {
        tid: pid + 4,
        adjust_reason: 0,
        adjust_increment: 0,
        flags: 0,
    };
    let at = At::new(0, writer.session().start_ticks + time);
    writer.kernel(at, Header::PerfInfo, &event)
}

/// Three processes with a thread each, all there from start to end, a tick apart.
fn rundown<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    time: i64,
    process_change: ProcessChange,
    thread_change: ThreadChange,
) -> Result<(), WriteError> {
    let start = writer.session().start_ticks;
    let images = [
        (SHELL, "explorer.exe"),
        (EDITOR, "editor.exe"),
        (BROWSER, "browser.exe"),
    ];
    for ((pid, image), ticks) in images.into_iter().zip(start + time..) {
        let process = ProcessEvent {
            change: process_change,
            version: 4,
            process: &ProcessInfo {
                session_id: SESSION,
                ..ProcessInfo::new(pid, 4, image)
            },
        };
        let thread = ThreadEvent {
            change: thread_change,
            version: 3,
            thread: &ThreadInfo::new(pid, pid + 4, 8),
        };
        let header = Header::System(Origin {
            tid: SHELL + 4,
            pid: SHELL,
        });
        writer.kernel(At::new(0, ticks), header, &process)?;
        writer.kernel(At::new(0, ticks), header, &thread)?;
    }
    Ok(())
}
