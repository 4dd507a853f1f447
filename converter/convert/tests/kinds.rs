//! Golden rows of every kind and version of event whose layout is bundled: `kinds/*.txt` says what the payloads hold,
//! field by field; the snapshots show the rows, in both pointer widths.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::fmt::Write;

use support::{Etl, converted};
use synth::events::fields::{Fields, FieldsEvent, guid};
use synth::file::bytes::{Guid, Pointer};
use synth::file::event::{Header, Instance, Origin, ProviderEvent};
use synth::file::session::Session;

/// Whose events the numbers of a case are.
#[derive(Clone, Copy)]
enum Source {
    Kernel,
    Class(Guid),
    Provider(Guid),
}

/// One event: a line of a file stands for one of each of its numbers.
struct Case {
    source: Source,
    number: u16,
    name: String,
    version: u8,
    fields: Fields,
}

fn cases(text: &str) -> Vec<Case> {
    let start = Session::default().start_ticks;
    let mut source = Source::Kernel;
    let mut cases = Vec::new();
    for line in text.lines() {
        let (first, rest) = line.split_once(' ').expect("a line has two words");
        match first {
            "class" => source = Source::Class(guid(rest).expect("a class is a GUID")),
            "provider" => source = Source::Provider(guid(rest).expect("a provider is a GUID")),
            numbers => {
                let (version, fields) = rest.split_once(' ').unwrap_or((rest, ""));
                let radix = if matches!(source, Source::Provider(_)) {
                    10
                } else {
                    16
                };
                cases.extend(numbers.split(',').map(|number| Case {
                    source,
                    number: u16::from_str_radix(number, radix).expect("a number"),
                    name: format!("{number} {version}"),
                    version: version[1..].parse().expect("a version is v and a number"),
                    fields: Fields::new(fields, start).expect("the fields are well-formed"),
                }));
            }
        }
    }
    cases
}

/// The rows of a trace of these events, each under the header, one for each event.
fn rows(cases: &[Case], pointer: Pointer, header: Header, compressed: bool) -> Vec<String> {
    let mut etl = Etl::of(Session {
        pointer,
        compressed,
        ..Session::default()
    });
    for (ticks, case) in (10..).step_by(10).zip(cases) {
        put(&mut etl, ticks, case, pointer, header);
    }
    let output = converted(&etl.finish());
    let rows = output.messages();
    let mut losses = output.converted.losses;
    // What these events are there to tell.
    losses.retain(|loss| !loss.starts_with("the session recorded that it lost"));
    assert_eq!(losses, Vec::<String>::new());
    assert_eq!(rows.len(), cases.len(), "{rows:#?}");
    rows
}

fn put(etl: &mut Etl, ticks: i64, case: &Case, pointer: Pointer, header: Header) {
    let mut event = FieldsEvent {
        class: None,
        hook: case.number,
        version: case.version,
        fields: case.fields.clone(),
    };
    match case.source {
        Source::Kernel => {
            etl.put_under(0, ticks, header, &event);
        }
        Source::Class(class) => {
            event.class = Some(class);
            etl.put_under(0, ticks, Header::Full(ORIGIN), &event);
        }
        Source::Provider(provider) => {
            let event = ProviderEvent {
                provider,
                id: case.number,
                version: case.version,
                channel: 16,
                level: 4,
                opcode: 0,
                task: 0,
                keywords: 0,
                activity: Guid([0; 16]),
                extended: Vec::new(),
                payload: case.fields.bytes(pointer),
            };
            etl.provider(0, ticks, ORIGIN, &event);
        }
    }
}

const ORIGIN: Origin = Origin { tid: 12, pid: 8 };

/// The rows in both widths; where they are the same, once. Headers and compression must make no difference.
fn golden(text: &str) -> String {
    let cases = cases(text);
    let instance = Instance {
        id: 1,
        parent_id: 0,
        parent_class: Guid([0; 16]),
    };
    let by_width = [Pointer::Eight, Pointer::Four].map(|pointer| {
        let expected = rows(&cases, pointer, Header::PerfInfo, false);
        for (header, compressed) in [
            (Header::PerfInfo, true),
            (Header::System(ORIGIN), false),
            (Header::Compact(ORIGIN), false),
            (Header::Full(ORIGIN), false),
            (Header::Full(ORIGIN), true),
            (Header::Instance(ORIGIN, instance), false),
        ] {
            let found = rows(&cases, pointer, header, compressed);
            assert_eq!(found, expected, "{header:?}, compressed: {compressed}");
        }
        expected
    });
    let [wide, narrow] = by_width;
    let mut out = String::new();
    for ((case, wide), narrow) in cases.iter().zip(wide).zip(narrow) {
        let _ = writeln!(out, "{} {wide}", case.name);
        if narrow != wide {
            let _ = writeln!(out, "     32 {narrow}");
        }
    }
    out
}

macro_rules! golden {
    ($($file:ident)+) => {
        $(#[test]
        fn $file() {
            insta::assert_snapshot!(golden(include_str!(concat!("kinds/", stringify!($file), ".txt"))));
        })+
    };
}

golden! {
    alpc clr clr_gc clr_private clr_rundown disk_io file_io http_service image image_id kernel_network kernel_power
    kernel_process memory network object perf_info pool power power_shell process registry rt_lost_event scheduler
    split_io sys_config_ex system uiforetw win32k
}
