//! Context switches and ready events: what is written where the file is not as simple as it seems.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use support::{Etl, IDLE, Out, Output, converted, preempted, waits};
use synth::events::scheduler::ReadyThread;

const ME: u32 = 100;
const OTHER: u32 = 200;
const THIRD: u32 = 300;

#[test]
fn the_run_gets_the_fields_of_the_switch_that_ends_it() {
    let mut etl = Etl::new();
    etl.ready(0, 10, ME).switch(0, 20, IDLE, ME, 14);
    etl.switch(
        0,
        30,
        Out {
            rank: 2,
            ..waits(ME)
        },
        0,
        0,
    );
    let output = converted(&etl.finish());
    let words = "rank=2 switch_out_priority=9 switch_out_state=Waiting switch_out_wait_reason=UserRequest \
                 switch_out_wait_mode=user switch_out_qos=2 rank_before=unknown switch_in_qos=0 ready_increment=2 ready_adjust_reason=1 \
                 priority_decrement=1 previous_c_state=1";
    assert_eq!(output.runs(), [(2000, 0, words.to_owned())]);
}

#[test]
fn the_end_of_a_run_is_found_in_a_later_buffer() {
    let mut etl = Etl::new();
    etl.switch(0, 20, IDLE, ME, 14);
    for ticks in 30..400 {
        etl.ready(0, ticks, OTHER);
    }
    etl.switch(
        0,
        500,
        Out {
            rank: 7,
            ..waits(ME)
        },
        0,
        0,
    );
    let output = converted(&etl.finish());
    assert_eq!(output.words_of_runs(&["rank"]), [(2000, "7".to_owned())]);
}

#[test]
fn the_end_of_a_run_from_before_the_first_switch_is_told_apart() {
    let mut etl = Etl::new();
    etl.switch(
        0,
        20,
        Out {
            rank: 2,
            ..waits(ME)
        },
        0,
        0,
    );
    etl.switch(1, 30, IDLE, OTHER, 9)
        .switch(1, 40, waits(OTHER), 0, 0);
    assert_eq!(
        converted(&etl.finish()).with("etw.run_before"),
        [
            "timestamp:1000002000 track_event{debug_annotations:[{name:\"tid\" uint_value:100} {name:\"end\" string_value:\"rank=2 switch_out_priority=9 switch_out_state=Waiting switch_out_wait_reason=UserRequest switch_out_wait_mode=user switch_out_qos=2\"}] type:TYPE_INSTANT track_uuid:8589934592 name:\"etw.run_before\""
        ]
    );
}

#[test]
fn a_run_that_is_open_at_the_end_says_so() {
    let mut etl = Etl::new();
    etl.switch(0, 20, IDLE, ME, 14);
    let output = converted(&etl.finish());
    let open = "switch_in_qos=0 priority_decrement=1 previous_c_state=1";
    assert_eq!(output.runs(), [(2000, 0, open.to_owned())]);
}

#[test]
fn the_thread_that_really_ran_is_written() {
    let mut etl = Etl::new();
    etl.switch(0, 20, IDLE, ME, 14)
        .switch(0, 30, waits(OTHER), 0, 0);
    let output = converted(&etl.finish());
    assert_eq!(
        output.scheduling(),
        [
            "2000 cpu 0: {new 200 old 0 priority 9 RUNNING reason 0",
            "3000 cpu 0: {new 0 old 200 priority 0 WAITING reason 6",
        ]
    );
    assert_eq!(output.converted.corrected_switches, 1);
}

#[test]
fn a_ready_event_before_the_switch_out_is_written_after_it() {
    let mut etl = Etl::new();
    etl.switch(0, 20, IDLE, ME, 8).switch(1, 21, IDLE, OTHER, 8);
    etl.ready(1, 30, ME).switch(0, 31, waits(ME), THIRD, 8);
    let output = converted(&etl.finish());
    assert_eq!(
        output.scheduling()[2..],
        [
            "3100 cpu 0: {new 300 old 100 priority 8 WAITING reason 6",
            "3101 cpu 1: waker 200 readies {100",
        ]
    );
}

#[test]
fn at_equal_times_the_wake_comes_before_the_switch_in() {
    let mut etl = Etl::new();
    etl.switch(1, 10, IDLE, OTHER, 8);
    etl.switch(0, 30, IDLE, ME, 8).ready(1, 30, ME);
    let output = converted(&etl.finish());
    assert_eq!(
        output.scheduling()[1..],
        [
            "3000 cpu 1: waker 200 readies {100",
            "3001 cpu 0: {new 100 old 0 priority 8 RUNNING reason 0"
        ]
    );
}

#[test]
fn the_waker_is_the_current_thread_and_nobody_for_a_dpc() {
    let dpc = ReadyThread {
        tid: THIRD,
        adjust_reason: 0,
        adjust_increment: 0,
        flags: 1,
    };
    let mut etl = Etl::new();
    etl.ready(0, 10, ME)
        .switch(0, 20, waits(OTHER), ME, 8)
        .ready(0, 30, OTHER)
        .put(0, 40, &dpc);
    let output = converted(&etl.finish());
    assert_eq!(
        output.scheduling(),
        [
            "1000 cpu 0: waker 200 readies {100",
            "2000 cpu 0: {new 100 old 200 priority 8 WAITING reason 6",
            "3000 cpu 0: waker 100 readies {200",
            "4000 cpu 0: waker 0 readies {300",
        ]
    );
}

#[test]
fn states_that_the_importer_does_not_know_are_kept_in_the_sample() {
    let mut gate_wait = vec![0; 24];
    gate_wait[4..8].copy_from_slice(&ME.to_le_bytes());
    gate_wait[0x0E] = 8;
    let mut etl = Etl::new();
    etl.switch(0, 20, IDLE, ME, 8);
    let event = synth::events::system::RawKernelEvent {
        hook: 0x0524,
        version: 4,
        payload: gate_wait,
    };
    etl.put(0, 30, &event);
    let output = converted(&etl.finish());
    assert_eq!(
        output.scheduling()[1],
        "3000 cpu 0: {new 0 old 100 priority 0 WAITING reason 0"
    );
    assert_eq!(
        output.words_of_runs(&["switch_out_state"]),
        [(2000, "GateWaitObsolete".to_owned())]
    );
}

#[test]
fn the_last_ready_event_before_the_run_counts_and_the_rest_are_pending_at_the_end() {
    let late = ReadyThread {
        tid: ME,
        adjust_reason: 2,
        adjust_increment: -1,
        flags: 8,
    };
    let mut etl = Etl::new();
    etl.ready(0, 10, ME)
        .put(0, 20, &late)
        .switch(0, 30, IDLE, ME, 8)
        .ready(0, 40, OTHER);
    etl.switch(0, 50, preempted(ME), ME, 8);
    let output = converted(&etl.finish());
    let names = ["ready_flags", "ready_increment", "ready_adjust_reason"];
    assert_eq!(
        output.words_of_runs(&names),
        [(3000, "8 -1 2".to_owned()), (5000, "- - -".to_owned())]
    );
    assert_eq!(
        output.with("etw.ready_pending"),
        [
            "timestamp:1000005001 track_event{debug_annotations:[{name:\"tid\" uint_value:200} {name:\"ready_ts\" uint_value:1000004000} {name:\"ready_flags\" uint_value:0} {name:\"ready_increment\" int_value:2} {name:\"ready_adjust_reason\" uint_value:1}] type:TYPE_INSTANT track_uuid:8589934592 name:\"etw.ready_pending\""
        ]
    );
}

#[test]
fn who_readied_a_thread_first_counts_as_its_waker() {
    let flagged = |tid, flags| ReadyThread {
        tid,
        adjust_reason: 0,
        adjust_increment: 0,
        flags,
    };
    let mut etl = Etl::new();
    etl.put(0, 10, &flagged(ME, 2))
        .put(0, 20, &flagged(ME, 1))
        .switch(0, 30, IDLE, ME, 8)
        .put(0, 40, &flagged(OTHER, 1))
        .put(0, 50, &flagged(OTHER, 8))
        .switch(0, 60, waits(ME), OTHER, 8)
        .put(0, 70, &flagged(THIRD, 1))
        .put(0, 80, &flagged(THIRD, 2));
    let output = converted(&etl.finish());
    assert_eq!(
        output.words_of_runs(&["ready_flags"]),
        [(3000, "2".to_owned()), (6000, "9".to_owned())]
    );
    let pending = output.with("etw.ready_pending").join("");
    assert!(
        pending.contains("\"ready_ts\" uint_value:1000007000}"),
        "{pending}"
    );
    assert!(
        pending.contains("\"ready_flags\" uint_value:3}"),
        "{pending}"
    );
}

/// Sets the flag "buffers were lost before this one" on the last buffer of a CPU.
fn lose_before_last_buffer(etl: &mut [u8], cpu: u8) {
    let buffers = (0x1000..etl.len()).step_by(0x1000);
    let last = buffers
        .rev()
        .find(|at| etl[at + 0x28] == cpu)
        .expect("the CPU has a buffer");
    etl[last + 0x34] |= 4;
}

#[test]
fn runs_end_and_begin_again_at_a_loss() {
    let mut etl = Etl::new();
    etl.switch(0, 20, IDLE, ME, 8);
    for ticks in 30..198 {
        etl.ready(0, ticks, OTHER);
    }
    etl.switch(0, 300, waits(OTHER), 0, 0);
    let mut bytes = etl.finish();
    lose_before_last_buffer(&mut bytes, 0);
    let output = converted(&bytes);
    let switches: Vec<String> = output
        .scheduling()
        .into_iter()
        .filter(|line| line.contains("priority"))
        .collect();
    assert_eq!(
        switches,
        [
            "2000 cpu 0: {new 100 old 0 priority 8 RUNNING reason 0",
            "19502 cpu 0: {new 0 old 100 priority 0 INITIALIZED reason 0",
            "19600 cpu 0: {new 200 old 0 priority 9 INITIALIZED reason 0",
            "30000 cpu 0: {new 0 old 200 priority 0 WAITING reason 6",
        ]
    );
    assert_eq!(
        output.words_of_runs(&["switch_out_state"]),
        [(2000, "-".to_owned()), (19600, "Waiting".to_owned())]
    );
    assert_eq!(
        output.converted.losses,
        ["buffers of CPU 0 were lost before the buffer at offset 0x2000"]
    );
    assert_eq!(output.with("\"lost_buffers\"").len(), 1);
}

/// Two CPUs with a buffer each before 200 ticks; CPU 0 lost the next one. Nothing is recorded of CPU 1 from a time on: its
/// buffer is full at 195.
fn losing_a_buffer(quiet_from: i64) -> Etl {
    let mut etl = Etl::new();
    etl.switch(0, 20, IDLE, ME, 8).switch(1, 21, IDLE, THIRD, 8);
    for ticks in 30..199 {
        etl.ready(0, ticks, OTHER);
        if ticks < quiet_from {
            etl.ready(1, ticks, OTHER);
        }
    }
    etl.lose(0);
    etl
}

/// Both CPUs have a buffer after 400 ticks as well. On CPU 0 `then` runs there.
fn with_a_buffer_lost(then: u32, quiet_from: i64) -> Output {
    let mut etl = losing_a_buffer(quiet_from);
    etl.switch(0, 400, waits(then), 0, 0)
        .switch(1, 410, waits(THIRD), 0, 0);
    converted(&etl.finish())
}

fn switches(output: &Output) -> Vec<String> {
    let scheduling = output.scheduling().into_iter();
    scheduling
        .filter(|line| line.contains("priority"))
        .collect()
}

#[test]
fn the_cpu_on_which_another_thread_runs_after_a_missing_buffer_is_the_one_that_lost_it() {
    let output = with_a_buffer_lost(OTHER, 199);
    assert_eq!(
        switches(&output),
        [
            "2000 cpu 0: {new 100 old 0 priority 8 RUNNING reason 0",
            "2100 cpu 1: {new 300 old 0 priority 8 RUNNING reason 0",
            "19502 cpu 0: {new 0 old 100 priority 0 INITIALIZED reason 0",
            "40000 cpu 0: {new 200 old 0 priority 9 INITIALIZED reason 0",
            "40001 cpu 0: {new 0 old 200 priority 0 WAITING reason 6",
            "41000 cpu 1: {new 0 old 300 priority 0 WAITING reason 6",
        ]
    );
    assert_eq!(
        output.converted.losses,
        [
            "1 buffer is missing before the buffer at offset 0x4000",
            "buffers of CPU 0 are missing before the one at offset 0x3000",
        ]
    );
}

#[test]
fn a_cpu_that_had_no_time_to_fill_a_buffer_is_not_the_one_that_lost_it() {
    let output = with_a_buffer_lost(ME, 199);
    assert_eq!(
        switches(&output),
        [
            "2000 cpu 0: {new 100 old 0 priority 8 RUNNING reason 0",
            "2100 cpu 1: {new 300 old 0 priority 8 RUNNING reason 0",
            "19502 cpu 0: {new 0 old 100 priority 0 INITIALIZED reason 0",
            "40000 cpu 0: {new 100 old 0 priority 9 INITIALIZED reason 0",
            "40001 cpu 0: {new 0 old 100 priority 0 WAITING reason 6",
            "41000 cpu 1: {new 0 old 300 priority 0 WAITING reason 6",
        ]
    );
    assert_eq!(
        output.converted.losses,
        [
            "1 buffer is missing before the buffer at offset 0x4000",
            "buffers of CPU 0 may be missing before the one at offset 0x3000",
        ]
    );
}

#[test]
fn where_it_is_not_known_whose_buffer_is_missing_no_run_leads_over_it() {
    let output = with_a_buffer_lost(ME, 195);
    assert_eq!(
        switches(&output),
        [
            "2000 cpu 0: {new 100 old 0 priority 8 RUNNING reason 0",
            "2100 cpu 1: {new 300 old 0 priority 8 RUNNING reason 0",
            "19403 cpu 1: {new 0 old 300 priority 0 INITIALIZED reason 0",
            "19502 cpu 0: {new 0 old 100 priority 0 INITIALIZED reason 0",
            "40001 cpu 0: {new 100 old 0 priority 9 INITIALIZED reason 0",
            "40002 cpu 0: {new 0 old 100 priority 0 WAITING reason 6",
            "41000 cpu 1: {new 300 old 0 priority 9 INITIALIZED reason 0",
            "41001 cpu 1: {new 0 old 300 priority 0 WAITING reason 6",
        ]
    );
    assert_eq!(
        output.converted.losses,
        [
            "1 buffer is missing before the buffer at offset 0x3000",
            "buffers of CPU 0 may be missing before the one at offset 0x3000",
            "buffers of CPU 1 may be missing before the one at offset 0x4000",
        ]
    );
}

/// Both missing buffers can be of CPU 1, which lost the second.
#[test]
fn no_run_leads_to_another_thread_where_it_is_not_known_which_number_another_cpu_lost() {
    let mut etl = losing_a_buffer(195);
    etl.switch(0, 210, waits(OTHER), 0, 0)
        .switch(1, 300, waits(THIRD), THIRD, 8)
        .lose(1)
        .switch(1, 410, waits(THIRD), 0, 0);
    let output = converted(&etl.finish());
    assert_eq!(
        switches(&output),
        [
            "2000 cpu 0: {new 100 old 0 priority 8 RUNNING reason 0",
            "2100 cpu 1: {new 300 old 0 priority 8 RUNNING reason 0",
            "19403 cpu 1: {new 0 old 300 priority 0 INITIALIZED reason 0",
            "19502 cpu 0: {new 0 old 100 priority 0 INITIALIZED reason 0",
            "21001 cpu 0: {new 200 old 0 priority 9 INITIALIZED reason 0",
            "21002 cpu 0: {new 0 old 200 priority 0 WAITING reason 6",
            "41001 cpu 1: {new 300 old 0 priority 9 INITIALIZED reason 0",
            "41002 cpu 1: {new 0 old 300 priority 0 WAITING reason 6",
        ]
    );
    assert_eq!(
        output.converted.losses,
        [
            "1 buffer is missing before the buffer at offset 0x3000",
            "1 buffer is missing before the buffer at offset 0x4000",
            "buffers of CPU 0 may be missing before the one at offset 0x3000",
            "buffers of CPU 1 may be missing before the one at offset 0x4000",
        ]
    );
}

/// A CPU with three buffers, whose only run lasts from 20 to 500 ticks, with damage at an offset of the file.
fn with_damage_at(offset: usize) -> Output {
    let mut etl = Etl::new();
    etl.switch(0, 20, IDLE, ME, 8);
    for ticks in 30..400 {
        etl.ready(0, ticks, OTHER);
    }
    etl.switch(0, 500, waits(ME), 0, 0);
    let mut bytes = etl.finish();
    bytes[offset..offset + 0x18].fill(0xFF);
    converted(&bytes)
}

/// When events of a CPU are lost and for how long, in ns.
fn lost_times(output: &Output) -> Vec<String> {
    let number = |line: &str, name: &str| {
        let (_, after) = line.split_once(name).expect("the loss tells it");
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        digits
    };
    let losses = output.with("etw.loss");
    losses
        .iter()
        .map(|line| {
            let ts = number(line, "timestamp:");
            format!("{ts} + {}", number(line, "\"dur_ns\" uint_value:"))
        })
        .collect()
}

#[test]
fn what_follows_damage_in_a_buffer_is_lost_until_the_next_one_of_its_cpu() {
    let output = with_damage_at(0x1800);
    assert_eq!(
        switches(&output),
        [
            "2000 cpu 0: {new 100 old 0 priority 8 RUNNING reason 0",
            "11002 cpu 0: {new 0 old 100 priority 0 INITIALIZED reason 0",
            "19600 cpu 0: {new 100 old 0 priority 9 INITIALIZED reason 0",
            "50000 cpu 0: {new 0 old 100 priority 0 WAITING reason 6",
        ]
    );
    assert_eq!(lost_times(&output), ["1000011000 + 8600"]);
}

#[test]
fn no_run_leads_over_a_buffer_of_which_nothing_can_be_read() {
    let output = with_damage_at(0x2048);
    assert_eq!(
        switches(&output),
        [
            "2000 cpu 0: {new 100 old 0 priority 8 RUNNING reason 0",
            "19502 cpu 0: {new 0 old 100 priority 0 INITIALIZED reason 0",
            "36300 cpu 0: {new 100 old 0 priority 9 INITIALIZED reason 0",
            "50000 cpu 0: {new 0 old 100 priority 0 WAITING reason 6",
        ]
    );
    assert_eq!(lost_times(&output), ["1000019500 + 16800"]);
}
