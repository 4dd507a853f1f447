//! Every packet that the writer can write, decoded by Perfetto's message definitions.

mod decode;

use decode::packet_lines;
use pftrace::{
    ContextSwitch, Frame, LogMessage, LogPriority, Mapping, PerfSample, TraceWriter, Track,
};

fn written(write: impl FnOnce(&mut TraceWriter)) -> Vec<String> {
    let mut writer = TraceWriter::new();
    write(&mut writer);
    packet_lines(&writer.take(Vec::new()))
}

#[test]
fn clock_and_flush() {
    let lines = written(|writer| {
        writer.clock_snapshot(1_000_000_000, 1_700_000_000_000_000_000);
        writer.flush();
    });
    assert_eq!(
        lines,
        [
            "timestamp:1000000000,clock_snapshot{clocks:[{clock_id:6,timestamp:1000000000},{clock_id:1,timestamp:1700000000000000000}],primary_trace_clock:BUILTIN_CLOCK_BOOTTIME}",
            "timestamp:1000000000,service_event{all_data_sources_flushed:true}",
            "timestamp:1000000000,service_event{all_data_sources_flushed:true}",
            "timestamp:1000000000,service_event{read_tracing_buffers_completed:true}",
        ]
    );
}

#[test]
fn scheduling_events_come_in_a_bundle_for_each_cpu() {
    let switch = ContextSwitch {
        new_tid: 3004,
        old_tid: 0,
        new_priority: 14,
        old_state: 2,
        old_wait_reason: 37,
    };
    let lines = written(|writer| {
        writer.ready_thread(1, 5, 3004, 0);
        writer.context_switch(0, 6, &switch);
        writer.counter(6, 1 << 32, (1 << 53) - 1);
        writer.context_switch(
            0,
            7,
            &ContextSwitch {
                new_tid: 0,
                old_tid: 3004,
                new_priority: -1,
                ..switch
            },
        );
        writer.flush();
    });
    assert_eq!(
        lines[..3],
        [
            "timestamp:6,trusted_packet_sequence_id:2,track_event{type:TYPE_COUNTER,track_uuid:4294967296,counter_value:9007199254740991}",
            "etw_events{cpu:0,event:[{timestamp:6,c_switch{new_thread_id:3004,old_thread_id:0,new_thread_priority:14,old_thread_state:RUNNING,old_thread_wait_reason_int:37}},{timestamp:7,c_switch{new_thread_id:0,old_thread_id:3004,new_thread_priority:-1,old_thread_state:RUNNING,old_thread_wait_reason_int:37}}]}",
            "etw_events{cpu:1,event:[{timestamp:5,thread_id:0,ready_thread{t_thread_id:3004}}]}",
        ]
    );
}

#[test]
fn names_are_given_once_to_instants() {
    let lines = written(|writer| {
        let track = Track::Within {
            name: "etw.run 0",
            parent_uuid: 7,
        };
        writer.track(1, 8, &track);
        writer.begin_names(2);
        writer.name(2, 1, "rank=2");
        writer.named_instant(2, 8, 1);
        writer.named_instant(3, 8, 1);
    });
    assert_eq!(
        lines,
        [
            "timestamp:1,trusted_packet_sequence_id:1,track_descriptor{uuid:8,parent_uuid:7,name:\"etw.run 0\"}",
            "timestamp:2,trusted_packet_sequence_id:4,sequence_flags:1",
            "timestamp:2,trusted_packet_sequence_id:4,interned_data{event_names:[{iid:1,name:\"rank=2\"}]},sequence_flags:2",
            "timestamp:2,trusted_packet_sequence_id:4,sequence_flags:2,track_event{type:TYPE_INSTANT,name_iid:1,track_uuid:8}",
            "timestamp:3,trusted_packet_sequence_id:4,sequence_flags:2,track_event{type:TYPE_INSTANT,name_iid:1,track_uuid:8}",
        ]
    );
}

#[test]
fn a_full_bundle_is_written_out_by_itself() {
    let lines = written(|writer| {
        for ts_ns in 1..=300 {
            writer.ready_thread(0, ts_ns, 8, 4);
        }
    });
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].matches("ready_thread").count(), 256);
}

#[test]
fn processes_and_threads() {
    let lines = written(|writer| {
        let process = Track::Process {
            pid: 3000,
            name: "LockApp.exe",
            start_ts_ns: Some(9),
        };
        writer.track(9, 1 << 34, &process);
        writer.process_tree(10, 3000, Some(4), &["LockApp.exe", "LockApp.exe -x"]);
        writer.thread_created(11, 3004);
        writer.track(
            12,
            1 << 36,
            &Track::Thread {
                pid: 3000,
                tid: 3004,
                name: Some("lock screen"),
            },
        );
        writer.task_free(13, 3004);
    });
    assert_eq!(
        lines,
        [
            "timestamp:9,trusted_packet_sequence_id:1,track_descriptor{uuid:17179869184,process{pid:3000,process_name:\"LockApp.exe\",start_timestamp_ns:9}}",
            "timestamp:10,process_tree{processes:[{pid:3000,ppid:4,cmdline:[\"LockApp.exe\",\"LockApp.exe -x\"]}]}",
            "timestamp:11,generic_kernel_task_state_event{tid:3004,state:TASK_STATE_CREATED}",
            "timestamp:12,trusted_packet_sequence_id:1,track_descriptor{uuid:68719476736,thread{pid:3000,tid:3004,thread_name:\"lock screen\"}}",
            "timestamp:13,ftrace_events{cpu:0,event:[{timestamp:13,pid:3004,sched_process_free{pid:3004}}]}",
        ]
    );
}

#[test]
fn tracks_and_instants() {
    let lines = written(|writer| {
        writer.track(1, 7, &Track::Global { name: "etw" });
        writer.track(
            1,
            8,
            &Track::Counter {
                name: "etw.run",
                parent_uuid: 7,
            },
        );
        writer.instant(2, 7, "etw.loss", |values| {
            values.string("kind", "lost_events");
            values.uint("count", u64::MAX);
            values.int("offset", -60);
            values.uint("cpu", None);
        });
    });
    assert_eq!(
        lines,
        [
            "timestamp:1,trusted_packet_sequence_id:1,track_descriptor{uuid:7,name:\"etw\"}",
            "timestamp:1,trusted_packet_sequence_id:1,track_descriptor{uuid:8,parent_uuid:7,name:\"etw.run\",counter{}}",
            "timestamp:2,trusted_packet_sequence_id:2,track_event{debug_annotations:[{name:\"kind\",string_value:\"lost_events\"},{name:\"count\",uint_value:18446744073709551615},{name:\"offset\",int_value:-60}],type:TYPE_INSTANT,track_uuid:7,name:\"etw.loss\"}",
        ]
    );
}

#[test]
fn log_messages_come_in_utc_and_stand_before_the_end_of_their_thread() {
    let message = LogMessage {
        pid: 3000,
        tid: 3004,
        priority: LogPriority::Info,
        tag: "Provider/Event",
        text: br#"{"f":{}}"#,
    };
    let lines = written(|writer| {
        writer.clock_snapshot(1_000, 1_700_000_000_000_001_000);
        writer.log(1_001, &message);
        writer.log(
            1_002,
            &LogMessage {
                text: b"{}",
                priority: LogPriority::Error,
                ..message
            },
        );
        writer.task_free(1_003, 3004);
        writer.log(1_004, &message);
    });
    assert_eq!(
        lines[1..],
        [
            r#"timestamp:1002,android_log{events:[{pid:3000,tid:3004,timestamp:1700000000000001001,tag:"Provider/Event",prio:PRIO_INFO,message:"{\"f\":{}}"},{pid:3000,tid:3004,timestamp:1700000000000001002,tag:"Provider/Event",prio:PRIO_ERROR,message:"{}"}]}"#,
            "timestamp:1003,ftrace_events{cpu:0,event:[{timestamp:1003,pid:3004,sched_process_free{pid:3004}}]}",
        ]
    );
}

#[test]
fn a_full_packet_of_log_messages_is_written_out_by_itself() {
    let text = vec![b'x'; 1 << 17];
    let lines = written(|writer| {
        writer.clock_snapshot(0, 0);
        for ts_ns in 1..=300 {
            let message = LogMessage {
                pid: 4,
                tid: 8,
                priority: LogPriority::Verbose,
                tag: "a",
                text: if ts_ns <= 3 { &text } else { b"b" },
            };
            writer.log(ts_ns, &message);
        }
    });
    let counts: Vec<_> = lines[1..]
        .iter()
        .map(|line| line.matches("tag:").count())
        .collect();
    assert_eq!(counts, [2, 256]);
}

#[test]
fn samples_refer_to_what_they_share() {
    let lines = written(|writer| {
        writer.begin_samples(1);
        writer.interned(2, |interned| {
            interned.path(7, "\\Windows\\notepad.exe");
            interned.build_id(8, &[0xAB]);
            interned.mapping(&Mapping {
                iid: 9,
                start: 0x1000,
                end: 0x3000,
                path_iid: Some(7),
                build_id_iid: Some(8),
            });
            interned.function_name(5, "Shop.Cart.Add");
            let frame = Frame {
                mapping_iid: 9,
                rel_pc: 0x10,
                function_name_iid: None,
            };
            interned.frame(3, &frame);
            let named = Frame {
                function_name_iid: Some(5),
                ..frame
            };
            interned.frame(6, &named);
            interned.callstack(4, [3, 6]);
        });
        writer.perf_sample(
            2,
            &PerfSample {
                cpu: 1,
                pid: 3000,
                tid: 3004,
                is_kernel: true,
                callstack_iid: 4,
            },
        );
    });
    assert_eq!(
        lines,
        [
            "timestamp:1,trusted_packet_sequence_id:3,sequence_flags:1",
            "timestamp:2,trusted_packet_sequence_id:3,interned_data{function_names:[{iid:5,str:\"Shop.Cart.Add\"}],frames:[{iid:3,mapping_id:9,rel_pc:16},{iid:6,function_name_id:5,mapping_id:9,rel_pc:16}],callstacks:[{iid:4,frame_ids:[3,6]}],build_ids:[{iid:8,str:\"\\253\"}],mapping_paths:[{iid:7,str:\"\\\\Windows\\\\notepad.exe\"}],mappings:[{iid:9,build_id:8,start:4096,end:12288,path_string_ids:[7]}]},sequence_flags:2",
            "timestamp:2,trusted_packet_sequence_id:3,sequence_flags:2,perf_sample{cpu:1,pid:3000,tid:3004,callstack_iid:4,cpu_mode:MODE_KERNEL}",
        ]
    );
}
