use proptest::prelude::*;

use super::*;
use crate::support::{classic, event_header64, perfinfo64, system64};

#[test]
fn every_header_type_says_its_size_and_time() {
    let system = system64(0x0524, 4, 77, &[1; 24]);
    let perfinfo = perfinfo64(0x0532, 78, &[2; 8]);
    let full = classic(0x14, [9; 16], 1, 3, 79, &[3; 4]);
    let instance = classic(0x15, [9; 16], 1, 3, 80, &[3; 4]);
    let described = event_header64([7; 16], 81, &[], &[4; 2]);
    let frames = [system, perfinfo, full, instance, described]
        .map(|event| Frame::read(&event, 0x48).unwrap());
    let pointer_bytes = 8;
    assert_eq!(
        frames,
        [
            Frame {
                header: HeaderType::System { pointer_bytes },
                size: 0x20 + 24,
                timestamp: Some(77)
            },
            Frame {
                header: HeaderType::PerfInfo { pointer_bytes },
                size: 0x10 + 8,
                timestamp: Some(78)
            },
            Frame {
                header: HeaderType::Full { pointer_bytes },
                size: 0x30 + 4,
                timestamp: Some(79)
            },
            Frame {
                header: HeaderType::Instance { pointer_bytes },
                size: 0x48 + 4,
                timestamp: Some(80)
            },
            Frame {
                header: HeaderType::EventHeader { pointer_bytes },
                size: 0x50 + 2,
                timestamp: Some(81)
            },
        ]
    );
}

#[test]
fn header_types_of_32_bit_differ_in_pointer_width_alone() {
    for (narrow, wide) in [
        (1u8, 2u8),
        (3, 4),
        (0x10, 0x11),
        (0x0A, 0x14),
        (0x0B, 0x15),
        (0x12, 0x13),
    ] {
        let [narrow, wide] = [narrow, wide]
            .map(|kind| HeaderType::of(u32::from_le_bytes([0, 0, kind, 0xC0])).unwrap());
        assert_eq!((narrow.pointer_bytes(), wide.pointer_bytes()), (4, 8));
        assert_eq!(
            (narrow.bytes(), narrow.size_at()),
            (wide.bytes(), wide.size_at())
        );
    }
}

#[test]
fn messages_may_have_no_time() {
    let without = [10, 0, 0, 0x90, 5, 0, 0, 0, 1, 2];
    let frame = Frame {
        header: HeaderType::Message,
        size: 10,
        timestamp: None,
    };
    assert_eq!(Frame::read(&without, 0), Ok(frame));
    let with = [
        20, 0, 0, 0x90, 5, 0, 9, 0, 1, 1, 1, 1, 9, 0, 0, 0, 0, 0, 0, 0,
    ];
    assert_eq!(Frame::read(&with, 0).unwrap().timestamp, Some(9));
}

#[test]
fn what_is_no_event_is_named_with_its_place() {
    let damaged = |kind| Err(Stop::Damaged(kind));
    let mut small = perfinfo64(0x0532, 1, &[]);
    small[4] = 15;
    let whole = system64(0x0524, 4, 1, &[0; 24]);
    assert_eq!(
        Frame::read(&small, 0x48),
        damaged(DamageKind::EventSize {
            at: 0x48,
            expected: 16,
            found: 15
        })
    );
    assert_eq!(
        Frame::read(&whole[..40], 0x50),
        damaged(DamageKind::EventPastEnd {
            at: 0x50,
            left: 40,
            found: 56
        })
    );
    for unknown in [
        [0u8, 0, 0, 0],
        [0, 0, 0x16, 0xC0],
        [0, 0, 2, 0xB0],
        [1, 2, 3, 4],
    ] {
        let found = u32::from_le_bytes(unknown);
        assert_eq!(
            Frame::read(&unknown, 8),
            damaged(DamageKind::EventHeader { at: 8, found })
        );
    }
    assert_eq!(Frame::read(&[0xFF; 4], 8), Err(Stop::End));
    assert_eq!(
        Frame::read(&[1, 2], 8),
        damaged(DamageKind::EventPastEnd {
            at: 8,
            left: 2,
            found: 4
        })
    );
}

proptest! {
    #[test]
    fn any_bytes_give_an_event_within_them_or_none(
        kind in any::<u8>(),
        mark in prop_oneof![Just(0xC0u8), Just(0x90), any::<u8>()],
        mut bytes in prop::collection::vec(any::<u8>(), 6..300),
    ) {
        bytes[2] = kind;
        bytes[3] = mark;
        bytes[5] &= 1;
        if let Ok(frame) = Frame::read(&bytes, 0) {
            let size = usize::from(frame.size);
            prop_assert!(size >= frame.header.bytes() && size <= bytes.len());
            let event = crate::event::Event::decode(&bytes[..size], frame.header, 0, 0).unwrap();
            prop_assert!(event.payload.len() <= size - 8);
            prop_assert!(event.extended().count() <= 64);
        }
    }
}
