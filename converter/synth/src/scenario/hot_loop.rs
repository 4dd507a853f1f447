//! `hot-loop`: a service's thread holds a lock for as long as it walks a list in a loop of nine instructions; its other
//! threads, and one of each program, wait until it lets go. After the investigation "O(n²), again, now in WMI", where
//! that took five minutes: here it is 15 s, and all else keeps its shape.

use std::io::{Seek, Write};

use super::Options;
use super::crowd::{
    IMAGES, Image, KERNEL, PROGRAM_BYTES, any_thread, image_rundown, pid, program_base, rundown,
};
use crate::events::profile::{CollectionStart, SampledProfile, StackWalk};
use crate::events::scheduler::{ContextSwitch, RankOrCState, ReadyThread, ThreadState, WaitReason};
use crate::file::event::{At, Header};
use crate::file::writer::{TraceWriter, WriteError};
use crate::sim::rng::Rng;
use crate::truth::{AddressTruth, HotLoopTruth, Truth};

const CPUS: u32 = 8;
const BUFFER_BYTES: u32 = 0x1_0000;
const MS: i64 = 10_000;
/// How long the lock is held, in ms; a sample each.
const HELD_MS: i64 = 15_000;
/// The process with the loop, `svchost.exe`, by its index in [`IMAGES`].
const SERVICE: usize = 7;
/// Threads that wait for the lock: all others of the service, and the first of each other process.
const WAITERS: [(usize, u32); 14] = [
    (7, 1),
    (7, 2),
    (7, 3),
    (7, 4),
    (7, 5),
    (7, 6),
    (7, 7),
    (0, 0),
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
];

const WBEMCORE: Image<'static> = ("wbem\\wbemcore.dll", 0x7FFD_4000_0000, 0x18_0000);
const NTDLL: Image<'static> = ("ntdll.dll", 0x7FFE_1000_0000, 0x1F_0000);

/// The instructions of the loop from `wbemcore.dll` on, and of 100 samples in it those at each. Samples name the
/// instruction after a slow one, so that two of the nine have none.
const LOOP: [(u64, u64); 9] = [
    (0x3_F2A0, 9),
    (0x3_F2A4, 31),
    (0x3_F2A8, 0),
    (0x3_F2AB, 14),
    (0x3_F2AF, 8),
    (0x3_F2B3, 0),
    (0x3_F2B6, 22),
    (0x3_F2BA, 11),
    (0x3_F2BE, 5),
];
/// Calls from the thread's start to the loop's function, in `wbemcore.dll`: four ways, as four callers reach it.
const WAYS: [u64; 4] = [0x2_1044, 0x2_1180, 0x2_9C30, 0x3_0008];
/// The rest of the loop's function, from here on.
const FUNCTION: (u64, u64) = (0x3_F2D0, 0x400);
/// Of the 1000 samples of the service, how many are in its loop's function outside the loop.
const FUNCTION_PERMILLE: u64 = 12;
/// One sample in so many is of another process too.
const OTHERS_EVERY: i64 = 4;

/// Writes the trace. Of 1000 samples of the service `loop_permille` are in the loop.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    loop_permille: u32,
) -> Result<(W, Truth), WriteError> {
    let mut writer = options.writer(sink, CPUS, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let mut rng = Rng::new(options.seed);
    let start = CollectionStart { interval: 10_000 };
    writer.kernel(At::new(0, session.start_ticks), Header::PerfInfo, &start)?;
    let ticks = rundown(&mut writer, session.start_ticks, false)?;
    let began = image_rundown(&mut writer, ticks, &[NTDLL, WBEMCORE])? + MS;
    take_lock(&mut writer, began)?;
    let mut counts = [0_u64; LOOP.len()];
    let mut total = 0;
    for ms in 2..HELD_MS {
        let ticks = began + ms * MS;
        let (address, slot) = service_address(&mut rng, loop_permille);
        if let Some(count) = slot.and_then(|slot| counts.get_mut(slot)) {
            *count += 1;
        }
        total += 1;
        let holder = pid(SERVICE) + 4;
        let [first, second, third, fourth] = WAYS;
        let way = match rng.below(4) {
            0 => first,
            1 => second,
            2 => third,
            _ => fourth,
        };
        let callers = vec![WBEMCORE.1 + way, WBEMCORE.1 + 0x1_8F20, NTDLL.1 + 0x5_AF38];
        sample(
            &mut writer,
            (0, ticks),
            (pid(SERVICE), holder),
            address,
            callers,
        )?;
        if ms % OTHERS_EVERY == 0 {
            other(&mut writer, &mut rng, ticks + 100)?;
        }
    }
    let released = began + HELD_MS * MS;
    release(&mut writer, released)?;
    let end_ticks = rundown(&mut writer, released + 40 * MS, true)? + MS;
    let (sink, written) = writer.finish(end_ticks)?;
    let mut truth = Truth::new("hot-loop", options.seed, &session, end_ticks, &written);
    truth.hot_loop = Some(HotLoopTruth {
        pid: pid(SERVICE),
        tid: pid(SERVICE) + 4,
        process: IMAGES[SERVICE].to_owned(),
        module: "wbemcore.dll".to_owned(),
        process_samples: total,
        loop_samples: counts.iter().sum(),
        addresses: LOOP
            .iter()
            .zip(counts)
            .filter(|(_, samples)| *samples > 0)
            .map(|((rva, _), samples)| AddressTruth { rva: *rva, samples })
            .collect(),
        waiters: WAITERS.len(),
    });
    Ok((sink, truth))
}

/// Where the service is sampled, and if that is in the loop, at which of its instructions.
fn service_address(rng: &mut Rng, loop_permille: u32) -> (u64, Option<usize>) {
    let at = rng.below(1000);
    if at < loop_permille {
        let mut left = u64::from(rng.below(100));
        for (slot, (rva, weight)) in LOOP.iter().enumerate() {
            if left < *weight {
                return (WBEMCORE.1 + rva, Some(slot));
            }
            left -= weight;
        }
    }
    let (from, bytes) = if u64::from(at) < u64::from(loop_permille) + FUNCTION_PERMILLE {
        FUNCTION
    } else {
        (0x5_0000, 0x10_0000)
    };
    (WBEMCORE.1 + from + rng.bits() % bytes, None)
}

/// A sample of a thread that is none of the service's, in the kernel every third time.
fn other<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    rng: &mut Rng,
    ticks: i64,
) -> Result<(), WriteError> {
    let process = rng.below(7) as usize;
    let thread = any_thread(process, rng);
    let (base, bytes) = if rng.below(3) == 0 {
        (KERNEL.1, KERNEL.2)
    } else {
        (program_base(process), PROGRAM_BYTES)
    };
    let address = base + 0x1000 + rng.bits() % u64::from(bytes - 0x1000);
    let callers = vec![program_base(process) + 0x1234, NTDLL.1 + 0x5_AF38];
    let cpu = 1 + u16::try_from(rng.below(CPUS - 1)).unwrap_or(0);
    sample(
        writer,
        (cpu, ticks),
        (thread.pid, thread.tid),
        address,
        callers,
    )
}

/// A sample with its stack, the innermost caller first.
fn sample<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    (cpu, ticks): (u16, i64),
    (pid, tid): (u32, u32),
    address: u64,
    callers: Vec<u64>,
) -> Result<(), WriteError> {
    let event = SampledProfile {
        version: 2,
        instruction_pointer: address,
        tid,
        flags: 0,
        priority: 8,
        rank: 0,
    };
    writer.kernel(At::new(cpu, ticks), Header::PerfInfo, &event)?;
    // Windows writes the kernel's half of a stack by itself.
    let kernel = (address >= KERNEL.1).then(|| vec![address]);
    let user = if kernel.is_some() {
        callers
    } else {
        [vec![address], callers].concat()
    };
    for (addresses, delay) in kernel.into_iter().chain([user]).zip(1..) {
        let stack = StackWalk {
            event_ticks: ticks,
            pid,
            tid,
            addresses,
        };
        writer.kernel(At::new(cpu, ticks + delay), Header::PerfInfo, &stack)?;
    }
    Ok(())
}

/// The holder runs on processor 0 from now on; on processor 1 each waiter runs for 0.1 ms and begins to wait.
fn take_lock<W: Write + Seek>(writer: &mut TraceWriter<W>, began: i64) -> Result<(), WriteError> {
    switch(writer, (0, began), 0, pid(SERVICE) + 4)?;
    let mut ticks = began + 10;
    for waiter in WAITERS.map(tid_of) {
        switch(writer, (1, ticks), 0, waiter)?;
        switch(writer, (1, ticks + MS / 10), waiter, 0)?;
        ticks += MS / 5;
    }
    // The idle loops of the other processors, so that all are known to have been idle.
    for cpu in 2..u16::try_from(CPUS).unwrap_or(0) {
        switch(writer, (cpu, ticks), 0, pid(0) + 4 + 28)?;
        switch(writer, (cpu, ticks + 10), pid(0) + 4 + 28, 0)?;
        ticks += 20;
    }
    Ok(())
}

/// The holder makes all waiters ready within 0.2 ms, and stops; they run one after the other on processor 1.
fn release<W: Write + Seek>(writer: &mut TraceWriter<W>, released: i64) -> Result<(), WriteError> {
    let header = Header::PerfInfo;
    for (waiter, delay) in WAITERS.map(tid_of).into_iter().zip((0..).step_by(100)) {
        let event = ReadyThread {
            tid: waiter,
            adjust_reason: 1,
            adjust_increment: 1,
            flags: 0,
        };
        writer.kernel(At::new(0, released + delay), header, &event)?;
    }
    switch(writer, (0, released + MS), pid(SERVICE) + 4, 0)?;
    let mut before = 0;
    let mut ticks = released + MS / 2;
    for waiter in WAITERS.map(tid_of) {
        switch(writer, (1, ticks), before, waiter)?;
        before = waiter;
        ticks += MS;
    }
    switch(writer, (1, ticks), before, 0)
}

fn switch<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    (cpu, ticks): (u16, i64),
    old_tid: u32,
    new_tid: u32,
) -> Result<(), WriteError> {
    let priority = |tid| if tid == 0 { 0 } else { 8 };
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
        old_wait_reason: if old_tid == 0 {
            0
        } else {
            WaitReason::WrAlertByThreadId as u8
        },
        old_wait_mode: 1,
        old_qos: 0,
        new_qos: 0,
        old_state: if old_tid == 0 {
            ThreadState::Running
        } else {
            ThreadState::Waiting
        },
        old_ideal_cpu: 0,
        new_wait_time: 0,
        old_remaining_quantum: 1,
    };
    writer.kernel(At::new(cpu, ticks), Header::PerfInfo, &event)
}

fn tid_of((process, thread): (usize, u32)) -> u32 {
    pid(process) + 4 + 4 * thread
}
