//! Stacks of events other than samples: each is written at the time of its event, with the thread whose stack it is.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use support::profile::{Frame, samples};
use support::{Etl, IDLE, Output, converted, waits};
use synth::events::image::{ImageChange, ImageEvent};
use synth::events::interrupt::{Interrupt, InterruptKind};
use synth::events::process::{ProcessChange, ProcessEvent, ProcessInfo};
use synth::events::profile::{SampledProfile, StackKeyDefinition, StackKeyUse, StackWalk};
use synth::events::system::RawKernelEvent;
use synth::events::thread::{ThreadChange, ThreadInfo};
use synth::events::trace_logging::{Value, trace_logging};
use synth::file::bytes::Guid;
use synth::file::event::{Header, Origin, ProviderEvent};

const PID: u32 = 2000;
const WAITER: u32 = 2004;
const WAKER: u32 = 2008;
const NT: u64 = 0xFFFF_F800_0000_0000;
const APP: u64 = 0x7FF6_0000_0000;
/// A page fault, whose header names no thread.
const DEMAND_ZERO: u16 = 0x020B;

/// A process with two threads, its program and the kernel.
fn started() -> Etl {
    let mut etl = Etl::new();
    let image = |base, pid, path| ImageEvent {
        change: ImageChange::RundownStart,
        version: 3,
        base,
        size_bytes: 0x1000,
        pid,
        path,
    };
    let app = ProcessInfo::new(PID, 4, "app.exe");
    etl.process(1, ProcessChange::RundownStart, &app);
    for tid in [WAITER, WAKER] {
        let thread = ThreadInfo::new(PID, tid, 8);
        etl.thread(2, ThreadChange::RundownStart, &thread);
    }
    etl.put(0, 3, &image(NT, 0, "\\nt"))
        .put(0, 4, &image(APP, PID, "\\app"));
    etl
}

/// Adds half a stack of the event of a time and thread, recorded at another time.
fn half(etl: &mut Etl, at: i64, event: i64, tid: u32, addresses: &[u64]) {
    half_on(0, etl, at, event, tid, addresses);
}

/// The same, recorded on a CPU.
fn half_on(cpu: u16, etl: &mut Etl, at: i64, event: i64, tid: u32, addresses: &[u64]) {
    let stack = StackWalk {
        event_ticks: etl.at(event),
        pid: PID,
        tid,
        addresses: addresses.to_vec(),
    };
    etl.put(cpu, at, &stack);
}

/// The stacks of a trace, with what they are of.
fn stacks(output: &Output) -> Vec<String> {
    let samples = samples(&output.trace);
    let line = |sample: support::profile::Sample| {
        let of = sample.of();
        let frames: Vec<String> = sample.frames.iter().map(Frame::to_string).collect();
        let cpu = if sample.words.contains("cpu=unknown") {
            "no CPU"
        } else {
            "on a CPU"
        };
        let (ts_ns, tid) = (sample.ts_ns, sample.tid);
        format!("{ts_ns} {of} {cpu}, tid {tid}: {}", frames.join(" < "))
    };
    samples.into_iter().map(line).collect()
}

#[test]
fn a_switch_has_the_stack_of_the_new_thread_and_a_ready_event_that_of_the_waker() {
    let mut etl = started();
    etl.switch(0, 10, IDLE, WAKER, 8)
        .ready(0, 20, WAITER)
        .switch(1, 30, IDLE, WAITER, 9)
        .switch(0, 40, waits(WAKER), 0, 0);
    half(&mut etl, 21, 20, WAKER, &[NT + 1]);
    half(&mut etl, 500, 20, WAKER, &[APP + 2, APP + 3]);
    half(&mut etl, 32, 30, WAITER, &[NT + 4]);
    let output = converted(&etl.finish());
    assert_eq!(output.with("name:\"etw.sample\"").len(), 1);
    assert_eq!(
        stacks(&output),
        [
            "2000 kernel event 0532 on a CPU, tid 2008: \\nt+1 < \\app+2 < \\app+3",
            "3000 kernel event 0524 on a CPU, tid 2004: \\nt+4",
        ]
    );
    assert!(
        output
            .scheduling()
            .iter()
            .any(|line| line.starts_with("3000 cpu 1: "))
    );
    assert_eq!(output.converted.totals.skipped, 0);
}

#[test]
fn a_ready_event_that_waits_for_the_switch_out_takes_its_stack_along() {
    let mut etl = started();
    etl.switch(0, 10, IDLE, WAITER, 8)
        .switch(1, 11, IDLE, WAKER, 8)
        .ready(1, 20, WAITER)
        .switch(0, 30, waits(WAITER), 0, 0)
        .switch(0, 40, IDLE, WAITER, 8);
    half(&mut etl, 21, 20, WAKER, &[NT + 1]);
    half(&mut etl, 41, 40, WAITER, &[NT + 2]);
    assert_eq!(
        stacks(&converted(&etl.finish())),
        [
            "3001 kernel event 0532 on a CPU, tid 2008: \\nt+1",
            "4000 kernel event 0524 on a CPU, tid 2004: \\nt+2",
        ]
    );
}

#[test]
fn a_kernel_event_without_a_thread_has_the_one_stack_of_its_time_and_its_thread() {
    let mut etl = started();
    let fault = RawKernelEvent {
        hook: DEMAND_ZERO,
        version: 2,
        payload: vec![0; 16],
    };
    etl.put(0, 10, &fault).put(0, 20, &fault);
    half(&mut etl, 11, 10, WAITER, &[APP + 1]);
    half(&mut etl, 21, 20, WAITER, &[APP + 2]);
    half(&mut etl, 22, 20, WAKER, &[APP + 3]);
    let output = converted(&etl.finish());
    assert_eq!(
        stacks(&output),
        [
            "1000 kernel event 020B on a CPU, tid 2004: \\app+1",
            "2001 unknown event no CPU, tid 2004: \\app+2",
            "2002 unknown event no CPU, tid 2008: \\app+3",
        ]
    );
    let messages = output.with("android_log");
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages.concat().contains("tid:2004"));
}

#[test]
fn a_process_start_has_the_stack_of_its_creator() {
    let mut etl = started();
    let child = ProcessInfo::new(3000, PID, "child.exe");
    let start = ProcessEvent {
        change: ProcessChange::Start,
        version: 4,
        process: &child,
    };
    let creator = Header::System(Origin {
        tid: WAITER,
        pid: PID,
    });
    etl.put_under(0, 10, creator, &start);
    half(&mut etl, 11, 10, WAITER, &[NT + 1]);
    let stacks = stacks(&converted(&etl.finish()));
    assert_eq!(stacks.len(), 1, "{stacks:?}");
    assert!(
        stacks
            .concat()
            .ends_with("kernel event 0301 on a CPU, tid 2004: \\nt+1")
    );
}

fn provider_event(stack: (u16, Vec<u8>)) -> ProviderEvent {
    let provider = Guid::from_u128(0x1111_1111_2222_3333_4444_5555_5555_5555);
    let mut event = trace_logging(provider, "Acme", "Key", &[("Code", Value::UInt32(1))]);
    event.extended.insert(0, stack);
    event
}

#[test]
fn the_stack_in_an_events_header_is_its_own() {
    let mut etl = started();
    let origin = Origin {
        tid: WAKER,
        pid: PID,
    };
    let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let addresses = provider_event((6, words(&[0, NT + 1, 0, APP + 2])));
    let key = provider_event((0x12, words(&[0, 77])));
    let undefined = provider_event((0x12, words(&[0, 78])));
    let definition = StackKeyDefinition {
        rundown: false,
        key: 77,
        addresses: vec![APP + 3],
    };
    etl.provider(0, 10, origin, &addresses)
        .provider(0, 20, origin, &key)
        .provider(0, 25, origin, &undefined)
        .put(0, 30, &definition);
    let output = converted(&etl.finish());
    assert_eq!(
        stacks(&output),
        [
            "1000 provider's event on a CPU, tid 2008: \\nt+1 < \\app+2",
            "2000 provider's event on a CPU, tid 2008: \\app+3",
        ]
    );
    assert_eq!(
        output.converted.losses,
        [
            "1 stacks in the headers of events are left out or not whole: stack key that is never defined"
        ]
    );
}

#[test]
fn stacks_in_headers_without_a_thread_and_halves_of_stacks_are_counted() {
    let mut etl = started();
    let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let nobody = Origin {
        tid: u32::MAX,
        pid: u32::MAX,
    };
    let waker = Origin {
        tid: WAKER,
        pid: PID,
    };
    let whole = provider_event((6, words(&[0, NT + 1])));
    let half = provider_event((6, words(&[9, NT + 2])));
    etl.provider(0, 10, nobody, &whole)
        .provider(0, 20, waker, &half);
    let output = converted(&etl.finish());
    assert_eq!(
        stacks(&output),
        ["2000 provider's event on a CPU, tid 2008: \\nt+2"]
    );
    assert_eq!(
        output.converted.losses,
        [
            "1 stacks in the headers of events are left out or not whole: their events name no thread",
            "1 stacks in the headers of events are left out or not whole: the other half was recorded apart"
        ]
    );
}

#[test]
fn a_dpc_has_the_stack_of_its_time_and_of_the_thread_that_it_interrupted() {
    let mut etl = started();
    let dpc = Interrupt {
        kind: InterruptKind::Dpc,
        initial_ticks: etl.at(15),
        routine: NT + 0x20,
    };
    etl.switch(0, 10, IDLE, WAITER, 8).put(0, 20, &dpc);
    half(&mut etl, 21, 20, WAITER, &[NT + 1]);
    assert_eq!(
        stacks(&converted(&etl.finish())),
        ["2001 kernel event 0F44 on a CPU, tid 2004: \\nt+1"]
    );
}

#[test]
fn a_stack_that_names_an_event_after_itself_is_damage_and_does_not_lengthen_the_trace() {
    let mut etl = started();
    etl.switch(0, 10, IDLE, WAITER, 8);
    half(&mut etl, 11, i64::MAX / 2, WAITER, &[NT + 1]);
    half(&mut etl, 12, 10, WAITER, &[NT + 2]);
    etl.switch(0, 20, waits(WAITER), 0, 0);
    let output = converted(&etl.finish());
    assert_eq!(
        stacks(&output),
        ["1000 kernel event 0524 on a CPU, tid 2004: \\nt+2"]
    );
    let losses = output.with("etw.loss");
    assert_eq!(losses.len(), 1, "{losses:?}");
    assert!(losses.concat().contains("names an event after itself"));
    assert_eq!(output.converted.totals.skipped, 1);
    let end = output
        .packets
        .iter()
        .find(|packet| packet.contains("etw.end"));
    assert!(
        end.is_some_and(|end| end.contains("timestamp:1000002")),
        "{end:?}"
    );
}

#[test]
fn stacks_that_are_not_kept_are_counted_with_the_reason() {
    let mut etl = started();
    etl.switch(0, 10, IDLE, WAITER, 8);
    half(&mut etl, 11, 10, WAITER, &[NT + 1]);
    half(&mut etl, 12, 10, WAITER, &[NT + 2]);
    let key = StackKeyUse {
        kernel: true,
        event_ticks: etl.at(10),
        pid: PID,
        tid: WAKER,
        key: 5,
    };
    etl.put(0, 13, &key);
    let output = converted(&etl.finish());
    let skipped = output.with("skipped\"");
    let mut reasons: Vec<&str> = skipped
        .iter()
        .filter_map(|packet| packet.split("reason\" string_value:\"").nth(1))
        .filter_map(|rest| rest.split('"').next())
        .collect();
    reasons.sort_unstable();
    assert_eq!(
        reasons,
        [
            "second stack of the same moment and thread",
            "stack key that is never defined"
        ]
    );
    let totals = output.converted.totals;
    assert_eq!(totals.skipped, 2);
    assert_eq!(
        totals.read,
        totals.converted + totals.generic + totals.skipped
    );
}

fn sample(tid: u32, address: u64) -> SampledProfile {
    SampledProfile {
        version: 2,
        instruction_pointer: address,
        tid,
        flags: 0,
        priority: 8,
        rank: 0,
    }
}

#[test]
fn an_event_that_tells_how_things_stood_takes_no_stack_of_another() {
    let mut etl = started();
    let name = RawKernelEvent {
        hook: 0x0424,
        version: 2,
        payload: [[0; 8], [0x41, 0, 0, 0, 0, 0, 0, 0]].concat(),
    };
    let by_waiter = Header::System(Origin {
        tid: WAITER,
        pid: PID,
    });
    etl.put(0, 10, &name)
        .put(1, 10, &sample(WAITER, APP + 1))
        .put_under(0, 20, by_waiter, &name)
        .put(1, 20, &sample(WAITER, APP + 3));
    half_on(1, &mut etl, 11, 10, WAITER, &[APP + 1, APP + 2]);
    half_on(1, &mut etl, 21, 20, WAITER, &[APP + 3, APP + 4]);
    let output = converted(&etl.finish());
    assert_eq!(
        stacks(&output),
        [
            "1002 sample on a CPU, tid 2004: \\app+1 < \\app+2",
            "2001 sample on a CPU, tid 2004: \\app+3 < \\app+4",
        ]
    );
}

#[test]
fn the_idle_threads_of_one_tick_have_the_stacks_of_their_own_cpus() {
    let mut etl = started();
    etl.put(0, 10, &sample(0, NT + 1))
        .put(1, 10, &sample(0, NT + 2));
    half_on(1, &mut etl, 11, 10, 0, &[NT + 2, NT + 4]);
    half_on(0, &mut etl, 12, 10, 0, &[NT + 1, NT + 3]);
    let output = converted(&etl.finish());
    assert_eq!(
        stacks(&output),
        [
            "1000 sample on a CPU, tid 0: \\nt+1 < \\nt+3",
            "1001 sample on a CPU, tid 0: \\nt+2 < \\nt+4",
        ]
    );
    assert_eq!(output.converted.totals.skipped, 0);
}

#[test]
fn the_stack_in_the_header_of_a_thread_that_nothing_else_tells_of_is_that_of_its_process() {
    let mut etl = started();
    let origin = Origin {
        tid: 9996,
        pid: PID,
    };
    let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    etl.provider(
        0,
        10,
        origin,
        &provider_event((6, words(&[0, APP + 2, APP + 3]))),
    );
    let output = converted(&etl.finish());
    assert_eq!(
        stacks(&output),
        ["1000 provider's event on a CPU, tid 9996: \\app+2 < \\app+3"]
    );
    let of: Vec<u64> = samples(&output.trace)
        .iter()
        .map(|sample| sample.pid)
        .collect();
    assert_eq!(of, [u64::from(PID)]);
}

#[test]
fn a_stack_in_a_header_is_that_of_no_other_event_of_its_thread_and_time() {
    let mut etl = started();
    let origin = Origin {
        tid: WAKER,
        pid: PID,
    };
    let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut without = provider_event((6, Vec::new()));
    without.extended.remove(0);
    etl.provider(0, 10, origin, &without)
        .provider(0, 10, origin, &provider_event((6, words(&[0, APP + 2]))))
        .put(0, 10, &sample(WAKER, APP + 5));
    half(&mut etl, 11, 10, WAKER, &[APP + 5, APP + 6]);
    assert_eq!(
        stacks(&converted(&etl.finish())),
        [
            "1001 provider's event on a CPU, tid 2008: \\app+2",
            "1002 sample on a CPU, tid 2008: \\app+5 < \\app+6",
        ]
    );
}

/// A thread is switched in, sampled, and readies another, all in one tick, where no switch has a stack.
#[test]
fn no_other_stack_of_a_tick_is_taken_for_that_of_the_switch() {
    let stacks_with = |event: &dyn Fn(&mut Etl), has_wait_stacks: bool| {
        let mut etl = started();
        if has_wait_stacks {
            etl.switch(1, 5, IDLE, WAITER, 8)
                .switch(1, 6, waits(WAITER), 0, 0);
            half_on(1, &mut etl, 7, 5, WAITER, &[NT + 9]);
        }
        etl.switch(0, 10, IDLE, WAKER, 8);
        event(&mut etl);
        half(&mut etl, 11, 10, WAKER, &[APP + 1, APP + 2]);
        etl.switch(0, 20, waits(WAKER), 0, 0);
        stacks(&converted(&etl.finish()))
    };
    let sampled = |etl: &mut Etl| {
        etl.put(0, 10, &sample(WAKER, APP + 1));
    };
    let readies = |etl: &mut Etl| {
        etl.ready(0, 10, WAITER);
    };
    let neither = |_: &mut Etl| {};
    assert_eq!(
        stacks_with(&sampled, false),
        ["1001 sample on a CPU, tid 2008: \\app+1 < \\app+2"]
    );
    assert_eq!(
        stacks_with(&readies, false),
        ["1001 kernel event 0532 on a CPU, tid 2008: \\app+1 < \\app+2"]
    );
    let of_the_switch = "1000 kernel event 0524 on a CPU, tid 2008: \\app+1 < \\app+2";
    assert_eq!(stacks_with(&neither, false), [of_the_switch]);
    let before = "500 kernel event 0524 on a CPU, tid 2004: \\nt+9";
    assert_eq!(
        stacks_with(&sampled, true),
        [
            before,
            of_the_switch,
            "1001 sample on a CPU, tid 2008: \\app+1"
        ]
    );
}
