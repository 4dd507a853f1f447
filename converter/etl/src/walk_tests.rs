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
        file: 0,
        mixes_processors: false,
        offset,
        sequence,
        disk_bytes: 0x100,
        data_end: 0x60,
        cpu: 3,
        flags: 0x20,
        buffer_type: 0,
        is_cut: false,
    }
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
fn what_is_no_buffer_is_skipped_to_the_next_one() {
    for noise in [
        vec![0; 300],
        vec![0xEE; 301],
        b"\x10\0\0\0 a few words".to_vec(),
    ] {
        let skipped_bytes = noise.len() as u64;
        let found = u32::from_le_bytes([noise[0], noise[1], noise[2], noise[3]]);
        let bytes = [&two_buffers()[..0x100], &noise, &two_buffers()[0x100..]].concat();
        let kind = DamageKind::NoBuffer {
            found,
            skipped_bytes,
        };
        let second = info(0x100 + skipped_bytes, 1);
        assert_eq!(indexed(bytes), (vec![info(0, 0), second], vec![kind]));
    }
}

#[test]
fn a_header_that_is_overwritten_costs_one_buffer() {
    for garbage in [0x00, 0x47, 0x80, 0xFF] {
        let mut bytes = [two_buffers(), two_buffers()].concat();
        put(&mut bytes, 0x100, &[garbage; 0x48]);
        let found = u32::from_le_bytes([garbage; 4]);
        let kind = DamageKind::NoBuffer {
            found,
            skipped_bytes: 0x100,
        };
        assert_eq!(
            indexed(bytes),
            (vec![info(0, 0), info(0x200, 0), info(0x300, 1)], vec![kind])
        );
    }
}

#[test]
fn a_wrong_size_costs_nothing() {
    for found in [0, 0x47, 0x108, 0x10000, u32::MAX] {
        let mut bytes = [two_buffers(), two_buffers()].concat();
        put(&mut bytes, 0x100, &found.to_le_bytes());
        let kind = DamageKind::BufferSize {
            found,
            expected_bytes: 0x100,
        };
        let (buffers, damage) = indexed(bytes);
        assert_eq!(
            buffers,
            [info(0, 0), info(0x100, 1), info(0x200, 0), info(0x300, 1)],
            "{found:#x}"
        );
        assert_eq!(damage, [kind]);
    }
}

#[test]
fn of_all_sizes_the_session_s_is_the_likeliest() {
    let session = SESSION_BUFFER_BYTES as usize;
    let buffer = |sequence| TestBuffer {
        buffer_bytes: session,
        ..TestBuffer::new(3, sequence, vec![perfinfo64(0x0532, 5, &[0; 8])])
    };
    for found in [0x61, 0xF00, 2 * SESSION_BUFFER_BYTES] {
        let mut bytes: Vec<u8> = (0..4)
            .flat_map(|sequence| buffer(sequence).bytes())
            .collect();
        put(&mut bytes, session, &found.to_le_bytes());
        let (buffers, damage) = indexed(bytes);
        let sequences: Vec<i64> = buffers.iter().map(|info| info.sequence).collect();
        assert_eq!(sequences, [0, 1, 2, 3]);
        let kind = DamageKind::BufferSize {
            found,
            expected_bytes: SESSION_BUFFER_BYTES,
        };
        assert_eq!(damage, [kind]);
    }
}

#[test]
fn the_last_buffer_is_as_large_as_the_session_s() {
    let last = TestBuffer {
        buffer_bytes: SESSION_BUFFER_BYTES as usize,
        ..TestBuffer::new(3, 2, vec![perfinfo64(0x0532, 5, &[0; 8])])
    };
    let mut bytes = [two_buffers(), last.bytes()].concat();
    put(&mut bytes, 0x200, &[0; 4]);
    let (buffers, damage) = indexed(bytes);
    assert_eq!(
        (buffers.len(), buffers[2].disk_bytes),
        (3, SESSION_BUFFER_BYTES)
    );
    let kind = DamageKind::BufferSize {
        found: 0,
        expected_bytes: SESSION_BUFFER_BYTES,
    };
    assert_eq!(damage, [kind]);
}

#[test]
fn noise_up_to_the_end_is_told() {
    let mut bytes = two_buffers();
    put(&mut bytes, 0x100, &[0x47, 0, 0, 0]);
    put(&mut bytes, 0x134, &[0xFF, 0xFF]);
    let kind = DamageKind::NoBuffer {
        found: 0x47,
        skipped_bytes: 0x100,
    };
    assert_eq!(indexed(bytes), (vec![info(0, 0)], vec![kind]));
}

#[test]
fn a_second_header_is_a_note() {
    let mut bytes = two_buffers();
    put(&mut bytes, 0x136, &[4, 0]);
    // Of a buffer that only says so its first event tells otherwise.
    assert_eq!(indexed(bytes.clone()).1, []);
    put(&mut bytes, 0x14A, &[2, 0xC0, 0x18, 0, 0, 0]);
    let (buffers, damage) = indexed(bytes);
    assert_eq!((buffers.len(), damage), (2, vec![DamageKind::SecondHeader]));
}

#[test]
fn a_cut_buffer_keeps_the_part_that_is_there() {
    let mut bytes = two_buffers();
    bytes.truncate(0x158);
    let cut = BufferInfo {
        disk_bytes: 0x58,
        data_end: 0x58,
        is_cut: true,
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
    let damage = DamageKind::HeaderCut { found_bytes: 0x47 };
    assert_eq!(indexed(bytes), (vec![info(0, 0)], vec![damage]));
}

#[test]
fn a_buffer_that_is_cut_after_its_events_has_them_all() {
    let mut bytes = two_buffers();
    bytes.truncate(0x160);
    let whole = BufferInfo {
        disk_bytes: 0x60,
        ..info(0x100, 1)
    };
    assert_eq!(indexed(bytes).0, [info(0, 0), whole]);
}

#[test]
fn bytes_that_are_missing_within_a_buffer_cut_its_end() {
    let mut bytes = [two_buffers(), two_buffers()].concat();
    drop(bytes.drain(0x158..0x200));
    let cut = BufferInfo {
        disk_bytes: 0x58,
        data_end: 0x58,
        is_cut: true,
        ..info(0x100, 1)
    };
    let (found, expected_bytes) = (0x100, 0x58);
    let damage = vec![
        DamageKind::BufferSize {
            found,
            expected_bytes,
        },
        DamageKind::DataEnd {
            buffer_bytes: 0x58,
            found: 0x60,
        },
    ];
    let whole = [info(0, 0), cut, info(0x158, 0), info(0x258, 1)];
    assert_eq!(indexed(bytes), (whole.to_vec(), damage));
}

#[test]
fn a_buffer_that_is_larger_than_it_says_is_read_whole() {
    let mut bytes = [two_buffers(), two_buffers()].concat();
    put(&mut bytes, 0x100, &0x50u32.to_le_bytes());
    let damage = DamageKind::BufferSize {
        found: 0x50,
        expected_bytes: 0x100,
    };
    let whole = vec![info(0, 0), info(0x100, 1), info(0x200, 0), info(0x300, 1)];
    let mut log = DamageLog::default();
    let index = index(&Source::Memory(bytes), 0x100, &mut log);
    let kinds: Vec<_> = log.items().iter().map(|item| item.kind.clone()).collect();
    assert_eq!(
        (index.buffers, index.found, kinds),
        (whole, 4, vec![damage])
    );
}

#[test]
fn noise_at_the_end_is_no_cut_buffer() {
    let mut bytes = two_buffers();
    bytes.extend([0xEE; 0x80]);
    let damage = DamageKind::NoBuffer {
        found: 0xEEEE_EEEE,
        skipped_bytes: 0x80,
    };
    let whole = vec![info(0, 0), info(0x100, 1)];
    assert_eq!(indexed(bytes), (whole, vec![damage]));
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

/// Found by fuzzing: each of two headers in noise led back to the other.
#[test]
fn what_only_looks_like_buffers_is_passed_once() {
    let mut lookalike = TestBuffer::new(3, 5, vec![]).compressed().bytes();
    for size_at in [0x00, 0x30] {
        put(&mut lookalike, size_at, &0x1800u32.to_le_bytes());
    }
    let bytes = [
        &two_buffers()[..],
        &[0xA5; 0x100],
        &lookalike,
        &[0xA5; 0x100],
        &lookalike,
        &[0xA5; 0x100],
    ]
    .concat();
    let (buffers, damage) = indexed(bytes);
    assert_eq!(buffers[..2], [info(0, 0), info(0x100, 1)]);
    assert_eq!((buffers.len(), damage.len()), (3, 3), "{damage:?}");
}
