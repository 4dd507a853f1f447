//! `switch-storm`: two threads of a service hand one item after the other to and fro on one processor, while on the others
//! threads give way to one another. After the investigation "2 million context switches", where that was the load of eight
//! processors, four tenths of it in the kernel.

use std::io::{Seek, Write};

use super::Options;
use super::crowd::{IMAGES, KERNEL, any_thread, image_rundown, pid, program_base, rundown};
use crate::events::profile::{CollectionStart, SampledProfile};
use crate::events::scheduler::{ContextSwitch, RankOrCState, ReadyThread, ThreadState, WaitReason};
use crate::file::event::{At, Header};
use crate::file::writer::{TraceWriter, WriteError};
use crate::sim::rng::Rng;
use crate::truth::{PairThreadTruth, StormTruth, Truth};

const CPUS: u16 = 8;
const BUFFER_BYTES: u32 = 0x1_0000;
const MS: i64 = 10_000;
/// Times are kept in parts of a tick, since a storm switches every few ticks.
const PARTS: i64 = 1000;
const PARTS_PER_SECOND: u64 = 10_000_000 * 1000;
/// The process of the pair, `svchost.exe`, by its index in [`IMAGES`].
const SERVICE: usize = 7;
/// Of 100 switches, how many are the pair's.
const PAIR_PERCENT: u64 = 40;
/// Of 100 samples, how many are in the kernel.
const KERNEL_PERCENT: u32 = 40;

/// How large a storm is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Storm {
    /// Context switches, about.
    pub count: u64,
    /// Context switches a second, all processors together.
    pub per_second: u32,
}

/// A processor, and what runs on it.
struct Cpu {
    number: u16,
    /// When it switches next, in parts of a tick after the storm's begin.
    next: i64,
    /// Mean time between two switches, likewise.
    period: i64,
    tid: u32,
    /// The tick of its last event.
    last: i64,
}

/// Writes the trace; memory does not grow with the number of switches.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    storm: Storm,
) -> Result<(W, Truth), WriteError> {
    let mut writer = options.writer(sink, u32::from(CPUS), BUFFER_BYTES)?;
    let session = writer.session().clone();
    let mut rng = Rng::new(options.seed);
    let start = CollectionStart { interval: 10_000 };
    writer.kernel(At::new(0, session.start_ticks), Header::PerfInfo, &start)?;
    let ticks = rundown(&mut writer, session.start_ticks, false)?;
    let began = image_rundown(&mut writer, ticks, &[])? + MS;
    let per_second = u64::from(storm.per_second.max(1));
    let length = parts(storm.count.saturating_mul(PARTS_PER_SECOND) / per_second);
    let mut cpus = processors(per_second);
    let mut between = [0; 2];
    let mut next_sample = MS * PARTS;
    while let Some(cpu) = cpus.iter_mut().min_by_key(|cpu| cpu.next) {
        let now = cpu.next;
        if now >= length {
            break;
        }
        if now >= next_sample {
            sample_all(
                &mut writer,
                &mut rng,
                &mut cpus,
                began + next_sample / PARTS,
            )?;
            next_sample += MS * PARTS;
            continue;
        }
        let old = cpu.tid;
        let new = next_thread(&mut rng, cpu);
        if cpu.number == 0 && old != 0 {
            // The one that runs makes the other ready, and waits for its answer.
            let ticks = (began + now / PARTS - 1).max(cpu.last);
            ready(&mut writer, ticks, new)?;
            if let Some(count) = between.get_mut(usize::from(new == pair()[0])) {
                *count += 1;
            }
        }
        switch(&mut writer, (cpu.number, began + now / PARTS), old, new)?;
        cpu.tid = new;
        cpu.last = began + now / PARTS;
        let step = if cpu.number == 0 {
            cpu.period
        } else {
            rng.within(cpu.period / 2..cpu.period * 3 / 2)
        };
        // Two switches of a processor are two ticks apart at least, so that a ready event comes between.
        cpu.next += step.max(2 * PARTS);
    }
    let ended = began + length / PARTS + MS;
    for cpu in &cpus {
        switch(&mut writer, (cpu.number, ended), cpu.tid, 0)?;
    }
    let end_ticks = rundown(&mut writer, ended + MS, true)? + MS;
    let (sink, written) = writer.finish(end_ticks)?;
    let mut truth = Truth::new("switch-storm", options.seed, &session, end_ticks, &written);
    let [there, back] = between;
    let thread = |tid| PairThreadTruth {
        tid,
        pid: pid(SERVICE),
        process: IMAGES[SERVICE].to_owned(),
    };
    let [first, second] = pair();
    truth.storm = Some(StormTruth {
        per_second: storm.per_second,
        first: thread(first),
        second: thread(second),
        there,
        back,
    });
    Ok((sink, truth))
}

/// The two threads that take turns on processor 0.
fn pair() -> [u32; 2] {
    [pid(SERVICE) + 4, pid(SERVICE) + 8]
}

fn parts(length: u64) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX / 2)
}

/// The processors, idle: the pair's switches more often than the others together with their equal parts do.
fn processors(per_second: u64) -> Vec<Cpu> {
    let rate_of = |number: u16| {
        if number == 0 {
            per_second * PAIR_PERCENT / 100
        } else {
            per_second * (100 - PAIR_PERCENT) / 100 / u64::from(CPUS - 1)
        }
    };
    (0..CPUS)
        .map(|number| Cpu {
            number,
            next: MS * PARTS / 10 * i64::from(number + 1),
            period: parts(PARTS_PER_SECOND / rate_of(number).max(1)),
            tid: 0,
            last: 0,
        })
        .collect()
}

/// Who runs next: the other one of the pair, or another thread of the processor's process.
fn next_thread(rng: &mut Rng, cpu: &Cpu) -> u32 {
    let [first, second] = pair();
    if cpu.number == 0 {
        return if cpu.tid == first { second } else { first };
    }
    loop {
        let next = any_thread(usize::from(cpu.number) - 1, rng);
        if next.tid != cpu.tid {
            return next.tid;
        }
    }
}

/// A sample of each processor.
fn sample_all<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    rng: &mut Rng,
    cpus: &mut [Cpu],
    ticks: i64,
) -> Result<(), WriteError> {
    for cpu in cpus.iter_mut().filter(|cpu| cpu.tid != 0) {
        let base = if rng.below(100) < KERNEL_PERCENT {
            KERNEL.1
        } else {
            program_base((usize::from(cpu.number) + SERVICE) % IMAGES.len())
        };
        let event = SampledProfile {
            version: 2,
            instruction_pointer: base + 0x1000 + u64::from(rng.below(64)) * 16,
            tid: cpu.tid,
            flags: 0,
            priority: 8,
            rank: 0,
        };
        writer.kernel(At::new(cpu.number, ticks), Header::PerfInfo, &event)?;
        cpu.last = ticks;
    }
    Ok(())
}

fn ready<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    ticks: i64,
    tid: u32,
) -> Result<(), WriteError> {
    let event = ReadyThread {
        tid,
        adjust_reason: 1,
        adjust_increment: 0,
        flags: 0,
    };
    writer.kernel(At::new(0, ticks), Header::PerfInfo, &event)
}

/// The pair's threads wait for one another; all others give way, and stay ready.
fn switch<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    (cpu, ticks): (u16, i64),
    old_tid: u32,
    new_tid: u32,
) -> Result<(), WriteError> {
    let priority = |tid| if tid == 0 { 0 } else { 8 };
    let (state, reason) = match (old_tid, pair().contains(&old_tid)) {
        (0, _) => (ThreadState::Running, WaitReason::Executive),
        (_, true) => (ThreadState::Waiting, WaitReason::WrQueue),
        (_, false) => (ThreadState::Ready, WaitReason::WrYieldExecution),
    };
    let event = ContextSwitch {
        version: 4,
        new_tid,
        old_tid,
        new_priority: priority(new_tid),
        old_priority: priority(old_tid),
        rank_or_c_state: if old_tid == 0 {
            RankOrCState::CState(1)
        } else {
            RankOrCState::Rank(0)
        },
        new_priority_decrement: 0,
        old_wait_reason: reason as u8,
        old_wait_mode: u8::from(old_tid != 0),
        old_qos: 0,
        new_qos: 0,
        old_state: state,
        old_ideal_cpu: u8::try_from(cpu).unwrap_or(0),
        new_wait_time: 0,
        old_remaining_quantum: 1,
    };
    writer.kernel(At::new(cpu, ticks), Header::PerfInfo, &event)
}
