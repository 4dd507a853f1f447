//! What context switches say in addition to the run sample: QoS levels, and hardware counters in their headers.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use convert::Request;
use support::{Etl, IDLE, Output, converted, converted_files, preempted, switch, waits};
use synth::events::fields::{Fields, FieldsEvent};
use synth::file::event::Header;

/// A switch with two counters in its header.
fn counted(etl: &mut Etl, cpu: u16, ticks: i64, old: support::Out, new: u32, at: [u64; 2]) {
    let header = Header::PerfInfoWithCounters(at);
    etl.put_under(cpu, ticks, header, &switch(old, new, 8));
}

fn counters(output: &Output) -> [Vec<(u64, u64)>; 2] {
    ["etw.counter 1", "etw.counter 2"].map(|name| output.counter(name))
}

fn named(etl: &mut Etl, names: &str) {
    let names = FieldsEvent {
        class: None,
        hook: 0x0F30,
        version: 2,
        fields: Fields::new(names, 0).expect("the fields are well-formed"),
    };
    etl.put(0, 1, &names);
}

#[test]
fn a_run_has_what_its_cpus_counters_counted_meanwhile() {
    let mut etl = Etl::new();
    named(&mut etl, "u32=2 w=InstructionRetired w=TotalCycles");
    counted(&mut etl, 0, 10, IDLE, 8, [1000, 50]);
    counted(&mut etl, 1, 15, IDLE, 12, [70, 7000]);
    counted(&mut etl, 0, 20, waits(8), 12, [1300, 53]);
    counted(&mut etl, 1, 25, waits(12), 0, [71, 7000]);
    counted(&mut etl, 0, 30, waits(12), 0, [1300, 54]);
    let output = converted(&etl.finish());
    assert_eq!(
        counters(&output),
        [
            vec![(2000, 300), (2500, 1), (3000, 0)],
            vec![(2000, 3), (2500, 0), (3000, 1)]
        ]
    );
    let names = output.with("name:\"etw.counter\"");
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names[0].contains("InstructionRetired") && names[1].contains("TotalCycles"));
}

/// `HeaderPerfInfo64_CSwitch_2PMC` and the last switch of version 4 in `etw/tests/recorded/payloads.tsv`.
#[test]
fn counters_that_windows_recorded_are_read() {
    let recorded = include_str!("../../etw/tests/recorded/payloads.tsv");
    let hex = |start: &str| {
        let row = recorded.lines().find(|row| row.starts_with(start));
        let hex = row.and_then(|row| row.split('\t').nth(4));
        let hex = hex.expect("the row is there").as_bytes();
        let bytes = hex.chunks(2).map(|digits| {
            let digits = std::str::from_utf8(digits).expect("digits are ASCII");
            u8::from_str_radix(digits, 16).expect("digits are hexadecimal")
        });
        bytes.collect::<Vec<u8>>()
    };
    let header = hex("HeaderPerfInfo64_CSwitch_2PMC\t64\t4");
    let switch = [header, hex("ThreadCSwitch\t64\t4")].concat();
    assert_eq!(switch[4..6], [56, 0], "the size that the header tells");
    let mut etl = Etl::new();
    let mut put = |ticks: i64, instructions: u64, cycles: u64| {
        let mut event = switch.clone();
        let at = etl.at(ticks);
        event[8..16].copy_from_slice(&at.to_le_bytes());
        for (offset, more) in [(16, instructions), (24, cycles)] {
            let counter = event[offset..offset + 8].first_chunk_mut::<8>().expect("8");
            *counter = (u64::from_le_bytes(*counter) + more).to_le_bytes();
        }
        etl.raw(0, ticks, &event);
    };
    put(10, 0, 0);
    put(20, 5, 0x1_0000);
    let output = converted(&etl.finish());
    assert_eq!(counters(&output), [vec![(2000, 5)], vec![(2000, 0x1_0000)]]);
    assert!(output.scheduling()[1].contains("new 15296 old 21832"));
}

#[test]
fn counters_that_were_set_anew_or_are_not_told_count_nothing() {
    let mut etl = Etl::new();
    counted(&mut etl, 0, 10, IDLE, 8, [10, 10]);
    counted(&mut etl, 0, 20, waits(8), 12, [5, 20]);
    counted(&mut etl, 0, 30, waits(12), 8, [6, 30]);
    etl.switch(0, 40, waits(8), 12, 8);
    counted(&mut etl, 0, 50, waits(12), 0, [60, 60]);
    counted(&mut etl, 0, 60, IDLE, 8, [61, 62]);
    assert_eq!(
        counters(&converted(&etl.finish())),
        [vec![(3000, 1), (6000, 1)], vec![(3000, 10), (6000, 2)]]
    );
}

#[test]
fn nothing_is_counted_over_a_lost_buffer() {
    let mut etl = Etl::new();
    counted(&mut etl, 0, 10, IDLE, 8, [10, 10]);
    counted(&mut etl, 0, 20, waits(8), 12, [11, 12]);
    for ticks in 30..198 {
        etl.ready(0, ticks, 16);
    }
    etl.lose(0);
    counted(&mut etl, 0, 400, waits(8), 12, [30, 30]);
    counted(&mut etl, 0, 500, waits(12), 0, [35, 36]);
    let output = converted(&etl.finish());
    assert!(!output.with("\"lost_buffers\"").is_empty());
    assert_eq!(
        counters(&output),
        [vec![(2000, 1), (50_000, 5)], vec![(2000, 2), (50_000, 6)]]
    );
}

#[test]
fn a_qos_level_is_told_where_the_end_of_the_run_tells_another() {
    let mut etl = Etl::new();
    let mut put = |ticks: i64, old: support::Out, new_tid: u32, old_qos: u8, new_qos: u8| {
        let switch = synth::events::scheduler::ContextSwitch {
            old_qos,
            new_qos,
            ..switch(old, new_tid, 8)
        };
        etl.put(0, ticks, &switch);
    };
    put(10, IDLE, 8, 0, 2);
    put(20, preempted(8), 12, 2, 4);
    put(30, waits(12), 8, 1, 0);
    // The last run does not end.
    put(40, waits(8), 12, 0, 3);
    assert_eq!(
        converted(&etl.finish()).words_of_runs(&["switch_in_qos", "switch_out_qos"]),
        [
            (1000, "- 2".to_owned()),
            (2000, "4 1".to_owned()),
            (3000, "- 0".to_owned()),
            (4000, "3 -".to_owned())
        ]
    );
}

/// What a part begins with is as it is in the whole: the last run of each thread, and those under way.
#[test]
fn a_part_keeps_what_the_runs_before_it_counted() {
    let mut etl = Etl::new();
    counted(&mut etl, 0, 10, IDLE, 8, [10, 10]);
    counted(&mut etl, 0, 20, waits(8), 12, [11, 12]);
    counted(&mut etl, 0, 1000, waits(12), 8, [21, 24]);
    counted(&mut etl, 0, 2000, waits(8), 0, [51, 54]);
    let etl = etl.finish();
    let whole = counters(&converted(&etl));
    assert_eq!(whole[0], [(2000, 1), (100_000, 10), (200_000, 30)]);
    let request = Request {
        from: Some("50us".parse().expect("a time")),
        ..Request::default()
    };
    let part = converted_files(&[("trace.etl", &etl)], &request).expect("it converts");
    assert_eq!(counters(&part), whole);
}
