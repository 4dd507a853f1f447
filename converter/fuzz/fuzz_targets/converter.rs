#![no_main]

use libfuzzer_sys::fuzz_target;

mod scratch;

fuzz_target!(|bytes: &[u8]| scratch::convert(bytes));
