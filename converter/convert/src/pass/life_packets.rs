//! The packets that describe one process or thread.

use pftrace::Track;

use super::emit::{Emit, PROCESS_TRACKS, START_TS_NS, THREAD_TRACKS};
use crate::lifetime::{Incarnation, Lifetimes, ProcessFacts, ThreadFacts};

/// UUID of the idle process's track where the trace does not describe it.
const IDLE_PROCESS_TRACK: u64 = (1 << 33) + 2;

/// The process of the idle threads, which the importer knows by pid 0.
pub fn idle_process(emit: &mut Emit) {
    let track = Track::Process {
        pid: 0,
        name: "Idle",
        start_ts_ns: None,
    };
    emit.writer.track(START_TS_NS, IDLE_PROCESS_TRACK, &track);
}

fn process_uuid(index: usize) -> u64 {
    PROCESS_TRACKS + index as u64
}

fn process_name(facts: &ProcessFacts) -> String {
    match (&facts.image_name, facts.pid) {
        (Some(name), _) => name.to_string(),
        (None, 0) => "Idle".to_owned(),
        (None, pid) => format!("pid {pid}"),
    }
}

/// The process's track.
pub fn process_track(
    emit: &mut Emit,
    ts_ns: u64,
    index: usize,
    process: &Incarnation<ProcessFacts>,
) {
    let track = Track::Process {
        pid: process.facts.pid,
        name: &process_name(&process.facts),
        start_ts_ns: process.create_raw.map(|_| ts_ns),
    };
    emit.writer.track(ts_ns, process_uuid(index), &track);
}

/// Parent, command line and everything else that is known of the process; its track and its parent's come before.
pub fn process_facts(
    emit: &mut Emit,
    ts_ns: u64,
    index: usize,
    process: &Incarnation<ProcessFacts>,
    lifetimes: &Lifetimes,
) {
    let facts = &process.facts;
    let name = process_name(facts);
    // A single element would be cut at its first blank to make the process name.
    let command_line = [
        name.as_str(),
        facts.command_line.as_deref().unwrap_or_default(),
    ];
    emit.writer.process_tree(
        ts_ns,
        facts.pid,
        lifetimes.living_parent(process),
        &command_line,
    );
    let exit_ts_ns = process.exit_raw.map(|raw| emit.ts_of(raw));
    emit.writer
        .instant(ts_ns, process_uuid(index), "etw.process", |values| {
            values.uint("pid", u64::from(facts.pid));
            values.uint("parent_pid", facts.parent_pid.map(u64::from));
            values.uint("session", facts.session.map(u64::from));
            values.uint(
                "exit_code",
                facts
                    .exit_status
                    .filter(|_| exit_ts_ns.is_some())
                    .map(u64::from),
            );
            values.uint("create_ts", process.create_raw.map(|_| ts_ns));
            values.uint("exit_ts", exit_ts_ns);
            values.string("sid", facts.sid.as_deref());
            values.string("package", facts.package.as_deref());
            values.string("application", facts.application.as_deref());
        });
}

/// All packets of a thread.
pub fn thread(emit: &mut Emit, ts_ns: u64, index: usize, thread: &Incarnation<ThreadFacts>) {
    let facts = &thread.facts;
    if thread.create_raw.is_some() {
        emit.writer.thread_created(ts_ns, facts.tid);
    }
    let uuid = THREAD_TRACKS + index as u64;
    let track = Track::Thread {
        pid: facts.pid,
        tid: facts.tid,
        name: facts.name.as_deref(),
    };
    emit.writer.track(ts_ns, uuid, &track);
    let exit_ts_ns = thread.exit_raw.map(|raw| emit.ts_of(raw));
    emit.writer.instant(ts_ns, uuid, "etw.thread", |values| {
        values.uint("tid", u64::from(facts.tid));
        values.uint("pid", u64::from(facts.pid));
        values.uint("base_priority", facts.base_priority.map(u64::from));
        values.uint("io_priority", facts.io_priority.map(u64::from));
        values.uint("page_priority", facts.page_priority.map(u64::from));
        values.uint("start_address", facts.start_address);
        values.uint("sub_process_tag", facts.sub_process_tag.map(u64::from));
        values.uint("create_ts", thread.create_raw.map(|_| ts_ns));
        values.uint("exit_ts", exit_ts_ns);
    });
}
