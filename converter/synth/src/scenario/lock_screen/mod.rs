//! `lock-screen`: the demo. A thread of `LockApp.exe` at priority 14 and rank 2 is made ready by a System thread and
//! runs 19.493 s later, because threads of rank 0 at priorities 4 to 10 keep all eight processors busy until then.

mod cast;
mod lead;
mod roles;
mod stage;
mod story;

use std::io::{Seek, Write};

use super::Options;
use super::population::{begin_trace, end_trace, log_services};
use crate::events::trace_logging::{Value, trace_logging};
use crate::file::bytes::Guid;
use crate::file::event::{At, Origin};
use crate::file::writer::WriteError;
use crate::sim::machine::{MS, Machine, SECOND};
use crate::truth::{Truth, WaitTruth};

const CPUS: u32 = 8;
const BUFFER_BYTES: u32 = 0x1_0000;
const WARM_UP: i64 = -2 * SECOND;
const INPUT_PROVIDER: Guid = Guid::from_u128(0x5f0c_5c3a_64f1_4d0d_9c8e_6a2b_0f4e_7d11);
const CONTROL_KEY: u32 = 0x11;

/// Writes the trace.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(sink: W, options: Options) -> Result<(W, Truth), WriteError> {
    let writer = options.writer(sink, CPUS, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let mut machine = Machine::new(writer, options.seed, WARM_UP);
    let stage = stage::set(&mut machine, CPUS);
    let tid = machine.thread(stage.lock_app).info.tid;
    machine.watch(tid);
    begin_trace(&mut machine)?;
    log_services(&mut machine, &stage.services)?;
    for tap in 0..17 {
        machine.run_until(31 * SECOND + tap * 1_070 * MS)?;
        log_key(&mut machine, stage.input)?;
    }
    machine.run_until(story::END)?;
    let end = end_trace(&mut machine)?;
    let longest = machine
        .watched()
        .waits()
        .iter()
        .max_by_key(|wait| wait.switch_in.unwrap_or(story::END) - wait.ready);
    let wait = longest.and_then(|wait| WaitTruth::new(&session, "LockApp.exe", wait));
    let (sink, written) = machine.finish(end)?;
    let end_ticks = session.start_ticks + end;
    let truth = Truth::new("lock-screen", options.seed, &session, end_ticks, &written);
    Ok((sink, Truth { wait, ..truth }))
}

/// A tap on the control key, as a recorder of input would log it.
fn log_key<W: Write + Seek>(machine: &mut Machine<W>, by: Origin) -> Result<(), WriteError> {
    let event = trace_logging(
        INPUT_PROVIDER,
        "Outrank.Synth.Input",
        "KeyDown",
        &[
            ("VirtualKey", Value::UInt32(CONTROL_KEY)),
            ("Name", Value::Text("Control".to_owned())),
        ],
    );
    let now = machine.now();
    let writer = machine.log().writer();
    let at = At::new(0, writer.session().start_ticks + now);
    writer.provider(at, by, &event)
}
