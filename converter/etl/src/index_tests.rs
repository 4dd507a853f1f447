use super::*;
use crate::support::{TestBuffer, perfinfo64, put};

const SESSION_BUFFER_BYTES: u32 = 0x1000;

/// Two buffers of 0x100 bytes with one event of 24 bytes each.
fn two_buffers() -> Vec<u8> {
    let buffer = |sequence| TestBuffer {
        buffer_bytes: 0x100,
        ..TestBuffer::new(3, sequence, vec![perfinfo64(0x0532, 5, &[0; 8])])
    };
    [buffer(0).bytes(), buffer(1).bytes()].concat()
}

fn indexed(bytes: Vec<u8>) -> (Vec<BufferInfo>, Vec<DamageKind>) {
    let mut damage = DamageLog::default();
    let index = index(&Source::Memory(bytes), SESSION_BUFFER_BYTES, &mut damage);
    (
        index.buffers,
        damage
            .items()
            .iter()
            .map(|damage| damage.kind.clone())
            .collect(),
    )
}

fn info(offset: u64, sequence: i64) -> BufferInfo {
    BufferInfo {
        offset,
        sequence,
        disk_bytes: 0x100,
        data_end: 0x60,
        cpu: 3,
        flags: 0x20,
        buffer_type: 0,
    }
}

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
            offset: 0x2000,
            sequence: 2,
            disk_bytes: 0x2000,
            data_end: 0x1a0,
            cpu: 3,
            flags: 0x20,
            buffer_type: 0
        })
    );
}

#[test]
fn without_a_processor_index_the_low_byte_counts() {
    let mut bytes = two_buffers();
    put(&mut bytes, 0x28, &[5, 8]);
    put(&mut bytes, 0x34, &[0, 0]);
    assert_eq!(indexed(bytes).0[0].cpu, 5);
}

#[test]
fn whole_files_are_undamaged() {
    assert_eq!(
        indexed(two_buffers()),
        (vec![info(0, 0), info(0x100, 1)], vec![])
    );
}

#[test]
fn zero_bytes_at_the_end_are_a_note() {
    for zero_bytes in [8, 0x48, 0x20000] {
        let mut bytes = two_buffers();
        bytes.resize(0x200 + zero_bytes, 0);
        let (buffers, damage) = indexed(bytes);
        assert_eq!(buffers.len(), 2);
        assert_eq!(
            damage,
            [DamageKind::UnusedTail {
                zero_bytes: zero_bytes as u64
            }]
        );
    }
}

#[test]
fn a_size_below_the_header_ends_the_file() {
    let mut bytes = two_buffers();
    put(&mut bytes, 0x100, &[0x47, 0, 0, 0]);
    assert_eq!(
        indexed(bytes),
        (
            vec![info(0, 0)],
            vec![DamageKind::BufferSize {
                found: 0x47,
                left_bytes: 0x100
            }]
        )
    );
    let mut zero_size = two_buffers();
    put(&mut zero_size, 0x100, &[0; 4]);
    assert_eq!(
        indexed(zero_size).1,
        [DamageKind::BufferSize {
            found: 0,
            left_bytes: 0x100
        }]
    );
}

#[test]
fn a_cut_buffer_keeps_the_part_that_is_there() {
    let mut bytes = two_buffers();
    bytes.truncate(0x158);
    let cut = BufferInfo {
        disk_bytes: 0x58,
        data_end: 0x58,
        ..info(0x100, 1)
    };
    let damage = DamageKind::Truncated {
        expected_bytes: 0x100,
        found_bytes: 0x58,
    };
    assert_eq!(
        indexed(bytes.clone()),
        (vec![info(0, 0), cut], vec![damage])
    );
    bytes.truncate(0x147);
    let damage = DamageKind::Truncated {
        expected_bytes: 0x48,
        found_bytes: 0x47,
    };
    assert_eq!(indexed(bytes), (vec![info(0, 0)], vec![damage]));
}

#[test]
fn a_data_end_past_the_buffer_is_clamped() {
    let mut bytes = two_buffers();
    put(&mut bytes, 0x30, &0x101u32.to_le_bytes());
    let (buffers, damage) = indexed(bytes);
    assert_eq!(buffers[0].data_end, 0x100);
    assert_eq!(
        damage,
        [DamageKind::DataEnd {
            buffer_bytes: 0x100,
            found: 0x101
        }]
    );
}

#[test]
fn a_compressed_buffer_may_inflate_to_twice_the_session_s_size() {
    let mut bytes = two_buffers();
    put(&mut bytes, 0x34, &[0x60, 0]);
    put(&mut bytes, 0x30, &0x2000u32.to_le_bytes());
    assert_eq!(
        indexed(bytes.clone()),
        (
            vec![
                BufferInfo {
                    data_end: 0x2000,
                    flags: 0x60,
                    ..info(0, 0)
                },
                info(0x100, 1)
            ],
            vec![]
        )
    );
    put(&mut bytes, 0x30, &0x2001u32.to_le_bytes());
    let damage = DamageKind::TooLarge {
        limit_bytes: 0x2000,
        found: 0x2001,
    };
    assert_eq!(indexed(bytes), (vec![info(0x100, 1)], vec![damage]));
}

#[test]
fn processors_up_to_1023_are_read() {
    let mut bytes = two_buffers();
    put(&mut bytes, 0x28, &1023u16.to_le_bytes());
    put(&mut bytes, 0x128, &1024u16.to_le_bytes());
    assert_eq!(
        indexed(bytes),
        (
            vec![BufferInfo {
                cpu: 1023,
                ..info(0, 0)
            }],
            vec![DamageKind::Processor { found: 1024 }]
        )
    );
}
