#![no_main]

use convert::Request;
use libfuzzer_sys::fuzz_target;

mod scratch;

fuzz_target!(|bytes: &[u8]| scratch::convert(bytes, &Request::default()));
