//! `io`: threads open files, read and write them, and close them, one after the other; every other read comes from the
//! disk; at times a thread waits for memory of a file. Nothing is left to chance: an operation's number tells its thread, file and place.

use std::io::{Seek, Write};

use super::crowd::{IMAGES, file_key, file_path, name_files, pid, rundown};
use super::{Load, Options};
use crate::events::io::{Asked, IoEvent};
use crate::file::event::{At, Header, Origin};
use crate::file::writer::{TraceWriter, WriteError};
use crate::truth::Truth;

const BUFFER_BYTES: u32 = 0x1_0000;
const FILES: u64 = 64;
/// What a thread does with a file: open, read, write, close.
const OPERATIONS: u64 = 4;
const SIZE_BYTES: u32 = 4096;
/// Between two events, in ticks.
const STEP: i64 = 50;
/// How long the disk takes, in ticks.
const DISK_TICKS: i64 = 2000;
const NAME_NOT_FOUND: u32 = 0xC000_0034;
/// Of so many files that are opened one is not there.
const MISSING_EVERY: u64 = 8;
/// After so many files that are closed a thread waits for memory.
const FAULT_EVERY: u64 = 4;

/// Writes the trace; memory does not grow with the number of operations.
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
    let mut ticks = name_files(&mut writer, begun, STEP, FILES)?;
    for number in 0..load.count {
        let cpu = u16::try_from(number % u64::from(load.cpu_count)).unwrap_or(0);
        ticks = operation(&mut writer, number, cpu, ticks)?;
    }
    let end_ticks = rundown(&mut writer, ticks, true)? + STEP;
    let (sink, written) = writer.finish(end_ticks)?;
    let truth = Truth::new("io", options.seed, &session, end_ticks, &written);
    Ok((sink, truth))
}

/// One operation from its start to its end; answers when that was.
fn operation<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    number: u64,
    cpu: u16,
    mut ticks: i64,
) -> Result<i64, WriteError> {
    let (round, kind) = (number / OPERATIONS, number % OPERATIONS);
    let process = pid(round as usize % IMAGES.len());
    let thread = Origin {
        tid: process + 4,
        pid: process,
    };
    let asked = Asked {
        irp: 0xFFFF_9000_0000_0000 + (round % 16) * 0x200,
        file_object: 0xFFFF_A000_0000_0000 + round * 0x100,
        tid: thread.tid,
    };
    let file_key = file_key(round % FILES);
    let offset = round * u64::from(SIZE_BYTES);
    let path = file_path(round % FILES);
    let is_missing = kind == 0 && round % MISSING_EVERY == MISSING_EVERY - 1;
    let begun_ticks = ticks;
    let mut put = |delay, event: &IoEvent<'_>| {
        ticks += delay;
        writer.kernel(At::new(cpu, ticks), Header::System(thread), event)
    };
    let begin = match kind {
        0 => IoEvent::Create { asked, path: &path },
        1 | 2 => IoEvent::Transfer {
            asked,
            write: kind == 2,
            file_key,
            offset,
            size_bytes: SIZE_BYTES,
        },
        _ => IoEvent::Close { asked, file_key },
    };
    put(STEP, &begin)?;
    if kind == 1 && round % 2 == 0 {
        let below = Asked {
            irp: asked.irp + 0x100,
            ..asked
        };
        put(STEP, &IoEvent::DiskReadInit { asked: below })?;
        let read = IoEvent::DiskRead {
            asked: below,
            file_key,
            offset: offset << 8,
            size_bytes: SIZE_BYTES,
            ticks: DISK_TICKS.unsigned_abs(),
        };
        put(DISK_TICKS, &read)?;
    }
    let end = IoEvent::End {
        irp: asked.irp,
        done: if kind == 1 || kind == 2 {
            SIZE_BYTES.into()
        } else {
            0
        },
        status: if is_missing { NAME_NOT_FOUND } else { 0 },
    };
    put(STEP, &end)?;
    if kind == 3 && round % FAULT_EVERY == FAULT_EVERY - 1 {
        let fault = IoEvent::HardFault {
            begin_ticks: begun_ticks,
            tid: thread.tid,
            file_key,
            offset,
            size_bytes: SIZE_BYTES,
            address: 0x7FF6_0000_0000 + offset,
        };
        // Before the next event.
        writer.kernel(
            At::new(cpu, ticks + STEP / 2),
            Header::System(thread),
            &fault,
        )?;
    }
    Ok(ticks)
}
