#![no_main]

use etl::{Buffer, TraceFile};
use libfuzzer_sys::fuzz_target;
use schema::SchemaCollector;

#[path = "../../etl/tests/support/mod.rs"]
mod support;

fuzz_target!(|bytes: &[u8]| {
    let Some(([hook_low, hook_high, version], payload)) = bytes.split_first_chunk() else {
        return;
    };
    let Some(payload) = payload.get(..payload.len().min(0x4000)) else {
        return;
    };
    let hook = u16::from_le_bytes([*hook_low, *hook_high]);
    let event = support::system64(hook, u16::from(*version), support::START_RAW, payload);
    let buffer = support::TestBuffer::new(0, 1, vec![event]);
    let Ok(trace) = TraceFile::from_bytes(support::trace(support::LogHeader::default(), &[buffer]))
    else {
        panic!("the file around the event is sound")
    };
    let mut buffer = Buffer::new();
    let _ = trace.read_buffer(1, &mut buffer);
    let schemas = SchemaCollector::new().finish();
    for event in buffer.events() {
        let Some(known) = schemas.find(&event) else {
            continue;
        };
        for pointer_bytes in [4, 8] {
            let mut json = Vec::new();
            match schema::decode_json(&known.layout, event.payload, pointer_bytes, &mut json) {
                Ok(left_over) => assert!(left_over <= payload.len()),
                Err(error) => assert!(error.offset <= payload.len()),
            }
            assert!(
                std::str::from_utf8(&json)
                    .is_ok_and(|json| json.starts_with('{') && json.ends_with('}'))
            );
        }
    }
});
