//! Generic events: what a message holds, whose it is, and where it stands.

use crate::support;

use support::{Etl, IDLE, converted, waits};
use synth::events::process::{ProcessChange, ProcessInfo};
use synth::events::system::{Mark, RawKernelEvent};
use synth::events::thread::{ThreadChange, ThreadInfo};
use synth::events::trace_logging::{Value, trace_logging};
use synth::file::bytes::Guid;
use synth::file::event::{Header, Origin, ProviderEvent};

const PROVIDER: Guid = Guid::from_u128(0x11111111_2222_3333_4444_555555555555);
const PROCESS: u32 = 100;
const THREAD: u32 = 104;
const IN_THREAD: Origin = Origin {
    tid: THREAD,
    pid: PROCESS,
};

fn key(code: u32) -> ProviderEvent {
    trace_logging(
        PROVIDER,
        "Acme/Input",
        "Key",
        &[("Code", Value::UInt32(code))],
    )
}

/// A process and its thread, there from the start.
fn with_thread() -> Etl {
    let mut etl = Etl::new();
    etl.process(
        1,
        ProcessChange::RundownStart,
        &ProcessInfo::new(PROCESS, 4, "app.exe"),
    )
    .thread(
        2,
        ThreadChange::RundownStart,
        &ThreadInfo::new(PROCESS, THREAD, 8),
    );
    etl
}

/// The packets of messages and of ended threads, without what is the same in all.
fn packets(etl: Etl) -> Vec<String> {
    let output = converted(&etl.finish());
    let is_shown = |packet: &&String| packet.contains("android_log") || packet.contains("_free");
    output.packets.iter().filter(is_shown).cloned().collect()
}

/// Process and thread of each message.
fn threads(etl: Etl) -> Vec<String> {
    let packets = packets(etl).join("");
    let messages = packets.split("{pid:").skip(1);
    let threads = messages.filter_map(|message| message.split_once(",timestamp"));
    threads.map(|(thread, _)| thread.to_owned()).collect()
}

#[test]
fn an_event_keeps_its_header_and_its_fields() {
    let mut etl = with_thread();
    etl.provider(1, 50, IN_THREAD, &key(17));
    assert_eq!(
        packets(etl),
        [
            r#"timestamp:1000005000,android_log{events:[{pid:100,tid:104,timestamp:1655526400000005000,tag:"Acme_Input/Key",prio:PRIO_VERBOSE,message:"{\"i\":0,\"c\":1,\"l\":5,\"f\":{\"Code\":17}}"}]}"#
        ]
    );
}

#[test]
fn an_event_without_description_keeps_its_bytes() {
    let mut etl = with_thread();
    let event = ProviderEvent {
        id: 7,
        level: 2,
        extended: Vec::new(),
        payload: vec![1, 2, 0xFF],
        ..key(0)
    };
    etl.provider(1, 50, IN_THREAD, &event);
    assert_eq!(
        packets(etl),
        [
            r#"timestamp:1000005000,android_log{events:[{pid:100,tid:104,timestamp:1655526400000005000,tag:"11111111-2222-3333-4444-555555555555/event 7",prio:PRIO_ERROR,message:"{\"i\":7,\"c\":1,\"l\":2,\"f\":{\"$raw\":\"0102ff\"}}"}]}"#
        ]
    );
}

#[test]
fn a_header_that_names_another_process_makes_no_second_thread() {
    let mut etl = with_thread();
    let attached = Origin {
        pid: 4,
        ..IN_THREAD
    };
    etl.provider(1, 50, attached, &key(17));
    assert!(packets(etl)[0].contains("{pid:100,tid:104,"));
}

#[test]
fn a_kernel_event_without_thread_belongs_to_the_running_one() {
    let mut etl = with_thread();
    etl.put(0, 40, &Mark("before the first switch"))
        .switch(0, 50, IDLE, THREAD, 8)
        .put(0, 60, &Mark("running"))
        .switch(0, 70, waits(THREAD), 0, 0)
        .put(0, 80, &Mark("idle"));
    assert_eq!(threads(etl), ["0,tid:0", "100,tid:104", "0,tid:0"]);
}

#[test]
fn in_the_tick_of_a_switch_an_event_without_thread_belongs_to_who_runs_where_it_stands() {
    let mut etl = with_thread();
    etl.switch(1, 40, IDLE, THREAD, 8)
        .switch(1, 45, waits(THREAD), 0, 0)
        .put(0, 50, &Mark("idle"))
        .put(1, 50, &Mark("idle on the other CPU"))
        .switch(0, 50, IDLE, THREAD, 8)
        .put(0, 50, &Mark("running"))
        .put(1, 50, &Mark("still idle on the other CPU"))
        .switch(0, 60, waits(THREAD), 0, 0)
        .put(0, 60, &Mark("idle again"));
    let expected = ["0,tid:0", "100,tid:104", "0,tid:0", "0,tid:0", "0,tid:0"];
    assert_eq!(threads(etl), expected);
}

#[test]
fn times_are_unique_and_no_event_revives_a_thread_that_ended() {
    let mut etl = with_thread();
    etl.provider(0, 50, IN_THREAD, &key(1))
        .provider(1, 50, IN_THREAD, &key(2))
        .thread(60, ThreadChange::End, &ThreadInfo::new(PROCESS, THREAD, 8))
        .provider(0, 70, IN_THREAD, &key(3));
    let times: Vec<_> = packets(etl)
        .iter()
        .map(|packet| {
            let messages = packet.matches("Acme").count();
            let of_thread = packet.matches("tid:104").count();
            let (time, _) = packet.split_once(',').unwrap_or_default();
            format!("{time}, {messages} messages, {of_thread} of the thread")
        })
        .collect();
    assert_eq!(
        times,
        [
            "timestamp:1000005001, 2 messages, 2 of the thread",
            "timestamp:1000006000, 0 messages, 0 of the thread",
            "timestamp:1000007000, 1 messages, 0 of the thread",
        ]
    );
}

#[test]
fn every_event_has_one_fate() {
    let mut etl = with_thread();
    etl.provider(0, 50, IN_THREAD, &key(1))
        .put_under(0, 60, Header::PerfInfo, &Mark("here"));
    let totals = converted(&etl.finish()).converted.totals;
    assert_eq!(
        (
            totals.read,
            totals.converted,
            totals.generic,
            totals.skipped
        ),
        (5, 3, 2, 0)
    );
}

#[test]
fn times_in_payloads_are_on_the_trace_clock() {
    let mut etl = Etl::new();
    let began = etl.at(10).to_le_bytes();
    let io_timer = RawKernelEvent {
        hook: 0x0F46,
        version: 2,
        payload: [&began[..], &[0x10; 8]].concat(),
    };
    etl.put(0, 30, &io_timer);
    let output = converted(&etl.finish());
    assert_eq!(
        output
            .packets
            .iter()
            .filter(|packet| packet.contains("InitialTime_ts\\\":1000001000,"))
            .count(),
        1
    );
}

#[test]
fn counts_name_events_as_their_messages_do() {
    let mut etl = with_thread();
    let manifest = ProviderEvent {
        provider: Guid::from_u128(0x70e2503b_c6f3_4780_b323_bd8ed0c61bf8),
        id: 402,
        extended: Vec::new(),
        ..key(0)
    };
    etl.provider(1, 50, IN_THREAD, &key(17))
        .provider(1, 51, IN_THREAD, &manifest);
    let output = converted(&etl.finish());
    let counts = output.with("etw.events").join("\n");
    for (provider, event) in [("Acme/Input", "Key"), ("Multi-Input", "MouseMove")] {
        let tag = format!("{}/{event}", provider.replace('/', "_"));
        assert_eq!(output.with(&format!("tag:\"{tag}\"")).len(), 1, "{tag}");
        for name in [provider, event] {
            assert!(counts.contains(&format!("\"{name}\"")), "{counts}");
        }
    }
}

#[test]
fn a_kernel_event_of_unknown_layout_is_kept_as_bytes_where_such_are_few() {
    let raw = |hook| RawKernelEvent {
        hook,
        version: 2,
        payload: vec![1, 2, 0xAB],
    };
    let mut etl = with_thread();
    etl.put(0, 10, &raw(0x0324)).put(0, 20, &raw(0x1020));
    let output = converted(&etl.finish());
    let messages = output.with("android_log");
    assert_eq!(messages.len(), 1);
    let message = messages.concat();
    assert!(message.contains("tag:\"Process/Freeze\""), "{message}");
    assert!(message.contains(r#"{\"$raw\":\"0102ab\"}"#), "{message}");
    assert_eq!(output.converted.totals.skipped, 1);
}

#[test]
fn an_event_keeps_what_its_header_tells_beside_its_descriptor() {
    let parent = Guid::from_u128(0x01234567_89ab_cdef_0123_456789abcdef);
    let instance = [&5_u32.to_le_bytes()[..], &4_u32.to_le_bytes(), &parent.0].concat();
    let mut event = ProviderEvent {
        activity: Guid::from_u128(0xaaaaaaaa_0001_0002_0003_000000000004),
        ..key(17)
    };
    event.extended.extend([
        (0x01, parent.0.to_vec()),
        (0x02, vec![1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0]),
        (0x03, vec![2, 0, 0, 0]),
        (0x04, instance),
        (0x07, vec![6, 0, 0, 0, 0, 0, 0, 0]),
        (0x08, vec![7; 16]),
        (0x09, vec![8, 9]),
        (0x0A, vec![10, 0, 0, 0, 0, 0, 0, 0]),
        (0x0D, vec![11, 0, 0, 0, 0, 0, 0, 0x40]),
        (0x0E, parent.0.to_vec()),
        (0x0F, (-12_i64).to_le_bytes().to_vec()),
        (0x10, b"0123abcd".to_vec()),
        (0x7F, vec![13]),
    ]);
    let mut etl = with_thread();
    etl.provider(1, 50, IN_THREAD, &event);
    let message = packets(etl).concat().replace('\\', "");
    let (_, message) = message.split_once("message:\"").unwrap_or_default();
    assert_eq!(
        message,
        concat!(
            r#"{"i":0,"c":1,"l":5,"h":{"ActivityId":"aaaaaaaa-0001-0002-0003-000000000004","#,
            r#""RelatedActivityId":"01234567-89ab-cdef-0123-456789abcdef","UserSID":"S-1-5-18","SessionId":2,"#,
            r#""InstanceId":5,"ParentInstanceId":4,"ParentGuid":"01234567-89ab-cdef-0123-456789abcdef","PebsIndex":6,"#,
            r#""PmcCounters":"07070707070707070707070707070707","PsmKey":"0809","EventKey":"0xa","#,
            r#""ProcessStartKey":"0x400000000000000b","ControlGuid":"01234567-89ab-cdef-0123-456789abcdef","#,
            r#""QpcDelta":-12,"ContainerId":"0123abcd"},"f":{"Code":17}}"}]}"#
        )
    );
}
