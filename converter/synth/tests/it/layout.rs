//! Bytes of events and buffers, whole, against the documentation and against real files.

use std::io::Cursor;
use std::path::Path;

use synth::events::process::{ProcessChange, ProcessEvent, ProcessInfo, ProcessTerminate};
use synth::events::scheduler::{
    ContextSwitch, RankOrCState, ReadyThread, SampledProfile, ThreadState, WaitReason,
};
use synth::events::system::{CpuConfig, RawKernelEvent};
use synth::events::thread::{ThreadChange, ThreadEvent, ThreadInfo};
use synth::events::trace_logging::{Value, trace_logging};
use synth::file::bytes::{Bytes, Guid, Pointer};
use synth::file::event::{At, Header, Instance, KernelEvent, Origin, WppMessage};
use synth::file::session::Session;
use synth::file::writer::TraceWriter;

use crate::walk;

const BY: Origin = Origin {
    tid: 0x0A0B,
    pid: 0x0C0D,
};
const RAW: RawKernelEvent = RawKernelEvent {
    hook: 0x0305,
    version: 7,
    payload: Vec::new(),
};
const GUID: Guid = Guid::from_u128(0x00112233_4455_6677_8899_aabbccddeeff);

/// The file that these steps write, its first buffer cut off.
fn data_buffers(pointer: Pointer, log: impl FnOnce(&mut TraceWriter<Cursor<Vec<u8>>>)) -> Vec<u8> {
    let session = Session {
        pointer,
        buffer_bytes: 0x400,
        cpu_count: 2,
        ..Session::default()
    };
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), session).unwrap();
    log(&mut writer);
    let end = writer.session().start_ticks + 0x20;
    writer.finish(end).unwrap().0.into_inner().split_off(0x400)
}

/// One event without the buffer around it.
fn event(pointer: Pointer, log: impl FnOnce(&mut TraceWriter<Cursor<Vec<u8>>>)) -> String {
    let buffer = data_buffers(pointer, log);
    let end = walk::u32_at(&buffer, 0x30) as usize;
    hex(&buffer[0x48..end])
}

fn kernel(pointer: Pointer, header: Header, what: &impl KernelEvent) -> String {
    event(pointer, |writer| {
        writer
            .kernel(At::new(1, 0x1122_3344), header, what)
            .unwrap()
    })
}

fn payload(pointer: Pointer, event: &impl KernelEvent) -> Vec<u8> {
    let mut out = Bytes::new(pointer);
    event.write(&mut out);
    out.as_slice().to_vec()
}

/// Eight bytes to a line.
fn hex(bytes: &[u8]) -> String {
    let line = |line: &[u8]| {
        line.iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    bytes.chunks(8).map(line).collect::<Vec<_>>().join("\n")
}

fn lines(text: &[&str]) -> String {
    text.join("\n")
}

#[test]
fn a_buffer_with_a_ready_event_and_a_context_switch() {
    let ready = ReadyThread {
        tid: 0x1234,
        adjust_reason: 1,
        adjust_increment: 2,
        flags: 1,
    };
    let switch = ContextSwitch {
        version: 4,
        new_tid: 0x1234,
        old_tid: 0x5678,
        new_priority: 14,
        old_priority: 8,
        rank_or_c_state: RankOrCState::Rank(2),
        new_priority_decrement: 1,
        old_wait_reason: WaitReason::WrQueue as u8,
        old_wait_mode: 1,
        old_qos: 2,
        new_qos: 1,
        old_state: ThreadState::Waiting,
        old_ideal_cpu: 3,
        new_wait_time: 9,
        old_remaining_quantum: -1,
    };
    let buffer = data_buffers(Pointer::Eight, |writer| {
        let start = writer.session().start_ticks;
        writer
            .kernel(At::new(1, start + 0x10), Header::PerfInfo, &ready)
            .unwrap();
        writer
            .kernel(At::new(1, start + 0x11), Header::PerfInfo, &switch)
            .unwrap();
    });
    let (used, fill) = buffer.split_at(0x88);
    assert_eq!(
        hex(used),
        lines(&[
            "00 04 00 00 88 00 00 00",
            "88 00 00 00 00 00 00 00",
            "20 00 00 00 10 00 00 00",
            "01 00 00 00 00 00 00 00",
            "00 00 00 00 00 00 00 00",
            "01 00 1c 00 03 00 00 00",
            "88 00 00 00 21 00 00 00",
            "00 00 00 00 00 00 00 00",
            "00 00 00 00 00 00 00 00",
            "02 00 11 c0 18 00 32 05",
            "10 00 00 00 10 00 00 00",
            "34 12 00 00 01 02 01 00",
            "04 00 11 c0 28 00 24 05",
            "11 00 00 00 10 00 00 00",
            "34 12 00 00 78 56 00 00",
            "0e 08 02 01 0f 15 05 03",
            "09 00 00 00 ff ff ff ff",
        ])
    );
    assert_eq!(fill, [0xFF; 0x400 - 0x88]);
}

#[test]
fn a_system_event_as_in_a_windows_10_shutdown_trace() {
    let terminate = event(Pointer::Eight, |writer| {
        let by = Header::System(Origin {
            tid: 4788,
            pid: 516,
        });
        writer
            .kernel(
                At::new(0, 0x44_bb7a_995e),
                by,
                &ProcessTerminate { pid: 2100 },
            )
            .unwrap();
    });
    assert_eq!(
        terminate,
        lines(&[
            "02 00 02 c0 24 00 0b 03",
            "b4 12 00 00 04 02 00 00",
            "5e 99 7a bb 44 00 00 00",
            "00 00 00 00 00 00 00 00",
            "34 08 00 00 00 00 00 00",
        ])
    );
}

#[test]
fn a_sample_as_in_a_windows_7_trace() {
    let sample = SampledProfile {
        instruction: 0xffff_f800_0268_f318,
        tid: 0xda0,
        count: 1,
        priority: 0,
        rank: 0,
    };
    let sample = event(Pointer::Eight, |writer| {
        writer
            .kernel(At::new(1, 0xab_b066_0582), Header::PerfInfo, &sample)
            .unwrap();
    });
    assert_eq!(
        sample,
        lines(&[
            "02 00 11 c0 20 00 2e 0f",
            "82 05 66 b0 ab 00 00 00",
            "18 f3 68 02 00 f8 ff ff",
            "a0 0d 00 00 01 00 00 00",
        ])
    );
}

#[test]
fn the_headers_of_classic_events() {
    let first = |text: String| text.lines().next().unwrap().to_owned();
    let instance = Header::Instance(
        BY,
        Instance {
            id: 1,
            parent_id: 2,
            parent_class: GUID,
        },
    );
    for (header, wide, narrow) in [
        (
            Header::System(BY),
            "07 00 02 c0 20 00 05 03",
            "07 00 01 c0 20 00 05 03",
        ),
        (
            Header::Compact(BY),
            "07 00 04 c0 18 00 05 03",
            "07 00 03 c0 18 00 05 03",
        ),
        (
            Header::PerfInfo,
            "07 00 11 c0 10 00 05 03",
            "07 00 10 c0 10 00 05 03",
        ),
        (
            Header::Full(BY),
            "30 00 14 c0 05 00 07 00",
            "30 00 0a c0 05 00 07 00",
        ),
        (
            instance,
            "48 00 15 c0 05 00 07 00",
            "48 00 0b c0 05 00 07 00",
        ),
    ] {
        assert_eq!(first(kernel(Pointer::Eight, header, &RAW)), wide);
        assert_eq!(first(kernel(Pointer::Four, header, &RAW)), narrow);
    }
    assert_eq!(
        kernel(Pointer::Eight, instance, &RAW),
        lines(&[
            "48 00 15 c0 05 00 07 00",
            "0b 0a 00 00 0d 0c 00 00",
            "44 33 22 11 00 00 00 00",
            "d0 a8 6f 3d 05 fe d0 11",
            "9d da 00 c0 4f d7 ba 7c",
            "00 00 00 00 00 00 00 00",
            "01 00 00 00 02 00 00 00",
            "33 22 11 00 55 44 77 66",
            "88 99 aa bb cc dd ee ff",
        ])
    );
}

#[test]
fn a_trace_logging_event() {
    let fields = [("n", Value::UInt32(5)), ("s", Value::Text("ab".to_owned()))];
    let what = trace_logging(GUID, "P", "E", &fields);
    let bytes = event(Pointer::Eight, |writer| {
        writer.provider(At::new(0, 0x1122_3344), BY, &what).unwrap();
    });
    assert_eq!(
        bytes,
        lines(&[
            "82 00 13 c0 01 00 00 00",
            "0b 0a 00 00 0d 0c 00 00",
            "44 33 22 11 00 00 00 00",
            "33 22 11 00 55 44 77 66",
            "88 99 aa bb cc dd ee ff",
            "00 00 00 0b 05 00 00 00",
            "00 00 00 00 00 00 00 00",
            "00 00 00 00 00 00 00 00",
            "00 00 00 00 00 00 00 00",
            "00 00 00 00 00 00 00 00",
            "10 00 0c 00 01 00 04 00",
            "04 00 50 00 00 00 00 00",
            "18 00 0b 00 00 00 0b 00",
            "0b 00 00 45 00 6e 00 08",
            "73 00 01 00 00 00 00 00",
            "05 00 00 00 61 00 62 00",
            "00 00 00 00 00 00 00 00",
        ])
    );
}

#[test]
fn a_wpp_message() {
    let what = WppMessage {
        class: GUID,
        number: 9,
        payload: vec![1, 2],
    };
    let bytes = event(Pointer::Eight, |writer| {
        writer.message(At::new(0, 0x1122_3344), BY, &what).unwrap();
    });
    assert_eq!(
        bytes,
        lines(&[
            "2a 00 00 90 09 00 aa 00",
            "33 22 11 00 55 44 77 66",
            "88 99 aa bb cc dd ee ff",
            "44 33 22 11 00 00 00 00",
            "0b 0a 00 00 0d 0c 00 00",
            "01 02 00 00 00 00 00 00",
        ])
    );
}

#[test]
fn the_image_name_of_a_process_stands_behind_the_sid() {
    let process = ProcessInfo::new(1, 2, "a.exe");
    let sid_bytes = |pointer: Pointer| 2 * pointer.bytes() as usize + 12;
    for (version, wide, narrow) in [
        (0, 0x10, 0x08),
        (1, 0x18, 0x14),
        (2, 0x18, 0x14),
        (3, 0x20, 0x18),
        (4, 0x24, 0x1C),
        (5, 0x24, 0x1C),
    ] {
        let event = ProcessEvent {
            change: ProcessChange::Start,
            version,
            process: &process,
        };
        for (pointer, sid_at) in [(Pointer::Eight, wide), (Pointer::Four, narrow)] {
            let bytes = payload(pointer, &event);
            let name_at = sid_at + sid_bytes(pointer);
            assert_eq!(
                &bytes[name_at..name_at + 6],
                b"a.exe\0",
                "version {version}, {pointer:?}"
            );
        }
    }
}

#[test]
fn lengths_of_thread_events_and_of_the_cpu_record() {
    let thread = ThreadInfo {
        name: None,
        ..ThreadInfo::new(1, 2, 8)
    };
    for (version, wide, narrow) in [(0, 8, 8), (1, 0x39, 0x21), (2, 0x44, 0x28), (3, 0x48, 0x2C)] {
        let event = ThreadEvent {
            change: ThreadChange::Start,
            version,
            thread: &thread,
        };
        let lengths = (
            payload(Pointer::Eight, &event).len(),
            payload(Pointer::Four, &event).len(),
        );
        assert_eq!(lengths, (wide, narrow), "version {version}");
    }
    let cpu = CpuConfig {
        mhz: 2600,
        cpu_count: 8,
        memory_mib: 16_384,
        computer: "PC".to_owned(),
    };
    assert_eq!(payload(Pointer::Eight, &cpu).len(), 828);
}

#[test]
fn the_log_file_header_of_a_real_trace() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/etl/ShutdownPerfDiagLogger.etl");
    let Ok(real) = std::fs::read(&path) else {
        eprintln!("SKIPPED: {} is not there", path.display());
        return;
    };
    let session = Session {
        cpu_count: 2,
        cpu_mhz: 1992,
        os_build: 18_362,
        start_ticks: 6,
        start_filetime: 132_273_372_411_574_430,
        boot_filetime: 132_273_372_411_574_430,
        name: "PerfDiag Logger".to_owned(),
        file_name: "C:\\Windows\\system32\\WDI\\LogFiles\\ShutdownPerfDiagLogger.etl".to_owned(),
        origin: (4156, 4),
        ..Session::default()
    };
    let writer = TraceWriter::new(Cursor::new(Vec::new()), session).unwrap();
    let ours = writer.finish(6).unwrap().0.into_inner();
    // What this session cannot say or the file's end decides: times, CPU time, size limit, mode, number of buffers.
    let own = [
        0x58..0x64,
        0x78..0x80,
        0x84..0x90,
        0x160..0x168,
        0x170..0x178,
    ];
    let without_own = |file: &[u8]| {
        let mut event = file[0x48..0x218].to_vec();
        for range in &own {
            event[range.start - 0x48..range.end - 0x48].fill(0);
        }
        hex(&event)
    };
    assert_eq!(without_own(&ours), without_own(&real));
}
