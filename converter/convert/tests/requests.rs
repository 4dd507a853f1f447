//! Requests to files and disks: what is packed of each event, and which event ends which request.

use crate::support;

use support::{Etl, converted};
use synth::events::io::{Asked, IoEvent};
use synth::events::system::RawKernelEvent;

const FILE: u64 = 0xFFFF_C000_0000_0010;
const ASKED: Asked = Asked {
    irp: 0xFFFF_9000_0000_0010,
    file_object: 0xFFFF_A000_0000_0010,
    tid: 104,
};
const WRITE: IoEvent<'_> = IoEvent::Transfer {
    asked: ASKED,
    write: true,
    file_key: FILE,
    offset: 512,
    size_bytes: 4096,
};
const END: IoEvent<'_> = IoEvent::End {
    irp: ASKED.irp,
    done: 64,
    status: 0x103,
};
const DISK_READ: IoEvent<'_> = IoEvent::DiskRead {
    asked: ASKED,
    file_key: FILE,
    offset: 1 << 40,
    size_bytes: 8192,
    ticks: 30,
};

/// The packed fields of each event, with its tag.
fn packed(etl: Etl) -> Vec<String> {
    let output = converted(&etl.finish());
    let messages = output
        .packets
        .iter()
        .flat_map(|packet| packet.split("tag:").skip(1));
    messages
        .map(|message| {
            let tag = message.split('"').nth(1).unwrap_or_default();
            let start = r#"message:"{\"x\":\""#;
            let text = message
                .split(start)
                .nth(1)
                .and_then(|text| text.split('\\').next());
            format!("{tag} {text:?}")
        })
        .collect()
}

#[test]
fn an_end_tells_how_long_ago_its_request_began_and_files_and_disks_are_apart() {
    let mut etl = Etl::new();
    etl.put(0, 10, &WRITE)
        .put(0, 20, &IoEvent::DiskReadInit { asked: ASKED })
        .put(1, 30, &DISK_READ)
        .put(1, 40, &END);
    assert_eq!(
        packed(etl),
        [
            r#"FileIo/Write Some(" 0xffffc00000000010      4096")"#,
            r#"DiskIo/ReadInit Some("")"#,
            r#"DiskIo/Read Some("            1000                3000 0xffffc00000000010      8192         0       104 3")"#,
            r#"FileIo/OperationEnd Some("            3000                  64      0x103")"#,
        ]
    );
}

#[test]
fn an_end_without_begin_and_a_request_cut_short_have_blanks() {
    let mut etl = Etl::new();
    let cut = RawKernelEvent {
        hook: 0x0444,
        version: 3,
        payload: vec![0; 20],
    };
    let name = IoEvent::Name {
        file_key: FILE,
        path: r"\log.txt",
    };
    etl.put(0, 10, &name)
        .put(0, 20, &DISK_READ)
        .put(0, 30, &END)
        .put(0, 40, &WRITE)
        .put(0, 50, &END)
        .put(0, 60, &END)
        .put(0, 70, &cut);
    assert_eq!(
        packed(etl),
        [
            r#"FileIo/Name None"#,
            r#"DiskIo/Read Some("                                3000 0xffffc00000000010      8192         0       104 3")"#,
            r#"FileIo/OperationEnd Some("                                  64      0x103")"#,
            r#"FileIo/Write Some(" 0xffffc00000000010      4096")"#,
            r#"FileIo/OperationEnd Some("            1000                  64      0x103")"#,
            r#"FileIo/OperationEnd Some("                                  64      0x103")"#,
            r#"FileIo/Write Some("                             ")"#,
        ]
    );
}
