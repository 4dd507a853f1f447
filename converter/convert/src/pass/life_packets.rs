//! The packets that describe one process or thread.

use facts::{ProcessLife, ThreadLife};
use pftrace::Track;

use super::emit::Emit;
use crate::first_times::{INITIAL_THREADS_TS_NS, START_TS_NS};
use crate::lifetime::{Incarnation, Lifetimes, ProcessFacts, ThreadFacts};
use crate::perfetto::{PROCESS_TRACKS, THREAD_TRACKS};

/// UUID of the idle process's track where the trace does not describe it.
const IDLE_PROCESS_TRACK: u64 = (1 << 33) + 2;

/// A thread, and its process.
type Described<'l> = (
    &'l Incarnation<ThreadFacts>,
    Option<&'l Incarnation<ProcessFacts>>,
);

/// The process of the idle threads, which the importer knows by pid 0.
pub fn idle_process(emit: &mut Emit) {
    let track = Track::Process {
        pid: 0,
        name: "Idle",
        start_ts_ns: None,
    };
    emit.packets()
        .track(START_TS_NS, IDLE_PROCESS_TRACK, &track);
}

/// What a process is called.
pub fn process_name(facts: &ProcessFacts) -> String {
    match (&facts.image_name, facts.pid) {
        (Some(name), _) => name.to_string(),
        (None, 0) => "Idle".to_owned(),
        (None, pid) => format!("pid {pid}"),
    }
}

/// All packets of a process that begins within the trace, or whose id was another's before. Answers when it was created,
/// if that is in the trace.
pub fn new_process(
    emit: &mut Emit,
    raw: i64,
    index: usize,
    process: &Incarnation<ProcessFacts>,
    lifetimes: &Lifetimes,
) -> Option<u64> {
    let ts_ns = emit.stamp(raw);
    let create_ts_ns = process.create_raw.map(|_| ts_ns);
    process_track(emit, ts_ns, create_ts_ns, index, process);
    let ts_ns = emit.stamp(raw);
    let parent_pid = lifetimes.living_parent(process);
    process_tree(emit, ts_ns, process, parent_pid);
    create_ts_ns
}

/// The track of a process, and what is known of it.
pub fn process_track(
    emit: &mut Emit,
    ts_ns: u64,
    create_ts_ns: Option<u64>,
    index: usize,
    process: &Incarnation<ProcessFacts>,
) {
    let facts = &process.facts;
    let exit_ts_ns = process.exit_raw.map(|raw| emit.ts_of(raw));
    let exit_status = facts.exit_status.filter(|_| exit_ts_ns.is_some());
    let uuid = PROCESS_TRACKS + index as u64;
    let name = process_name(facts);
    let upid = emit
        .keys
        .begin_process(facts.pid, index, create_ts_ns.is_some());
    emit.tell_process(&ProcessLife {
        upid,
        pid: facts.pid,
        name: name.as_str().into(),
        parent_pid: facts.parent_pid,
        create_ts_ns,
        exit_ts_ns,
        command_line: facts.command_line.clone(),
        session: facts.session,
        exit_code: exit_status,
        sid: facts.sid.clone(),
        package: facts.package.clone(),
        application: facts.application.clone(),
        flags: facts.flags,
        ..ProcessLife::default()
    });
    let track = Track::Process {
        pid: facts.pid,
        name: &name,
        start_ts_ns: create_ts_ns,
    };
    emit.sinks.perfetto.process_track(ts_ns, upid, uuid, &track);
    emit.packets()
        .instant(ts_ns, uuid, "etw.process", |values| {
            values.uint("pid", u64::from(facts.pid));
            values.uint("parent_pid", facts.parent_pid.map(u64::from));
            values.uint("session", facts.session.map(u64::from));
            values.uint("exit_code", exit_status.map(u64::from));
            values.uint("flags", facts.flags.map(u64::from));
            values.uint("create_ts", create_ts_ns);
            values.uint("exit_ts", exit_ts_ns);
            values.string("sid", facts.sid.as_deref());
            values.string("package", facts.package.as_deref());
            values.string("application", facts.application.as_deref());
        });
}

/// Parent and command line of a process; its track and its parent's must have come at an earlier time.
pub fn process_tree(
    emit: &mut Emit,
    ts_ns: u64,
    process: &Incarnation<ProcessFacts>,
    parent_pid: Option<u32>,
) {
    let facts = &process.facts;
    let name = process_name(facts);
    // A single element would be cut at its first blank to make the process name.
    let command_line = [
        name.as_str(),
        facts.command_line.as_deref().unwrap_or_default(),
    ];
    emit.packets()
        .process_tree(ts_ns, facts.pid, parent_pid, &command_line);
}

/// All packets of a thread that begins within the trace, or whose id was another's before. Answers when it was created,
/// if that is in the trace.
pub fn new_thread(
    emit: &mut Emit,
    raw: i64,
    index: usize,
    (thread, process): Described<'_>,
) -> Option<u64> {
    let create_ts_ns = thread.create_raw.map(|_| {
        let ts_ns = emit.stamp(raw);
        emit.packets().thread_created(ts_ns, thread.facts.tid);
        ts_ns
    });
    // A time of its own: the importer does not keep the order of these packets at equal times.
    let ts_ns = emit.stamp(raw);
    describe_thread(emit, ts_ns, create_ts_ns, index, (thread, process));
    create_ts_ns
}

/// All packets of a thread that was there before the trace, or before the selected range.
pub fn initial_thread(
    emit: &mut Emit,
    create_ts_ns: Option<u64>,
    index: usize,
    described: Described<'_>,
) {
    describe_thread(emit, INITIAL_THREADS_TS_NS, create_ts_ns, index, described);
}

fn describe_thread(
    emit: &mut Emit,
    ts_ns: u64,
    create_ts_ns: Option<u64>,
    index: usize,
    (thread, process): Described<'_>,
) {
    let facts = &thread.facts;
    let uuid = THREAD_TRACKS + index as u64;
    let known = emit
        .keys
        .begin_thread(facts.tid, facts.pid, create_ts_ns.is_some());
    let exit_ts_ns = thread.exit_raw.map(|raw| emit.ts_of(raw));
    emit.tell_thread(&ThreadLife {
        thread: known.thread,
        upid: known.upid,
        pid: Some(facts.pid),
        process_name: process.map(|process| process_name(&process.facts).into()),
        name: facts.name.clone(),
        base_priority: facts.base_priority,
        start_address: facts.start_address,
        create_ts_ns,
        exit_ts_ns,
        io_priority: facts.io_priority,
        page_priority: facts.page_priority,
        sub_process_tag: facts.sub_process_tag,
        affinity: facts.affinity,
        end_affinity: facts.end_affinity,
    });
    let track = Track::Thread {
        pid: facts.pid,
        tid: facts.tid,
        name: facts.name.as_deref(),
    };
    emit.sinks
        .perfetto
        .thread_track(ts_ns, known.thread.utid, uuid, &track);
    emit.packets().instant(ts_ns, uuid, "etw.thread", |values| {
        values.uint("tid", u64::from(facts.tid));
        values.uint("pid", u64::from(facts.pid));
        values.uint("base_priority", facts.base_priority.map(u64::from));
        values.uint("io_priority", facts.io_priority.map(u64::from));
        values.uint("page_priority", facts.page_priority.map(u64::from));
        values.uint("affinity", facts.affinity);
        values.uint("end_affinity", facts.end_affinity);
        values.uint("start_address", facts.start_address);
        values.uint("sub_process_tag", facts.sub_process_tag.map(u64::from));
        values.uint("create_ts", create_ts_ns);
        values.uint("exit_ts", exit_ts_ns);
    });
}
