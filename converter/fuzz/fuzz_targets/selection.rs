#![no_main]

//! The first bytes tell what is selected, and whether its texts are redacted.

use convert::{Choices, Request, Time};
use libfuzzer_sys::fuzz_target;

mod kernel_trace;
mod scratch;

/// The kinds of the kernel's events that a user chooses by, in pairs.
const KINDS: [[&str; 2]; 4] = [
    ["scheduling", "samples"],
    ["stacks", "images"],
    ["io", "interrupts"],
    ["memory", "kernel"],
];

/// The pairs whose bits are set.
fn kinds(bits: u8) -> Vec<String> {
    let chosen = KINDS.iter().enumerate();
    chosen
        .filter(|(at, _)| bits >> at & 1 == 1)
        .flat_map(|(_, kinds)| kinds.map(str::to_owned))
        .collect()
}

fuzz_target!(|bytes: &[u8]| {
    let Some(([bounds, from, length, only_skip, pid], events)) = bytes.split_first_chunk() else {
        return;
    };
    // Ticks of the clock in the file's header last 100 ns.
    let from_ns = u64::from(*from) * 100;
    let to_ns = from_ns + u64::from(*length) * 100;
    let request = Request {
        from: (bounds & 1 == 1).then_some(Time::SinceStart(from_ns)),
        to: (bounds & 2 == 2).then_some(Time::SinceStart(to_ns)),
        only: kinds(only_skip & 15),
        skip: kinds(only_skip >> 4),
        processes: (bounds & 4 == 4)
            .then(|| pid.to_string())
            .into_iter()
            .collect(),
        redact: (bounds & 8 == 8).then(Choices::all),
        ..Request::default()
    };
    scratch::convert(&kernel_trace::of_events(events), &request);
});
