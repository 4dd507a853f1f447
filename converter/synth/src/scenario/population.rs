//! What the simulated scenarios share: the processes of every machine, and a trace from rundown to rundown.

use std::io::{Seek, Write};

use crate::events::process::ProcessInfo;
use crate::events::scheduler::WaitReason;
use crate::events::system::{CpuConfig, Extension, SCHEDULER_MASKS, ServiceConfig};
use crate::events::thread::ThreadInfo;
use crate::file::event::{Header, Origin};
use crate::file::writer::WriteError;
use crate::sim::arena::Key;
use crate::sim::machine::Machine;
use crate::sim::process::Process;
use crate::sim::thread::{Step, Thread, Turn};

const KERNEL_EVENT_VERSION: u32 = 0x50;

/// Adds the Idle process, whose threads (one a processor) all have id 0, and the System process; gives the latter.
pub fn add_idle_and_system<W: Write + Seek>(
    machine: &mut Machine<W>,
    cpu_count: u32,
) -> Key<Process> {
    let outside_sessions = |pid, image| ProcessInfo {
        session_id: u32::MAX,
        sid: None,
        ..ProcessInfo::new(pid, 0, image)
    };
    let idle = machine.add_process(Process::new(outside_sessions(0, "Idle")));
    for _ in 0..cpu_count {
        let never = Box::new(|_: Turn<'_>| Step::Wait(WaitReason::Executive));
        machine.add_thread(Thread::new(idle, ThreadInfo::new(0, 0, 0), never), None);
    }
    machine.add_process(Process::new(outside_sessions(4, "System")))
}

/// Warms up to time 0, writes the description of the machine and the first rundown, and turns logging on.
pub fn begin_trace<W: Write + Seek>(machine: &mut Machine<W>) -> Result<(), WriteError> {
    machine.run_until(0)?;
    extension(machine, 0, false)?;
    let (cpu_count, mhz) = {
        let session = machine.log().writer().session();
        (session.cpu_count, session.cpu_mhz)
    };
    let cpu = CpuConfig {
        mhz,
        cpu_count,
        memory_mib: 16_384,
        computer: "DESKTOP-OUTRANK".to_owned(),
    };
    let by = Header::System(origin(machine));
    machine.log().put_always(0, 0, by, &cpu)?;
    let done = machine.rundown(false)?;
    machine.run_until(done)?;
    machine.log().set_on(true);
    Ok(())
}

/// Logs which services run in which process, as the session does when it starts.
pub fn log_services<W: Write + Seek>(
    machine: &mut Machine<W>,
    services: &[ServiceConfig],
) -> Result<(), WriteError> {
    let now = machine.now();
    let by = Header::System(origin(machine));
    for service in services {
        machine.log().put_always(0, now, by, service)?;
    }
    Ok(())
}

/// Turns logging off, writes the last rundown, and says when it was done.
pub fn end_trace<W: Write + Seek>(machine: &mut Machine<W>) -> Result<i64, WriteError> {
    machine.log().set_on(false);
    let done = machine.rundown(true)?;
    extension(machine, done, true)?;
    Ok(done)
}

fn extension<W: Write + Seek>(
    machine: &mut Machine<W>,
    time: i64,
    end: bool,
) -> Result<(), WriteError> {
    let by = Header::System(origin(machine));
    let event = Extension {
        end,
        masks: SCHEDULER_MASKS,
        kernel_event_version: KERNEL_EVENT_VERSION,
    };
    machine.log().put_always(0, time, by, &event)
}

fn origin<W: Write + Seek>(machine: &mut Machine<W>) -> Origin {
    let (tid, pid) = machine.log().writer().session().origin;
    Origin { tid, pid }
}
