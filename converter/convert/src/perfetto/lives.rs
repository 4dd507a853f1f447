//! Processes and threads: a track for each incarnation, by its key, and what is known of it.

use facts::{ProcessLife, ProcessOrigin, ThreadLife};
use pftrace::{TraceWriter, Track};

use super::tracks::{process_track, thread_track};

/// Writes the process of the idle threads, which the importer knows by pid 0.
pub fn idle_process(ts_ns: u64, writer: &mut TraceWriter) {
    let track = Track::Process {
        pid: 0,
        name: "Idle",
        start_ts_ns: None,
    };
    writer.track(ts_ns, process_track(0), &track);
}

/// Writes a process.
pub fn process_begins(ts_ns: u64, of: &ProcessLife, writer: &mut TraceWriter) {
    let uuid = process_track(of.upid);
    let track = Track::Process {
        pid: of.pid,
        name: &of.name,
        start_ts_ns: of.create_ts_ns,
    };
    writer.track(ts_ns, uuid, &track);
    writer.instant(ts_ns, uuid, "etw.process", |values| {
        values.uint("pid", u64::from(of.pid));
        values.uint("parent_pid", of.parent_pid.map(u64::from));
        values.uint("session", of.session.map(u64::from));
        values.uint("exit_code", of.exit_code.map(u64::from));
        values.uint("flags", of.flags.map(u64::from));
        values.uint("create_ts", of.create_ts_ns);
        values.uint("exit_ts", of.exit_ts_ns);
        values.string("sid", of.sid.as_deref());
        values.string("package", of.package.as_deref());
        values.string("application", of.application.as_deref());
    });
}

/// Writes parent and command line of a process; its track and its parent's must have come at an earlier time.
pub fn process_origin(ts_ns: u64, of: &ProcessOrigin<'_>, writer: &mut TraceWriter) {
    // A single element would be cut at its first blank to make the process name.
    let command_line = [of.name, of.command_line.unwrap_or_default()];
    writer.process_tree(ts_ns, of.pid, of.parent_pid, &command_line);
}

/// Writes a thread.
pub fn thread_begins(ts_ns: u64, of: &ThreadLife, writer: &mut TraceWriter) {
    let uuid = thread_track(of.thread.utid);
    let pid = of.pid.unwrap_or_default();
    let track = Track::Thread {
        pid,
        tid: of.thread.tid,
        name: of.name.as_deref(),
    };
    writer.track(ts_ns, uuid, &track);
    writer.instant(ts_ns, uuid, "etw.thread", |values| {
        values.uint("tid", u64::from(of.thread.tid));
        values.uint("pid", u64::from(pid));
        values.uint("base_priority", of.base_priority.map(u64::from));
        values.uint("io_priority", of.io_priority.map(u64::from));
        values.uint("page_priority", of.page_priority.map(u64::from));
        values.uint("affinity", of.affinity);
        values.uint("end_affinity", of.end_affinity);
        values.uint("start_address", of.start_address);
        values.uint("sub_process_tag", of.sub_process_tag.map(u64::from));
        values.uint("create_ts", of.create_ts_ns);
        values.uint("exit_ts", of.exit_ts_ns);
    });
}
