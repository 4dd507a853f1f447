//! Processes and threads of loads, and the files that they use: all are there from start to end.

use std::io::{Seek, Write};

use crate::events::image::{ImageChange, ImageEvent};
use crate::events::io::IoEvent;
use crate::events::process::{ProcessChange, ProcessEvent, ProcessInfo};
use crate::events::thread::{ThreadChange, ThreadEvent, ThreadInfo};
use crate::file::event::{At, Header, Origin};
use crate::file::writer::{TraceWriter, WriteError};
use crate::sim::rng::Rng;

/// Images of the processes.
pub const IMAGES: [&str; 8] = [
    "browser.exe",
    "compiler.exe",
    "editor.exe",
    "game.exe",
    "indexer.exe",
    "player.exe",
    "shell.exe",
    "svchost.exe",
];
/// The kernel's image: path, address, size in bytes.
pub const KERNEL: Image<'static> = (
    r"\SystemRoot\system32\ntoskrnl.exe",
    0xFFFF_F800_1000_0000,
    0x100_0000,
);
/// Size in memory of each program, in bytes.
pub const PROGRAM_BYTES: u32 = 0x80_0000;
const THREADS_EACH: u32 = 8;
/// Distance of rundown events, in ticks.
const STEP: i64 = 8;

/// An image: its path, its address, its size in bytes.
pub type Image<'a> = (&'a str, u64, u32);

/// Address of the program of the process with this index in [`IMAGES`].
pub fn program_base(index: usize) -> u64 {
    0x7FF6_0000_0000 + ((index as u64) << 28)
}

/// Process id of the process with this index in [`IMAGES`].
pub fn pid(index: usize) -> u32 {
    u32::try_from(index).map_or(0, |index| 1000 + index * 1000)
}

/// A thread of the process with this index.
pub fn any_thread(index: usize, rng: &mut Rng) -> Origin {
    let pid = pid(index);
    let thread = rng.below(THREADS_EACH);
    Origin {
        tid: pid + 4 + 4 * thread,
        pid,
    }
}

/// Writes all processes and threads from a raw time on, at the start or the end of the trace; answers when it was done.
pub fn rundown<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    mut ticks: i64,
    end: bool,
) -> Result<i64, WriteError> {
    let (process_change, thread_change) = if end {
        (ProcessChange::RundownEnd, ThreadChange::RundownEnd)
    } else {
        (ProcessChange::RundownStart, ThreadChange::RundownStart)
    };
    let (tid, pid_of_origin) = writer.session().origin;
    let header = Header::System(Origin {
        tid,
        pid: pid_of_origin,
    });
    for (index, image) in IMAGES.iter().enumerate() {
        let process = ProcessEvent {
            change: process_change,
            version: 4,
            process: &ProcessInfo::new(pid(index), 4, image),
        };
        ticks += STEP;
        writer.kernel(At::new(0, ticks), header, &process)?;
        for thread in 0..THREADS_EACH {
            let tid = pid(index) + 4 + 4 * thread;
            let thread = ThreadEvent {
                change: thread_change,
                version: 3,
                thread: &ThreadInfo::new(pid(index), tid, 8),
            };
            ticks += STEP;
            writer.kernel(At::new(0, ticks), header, &thread)?;
        }
    }
    Ok(ticks)
}

/// Writes the kernel's image and, of each process, its program and these libraries, named as in the system's folder, from
/// a raw time on; answers when it was done.
pub fn image_rundown<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    mut ticks: i64,
    libraries: &[Image<'_>],
) -> Result<i64, WriteError> {
    let mut put = |pid, (path, base, size_bytes): Image<'_>| {
        ticks += STEP;
        let image = ImageEvent {
            change: ImageChange::RundownStart,
            version: 3,
            base,
            size_bytes,
            pid,
            path,
        };
        let header = Header::System(Default::default());
        writer.kernel(At::new(0, ticks), header, &image)
    };
    put(0, KERNEL)?;
    for (index, image) in IMAGES.iter().enumerate() {
        let program = format!(r"\Device\HarddiskVolume3\Programs\{image}");
        put(pid(index), (&program, program_base(index), PROGRAM_BYTES))?;
        for &(library, base, size_bytes) in libraries {
            let path = format!(r"\Device\HarddiskVolume3\Windows\System32\{library}");
            put(pid(index), (&path, base, size_bytes))?;
        }
    }
    Ok(ticks + STEP)
}

/// Key of one of the files that threads read and write.
pub fn file_key(file: u64) -> u64 {
    0xFFFF_C000_0000_0000 + file * 0x100
}

/// Path of that file.
pub fn file_path(file: u64) -> String {
    format!(r"\Device\HarddiskVolume3\Data\file{file:02}.bin")
}

/// Names so many files, `step` ticks apart; answers when that is done.
///
/// # Errors
/// Fails if the sink fails.
pub fn name_files<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    mut ticks: i64,
    step: i64,
    count: u64,
) -> Result<i64, WriteError> {
    for file in 0..count {
        ticks += step;
        let name = IoEvent::Name {
            file_key: file_key(file),
            path: &file_path(file),
        };
        let header = Header::System(Origin::default());
        writer.kernel(At::new(0, ticks), header, &name)?;
    }
    Ok(ticks)
}
