//! Processes and threads of loads that schedule nothing: all are there from start to end.

use std::io::{Seek, Write};

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
const THREADS_EACH: u32 = 8;
/// Distance of rundown events, in ticks.
const STEP: i64 = 8;

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
