//! What is lost at the start and at the end of a CPU's events: time in which nothing is known of it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use convert::Request;
use support::{Etl, IDLE, Output, converted, converted_files, waits};
use synth::file::bytes::Guid;
use synth::file::event::{Origin, ProviderEvent};
use synth::file::session::Session;

const BUFFER: usize = 0x1000;
const ME: u32 = 100;
const OTHER: u32 = 200;
const THIRD: u32 = 300;

/// Where the header of the file holds its number of buffers, and its end time.
const BUFFERS_WRITTEN: usize = 0x68 + 0x24;
const END_TIME: usize = 0x68 + 0x10;

/// CPU 0 runs a thread from tick 10 to 500 and CPU 1 another from 100 to 590; each then is idle. Each has three buffers:
/// CPU 0 at 0x1000, 0x3000 and 0x5000, up to ticks 176, 343 and 500; CPU 1 at 0x2000, 0x4000 and 0x6000, up to 266, 433 and 590.
fn whole() -> Vec<u8> {
    let mut etl = Etl::new();
    for ticks in 10..590 {
        match ticks {
            10 => drop(etl.switch(0, 10, IDLE, ME, 8)),
            11..500 => drop(etl.ready(0, ticks, THIRD)),
            500 => drop(etl.switch(0, 500, waits(ME), 0, 0)),
            _ => {}
        }
        match ticks {
            100 => drop(etl.switch(1, 100, IDLE, OTHER, 8)),
            101.. => drop(etl.ready(1, ticks, THIRD)),
            _ => {}
        }
    }
    etl.switch(1, 590, waits(OTHER), 0, 0);
    etl.finish()
}

/// Makes the events of a buffer unreadable.
fn spoil(etl: &mut [u8], buffer: usize) {
    etl[buffer + 0x48..buffer + 0x58].fill(0xFF);
}

/// Takes a buffer out of the file.
fn remove(etl: &mut Vec<u8>, buffer: usize) {
    drop(etl.drain(buffer..buffer + BUFFER));
}

/// What is said about losses: the time in ticks that something was lost, the CPU, and the words.
fn lost(etl: &[u8]) -> Vec<String> {
    lost_in(&converted(etl))
}

fn lost_in(output: &Output) -> Vec<String> {
    let lines = output.packets.iter();
    let losses = lines.filter(|line| line.contains("name:\"etw.loss\""));
    losses.map(|line| told(line)).collect()
}

fn told(line: &str) -> String {
    let value = |after: &str| -> Option<&str> {
        let (_, rest) = line.split_once(after)?;
        rest.split('"').next()
    };
    let number = |after: &str| -> Option<u64> {
        let digits = value(after)?.split(|c: char| !c.is_ascii_digit());
        digits.into_iter().next()?.parse().ok()
    };
    let from_ns = number("timestamp:").expect("a loss has a time") - 1_000_000_000;
    let dur_ns = number("\"dur_ns\",uint_value:").expect("a loss has a length");
    let (from, until) = (from_ns / 100, (from_ns + dur_ns) / 100);
    let kind = value("\"kind\",string_value:\"").expect("a loss has a kind");
    let cpu = number("\"cpu\",uint_value:").map_or(String::new(), |cpu| format!(" cpu {cpu}"));
    let message = value("\"message\",string_value:\"").expect("a loss has a message");
    format!("{from}..{until}{cpu} {kind}: {message}")
}

/// Context switches, in ticks.
fn switches(output: &Output) -> Vec<String> {
    let lines = output.scheduling().into_iter();
    let switches = lines.filter(|line| line.contains("priority"));
    let ticks = switches.map(|line| {
        let (ns, switch) = line.split_once(' ').expect("a time comes first");
        let ns: u64 = ns.parse().expect("a time is a number");
        let (switch, _) = switch.split_once(" reason").expect("a switch has a reason");
        format!("{} {}", ns / 100, switch.replace('{', ""))
    });
    ticks.collect()
}

const NOTHING: [&str; 0] = [];

#[test]
fn a_cpu_that_was_idle_at_the_ends_of_a_whole_recording_lacks_nothing() {
    let output = converted(&whole());
    assert_eq!(lost_in(&output), NOTHING);
    assert_eq!(
        switches(&output),
        [
            "10 cpu 0: new 100 old 0 priority 8 RUNNING",
            "100 cpu 1: new 200 old 0 priority 8 RUNNING",
            "500 cpu 0: new 0 old 100 priority 0 WAITING",
            "590 cpu 1: new 0 old 200 priority 0 WAITING",
        ]
    );
}

#[test]
fn a_first_buffer_that_cannot_be_read_is_lost_from_the_start_on() {
    let mut etl = whole();
    spoil(&mut etl, 0x2000);
    let output = converted(&etl);
    assert_eq!(
        lost_in(&output),
        [
            "0..267 cpu 1 bad_event: offset 0x2000: unknown event header at 0x48: expected a marker C0 or 90, found 0xffffffff"
        ]
    );
    assert_eq!(
        switches(&output),
        [
            "10 cpu 0: new 100 old 0 priority 8 RUNNING",
            "267 cpu 1: new 200 old 0 priority 9 INITIALIZED",
            "500 cpu 0: new 0 old 100 priority 0 WAITING",
            "590 cpu 1: new 0 old 200 priority 0 WAITING",
        ]
    );
}

#[test]
fn last_buffers_that_cannot_be_read_are_lost_up_to_the_end() {
    let mut etl = whole();
    spoil(&mut etl, 0x3000);
    spoil(&mut etl, 0x5000);
    let output = converted(&etl);
    let message = "unknown event header at 0x48: expected a marker C0 or 90, found 0xffffffff";
    assert_eq!(
        lost_in(&output),
        [
            format!("176..590 cpu 0 bad_event: offset 0x3000: {message}"),
            format!("176..176 cpu 0 bad_event: offset 0x5000: {message}"),
        ]
    );
    assert_eq!(
        switches(&output),
        [
            "10 cpu 0: new 100 old 0 priority 8 RUNNING",
            "100 cpu 1: new 200 old 0 priority 8 RUNNING",
            "176 cpu 0: new 0 old 100 priority 0 INITIALIZED",
            "590 cpu 1: new 0 old 200 priority 0 WAITING",
        ]
    );
}

#[test]
fn the_rest_of_a_last_buffer_is_lost_up_to_the_end() {
    let mut etl = whole();
    spoil(&mut etl, 0x5000 + 10 * 24);
    let output = converted(&etl);
    assert_eq!(
        lost_in(&output),
        [
            "353..590 cpu 0 bad_event: offset 0x5000: unknown event header at 0x138: expected a marker C0 or 90, found 0xffffffff"
        ]
    );
}

#[test]
fn of_a_cpu_none_of_whose_buffers_can_be_read_nothing_is_known() {
    let mut etl = whole();
    for buffer in [0x2000, 0x4000, 0x6000] {
        spoil(&mut etl, buffer);
    }
    assert_eq!(
        lost(&etl),
        [0x2000, 0x4000, 0x6000].map(|offset| {
            let until = if offset == 0x2000 { 500 } else { 0 };
            format!(
                "0..{until} cpu 1 bad_event: offset {offset:#x}: unknown event header at 0x48: expected a marker C0 or 90, found 0xffffffff"
            )
        })
    );
}

#[test]
fn a_buffer_that_is_said_to_be_empty_is_lost() {
    for (buffer, span) in [
        (0x2000, "0..267 cpu 1"),
        (0x3000, "176..344 cpu 0"),
        (0x5000, "343..590 cpu 0"),
    ] {
        let mut etl = whole();
        etl[buffer + 0x30] = 0;
        etl[buffer + 0x31] = 0;
        assert_eq!(
            lost(&etl),
            [format!(
                "{span} damaged_buffer: offset {buffer:#x}: no data end: expected at least 72, found 0"
            )]
        );
    }
}

#[test]
fn a_flag_tells_of_a_loss_before_the_first_buffer() {
    let mut etl = whole();
    etl[0x2000 + 0x34] |= 2;
    assert_eq!(
        lost(&etl),
        ["0..100 cpu 1 lost_events: events of CPU 1 were lost before the buffer at offset 0x2000"]
    );
}

#[test]
fn a_flag_of_a_buffer_without_events_tells_of_a_loss_around_it() {
    let mut etl = whole();
    etl[0x3000 + 0x30..0x3000 + 0x32].copy_from_slice(&[0x48, 0]);
    assert_eq!(lost(&etl), NOTHING);
    etl[0x3000 + 0x34] |= 4;
    let output = converted(&etl);
    assert_eq!(
        lost_in(&output),
        [
            "176..344 cpu 0 lost_buffers: buffers of CPU 0 were lost before the buffer at offset 0x3000"
        ]
    );
    assert!(
        switches(&output).contains(&"176 cpu 0: new 0 old 100 priority 0 INITIALIZED".to_owned())
    );
}

#[test]
fn a_missing_number_may_be_of_a_buffer_before_the_first() {
    let mut etl = whole();
    remove(&mut etl, 0x2000);
    let output = converted(&etl);
    assert_eq!(
        lost_in(&output),
        [
            "0..267 cpu 1 lost_buffers: buffers of CPU 1 may be missing before the one at offset 0x3000",
            "177..177 lost_buffers: 1 buffer is missing before the buffer at offset 0x2000",
        ]
    );
}

#[test]
fn a_missing_number_may_be_of_a_buffer_after_the_last() {
    let mut etl = whole();
    remove(&mut etl, 0x5000);
    let output = converted(&etl);
    assert_eq!(
        lost_in(&output),
        [
            "343..590 cpu 0 lost_buffers: buffers of CPU 0 may be missing after the one at offset 0x3000",
            "434..434 lost_buffers: 1 buffer is missing before the buffer at offset 0x5000",
        ]
    );
    assert_eq!(
        switches(&output),
        [
            "10 cpu 0: new 100 old 0 priority 8 RUNNING",
            "100 cpu 1: new 200 old 0 priority 8 RUNNING",
            "343 cpu 0: new 0 old 100 priority 0 INITIALIZED",
            "590 cpu 1: new 0 old 200 priority 0 WAITING",
        ]
    );
}

/// CPU 0 fills three buffers, and the last one is taken out. CPU 1 is idle from tick 50 on. The buffers of CPU 1 and of
/// CPU 2 are flushed when the recording ends.
#[test]
fn a_cpu_whose_last_buffer_was_not_full_lacks_none_after_it() {
    let mut etl = Etl::of(Session {
        cpu_count: 3,
        buffer_bytes: BUFFER as u32,
        ..Session::default()
    });
    etl.switch(0, 10, IDLE, ME, 8)
        .switch(1, 11, IDLE, OTHER, 8)
        .ready(2, 12, THIRD);
    for ticks in 20..400 {
        etl.ready(0, ticks, THIRD);
    }
    etl.switch(1, 50, waits(OTHER), 0, 0)
        .ready(2, 590, THIRD)
        .switch(0, 580, waits(ME), 0, 0);
    let mut etl = etl.finish();
    assert_eq!(etl.len(), 6 * BUFFER);
    remove(&mut etl, 3 * BUFFER);
    assert_eq!(
        lost(&etl),
        [
            "352..590 cpu 0 truncated: buffers of CPU 0 may be missing after the one at offset 0x2000",
            "590..590 truncated: offset 0x5000: file cut: expected 6 buffers by the log-file header, found 5",
        ]
    );
}

/// A provider's recording of Windows 7: no processor index, and numbers that were given to buffers that were never filled.
#[test]
fn a_file_that_is_whole_by_its_header_lacks_no_buffer_whose_number_is_missing() {
    let mut etl = Etl::of(Session {
        os_build: 7601,
        buffer_bytes: BUFFER as u32,
        ..Session::default()
    });
    let event = ProviderEvent {
        provider: Guid::from_u128(0x2e4e2bd4_2f8d_4a2b_8a1b_0c5a9c2f7d11),
        id: 1,
        version: 0,
        channel: 16,
        level: 4,
        opcode: 0,
        task: 0,
        keywords: 0,
        activity: Guid([0; 16]),
        extended: Vec::new(),
        payload: vec![1; 32],
    };
    for ticks in 10..200 {
        etl.provider((ticks % 2) as u16, ticks, Origin::default(), &event);
    }
    let mut etl = etl.finish();
    let count = etl.len() / BUFFER;
    for number in 1..count {
        let at = number * BUFFER;
        let sequence = 3 * number as u64 + 40;
        etl[at + 0x18..at + 0x20].copy_from_slice(&sequence.to_le_bytes());
        // An alignment of 8 next to the processor, and no flag of a processor index.
        etl[at + 0x29] = 8;
        etl[at + 0x34] = 0;
    }
    assert_eq!(lost(&etl), NOTHING);
    // One fewer than the header counts.
    etl.truncate((count - 1) * BUFFER);
    assert_ne!(lost(&etl), NOTHING);
}

/// CPU 1 takes the first buffer and uses it to the end, so that it is the last of the file.
fn with_a_long_one() -> Vec<u8> {
    let mut etl = Etl::new();
    etl.switch(1, 5, IDLE, OTHER, 8).switch(0, 10, IDLE, ME, 8);
    for ticks in 11..500 {
        etl.ready(0, ticks, THIRD);
    }
    etl.switch(1, 450, waits(OTHER), 0, 0)
        .switch(0, 500, waits(ME), 0, 0);
    let etl = etl.finish();
    assert_eq!(etl.len(), 5 * BUFFER);
    etl
}

#[test]
fn a_missing_number_is_of_the_buffer_that_a_damaged_place_held_wherever_that_is() {
    let mut etl = with_a_long_one();
    etl[4 * BUFFER..].fill(0xEE);
    assert_eq!(
        lost(&etl),
        [
            "500..500 damaged_buffer: offset 0x4000: no buffer: expected a buffer size of at least 72, found 4008636142 (4096 bytes skipped); 1 buffer is missing there",
        ]
    );
}

#[test]
fn a_buffer_that_was_in_use_when_later_ones_were_taken_is_followed_by_none_of_before_these() {
    let mut etl = with_a_long_one();
    remove(&mut etl, 2 * BUFFER);
    assert_eq!(
        lost(&etl),
        [
            "176..344 cpu 0 lost_buffers: buffers of CPU 0 may be missing before the one at offset 0x2000",
            "344..344 lost_buffers: 1 buffer is missing before the buffer at offset 0x2000",
        ]
    );
}

#[test]
fn where_a_file_lacks_its_last_buffers_each_cpu_may_lack_some() {
    let mut etl = whole();
    etl.truncate(0x4000);
    let output = converted(&etl);
    assert_eq!(
        lost_in(&output),
        [
            "266..343 cpu 1 truncated: buffers of CPU 1 may be missing after the one at offset 0x2000",
            "343..343 truncated: offset 0x4000: file cut: expected 7 buffers by the log-file header, found 4",
        ]
    );
    assert_eq!(
        switches(&output),
        [
            "10 cpu 0: new 100 old 0 priority 8 RUNNING",
            "100 cpu 1: new 200 old 0 priority 8 RUNNING",
            "266 cpu 1: new 0 old 200 priority 0 INITIALIZED",
        ]
    );
}

#[test]
fn a_file_that_is_cut_in_its_last_buffer_lacks_that_alone() {
    let mut etl = whole();
    etl.truncate(0x6000 + 0x48 + 10 * 24);
    assert_eq!(
        lost(&etl),
        [
            "443..500 cpu 1 truncated: offset 0x6000: file cut: expected a buffer of 4096 bytes, found 312"
        ]
    );
}

#[test]
fn a_file_that_is_cut_after_its_last_event_lacks_nothing_of_a_cpu() {
    let mut etl = whole();
    etl.truncate(0x6FF8);
    assert_eq!(
        lost(&etl),
        [
            "590..590 cpu 1 truncated: offset 0x6000: file cut: expected a buffer of 4096 bytes, found 4088"
        ]
    );
}

#[test]
fn of_a_file_that_is_cut_in_a_buffer_before_the_last_the_other_cpus_may_lack_some() {
    let mut etl = whole();
    etl.truncate(0x4000 + 0x48 + 10 * 24);
    let lost_of_counted = lost(&etl);
    assert_eq!(
        lost_of_counted,
        [
            "276..343 cpu 1 truncated: offset 0x4000: file cut: expected a buffer of 4096 bytes, found 312"
        ]
    );
    // Here it is CPU 1 that the file goes on with.
    let mut etl = whole();
    etl.truncate(0x5000 + 0x48 + 100 * 24);
    let expected = [
        "433..443 cpu 1 truncated: buffers of CPU 1 may be missing after the one at offset 0x4000",
        "443..443 cpu 0 truncated: offset 0x5000: file cut: expected a buffer of 4096 bytes, found 2472",
    ];
    assert_eq!(lost(&etl), expected);
    // A header that does not count tells no less.
    etl[BUFFERS_WRITTEN..BUFFERS_WRITTEN + 4].fill(0);
    etl[END_TIME..END_TIME + 8].fill(0);
    assert_eq!(lost(&etl), expected);
}

#[test]
fn what_is_no_buffer_at_the_end_may_have_been_of_any_cpu() {
    let mut etl = whole();
    etl[0x5000..].fill(0xEE);
    assert_eq!(
        lost(&etl),
        [
            "343..433 cpu 0 truncated: buffers of CPU 0 may be missing after the one at offset 0x3000",
            "433..433 damaged_buffer: offset 0x5000: no buffer: expected a buffer size of at least 72, found 4008636142 (8192 bytes skipped)",
        ]
    );
}

#[test]
fn a_header_that_counts_no_buffers_cuts_nothing() {
    let mut etl = whole();
    etl[END_TIME..END_TIME + 8].fill(0);
    etl[BUFFERS_WRITTEN] = 2;
    assert_eq!(lost(&etl), NOTHING);
}

#[test]
fn what_the_files_of_providers_lack_leaves_what_ran() {
    let mut providers = Etl::new();
    for ticks in 0..400 {
        providers.ready(1, 100 + ticks, THIRD);
    }
    // A thread that is made ready stands for any event that is no switch.
    let mut providers = providers.finish();
    spoil(&mut providers, 0x3000);
    let files = [("kernel.etl", whole()), ("user.etl", providers)];
    let files = files.each_ref().map(|(name, etl)| (*name, etl.as_slice()));
    let output =
        converted_files(&files, &Request::default()).expect("the files are of one recording");
    let lost = lost_in(&output);
    let [loss] = lost.as_slice() else {
        panic!("one loss: {lost:?}");
    };
    assert!(loss.starts_with("433..590 bad_event: "), "{loss}");
    assert!(
        loss.contains("user.etl: offset 0x3000: unknown event header"),
        "{loss}"
    );
    assert_eq!(switches(&output), switches(&converted(&whole())));
}
