//! Processes and threads: who is written, when, and under which name.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use support::{Etl, IDLE, converted, terminates, waits};
use synth::events::fields::{Fields, guid};
use synth::events::process::{ProcessChange, ProcessInfo};
use synth::events::thread::{ThreadChange, ThreadInfo};
use synth::file::bytes::{Guid, Pointer};
use synth::file::event::{Origin, ProviderEvent};

fn named(pid: u32, tid: u32, name: &str) -> ThreadInfo {
    ThreadInfo {
        name: Some(name.to_owned()),
        ..ThreadInfo::new(pid, tid, 8)
    }
}

/// What is written of lifetimes, without annotations.
fn lives(etl: Etl) -> Vec<String> {
    let output = converted(&etl.finish());
    let kinds = [
        "process{",
        "process_tree",
        "thread{",
        "TASK_STATE_CREATED",
        "sched_process_free{",
    ];
    let is_life = |packet: &&String| kinds.iter().any(|kind| packet.contains(kind));
    let cut = |packet: &String| {
        packet
            .replace("timestamp:1", "")
            .replace("trusted_packet_sequence_id:1,", "")
    };
    output.packets.iter().filter(is_life).map(cut).collect()
}

#[test]
fn threads_known_only_from_the_end_rundown_are_named_from_the_start() {
    let mut etl = Etl::new();
    etl.process(
        90,
        ProcessChange::RundownEnd,
        &ProcessInfo::new(4, 0, "System"),
    );
    etl.thread(91, ThreadChange::RundownEnd, &named(4, 8, "worker"));
    assert_eq!(
        lives(etl),
        [
            "000000000,track_descriptor{uuid:17179869184,process{pid:0,process_name:\"Idle\"}}",
            "000000000,track_descriptor{uuid:17179869185,process{pid:4,process_name:\"System\"}}",
            "000000001,process_tree{processes:[{pid:4,cmdline:[\"System\",\"\"]}]}",
            "000000002,track_descriptor{uuid:68719476738,thread{pid:4,tid:8,thread_name:\"worker\"}}",
        ]
    );
}

#[test]
fn a_thread_ends_after_its_last_switch_out_and_its_process_after_it() {
    let process = ProcessInfo {
        exit_status: 1,
        ..ProcessInfo::new(40, 0, "a.exe")
    };
    let thread = ThreadInfo {
        name: None,
        ..ThreadInfo::new(40, 44, 8)
    };
    let mut etl = Etl::new();
    etl.process(10, ProcessChange::Start, &process)
        .thread(10, ThreadChange::Start, &thread);
    etl.switch(0, 20, IDLE, 44, 8);
    etl.thread(30, ThreadChange::End, &thread)
        .process(30, ProcessChange::End, &process);
    etl.switch(0, 31, terminates(44), 0, 0);
    assert_eq!(
        lives(etl)[1..],
        [
            "000001000,track_descriptor{uuid:17179869185,process{pid:40,process_name:\"a.exe\",start_timestamp_ns:1000001000}}",
            "000001001,process_tree{processes:[{pid:40,cmdline:[\"a.exe\",\"\"]}]}",
            "000001002,generic_kernel_task_state_event{tid:44,state:TASK_STATE_CREATED}",
            "000001003,track_descriptor{uuid:68719476738,thread{pid:40,tid:44}}",
            "000003101,ftrace_events{cpu:0,event:[{000003101,pid:44,sched_process_free{pid:44}}]}",
            "000003102,ftrace_events{cpu:0,event:[{000003102,pid:40,sched_process_free{pid:40}}]}",
        ]
    );
}

#[test]
fn a_thread_whose_start_was_lost_begins_after_the_process_that_had_its_id() {
    let thread = ThreadInfo {
        name: None,
        ..ThreadInfo::new(40, 44, 8)
    };
    let mut etl = Etl::new();
    etl.process(
        1,
        ProcessChange::RundownStart,
        &ProcessInfo::new(40, 0, "a.exe"),
    );
    let earlier = ProcessInfo {
        exit_status: 1,
        ..ProcessInfo::new(44, 0, "b.exe")
    };
    etl.process(10, ProcessChange::Start, &earlier)
        .process(20, ProcessChange::End, &earlier);
    etl.switch(0, 30, IDLE, 44, 8);
    etl.thread(40, ThreadChange::End, &thread);
    etl.switch(0, 41, terminates(44), 0, 0);
    assert_eq!(
        lives(etl)[3..],
        [
            "000001000,track_descriptor{uuid:17179869186,process{pid:44,process_name:\"b.exe\",start_timestamp_ns:1000001000}}",
            "000001001,process_tree{processes:[{pid:44,cmdline:[\"b.exe\",\"\"]}]}",
            "000002000,ftrace_events{cpu:0,event:[{000002000,pid:44,sched_process_free{pid:44}}]}",
            "000002100,track_descriptor{uuid:68719476739,thread{pid:40,tid:44}}",
            "000004101,ftrace_events{cpu:0,event:[{000004101,pid:44,sched_process_free{pid:44}}]}",
        ]
    );
}

/// Else the importer takes the thread's runs for those of the process's first thread.
#[test]
fn a_thread_whose_start_was_lost_with_the_end_of_the_process_that_had_its_id_begins_after_its_start()
 {
    let thread = ThreadInfo {
        name: None,
        ..ThreadInfo::new(40, 44, 8)
    };
    let mut etl = Etl::new();
    etl.process(
        1,
        ProcessChange::RundownStart,
        &ProcessInfo::new(40, 0, "a.exe"),
    )
    .process(10, ProcessChange::Start, &ProcessInfo::new(44, 0, "b.exe"));
    etl.switch(0, 30, IDLE, 44, 8);
    etl.thread(40, ThreadChange::End, &thread);
    etl.switch(0, 41, terminates(44), 0, 0);
    assert_eq!(
        lives(etl)[3..],
        [
            "000001000,track_descriptor{uuid:17179869186,process{pid:44,process_name:\"b.exe\",start_timestamp_ns:1000001000}}",
            "000001001,process_tree{processes:[{pid:44,cmdline:[\"b.exe\",\"\"]}]}",
            "000001100,track_descriptor{uuid:68719476739,thread{pid:40,tid:44}}",
            "000004101,ftrace_events{cpu:0,event:[{000004101,pid:44,sched_process_free{pid:44}}]}",
        ]
    );
}

#[test]
fn a_thread_that_ends_in_the_tick_in_which_it_came_lives_until_it_is_switched_out() {
    let process = ProcessInfo::new(40, 0, "a.exe");
    let thread = ThreadInfo {
        name: None,
        ..ThreadInfo::new(40, 44, 8)
    };
    let mut etl = Etl::new();
    etl.process(1, ProcessChange::RundownStart, &process)
        .thread(2, ThreadChange::RundownStart, &thread);
    etl.switch(0, 30, IDLE, 44, 8);
    etl.thread(30, ThreadChange::End, &thread)
        .process(30, ProcessChange::End, &process);
    etl.switch(0, 31, terminates(44), 0, 0);
    assert_eq!(
        lives(etl)[4..],
        [
            "000003101,ftrace_events{cpu:0,event:[{000003101,pid:44,sched_process_free{pid:44}}]}",
            "000003102,ftrace_events{cpu:0,event:[{000003102,pid:40,sched_process_free{pid:40}}]}",
        ]
    );
}

#[test]
fn a_thread_that_waits_while_it_ends_lives_until_it_is_switched_out_as_terminated() {
    let process = ProcessInfo::new(40, 0, "a.exe");
    let thread = ThreadInfo::new(40, 44, 8);
    let mut etl = Etl::new();
    etl.process(1, ProcessChange::RundownStart, &process)
        .thread(2, ThreadChange::RundownStart, &thread);
    etl.switch(0, 20, IDLE, 44, 8);
    etl.thread(30, ThreadChange::End, &thread);
    etl.switch(0, 31, waits(44), 0, 0).ready(1, 50, 44);
    etl.switch(0, 51, IDLE, 44, 8);
    etl.process(60, ProcessChange::End, &process);
    etl.switch(0, 61, terminates(44), 0, 0);
    let ends = "sched_process_free{";
    let output = converted(&etl.finish());
    let freed: Vec<_> = output
        .packets
        .iter()
        .filter(|packet| packet.contains(ends))
        .collect();
    assert_eq!(
        freed,
        [
            "timestamp:1000006101,ftrace_events{cpu:0,event:[{timestamp:1000006101,pid:44,sched_process_free{pid:44}}]}",
            "timestamp:1000006102,ftrace_events{cpu:0,event:[{timestamp:1000006102,pid:40,sched_process_free{pid:40}}]}",
        ]
    );
    assert_eq!(output.scheduling().len(), 5);
}

/// A thread that ends waits once more, as it cleans up, and runs again: its end event comes at `end`, its process's at `gone`.
fn cleans_up(end: i64, gone: i64) -> Vec<String> {
    let process = ProcessInfo::new(40, 0, "a.exe");
    let thread = ThreadInfo {
        name: None,
        ..ThreadInfo::new(40, 44, 8)
    };
    let mut etl = Etl::new();
    etl.process(1, ProcessChange::RundownStart, &process)
        .thread(2, ThreadChange::RundownStart, &thread);
    etl.switch(0, 20, IDLE, 44, 8);
    let mut rest: Vec<(i64, u8)> = vec![(30, 0), (50, 1), (51, 2), (61, 3), (end, 4), (gone, 5)];
    rest.sort_unstable();
    for (ticks, what) in rest {
        match what {
            0 => drop(etl.switch(0, ticks, waits(44), 0, 0)),
            1 => drop(etl.ready(1, ticks, 44)),
            2 => drop(etl.switch(0, ticks, IDLE, 44, 8)),
            3 => drop(etl.switch(0, ticks, terminates(44), 0, 0)),
            4 => drop(etl.thread(ticks, ThreadChange::End, &thread)),
            _ => drop(etl.process(ticks, ProcessChange::End, &process)),
        }
    }
    let ends = |line: &String| line.contains("sched_process_free{");
    lives(etl).into_iter().filter(ends).collect()
}

#[test]
fn a_thread_that_runs_after_its_end_event_lives_until_it_is_switched_out_as_terminated() {
    for (end, gone) in [(25, 60), (30, 60), (25, 30), (25, 40), (30, 30)] {
        assert_eq!(
            cleans_up(end, gone),
            [
                "000006101,ftrace_events{cpu:0,event:[{000006101,pid:44,sched_process_free{pid:44}}]}",
                "000006102,ftrace_events{cpu:0,event:[{000006102,pid:40,sched_process_free{pid:40}}]}",
            ],
            "end event at {end}, the process's at {gone}"
        );
    }
}

/// A recording with the processes 4 and 40.
fn system_and_program() -> Etl {
    let mut etl = Etl::new();
    etl.process(
        1,
        ProcessChange::RundownStart,
        &ProcessInfo::new(4, 0, "System"),
    );
    etl.process(
        1,
        ProcessChange::RundownStart,
        &ProcessInfo::new(40, 4, "a.exe"),
    );
    etl
}

#[test]
fn a_reused_tid_is_another_thread() {
    let [first, second] = [ThreadInfo::new(4, 8, 8), named(40, 8, "second")];
    let mut etl = system_and_program();
    etl.thread(2, ThreadChange::RundownStart, &first)
        .thread(10, ThreadChange::End, &first);
    etl.thread(20, ThreadChange::Start, &second);
    assert_eq!(
        lives(etl)[5..],
        [
            "000000002,track_descriptor{uuid:68719476739,thread{pid:4,tid:8}}",
            "000001000,ftrace_events{cpu:0,event:[{000001000,pid:8,sched_process_free{pid:8}}]}",
            "000002000,generic_kernel_task_state_event{tid:8,state:TASK_STATE_CREATED}",
            "000002001,track_descriptor{uuid:68719476740,thread{pid:40,tid:8,thread_name:\"second\"}}",
        ]
    );
}

#[test]
fn a_thread_whose_start_was_lost_begins_when_the_running_one_that_had_its_id_is_switched_out() {
    let [first, second] = [ThreadInfo::new(4, 8, 8), named(40, 8, "second")];
    let mut etl = system_and_program();
    etl.thread(2, ThreadChange::RundownStart, &first);
    etl.switch(0, 10, IDLE, 8, 8);
    etl.thread(20, ThreadChange::End, &first);
    etl.switch(0, 30, terminates(8), 0, 0);
    etl.thread(90, ThreadChange::RundownEnd, &second);
    assert_eq!(
        lives(etl)[6..],
        [
            "000003001,ftrace_events{cpu:0,event:[{000003001,pid:8,sched_process_free{pid:8}}]}",
            "000003002,track_descriptor{uuid:68719476740,thread{pid:40,tid:8,thread_name:\"second\"}}",
        ]
    );
}

#[test]
fn a_process_without_an_event_of_its_own_is_known_by_its_number() {
    let mut etl = Etl::new();
    etl.thread(2, ThreadChange::RundownStart, &ThreadInfo::new(40, 44, 8));
    assert_eq!(
        lives(etl)[1..],
        [
            "000000000,track_descriptor{uuid:17179869185,process{pid:40,process_name:\"pid 40\"}}",
            "000000001,process_tree{processes:[{pid:40,cmdline:[\"pid 40\",\"\"]}]}",
            "000000002,track_descriptor{uuid:68719476738,thread{pid:40,tid:44}}",
        ]
    );
}

#[test]
fn threads_whose_end_was_not_recorded_end_with_their_process() {
    let process = ProcessInfo::new(40, 0, "a.exe");
    let mut etl = Etl::new();
    etl.process(1, ProcessChange::RundownStart, &process);
    etl.thread(2, ThreadChange::RundownStart, &ThreadInfo::new(40, 44, 8));
    etl.process(30, ProcessChange::End, &process);
    assert_eq!(
        lives(etl)[4..],
        [
            "000003000,ftrace_events{cpu:0,event:[{000003000,pid:44,sched_process_free{pid:44}}]}",
            "000003001,ftrace_events{cpu:0,event:[{000003001,pid:40,sched_process_free{pid:40}}]}",
        ]
    );
}

/// Threads of a pool work for one service after the other, and at last for none.
#[test]
fn a_thread_keeps_the_last_service_that_it_worked_for() {
    let of_service = |tag| ThreadInfo {
        sub_process_tag: tag,
        ..ThreadInfo::new(40, 44, 8)
    };
    for (first, last, expected) in [(143, 0, 143), (143, 144, 144), (0, 144, 144), (0, 0, 0)] {
        let mut etl = Etl::new();
        etl.thread(2, ThreadChange::RundownStart, &of_service(first))
            .thread(30, ThreadChange::End, &of_service(last));
        let told = converted(&etl.finish()).with("etw.thread").concat();
        let tag = format!("{{name:\"sub_process_tag\" uint_value:{expected}}}");
        assert!(told.contains(&tag), "{first}, {last}: {told}");
    }
}

/// An event of `Microsoft-Windows-Kernel-Process`.
fn kernel_process(id: u16, version: u8, fields: &str) -> ProviderEvent {
    let fields = Fields::new(fields, 0).expect("the fields are well-formed");
    ProviderEvent {
        provider: guid("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716").expect("a GUID"),
        id,
        version,
        channel: 16,
        level: 4,
        opcode: 0,
        task: 0,
        keywords: 0,
        activity: Guid([0; 16]),
        extended: Vec::new(),
        payload: fields.bytes(Pointer::Eight),
    }
}

/// A process that is there, one that comes and goes, and its thread, without the kernel's own events.
fn told_by_the_provider() -> Etl {
    let system = Origin { tid: 8, pid: 4 };
    let mut etl = Etl::new();
    let there = r"u32=4 u64=0 u32=0 u32=0 u32=0 w=System";
    let start = r"u32=16 u64=7 u32=4 u32=1 u32=0 w=\Device\HarddiskVolume3\app.exe";
    let thread = "u32=16 u32=20 p=1 p=2 p=3 p=4 p=5 p=0x7FF600001000 p=7 u32=0";
    let stop = "u32=16 u64=7 u64=9 u32=3 u32=0 u32=1 u64=0 u64=0 a=app.exe";
    etl.provider(0, 5, system, &kernel_process(15, 1, there))
        .provider(0, 10, system, &kernel_process(1, 1, start))
        .provider(0, 11, system, &kernel_process(3, 1, thread))
        .provider(0, 30, system, &kernel_process(4, 1, thread))
        .provider(0, 31, system, &kernel_process(2, 0, stop));
    etl
}

#[test]
fn the_provider_tells_of_processes_and_threads_where_the_kernel_does_not() {
    let told = lives(told_by_the_provider());
    assert_eq!(
        told,
        [
            "000000000,track_descriptor{uuid:17179869184,process{pid:0,process_name:\"Idle\"}}",
            "000000000,track_descriptor{uuid:17179869185,process{pid:4,process_name:\"System\"}}",
            "000000001,process_tree{processes:[{pid:4,cmdline:[\"System\",\"\"]}]}",
            "000001000,track_descriptor{uuid:17179869186,process{pid:16,process_name:\"app.exe\",start_timestamp_ns:1000001000}}",
            "000001001,process_tree{processes:[{pid:16,ppid:4,cmdline:[\"app.exe\",\"\"]}]}",
            "000001100,generic_kernel_task_state_event{tid:20,state:TASK_STATE_CREATED}",
            "000001101,track_descriptor{uuid:68719476740,thread{pid:16,tid:20}}",
            "000003001,ftrace_events{cpu:0,event:[{000003001,pid:20,sched_process_free{pid:20}}]}",
            "000003101,ftrace_events{cpu:0,event:[{000003101,pid:16,sched_process_free{pid:16}}]}",
        ]
    );
}

#[test]
fn what_the_kernel_tells_of_processes_goes_before_what_the_provider_tells() {
    let mut etl = told_by_the_provider();
    let info = ProcessInfo::new(16, 4, "of the kernel.exe");
    etl.process(12, ProcessChange::Start, &info)
        .process(32, ProcessChange::End, &info);
    let told = lives(etl);
    let of_16: Vec<_> = told.iter().filter(|line| line.contains("pid:16")).collect();
    assert_eq!(
        of_16,
        [
            "000001200,track_descriptor{uuid:17179869186,process{pid:16,process_name:\"of the kernel.exe\",start_timestamp_ns:1000001200}}",
            "000001201,process_tree{processes:[{pid:16,cmdline:[\"of the kernel.exe\",\"\"]}]}",
            "000001203,track_descriptor{uuid:68719476740,thread{pid:16,tid:20}}",
            "000003200,ftrace_events{cpu:0,event:[{000003200,pid:16,sched_process_free{pid:16}}]}",
        ]
    );
}
