use super::*;
use crate::event_header::Frame;
use crate::support::{classic, event_header64, perfinfo64, system64};

fn decoded(event: &[u8]) -> Event<'_> {
    let frame = Frame::read(event, 0).unwrap();
    Event::decode(
        event.get(..usize::from(frame.size)).unwrap(),
        frame.header,
        3,
        frame.timestamp.unwrap_or(-1),
    )
    .unwrap()
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

#[test]
fn process_terminate_of_a_real_file() {
    // §8.2
    let bytes = hex(
        "02 00 02 c0 24 00 0b 03 b4 12 00 00 04 02 00 00 5e 99 7a bb 44 00 00 00 \
                     00 00 00 00 00 00 00 00 34 08 00 00 00 00 00 00",
    );
    let event = decoded(&bytes);
    assert_eq!(event.id, EventId::Kernel(HookId(0x030B)));
    assert_eq!(
        (
            event.version,
            event.pointer_bytes,
            event.cpu,
            event.timestamp
        ),
        (2, 8, 3, 0x44_bb7a_995e)
    );
    assert_eq!(
        (event.acting, event.header_pid),
        (Some((516, 4788)), Some(516))
    );
    assert_eq!(event.payload, 2100u32.to_le_bytes());
}

#[test]
fn a_sample_of_a_real_file() {
    // §8.3
    let bytes = hex(
        "02 00 11 c0 20 00 2e 0f 82 05 66 b0 ab 00 00 00 18 f3 68 02 00 f8 ff ff a0 0d 00 00 01 00 00 00",
    );
    let event = decoded(&bytes);
    assert_eq!(event.id, EventId::Kernel(HookId::new(0x0F, 0x2E)));
    assert_eq!(
        (event.acting, event.header_pid, event.timestamp),
        (None, None, 0xab_b066_0582)
    );
    assert_eq!(bytes::u64_at(event.payload, 0), Some(0xffff_f800_0268_f318));
    assert_eq!(event.payload.len(), 16);
}

#[test]
fn compact_headers_have_no_cpu_times() {
    let bytes =
        hex("01 00 03 c0 1a 00 01 05 08 00 00 00 04 00 00 00 07 00 00 00 00 00 00 00 aa bb");
    let event = decoded(&bytes);
    assert_eq!(event.id, EventId::Kernel(HookId(0x0501)));
    assert_eq!(
        (event.pointer_bytes, event.timestamp, event.acting),
        (4, 7, Some((4, 8)))
    );
    assert_eq!(event.payload, [0xaa, 0xbb]);
}

#[test]
fn counters_stand_before_the_payload() {
    let two_counters_and_pebs = 0x8203;
    let bytes = system64(
        0x0524,
        two_counters_and_pebs,
        1,
        &[[0; 24], [9; 24]].concat(),
    );
    let event = decoded(&bytes);
    assert_eq!(
        (event.version, event.payload, event.payload_lost),
        (3, &[9u8; 24][..], false)
    );
    assert_eq!(event.hardware_counters().collect::<Vec<_>>(), [0, 0]);
    assert_eq!(event.extended().count(), 0);
    let cut = system64(0x0524, two_counters_and_pebs, 1, &[0; 16]);
    assert_eq!(
        (decoded(&cut).payload, decoded(&cut).payload_lost),
        (&[][..], true)
    );
}

#[test]
fn a_thread_id_of_all_ones_is_none() {
    let mut bytes = system64(0x0524, 4, 1, &[]);
    bytes[8..12].copy_from_slice(&[0xFF; 4]);
    assert_eq!(
        (decoded(&bytes).acting, decoded(&bytes).header_pid),
        (None, Some(4))
    );
}

#[test]
fn kernel_events_under_a_class_get_their_hook_id() {
    let image = Guid::new(0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518).to_disk();
    let loaded = classic(0x14, image, 10, 2, 5, &[1, 2]);
    let event = decoded(&loaded);
    assert_eq!(event.id, EventId::Kernel(HookId(0x030A)));
    assert_eq!(
        (event.version, event.payload, event.acting),
        (2, &[1u8, 2][..], Some((4, 8)))
    );
    let other = classic(0x15, [9; 16], 10, 2, 5, &[1, 2]);
    let class = Guid::from_disk([9; 16]);
    assert_eq!(
        decoded(&other).id,
        EventId::Classic {
            class,
            event_type: 10
        }
    );
    assert_eq!(decoded(&other).payload, [1, 2]);
}

const DESCRIPTOR: EventDescriptor = EventDescriptor {
    provider: Guid::from_disk([7; 16]),
    id: 5,
    version: 2,
    channel: 3,
    level: 4,
    opcode: 6,
    task: 7,
    keywords: 8,
};

#[test]
fn manifest_events_describe_themselves() {
    let bytes = event_header64([7; 16], 81, &[], b"payload");
    let event = decoded(&bytes);
    assert_eq!(event.id, EventId::Manifest(DESCRIPTOR));
    assert_eq!((event.version, event.payload), (2, &b"payload"[..]));
    assert_eq!(event.activity_id(), Some(Guid::from_disk([0xAA; 16])));
    assert_eq!(event.extended().count(), 0);
}

#[test]
fn a_schema_makes_an_event_trace_logging() {
    let schema = [16, 0, 0xB, 0, 0, 0, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    let bytes = event_header64([7; 16], 81, &schema, b"payload");
    let event = decoded(&bytes);
    assert_eq!(
        (event.id, event.payload),
        (EventId::TraceLogging(DESCRIPTOR), &b"payload"[..])
    );
    let items: Vec<_> = event
        .extended()
        .map(|item| (item.item_type, item.data.to_vec()))
        .collect();
    assert_eq!(items, [(0xB, vec![1, 2, 3, 4, 5, 6, 7, 8])]);
}

#[test]
fn items_that_lead_nowhere_cost_the_payload_but_not_the_event() {
    let item_past_the_end = [200, 0, 0xB, 0, 0, 0, 8, 0];
    let bytes = event_header64([7; 16], 81, &item_past_the_end, b"payload");
    let event = decoded(&bytes);
    assert_eq!(event.id, EventId::Manifest(DESCRIPTOR));
    assert_eq!(
        (event.payload, event.payload_lost, event.extended().count()),
        (&[][..], true, 0)
    );
}

#[test]
fn messages_take_the_fields_of_their_options() {
    // Sequence, GUID, time, ids, 32-bit pointers; then two bytes of arguments.
    let mut bytes = vec![0x32, 0, 0, 0x90, 0x0B, 0, 0x6B, 0, 1, 0, 0, 0];
    bytes.extend([6; 16]);
    bytes.extend(99i64.to_le_bytes());
    bytes.extend([8, 0, 0, 0, 4, 0, 0, 0]);
    bytes.resize(0x32, 0xEE);
    let event = decoded(&bytes);
    assert_eq!(
        event.id,
        EventId::Wpp {
            guid: Some(Guid::from_disk([6; 16])),
            number: 11
        }
    );
    assert_eq!(
        (event.timestamp, event.acting, event.pointer_bytes),
        (99, Some((4, 8)), 4)
    );
    assert_eq!(event.payload, [0xEE; 6]);
    let bare = [10, 0, 0, 0x90, 5, 0, 0, 0, 1, 2];
    assert_eq!(
        decoded(&bare).id,
        EventId::Wpp {
            guid: None,
            number: 5
        }
    );
    assert_eq!(
        (decoded(&bare).payload, decoded(&bare).acting),
        (&[1u8, 2][..], None)
    );
}

#[test]
fn a_perfinfo_event_names_no_thread() {
    assert_eq!(decoded(&perfinfo64(0x0524, 1, &[0; 24])).acting, None);
}
