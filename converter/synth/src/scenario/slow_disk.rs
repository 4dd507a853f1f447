//! `slow-disk`: on each processor a thread reads from a disk that takes its time, and blocks until it has what it asked for. In every
//! fourth read a thread of another process blocks meanwhile, and is readied with it.

use std::collections::BTreeMap;
use std::io::{Seek, Write};

use super::crowd::{IMAGES, file_key, name_files, pid, rundown};
use super::{Load, Options};
use crate::events::io::{Asked, IoEvent};
use crate::events::scheduler::{
    ContextSwitch, READY_FROM_DPC, RankOrCState, ReadyThread, ThreadState, WaitReason,
};
use crate::file::event::{At, Header, KernelEvent, Origin};
use crate::file::writer::{TraceWriter, WriteError};
use crate::sim::rng::Rng;
use crate::truth::{SlowDiskTruth, Truth};

const BUFFER_BYTES: u32 = 0x1_0000;
const FILES: u64 = 16;
const SIZE_BYTES: u32 = 0x1_0000;
/// In ticks.
const MICROSECOND: i64 = 10;
const NS_PER_TICK: i64 = 100;
const MILLISECOND: i64 = 10_000;
/// Of so many reads one has another thread wait, too.
const SHARED_EVERY: u64 = 4;
const PRIORITY: u8 = 8;
/// Threads of a process: a reader and one that waits for it take two.
const PAIRS_EACH: usize = 4;

/// Writes the trace; memory does not grow with the number of reads. Of more than 32 processors the others do nothing.
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
    let begun = rundown(&mut writer, session.start_ticks, false)?;
    let ticks = name_files(&mut writer, begun, MICROSECOND, FILES)?;
    let cpus = usize::try_from(load.cpu_count).unwrap_or(1);
    let mut free = vec![ticks + MILLISECOND; cpus.min(IMAGES.len() * PAIRS_EACH)];
    let mut rng = Rng::new(options.seed);
    let mut waited: BTreeMap<u32, i64> = BTreeMap::new();
    for number in 0..load.count {
        let next = free.iter_mut().enumerate().min_by_key(|(_, free)| **free);
        if let Some((cpu, free)) = next {
            let mut turn = Turn::new(&mut writer, number, cpu, *free);
            let took = turn.read(&mut rng)?;
            *waited.entry(turn.reader.tid).or_default() += took;
            *free = turn.ticks + rng.within(MILLISECOND..5 * MILLISECOND);
        }
    }
    let last = free.into_iter().max().unwrap_or(ticks);
    let end_ticks = rundown(&mut writer, last, true)? + MILLISECOND;
    let (sink, written) = writer.finish(end_ticks)?;
    let mut truth = Truth::new("slow-disk", options.seed, &session, end_ticks, &written);
    let most = waited.into_iter().max_by_key(|(_, took)| *took);
    truth.slow_disk = most.map(|(reader_tid, took)| SlowDiskTruth {
        disk: 0,
        reader_tid,
        waited_ns: took * NS_PER_TICK,
    });
    Ok((sink, truth))
}

/// One read, with all that its processor does meanwhile.
struct Turn<'a, W: Write + Seek> {
    writer: &'a mut TraceWriter<W>,
    number: u64,
    cpu: u16,
    ticks: i64,
    reader: Origin,
    other: Origin,
    /// Who runs.
    running: Origin,
}

impl<'a, W: Write + Seek> Turn<'a, W> {
    fn new(writer: &'a mut TraceWriter<W>, number: u64, cpu: usize, ticks: i64) -> Self {
        let thread = |index: usize, first: usize| {
            let pid = pid(index % IMAGES.len());
            let number = first + cpu / IMAGES.len() * 2;
            Origin {
                tid: pid + 4 + 4 * u32::try_from(number).unwrap_or(0),
                pid,
            }
        };
        Self {
            writer,
            number,
            cpu: u16::try_from(cpu).unwrap_or(0),
            ticks,
            reader: thread(cpu, 0),
            other: thread(cpu + 1, 1),
            running: Origin::default(),
        }
    }

    /// How long the disk took, in ticks.
    fn read(&mut self, rng: &mut Rng) -> Result<i64, WriteError> {
        let is_shared = self.number.is_multiple_of(SHARED_EVERY);
        let file_key = file_key(self.number % FILES);
        let asked = Asked {
            irp: 0xFFFF_9000_0000_0000 + self.number * 0x400,
            file_object: 0xFFFF_A000_0000_0000 + self.number * 0x100,
            tid: self.reader.tid,
        };
        let below = Asked {
            irp: asked.irp + 0x100,
            ..asked
        };
        self.ready(0, self.reader, READY_FROM_DPC)?;
        self.switch(8 * MICROSECOND, self.reader, WaitReason::Executive)?;
        let offset = self.number * u64::from(SIZE_BYTES);
        let transfer = IoEvent::Transfer {
            asked,
            write: false,
            file_key,
            offset,
            size_bytes: SIZE_BYTES,
        };
        self.put(rng.within(200..2_000), &transfer)?;
        if is_shared {
            self.ready(MICROSECOND, self.other, 0)?;
        }
        self.put(2 * MICROSECOND, &IoEvent::DiskReadInit { asked: below })?;
        let issued = self.ticks;
        let after = if is_shared {
            self.other
        } else {
            Origin::default()
        };
        self.switch(3 * MICROSECOND, after, WaitReason::Executive)?;
        if is_shared {
            self.switch(10 * MICROSECOND, Origin::default(), WaitReason::WrResource)?;
        }
        let took = rng.log_within(&(500..500_000));
        let done = IoEvent::DiskRead {
            asked: below,
            file_key,
            offset: offset << 8,
            size_bytes: SIZE_BYTES,
            ticks: took.unsigned_abs(),
        };
        self.put(issued + took - self.ticks, &done)?;
        self.ready(2 * MICROSECOND, self.reader, READY_FROM_DPC)?;
        if is_shared {
            self.ready(MICROSECOND, self.other, READY_FROM_DPC)?;
        }
        self.switch(9 * MICROSECOND, self.reader, WaitReason::Executive)?;
        let end = IoEvent::End {
            irp: asked.irp,
            done: SIZE_BYTES.into(),
            status: 0,
        };
        self.put(4 * MICROSECOND, &end)?;
        let run = rng.within(500..10_000);
        self.switch(run, after, WaitReason::DelayExecution)?;
        if is_shared {
            self.switch(run / 2, Origin::default(), WaitReason::DelayExecution)?;
        }
        Ok(took)
    }

    /// Writes an event of who runs, so many ticks after the one before.
    fn put(&mut self, delay: i64, event: &impl KernelEvent) -> Result<(), WriteError> {
        self.ticks += delay;
        let at = At::new(self.cpu, self.ticks);
        self.writer.kernel(at, Header::System(self.running), event)
    }

    fn ready(&mut self, delay: i64, thread: Origin, flags: u8) -> Result<(), WriteError> {
        let ready = ReadyThread {
            tid: thread.tid,
            adjust_reason: 1,
            adjust_increment: 1,
            flags,
        };
        self.put(delay, &ready)
    }

    /// Switches to a thread; who runs blocks for a reason. The idle thread has the id 0.
    fn switch(&mut self, delay: i64, to: Origin, why: WaitReason) -> Result<(), WriteError> {
        let was_idle = self.running.tid == 0;
        let priority = |thread: Origin| if thread.tid == 0 { 0 } else { PRIORITY };
        let switch = ContextSwitch {
            version: 4,
            new_tid: to.tid,
            old_tid: self.running.tid,
            new_priority: priority(to),
            old_priority: priority(self.running),
            rank_or_c_state: if was_idle {
                RankOrCState::CState(1)
            } else {
                RankOrCState::Rank(0)
            },
            new_priority_decrement: 0,
            old_wait_reason: if was_idle { 0 } else { why as u8 },
            old_wait_mode: 0,
            old_qos: 0,
            new_qos: 0,
            old_state: if was_idle {
                ThreadState::Running
            } else {
                ThreadState::Waiting
            },
            old_ideal_cpu: u8::try_from(self.cpu).unwrap_or(0),
            new_wait_time: 0,
            old_remaining_quantum: 0,
        };
        self.put(delay, &switch)?;
        self.running = to;
        Ok(())
    }
}
