#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((size, input)) = bytes.split_first_chunk() else {
        return;
    };
    let mut output = vec![0; usize::from(u16::from_le_bytes(*size))];
    if let Err((good, _)) = etl::inflate(input, &mut output) {
        assert!(good < output.len());
    }
});
