//! The whole output of the minimal scenario, packet by packet.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::io::Cursor;

use support::converted;
use synth::file::bytes::Pointer;
use synth::scenario::{Options, minimal};

fn minimal(options: Options) -> Vec<u8> {
    let (sink, _) = minimal::write(Cursor::default(), options).expect("memory takes the trace");
    sink.into_inner()
}

#[test]
fn every_packet_of_the_minimal_trace() {
    let output = converted(&minimal(Options::default()));
    insta::assert_snapshot!(output.packets.join("\n"));
    assert_eq!(output.converted.losses, Vec::<String>::new());
}

#[test]
fn compression_and_merging_change_nothing_but_the_names() {
    let plain = converted(&minimal(Options::default()));
    let scheduling = plain.scheduling();
    for (compressed, merged) in [(true, false), (false, true), (true, true)] {
        let other = converted(&minimal(Options {
            compressed,
            merged,
            ..Options::default()
        }));
        assert_eq!(other.scheduling(), scheduling);
        assert_eq!(other.runs(), plain.runs());
        assert_eq!(other.with("etw.process"), plain.with("etw.process"));
        assert_eq!(other.with("etw.thread"), plain.with("etw.thread"));
    }
}

#[test]
fn a_32_bit_machine_gives_the_same_scheduling_and_names() {
    let wide = converted(&minimal(Options::default()));
    let narrow = converted(&minimal(Options {
        pointer: Pointer::Four,
        ..Options::default()
    }));
    assert_eq!(narrow.scheduling(), wide.scheduling());
    assert_eq!(narrow.with("process_tree"), wide.with("process_tree"));
    assert_eq!(narrow.with("thread_name"), wide.with("thread_name"));
}
