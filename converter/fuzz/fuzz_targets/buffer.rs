#![no_main]

use etl::{Buffer, TraceFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(trace) = TraceFile::from_bytes(bytes.to_vec()) else {
        return;
    };
    let mut buffer = Buffer::new();
    for (index, info) in trace.buffers().iter().enumerate() {
        let read = trace.read_buffer(index, &mut buffer);
        assert_eq!(read.is_err(), !buffer.damage().is_empty());
        for event in buffer.events() {
            assert!(event.payload.len() <= info.data_end as usize);
        }
    }
});
