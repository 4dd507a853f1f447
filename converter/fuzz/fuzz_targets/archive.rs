#![no_main]

use etl::TraceFile;
use libfuzzer_sys::fuzz_target;

mod scratch;

fuzz_target!(|bytes: &[u8]| {
    let path = scratch::path("archive");
    if let Err(error) = std::fs::write(&path, bytes) {
        panic!("{}: {error}", path.display())
    }
    match TraceFile::open(&path) {
        Ok(trace) => assert!(trace.buffers().iter().all(|buffer| buffer.offset < trace.size_bytes())),
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
});
