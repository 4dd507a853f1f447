//! Profile samples, their stacks and images: what is written of each.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use support::profile::samples;
use support::{Etl, converted, outline_of};
use synth::events::image::{DebugId, ImageChange, ImageEvent};
use synth::events::process::{ProcessChange, ProcessInfo};
use synth::events::profile::{
    CollectionStart, PmcSample, SampledProfile, SetInterval, StackKeyDefinition, StackKeyUse,
    StackWalk,
};
use synth::events::thread::{ThreadChange, ThreadInfo};
use synth::file::bytes::{Guid, Pointer};
use synth::file::session::Session;

const PID: u32 = 2000;
const TID: u32 = 2004;
const NT: u64 = 0xFFFF_F800_0000_0000;
const APP: u64 = 0x7FF6_0000_0000;

fn sample(instruction_pointer: u64) -> SampledProfile {
    SampledProfile {
        version: 2,
        instruction_pointer,
        tid: TID,
        flags: 0,
        priority: 14,
        rank: 2,
    }
}

fn image(change: ImageChange, base: u64, pid: u32, path: &str) -> ImageEvent<'_> {
    ImageEvent {
        change,
        version: 3,
        base,
        size_bytes: 0x1000,
        pid,
        path,
    }
}

/// A process with a thread, its program and the kernel, all known from the end.
fn rundown(etl: &mut Etl) {
    let app = ProcessInfo::new(PID, 4, "app.exe");
    etl.process(900, ProcessChange::RundownEnd, &app)
        .thread(900, ThreadChange::RundownEnd, &ThreadInfo::new(PID, TID, 8))
        .put(0, 901, &image(ImageChange::RundownEnd, NT, 0, "\\nt"))
        .put(0, 902, &image(ImageChange::RundownEnd, APP, PID, "\\app"));
}

/// The samples of a trace, as text.
fn lines(etl: Etl) -> Vec<String> {
    let output = converted(&etl.finish());
    let samples = samples(&output.trace);
    samples.iter().map(ToString::to_string).collect()
}

#[test]
fn a_sample_and_all_that_it_refers_to() {
    let mut etl = Etl::new();
    etl.put(0, 5, &CollectionStart { interval: 10_000 })
        .put(1, 10, &sample(APP + 0x10));
    rundown(&mut etl);
    let id = DebugId {
        base: APP,
        pid: PID,
        guid: Guid::from_u128(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10),
        age: 3,
        pdb_path: "app.pdb",
    };
    let event = id.event(etl.at(902));
    etl.raw(0, 902, &event);
    let output = converted(&etl.finish());
    assert_eq!(
        output.with("sequence_id:3"),
        [
            "timestamp:1000000000 trusted_packet_sequence_id:3 sequence_flags:1",
            "timestamp:1000001000 trusted_packet_sequence_id:3 interned_data{frames:[{iid:1 mapping_id:2 rel_pc:16}] callstacks:[{iid:1 frame_ids:[1]}] build_ids:[{iid:2 str:\"\\001\\002\\003\\004\\005\\006\\007\\010\\t\\n\\013\\014\\r\\016\\017\\020\"}] mapping_paths:[{iid:2 str:\"\\\\app\"}] mappings:[{iid:2 build_id:2 start:140694538682368 end:140694538686464 path_string_ids:[2]} sequence_flags:2",
            "timestamp:1000001000 trusted_packet_sequence_id:3 sequence_flags:2 perf_sample{cpu:1 pid:2000 tid:2004 callstack_iid:1 cpu_mode:MODE_USER",
        ]
    );
    let sample = samples(&output.trace).first().map(ToString::to_string);
    let words = "rank=2 priority=14 weight_ns=1000000";
    assert_eq!(
        sample,
        Some(format!("1000 pid 2000 tid 2004 user {words}: \\app+10"))
    );
    assert_eq!(
        output.with("name:\"etw.image\"").len(),
        2,
        "the kernel's image and the program's"
    );
    assert_eq!(output.with("app.pdb").len(), 1);
}

#[test]
fn a_sample_within_10_ms_after_its_thread_ended_is_that_threads_where_no_switch_out_tells() {
    let app = ProcessInfo::new(PID, 4, "app.exe");
    let thread = ThreadInfo::new(PID, TID, 8);
    let mut etl = Etl::new();
    etl.process(1, ProcessChange::RundownStart, &app)
        .thread(2, ThreadChange::RundownStart, &thread)
        .put(0, 10, &sample(NT + 1))
        .thread(20, ThreadChange::End, &thread)
        .process(30, ProcessChange::End, &app)
        .put(0, 99_000, &sample(NT + 2))
        .put(0, 100_030, &sample(NT + 3));
    let unknown = u32::MAX;
    assert_eq!(
        lines(etl),
        [
            format!(
                "1000 pid 2000 tid 2004 kernel rank=2 priority=14: +{:x}",
                NT + 1
            ),
            format!(
                "9900000 pid 2000 tid 2004 kernel rank=2 priority=14: +{:x}",
                NT + 2
            ),
            format!(
                "10003000 pid {unknown} tid 2004 kernel rank=2 priority=14: +{:x}",
                NT + 3
            ),
        ]
    );
}

#[test]
fn both_halves_of_a_stack_come_with_their_sample_however_late() {
    let mut etl = Etl::new();
    etl.put(0, 10, &sample(NT + 1));
    let half = |addresses: &[u64]| StackWalk {
        event_ticks: etl.at(10),
        pid: PID,
        tid: TID,
        addresses: addresses.to_vec(),
    };
    let (kernel, user) = (half(&[NT + 1, NT + 2]), half(&[APP + 3, APP + 4]));
    etl.put(1, 500, &user).put(0, 11, &kernel);
    rundown(&mut etl);
    assert_eq!(
        lines(etl),
        ["1000 pid 2000 tid 2004 kernel rank=2 priority=14: \\nt+1 < \\nt+2 < \\app+3 < \\app+4"]
    );
}

#[test]
fn a_stack_key_means_its_next_definition() {
    let mut etl = Etl::new();
    let key = |event_ticks| StackKeyUse {
        kernel: false,
        event_ticks,
        pid: PID,
        tid: TID,
        key: 77,
    };
    let (first, second) = (key(etl.at(10)), key(etl.at(20)));
    let defined = |rundown, address| StackKeyDefinition {
        rundown,
        key: 77,
        addresses: vec![address, APP + 9],
    };
    etl.put(0, 10, &sample(APP + 1))
        .put(0, 12, &first)
        .put(1, 13, &defined(false, APP + 1))
        .put(0, 20, &sample(APP + 2))
        .put(0, 22, &second)
        .put(1, 23, &defined(true, APP + 2));
    rundown(&mut etl);
    assert_eq!(
        lines(etl),
        [
            "1000 pid 2000 tid 2004 user rank=2 priority=14: \\app+1 < \\app+9",
            "2000 pid 2000 tid 2004 user rank=2 priority=14: \\app+2 < \\app+9",
        ]
    );
}

#[test]
fn a_sample_of_a_hardware_counter_has_its_source_its_interval_and_its_stack() {
    let mut etl = Etl::new();
    let misses = |interval| SetInterval {
        source: 10,
        interval,
        source_name: "CacheMisses",
    };
    let pmc = |source| PmcSample {
        instruction_pointer: APP + 1,
        tid: TID,
        source,
    };
    etl.put(0, 5, &misses(65_536))
        .put(0, 10, &pmc(10))
        .put(0, 15, &misses(4096))
        .put(0, 20, &pmc(10))
        .put(0, 30, &pmc(11));
    let stack = StackWalk {
        event_ticks: etl.at(10),
        pid: PID,
        tid: TID,
        addresses: vec![APP + 1, APP + 2],
    };
    etl.put(0, 11, &stack);
    rundown(&mut etl);
    let output = converted(&etl.finish());
    let all: Vec<String> = samples(&output.trace)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        all,
        [
            "1000 pid 2000 tid 2004 user source=10 weight_events=65536: \\app+1 < \\app+2",
            "2000 pid 2000 tid 2004 user source=10 weight_events=4096: \\app+1",
            "3000 pid 2000 tid 2004 user source=11: \\app+1",
        ]
    );
    assert_eq!(output.with("etw.profile_interval").len(), 2);
    assert_eq!(output.with("CacheMisses").len(), 2);
}

#[test]
fn an_address_belongs_to_the_image_that_lies_there_at_the_time() {
    let mut etl = Etl::new();
    let other = |change| image(change, APP + 0x5000, PID, "\\other");
    etl.put(0, 10, &sample(APP + 0x5001))
        .put(0, 20, &other(ImageChange::Load))
        .put(0, 30, &sample(APP + 0x5001))
        .put(0, 40, &other(ImageChange::Unload))
        .put(0, 50, &sample(APP + 0x5001));
    rundown(&mut etl);
    let unknown = format!("+{:x}", APP + 0x5001);
    assert_eq!(
        lines(etl),
        [
            format!("1000 pid 2000 tid 2004 user rank=2 priority=14: {unknown}"),
            "3000 pid 2000 tid 2004 user rank=2 priority=14: \\other+1".to_owned(),
            format!("5000 pid 2000 tid 2004 user rank=2 priority=14: {unknown}"),
        ]
    );
}

#[test]
fn a_32_bit_machine_and_samples_of_version_1() {
    let mut etl = Etl::of(Session {
        pointer: Pointer::Four,
        header_pointer: Pointer::Four,
        ..Session::default()
    });
    let old = SampledProfile {
        version: 1,
        ..sample(0x8000_0010)
    };
    let driver = ImageEvent {
        version: 0,
        ..image(ImageChange::RundownStart, 0x8000_0000, 0, "\\driver")
    };
    etl.put(0, 5, &driver).put(0, 10, &old);
    rundown(&mut etl);
    assert_eq!(
        lines(etl),
        ["1000 pid 2000 tid 2004 kernel nothing: \\driver+10"]
    );
}

#[test]
fn an_outline_has_no_sample_but_one_that_mentions_a_thread_first_without_its_stack() {
    let mut etl = Etl::new();
    let unknown = SampledProfile {
        tid: TID + 4,
        ..sample(APP + 1)
    };
    etl.put(0, 10, &sample(APP + 1))
        .put(0, 20, &unknown)
        .put(0, 30, &unknown);
    rundown(&mut etl);
    let outline = outline_of(&etl.finish());
    let all: Vec<String> = samples(&outline.trace)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(all, ["2000 pid 4294967295 tid 2008 user : "]);
}

#[test]
fn an_outline_leaves_out_images() {
    let mut etl = Etl::new();
    rundown(&mut etl);
    let etl = etl.finish();
    assert_eq!(converted(&etl).with("name:\"etw.image\"").len(), 2);
    assert!(outline_of(&etl).with("etw.image").is_empty());
}
