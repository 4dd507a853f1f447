//! A recording in several files gives the rows that it would give in one.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::io::{Cursor, Write};

use convert::Request;
use support::{Etl, IDLE, converted, converted_files, waits};
use synth::events::process::{ProcessChange, ProcessInfo};
use synth::events::thread::{ThreadChange, ThreadInfo};
use synth::events::trace_logging::{Value, trace_logging};
use synth::file::bytes::Guid;
use synth::file::event::Origin;
use synth::file::session::Session;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const PROVIDER: Guid = Guid::from_u128(0x11111111_2222_3333_4444_555555555555);
const IN_THREAD: Origin = Origin { tid: 104, pid: 100 };
/// By how many ticks the session of the providers begins later than the kernel's.
const LATER: i64 = 20;

/// The session of the providers.
fn providers() -> Session {
    let kernel = Session::default();
    Session {
        buffer_bytes: 0x1000,
        start_ticks: kernel.start_ticks + LATER,
        start_filetime: kernel.start_filetime + LATER.unsigned_abs(),
        name: "Providers".to_owned(),
        file_name: "C:\\Traces\\user.etl".to_owned(),
        ..kernel
    }
}

/// Who tells.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    Kernel,
    Providers,
    Both,
}

/// Many buffers of events on two processors: those of the providers stand between the kernel's and at their times.
fn write(etl: &mut Etl, told: Told, begin: i64) {
    if told != Told::Providers {
        let process = ProcessInfo::new(100, 4, "app.exe");
        etl.process(1, ProcessChange::RundownStart, &process);
        for tid in [104, 108] {
            let thread = ThreadInfo::new(100, tid, 8);
            etl.thread(2, ThreadChange::RundownStart, &thread);
        }
    }
    for round in 0..200_u32 {
        let ticks = 50 + 20 * i64::from(round) - begin;
        if told != Told::Providers {
            etl.ready(0, ticks, 104)
                .switch(0, ticks + 3, IDLE, 104, 9)
                .switch(1, ticks + 4, IDLE, 108, 9);
        }
        let key = [("Code", Value::UInt32(round))];
        let event = trace_logging(PROVIDER, "Acme/Input", "Key", &key);
        if told != Told::Kernel {
            etl.provider(0, ticks + 5, IN_THREAD, &event);
        }
        if told != Told::Providers {
            etl.switch(0, ticks + 9, waits(104), 0, 0)
                .switch(1, ticks + 12, waits(108), 0, 0);
        }
        if told != Told::Kernel {
            etl.provider(1, ticks + 12, IN_THREAD, &event);
        }
    }
}

/// A file of a session.
fn file(session: Session, told: Told) -> Vec<u8> {
    let begin = session.start_ticks - Session::default().start_ticks;
    let mut etl = Etl::of(session);
    write(&mut etl, told, begin);
    etl.finish()
}

fn kernel() -> Session {
    Session {
        buffer_bytes: 0x1000,
        ..Session::default()
    }
}

fn kernel_file() -> Vec<u8> {
    file(kernel(), Told::Kernel)
}

fn provider_file() -> Vec<u8> {
    file(providers(), Told::Providers)
}

/// All packets but those about the files themselves.
fn rows(packets: &[String]) -> Vec<&str> {
    let of_files = [r#"name:"etw.trace"}"#, r#"name:"etw.events""#];
    let is_row = |packet: &&String| !of_files.iter().any(|name| packet.contains(name));
    packets.iter().filter(is_row).map(String::as_str).collect()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        let options = SimpleFileOptions::default();
        writer.start_file(*name, options).expect("memory takes it");
        writer.write_all(content).expect("memory takes it");
    }
    writer.finish().expect("memory takes it").into_inner()
}

#[test]
fn a_recording_in_two_files_has_the_rows_of_one() {
    let whole = converted(&file(kernel(), Told::Both));
    let (kernel, user) = (kernel_file(), provider_file());
    let packed = zip(&[
        ("a.user.etl", &user),
        ("readme.txt", b"no"),
        ("a.kernel.etl", &kernel),
    ]);
    let ways: [&[(&str, &[u8])]; 3] = [
        &[("a.kernel.etl", &kernel), ("a.user.etl", &user)],
        &[("a.user.etl", &user), ("a.kernel.etl", &kernel)],
        &[("a.diagsession", &packed)],
    ];
    for files in ways {
        let both = converted_files(files, &Request::default()).expect("they are one recording");
        let (rows, expected) = (rows(&both.packets), rows(&whole.packets));
        let other = rows
            .iter()
            .zip(&expected)
            .find(|(row, expected)| row != expected);
        assert_eq!((other, rows.len()), (None, expected.len()));
        assert_eq!(both.converted.losses, Vec::<String>::new());
        // Each file has a log-file header of its own.
        let (one, two) = (whole.converted.totals, both.converted.totals);
        assert_eq!(
            (two.read, two.converted, two.generic, two.skipped),
            (one.read + 1, one.converted + 1, one.generic, one.skipped)
        );
    }
}

#[test]
fn a_loss_in_one_session_breaks_no_run_of_the_other() {
    let (kernel, mut user) = (kernel_file(), provider_file());
    // The flags of the third buffer: events were lost before it.
    let flags = user
        .get_mut(2 * 0x1000 + 0x34)
        .expect("there are three buffers");
    *flags |= 2;
    let alone = converted(&kernel);
    let files: &[(&str, &[u8])] = &[("a.kernel.etl", &kernel), ("a.user.etl", &user)];
    let both = converted_files(files, &Request::default()).expect("they are one recording");
    assert_eq!(both.runs(), alone.runs());
    let [loss] = both.converted.losses.as_slice() else {
        panic!("one loss: {:?}", both.converted.losses);
    };
    assert!(
        loss.ends_with("a.user.etl: events of CPU 1 were lost before the buffer at offset 0x2000"),
        "{loss}"
    );
}

#[test]
fn a_session_that_went_on_in_a_new_file_is_one_recording() {
    let start_ticks = Session::default().start_ticks;
    let mut whole = Etl::new();
    whole
        .switch(0, 10, IDLE, 104, 9)
        .switch(0, 20, waits(104), 108, 9)
        .switch(0, 30, waits(108), 0, 0);
    let mut first = Etl::new();
    first
        .switch(0, 10, IDLE, 104, 9)
        .switch(0, 20, waits(104), 108, 9);
    let mut second = Etl::of(Session {
        start_ticks: start_ticks + 25,
        start_filetime: Session::default().start_filetime + 25,
        ..Session::default()
    });
    second.switch(0, 5, waits(108), 0, 0);
    let files: &[(&str, &[u8])] = &[
        ("a.001.etl", &first.finish()),
        ("a.002.etl", &second.finish()),
    ];
    let both = converted_files(files, &Request::default()).expect("they are one recording");
    let whole = converted(&whole.finish());
    assert_eq!(both.scheduling(), whole.scheduling());
    assert_eq!(both.runs(), whole.runs());
}

#[test]
fn two_kernel_sessions_are_not_merged() {
    let kernel = kernel_file();
    let another = Session {
        name: "Another".to_owned(),
        ..self::kernel()
    };
    let other = file(another, Told::Kernel);
    let files: &[(&str, &[u8])] = &[("a.etl", &kernel), ("b.etl", &other)];
    assert_eq!(
        converted_files(files, &Request::default()).err().as_deref(),
        Some(
            "b.etl: cannot be merged with a.etl: both hold context switches of the same time and processor"
        )
    );
    let user = provider_file();
    let packed = zip(&[("a.etl", &kernel), ("b.etl", &other), ("c.etl", &user)]);
    let one = converted_files(&[("all.zip", &packed)], &Request::default());
    let one = one.expect("one of them is taken");
    assert_eq!(one.runs(), converted(&kernel).runs());
    assert_eq!(
        one.converted.losses,
        [
            "b.etl is left out: cannot be merged with a.etl: both hold context switches of the same time and processor"
        ]
    );
    assert_eq!(one.with("left_out_file").len(), 1);
}

#[test]
fn another_machine_is_refused_by_both_names() {
    let other = Session {
        cpu_count: 8,
        ..providers()
    };
    let files: &[(&str, &[u8])] = &[
        ("a.etl", &kernel_file()),
        ("b.etl", &file(other, Told::Providers)),
    ];
    assert_eq!(
        converted_files(files, &Request::default()).err().as_deref(),
        Some("b.etl: cannot be merged with a.etl: one has 2 processors, the other 8")
    );
}
