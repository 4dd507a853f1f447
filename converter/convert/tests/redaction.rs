//! What is redacted is not in the output, in no form; and what stays is all that is meant to.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use convert::{Choices, Request};
use support::leak::{numbered, present};
use support::{Etl, IDLE, Output, converted_files, waits};
use synth::events::fields::Fields;
use synth::events::image::{DebugId, ImageChange, ImageEvent};
use synth::events::io::{Asked, IoEvent};
use synth::events::process::{ProcessChange, ProcessInfo};
use synth::events::system::{CpuConfig, Mark, RawKernelEvent, ServiceConfig};
use synth::events::thread::{ThreadChange, ThreadInfo, ThreadSetName};
use synth::events::trace_logging::{Value, trace_logging};
use synth::file::bytes::{Guid, Pointer, Sid};
use synth::file::event::{Header, Origin, ProviderEvent};

const PROVIDER: Guid = Guid::from_u128(0x11111111_2222_3333_4444_555555555555);
const SECRET_GUID: Guid = Guid::from_u128(0xFEEDFACE_1234_5678_9ABC_DEF012345678);
const IN_THREAD: Origin = Origin { tid: 104, pid: 100 };

/// Everything that is secret in [`trace`], by where it is.
const SECRETS: [&str; 32] = [
    "kernel.etl",
    "zqprocess",
    "zqargument",
    "zqpackage",
    "zqapplication",
    "987654321",
    "zqthread",
    "zqprofile",
    "zqproduct",
    "zqmodule",
    "zqbuild",
    "feedface",
    "zqopened",
    "zqrundown",
    "zqregkey",
    "zqraw",
    "zqcomputer",
    "zqservice",
    "zqdisplay",
    "zqmark",
    "zqprovider",
    "zqevent",
    "zqfield",
    "zqwide",
    "zqansi",
    "zqbytes",
    "zqbinary",
    "zqnamespace",
    "10.99.88.77",
    "zqurl",
    "zqsni",
    "zqscript",
];

fn account() -> Vec<u32> {
    vec![21, 123_456_789, 987_654_321, 555_666_777, 1001]
}

fn kernel(hook: u16, payload: &[u8]) -> RawKernelEvent {
    RawKernelEvent {
        hook,
        version: 2,
        payload: payload.to_vec(),
    }
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16()
        .chain([0])
        .flat_map(u16::to_le_bytes)
        .collect()
}

fn event(name: &str, fields: &[(&str, Value)]) -> ProviderEvent {
    trace_logging(PROVIDER, "ZqProvider.Main", name, fields)
}

/// An event of a provider whose events are known here.
fn known(provider: u128, id: u16, version: u8, fields: &str) -> ProviderEvent {
    let fields = Fields::new(fields, 0).expect("the fields are well-formed");
    ProviderEvent {
        provider: Guid::from_u128(provider),
        id,
        version,
        channel: 0,
        level: 4,
        opcode: 0,
        task: 0,
        keywords: 0,
        activity: Guid([0; 16]),
        extended: Vec::new(),
        payload: fields.bytes(Pointer::Eight),
    }
}

/// Events of .NET, the network, HTTP and PowerShell.
fn known_events() -> [ProviderEvent; 5] {
    let (net, http) = (
        0x7dd42a49_5329_4832_8dfd_43d979153a88,
        0xdd5ef90a_6398_47a4_ad34_4dcecdef795f,
    );
    let method = "u64=1 u64=2 u64=3 u32=4 u32=5 u32=8 w=ZqNamespace.Cart w=ZqNamespaceAdd w=zqnamespace() u16=9";
    let sent =
        "u32=100 u32=5 ip4=10.99.88.77 ip4=10.99.88.77 be16=443 be16=50000 u32=0 u32=0 u32=0 u32=0";
    let sni = "p=1 u32=0 u32=5 u8=0x7A u8=0x71 u8=0x73 u8=0x6E u8=0x69 w=zqsni.example";
    let script = r"i32=1 i32=1 w=zqscript w=1 w=C:\Data\zqscript.ps1";
    [
        known(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4, 143, 1, method),
        known(net, 10, 0, sent),
        known(http, 2, 0, "p=1 u32=4 w=http://zqurl.example:80/zqurl?a=1"),
        known(http, 89, 0, sni),
        known(0xa0c1853b_5c40_4b15_8766_3cf1c58f985a, 4104, 1, script),
    ]
}

/// One of everything that can hold a text.
fn trace() -> Vec<u8> {
    let mut etl = Etl::new();
    let process = ProcessInfo {
        sid: Some(Sid {
            authority: 5,
            sub_authorities: account(),
        }),
        command_line: r#""C:\Users\zqprofile\zqprocess.exe" /zqargument"#.to_owned(),
        package: "ZqPackage_1.0".to_owned(),
        application: "ZqApplication!App".to_owned(),
        ..ProcessInfo::new(100, 4, "ZqProcess.exe")
    };
    let system = Header::System(Origin::default());
    let path = r"\Device\HarddiskVolume3\Users\zqprofile\zqproduct\zqmodule.dll";
    let asked = Asked {
        irp: 0xFFFF_1000,
        file_object: 0xFFFF_2000,
        tid: 104,
    };
    etl.process(1, ProcessChange::RundownStart, &process)
        .process(
            1,
            ProcessChange::RundownStart,
            &ProcessInfo::new(200, 4, "svchost.exe"),
        )
        .thread(2, ThreadChange::RundownStart, &ThreadInfo::new(100, 104, 8))
        .thread(2, ThreadChange::RundownStart, &ThreadInfo::new(200, 204, 8));
    etl.put_under(
        0,
        3,
        system,
        &ThreadSetName {
            pid: 100,
            tid: 104,
            name: "ZqThread",
        },
    );
    for (pid, base, path) in [
        (100, 0x7FF6_0000_0000, path),
        (
            200,
            0x7FFA_0000_0000,
            r"\Device\HarddiskVolume3\Windows\System32\ntdll.dll",
        ),
    ] {
        let change = ImageChange::RundownStart;
        let image = ImageEvent {
            change,
            version: 3,
            base,
            size_bytes: 0x1_0000,
            pid,
            path,
        };
        etl.put_under(0, 4, system, &image);
    }
    let (ticks, known) = (etl.at(5), Guid::from_u128(7));
    let (mine, pdb_path) = (0x7FF6_0000_0000, r"D:\zqbuild\zqmodule.pdb");
    let symbols = DebugId {
        base: mine,
        pid: 100,
        guid: SECRET_GUID,
        age: 1,
        pdb_path,
    };
    etl.raw(0, 5, &symbols.event(ticks));
    let symbols = DebugId {
        base: 0x7FFA_0000_0000,
        pid: 200,
        guid: known,
        age: 1,
        pdb_path: "ntdll.pdb",
    };
    etl.raw(0, 5, &symbols.event(ticks));
    etl.put(
        0,
        6,
        &IoEvent::Create {
            asked,
            path: r"C:\Data\zqopened.txt",
        },
    )
    .put(
        0,
        7,
        &IoEvent::Name {
            file_key: 0xFFFF_3000,
            path: r"\Users\zqprofile\zqrundown.docx",
        },
    )
    .put(0, 8, &Mark("zqmark"));
    let registry = [&[0; 24], wide(r"SOFTWARE\zqregkey").as_slice()].concat();
    etl.put(0, 9, &kernel(0x090B, &registry))
        .put(0, 9, &kernel(0x0B13, &wide("zqraw")))
        .put(
            0,
            10,
            &CpuConfig {
                mhz: 3000,
                cpu_count: 2,
                memory_mib: 1,
                computer: "zqcomputer".to_owned(),
            },
        )
        .put(
            0,
            11,
            &ServiceConfig {
                pid: 200,
                sub_process_tag: 3,
                name: "zqservice".to_owned(),
                display_name: "Zqdisplay of services".to_owned(),
                process_name: "svchost.exe".to_owned(),
                svchost_group: String::new(),
            },
        );
    let fields = [
        ("ZqField", Value::Text(r#"{"user":"zqwide"}"#.to_owned())),
        ("Message", Value::Ansi("zqansi".to_owned())),
        ("Blob", Value::Bytes(b"zqbytes".to_vec())),
        ("Block", Value::Binary(wide("zqbinary"))),
        ("Id", Value::Guid(SECRET_GUID)),
        ("Who", Value::Sid(account())),
        ("VirtualKey", Value::UInt32(90)),
        ("Count", Value::UInt32(17)),
    ];
    etl.provider(1, 50, IN_THREAD, &event("ZqEvent", &fields));
    for event in known_events() {
        etl.provider(1, 51, IN_THREAD, &event);
    }
    etl.switch(0, 60, IDLE, 104, 8)
        .switch(0, 70, waits(104), 0, 0);
    etl.finish()
}

fn redacted(choices: &str, processes: &[&str]) -> Output {
    let choices: Choices = choices.parse().expect("choices");
    let request = Request {
        redact: Some(choices),
        processes: processes.iter().map(|name| (*name).to_owned()).collect(),
        ..Request::default()
    };
    converted_files(&[("trace.etl", &trace())], &request).expect("the trace converts")
}

fn found(trace: &[u8]) -> Vec<&'static str> {
    present(&SECRETS, trace)
}

#[test]
fn nothing_secret_is_left_in_any_form() {
    assert_eq!(found(&redacted("none", &[]).trace), SECRETS);
    assert_eq!(found(&redacted("all", &[]).trace), [""; 0]);
    let removed = "names=remove,command-lines=remove,users=remove,paths=remove,titles=remove,keys=remove,hosts=remove,\
                   providers=remove,fields=remove";
    assert_eq!(found(&redacted(removed, &[]).trace), [""; 0]);
}

#[test]
fn what_is_written_instead_keeps_its_shape() {
    let output = redacted("all", &[]);
    let is_text = |packet: &&String| packet.contains('"') && !packet.contains("etw.run");
    let packets: Vec<String> = output.packets.iter().filter(is_text).cloned().collect();
    insta::assert_snapshot!(numbered(&packets.join("\n")));
}

#[test]
fn each_kind_is_counted_with_what_became_of_it() {
    let report = redacted("all", &[])
        .converted
        .redaction
        .expect("it was redacted");
    let lines = report.0.iter().map(|kind| {
        let counts = [
            kind.found,
            kind.distinct,
            kind.harmless,
            kind.pseudonymised,
            kind.removed,
            kind.kept,
        ];
        format!(
            "{} {} {counts:?} {}",
            kind.kind,
            kind.action,
            kind.examples.join(" | ")
        )
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn of_other_processes_only_scheduling_stays() {
    let output = redacted("none", &["svchost"]);
    // What is recorded of the machine is no process's, and what kinds of events there are is told for all.
    assert_eq!(
        found(&output.trace),
        [
            "kernel.etl",
            "zqraw",
            "zqcomputer",
            "zqservice",
            "zqdisplay",
            "zqprovider",
            "zqevent"
        ]
    );
    let runs = output.scheduling();
    assert!(runs.iter().any(|line| line.contains("new 104")), "{runs:?}");
    let own = found(&redacted("none", &["100"]).trace);
    let is_left_out = |secret: &&str| !own.contains(secret);
    let left_out: Vec<_> = SECRETS.into_iter().filter(is_left_out).collect();
    assert_eq!(
        left_out,
        ["zqrundown", "zqregkey", "zqservice", "zqdisplay", "zqmark"]
    );
}

#[test]
fn a_process_that_is_not_there_is_an_error_that_names_those_that_are() {
    let request = Request {
        processes: vec!["word".to_owned()],
        ..Request::default()
    };
    let error = converted_files(&[("trace.etl", &trace())], &request).err();
    let expected = "trace.etl: --process word: no process has that name or id; there are ZqProcess.exe, svchost.exe";
    assert_eq!(error.as_deref(), Some(expected));
}
