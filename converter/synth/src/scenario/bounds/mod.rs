//! `bounds`: for a rule of the findings, a trace in which what it looks for is there at its bound, or just short of it.

mod samples;
mod scheduling;

use std::io::{Seek, Write};

use clap::ValueEnum;

pub use samples::write_pdb;

use super::Options;
use super::crowd::rundown;
use crate::events::profile::CollectionStart;
use crate::file::event::{At, Header};
use crate::file::writer::{TraceWriter, WriteError};
use crate::truth::Truth;

const BUFFER_BYTES: u32 = 0x2000;
/// Ticks of the clock.
const MS: i64 = 10_000;

/// What a rule of the findings looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Bound {
    /// A thread of rank 2 and priority 14 is ready for 100 ms, while one of rank 0 and priority 4 runs.
    RankStarvation,
    /// A thread of rank 0 and priority 8 is ready for 100 ms, while one of priority 9 runs.
    LongReadyWait,
    /// A thread sets ten threads free within 1 ms, which were blocked for 1.5 s.
    ReleaseMoment,
    /// A process in focus is frozen for 100 ms.
    FreezeInFocus,
    /// Of 101 samples within 100 ms 11 are in the kernel.
    KernelShare,
    /// A sample of 1 ms is in a stall of a driver.
    DriverStall,
    /// A DPC takes 1 ms.
    LongInterrupt,
    /// The log file's header says that an event was lost.
    LostEvents,
}

/// Which trace is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// What is in it.
    pub bound: Bound,
    /// It is there a little less than the rule asks for: a tick, a thread, a sample or an event.
    pub just_not: bool,
}

/// Writes the trace.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    Case { bound, just_not }: Case,
) -> Result<(W, Truth), WriteError> {
    let mut session = options.session(1, BUFFER_BYTES);
    session.events_lost = u32::from(bound == Bound::LostEvents && !just_not);
    let mut writer = TraceWriter::new(sink, session)?;
    let session = writer.session().clone();
    let start = CollectionStart {
        interval: samples::interval(bound, just_not),
    };
    writer.kernel(At::new(0, session.start_ticks), Header::PerfInfo, &start)?;
    rundown(&mut writer, session.start_ticks, false)?;
    let began = session.start_ticks + 10 * MS;
    let short = i64::from(just_not);
    let ended = match bound {
        Bound::RankStarvation => scheduling::held_up(&mut writer, began, (2, 14, 4), short)?,
        Bound::LongReadyWait => scheduling::held_up(&mut writer, began, (0, 8, 9), short)?,
        Bound::ReleaseMoment => {
            scheduling::release(&mut writer, began, 10 - usize::from(just_not))?
        }
        Bound::FreezeInFocus => scheduling::freeze_in_focus(&mut writer, began, short)?,
        Bound::KernelShare => samples::kernel_share(&mut writer, began, 11 - short)?,
        Bound::DriverStall => samples::driver_stall(&mut writer, began)?,
        Bound::LongInterrupt => samples::long_dpc(&mut writer, began, short)?,
        Bound::LostEvents => began,
    };
    let end_ticks = rundown(&mut writer, ended + MS, true)? + MS;
    let (sink, written) = writer.finish(end_ticks)?;
    let truth = Truth::new("bounds", options.seed, &session, end_ticks, &written);
    Ok((sink, truth))
}
