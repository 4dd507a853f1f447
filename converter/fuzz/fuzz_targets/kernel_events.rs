#![no_main]

use convert::Request;
use libfuzzer_sys::fuzz_target;

mod kernel_trace;
mod scratch;

fuzz_target!(|bytes: &[u8]| {
    scratch::convert(&kernel_trace::of_events(bytes), &Request::default());
});
