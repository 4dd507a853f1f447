//! `stacks`: many profile samples with stacks of some 30 frames, from call trees in which most calls go one way and some
//! go any; four in ten are in the kernel and have both halves. 1000 samples a second on each processor.

use std::io::{Seek, Write};

use super::crowd::{
    IMAGES, Image, KERNEL, PROGRAM_BYTES, any_thread, image_rundown, program_base, rundown,
};
use super::{Load, Options};
use crate::events::profile::{CollectionStart, SampledProfile, StackWalk};
use crate::file::event::{At, Header};
use crate::file::writer::{TraceWriter, WriteError};
use crate::sim::rng::Rng;
use crate::truth::Truth;

const BUFFER_BYTES: u32 = 0x1_0000;
/// Between two samples of a processor, in ticks of 100 ns.
const INTERVAL: u32 = 10_000;
const KERNEL_PERCENT: u32 = 40;
/// Calls from a thread's first function on that always go one way.
const TRUNK: u32 = 6;
const USER_FRAMES: std::ops::Range<i64> = 16..30;
const KERNEL_FRAMES: std::ops::Range<i64> = 4..14;
/// Of 100 calls, those that go the most frequent way.
const MAIN_WAY_PERCENT: u32 = 88;
const WAYS: u32 = 6;

const LIBRARIES: [Image<'static>; 3] = [
    ("ntdll.dll", 0x7FFE_1000_0000, 0x1F_0000),
    ("kernelbase.dll", 0x7FFE_0800_0000, 0x2C_0000),
    ("runtime.dll", 0x7FFD_4000_0000, 0x60_0000),
];

/// Writes the trace; memory does not grow with the number of samples.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    load: Load,
) -> Result<(W, Truth), WriteError> {
    let mut writer = options.writer(sink, load.cpu_count, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let mut rng = Rng::new(options.seed);
    let start = CollectionStart { interval: INTERVAL };
    let at = At::new(0, session.start_ticks);
    writer.kernel(at, Header::PerfInfo, &start)?;
    let ticks = rundown(&mut writer, session.start_ticks, false)?;
    let mut ticks = image_rundown(&mut writer, ticks, &LIBRARIES)?;
    let step = (i64::from(INTERVAL) / i64::from(load.cpu_count)).max(8);
    for number in 0..load.count {
        let cpu = u16::try_from(number % u64::from(load.cpu_count)).unwrap_or(0);
        sample(&mut writer, &mut rng, cpu, ticks)?;
        ticks += step;
    }
    let end_ticks = rundown(&mut writer, ticks, true)? + step;
    let (sink, written) = writer.finish(end_ticks)?;
    let truth = Truth::new("stacks", options.seed, &session, end_ticks, &written);
    Ok((sink, truth))
}

/// One sample and its stack, the kernel half first, as Windows writes them.
fn sample<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    rng: &mut Rng,
    cpu: u16,
    ticks: i64,
) -> Result<(), WriteError> {
    let process = rng.below(8) as usize % IMAGES.len();
    let thread = any_thread(process, rng);
    let user = user_half(process, rng);
    let kernel = (rng.below(100) < KERNEL_PERCENT).then(|| kernel_half(rng));
    let innermost = kernel.as_ref().unwrap_or(&user).first();
    let sample = SampledProfile {
        version: 2,
        instruction_pointer: innermost.copied().unwrap_or(0),
        tid: thread.tid,
        flags: 0,
        priority: 8,
        rank: 0,
    };
    writer.kernel(At::new(cpu, ticks), Header::PerfInfo, &sample)?;
    for (addresses, delay) in kernel.into_iter().chain([user]).zip(1..) {
        let stack = StackWalk {
            event_ticks: ticks,
            pid: thread.pid,
            tid: thread.tid,
            addresses,
        };
        writer.kernel(At::new(cpu, ticks + delay), Header::PerfInfo, &stack)?;
    }
    Ok(())
}

fn user_half(process: usize, rng: &mut Rng) -> Vec<u64> {
    let frames = rng.within(USER_FRAMES);
    calls(process as u64, frames, rng, |function, depth| {
        // A thread begins in the system's libraries and ends in any.
        let place = if depth < 2 { depth } else { function % 4 };
        match LIBRARIES.get(place as usize) {
            Some((_, base, bytes)) => base + 0x1000 + function % u64::from(bytes - 0x1000),
            None => program_base(process) + 0x1000 + function % u64::from(PROGRAM_BYTES - 0x1000),
        }
    })
}

fn kernel_half(rng: &mut Rng) -> Vec<u64> {
    let frames = rng.within(KERNEL_FRAMES);
    calls(u64::MAX, frames, rng, |function, _| {
        let (_, base, bytes) = KERNEL;
        base + 0x1000 + function % u64::from(bytes - 0x1000)
    })
}

/// Addresses of a path of calls, the innermost first. A function is a number that its caller and the way taken give.
fn calls(root: u64, frames: i64, rng: &mut Rng, address: impl Fn(u64, u64) -> u64) -> Vec<u64> {
    let mut function = root;
    let mut addresses: Vec<u64> = (0..frames.unsigned_abs())
        .map(|depth| {
            let goes_on = depth < u64::from(TRUNK) || rng.below(100) < MAIN_WAY_PERCENT;
            let way = if goes_on { 0 } else { 1 + rng.below(WAYS) };
            function = Rng::new(function ^ u64::from(way) << 56).bits();
            address(function, depth)
        })
        .collect();
    addresses.reverse();
    addresses
}
