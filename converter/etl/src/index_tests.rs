use super::*;
use crate::support::put;

#[test]
fn a_buffer_header_of_a_real_file() {
    // §8.1
    let mut header = [0; 0x48];
    put(
        &mut header,
        0x00,
        &[
            0x00, 0x20, 0, 0, 0xa0, 0x01, 0, 0, 0xa0, 0x21, 0, 0, 0, 0, 0, 0,
        ],
    );
    put(
        &mut header,
        0x10,
        &[
            0xfa, 0xe6, 0xaf, 0xde, 0x19, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0,
        ],
    );
    put(
        &mut header,
        0x20,
        &[
            0x20, 0x70, 0x1d, 0xda, 0x87, 0x99, 0xff, 0xff, 3, 0, 0x14, 0, 3, 0, 0, 0,
        ],
    );
    put(
        &mut header,
        0x30,
        &[
            0xa0, 0x01, 0, 0, 0x20, 0, 0, 0, 0x38, 0xc0, 0x7f, 0xdb, 0x87, 0x99, 0xff, 0xff,
        ],
    );
    assert_eq!(
        BufferInfo::parse(&header, 0x2000),
        Some(BufferInfo {
            file: 0,
            mixes_processors: false,
            offset: 0x2000,
            sequence: 2,
            disk_bytes: 0x2000,
            data_end: 0x1a0,
            cpu: 3,
            flags: 0x20,
            buffer_type: 0,
            is_cut: false,
        })
    );
}
