//! Golden packets of every kind and version of event that is decoded into the state of the system: `kinds/*.decoded`
//! holds a small trace for each, the snapshots what is written of it, in both pointer widths.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::fmt::Write;

use support::{Etl, converted};
use synth::events::fields::{Fields, FieldsEvent, guid};
use synth::file::bytes::Pointer;
use synth::file::event::{Header, Origin};
use synth::file::session::Session;

const ORIGIN: Origin = Origin { tid: 12, pid: 8 };
/// What every trace has.
const OF_THE_TRACE: [&str; 7] = [
    "clock_snapshot{",
    "name:\"etw\"",
    "name:\"etw.run ",
    "name:\"etw.trace\"",
    "name:\"etw.events\"",
    "name:\"etw.end\"",
    "service_event{",
];

/// A title, and the events of its trace: time, hook id, version, fields.
type Case<'a> = (&'a str, Vec<&'a str>);

fn cases(text: &str) -> Vec<Case<'_>> {
    let blocks = text.split("# ").skip(1);
    blocks
        .map(|block| {
            let (title, events) = block.split_once('\n').expect("a title has events");
            (title, events.lines().collect())
        })
        .collect()
}

/// The packets of a trace of these events, but for those that every trace has.
fn packets(events: &[&str], pointer: Pointer, header: Header, compressed: bool) -> Vec<String> {
    let mut etl = Etl::of(Session {
        pointer,
        compressed,
        ..Session::default()
    });
    let start = etl.at(0);
    for line in events {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let [ticks, hook, version, fields] =
            <[&str; 4]>::try_from(words).expect("an event has time, hook id, version and fields");
        let (class, number) = hook.split_once('/').unwrap_or(("", hook));
        let class = guid(class);
        let event = FieldsEvent {
            class,
            hook: u16::from_str_radix(number, 16).expect("a number is hexadecimal"),
            version: version[1..].parse().expect("a version is v and a number"),
            fields: Fields::new(fields, start).expect("the fields are well-formed"),
        };
        etl.put_under(
            0,
            ticks.parse().expect("ticks are a number"),
            // Only a full header names a class.
            class.map_or(header, |_| Header::Full(ORIGIN)),
            &event,
        );
    }
    let output = converted(&etl.finish());
    assert_eq!(output.converted.losses, Vec::<String>::new(), "{events:?}");
    let packets = output.packets.into_iter();
    packets
        .filter(|packet| !OF_THE_TRACE.iter().any(|part| packet.contains(part)))
        .map(|packet| packet.replace("timestamp:10000", "ts:"))
        .collect()
}

/// The packets in both widths; where they are the same, once. The form of the id and compression must make no difference.
fn golden(text: &str) -> String {
    let mut out = String::new();
    for (title, events) in cases(text) {
        let by_width = [Pointer::Eight, Pointer::Four].map(|pointer| {
            let expected = packets(&events, pointer, Header::System(ORIGIN), false);
            for (header, compressed) in [
                (Header::System(ORIGIN), true),
                (Header::Compact(ORIGIN), false),
                (Header::Full(ORIGIN), false),
                (Header::Full(ORIGIN), true),
            ] {
                let found = packets(&events, pointer, header, compressed);
                assert_eq!(
                    found, expected,
                    "{title}: {header:?}, compressed: {compressed}"
                );
            }
            expected
        });
        let [wide, narrow] = by_width;
        let _ = writeln!(out, "# {title}");
        for packet in &wide {
            let _ = writeln!(out, "{packet}");
        }
        let differing = narrow.iter().filter(|packet| !wide.contains(packet));
        for packet in differing {
            let _ = writeln!(out, "32 {packet}");
        }
    }
    out
}

#[test]
fn scheduling() {
    insta::assert_snapshot!(golden(include_str!("kinds/scheduling.decoded")));
}

#[test]
fn lifetimes() {
    insta::assert_snapshot!(golden(include_str!("kinds/lifetimes.decoded")));
}

#[test]
fn profile() {
    insta::assert_snapshot!(golden(include_str!("kinds/profile.decoded")));
}

#[test]
fn images() {
    insta::assert_snapshot!(golden(include_str!("kinds/images.decoded")));
}

#[test]
fn interrupts() {
    insta::assert_snapshot!(golden(include_str!("kinds/interrupts.decoded")));
}
