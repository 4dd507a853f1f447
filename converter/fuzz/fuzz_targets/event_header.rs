#![no_main]

use etl::{Buffer, TraceFile};
use libfuzzer_sys::fuzz_target;

#[path = "../../etl/tests/support/mod.rs"]
mod support;

fuzz_target!(|events: &[u8]| {
    let buffer = support::TestBuffer::new(0, 1, vec![events.to_vec()]);
    let bytes = support::trace(support::LogHeader::default(), &[buffer]);
    let Ok(trace) = TraceFile::from_bytes(bytes) else {
        panic!("the file around the events is sound")
    };
    let mut buffer = Buffer::new();
    let _ = trace.read_buffer(1, &mut buffer);
    assert_eq!(buffer.events().count(), buffer.len());
    for event in buffer.events() {
        assert!(event.payload.len() <= events.len());
        assert!(event.extended().map(|item| item.data.len()).sum::<usize>() <= events.len());
        let _ = event.activity_id();
    }
});
