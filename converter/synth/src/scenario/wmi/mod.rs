//! `wmi`: a thread of the WMI service holds a lock for 41.57 s. Its release wakes a chain of threads through svchosts,
//! with a DPC in the middle, and the last of them sets hundreds of threads of over 100 processes free.

mod cast;
mod chain;
mod roles;
mod stage;
mod story;

use std::io::{Seek, Write};

use self::chain::{ASKER, CHAIN, HOLDER};
use self::stage::{Host, Stage, wake};
use super::Options;
use super::population::{begin_trace, end_trace, log_services};
use super::script::Script;
use crate::events::scheduler::WaitReason;
use crate::events::system::ServiceConfig;
use crate::file::writer::WriteError;
use crate::sim::arena::Key;
use crate::sim::machine::{Machine, SECOND};
use crate::sim::thread::{Step, Thread};
use crate::truth::{LinkTruth, ReleaseTruth, Truth};

const CPUS: u32 = 8;
const BUFFER_BYTES: u32 = 0x1_0000;
const WARM_UP: i64 = -2 * SECOND;
/// Threads of the holder's own process that wait for the lock too, in addition to the first of the chain.
const QUEUE: usize = 24;
/// Priority of the chain's threads.
const PRIORITY: u8 = 9;
/// Priority of the thread that tells all others, so that its run is not broken into.
const TELLER_PRIORITY: u8 = 13;

/// Writes the trace.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(sink: W, options: Options) -> Result<(W, Truth), WriteError> {
    let writer = options.writer(sink, CPUS, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let mut machine = Machine::new(writer, options.seed, WARM_UP);
    let Set { services, release } = set(&mut machine);
    begin_trace(&mut machine)?;
    log_services(&mut machine, &services)?;
    machine.run_until(story::END)?;
    let end = end_trace(&mut machine)?;
    let (sink, written) = machine.finish(end)?;
    let end_ticks = session.start_ticks + end;
    let truth = Truth::new("wmi", options.seed, &session, end_ticks, &written);
    Ok((sink, Truth { release, ..truth }))
}

struct Set {
    services: Vec<ServiceConfig>,
    release: Option<ReleaseTruth>,
}

/// Puts every thread on the machine; those of the chain last to first, since each must know whom it wakes.
fn set<W: Write + Seek>(machine: &mut Machine<W>) -> Set {
    let mut stage = Stage::new(machine, CPUS);
    let mut chain = Vec::new();
    let mut next: Vec<Key<Thread>> = std::mem::take(&mut stage.told);
    for (index, link) in CHAIN.iter().enumerate().rev() {
        let Some(host) = stage.host(link.host) else {
            continue;
        };
        if index == 0 {
            next.extend(queue(&mut stage, host));
        }
        let mut then = vec![Step::Run(link.work)];
        if link.disk > 0 {
            then.push(Step::Sleep(WaitReason::Executive, link.disk));
            then.push(Step::Run(link.work));
        }
        then.extend(std::mem::take(&mut next).into_iter().flat_map(wake));
        let is_last = index + 1 == CHAIN.len();
        let priority = if is_last { TELLER_PRIORITY } else { PRIORITY };
        let (key, tid) = stage.add_freed(host, priority, link.reason, then);
        next = vec![key];
        chain.push(truth_of(host, tid, link.disk > 0));
    }
    chain.reverse();
    let holder = hold(&mut stage, next);
    Set {
        release: holder.map(|holder| ReleaseTruth {
            holder,
            taken_ns: story::TAKEN * 100,
            released_ns: story::RELEASED * 100,
            held_ns: story::HELD * 100,
            chain,
            threads: stage.freed.threads,
            processes: stage.freed.pids.len(),
        }),
        services: stage.services,
    }
}

/// The other threads that wait for the lock: each wakes two more. Gives the first two.
fn queue<W: Write + Seek>(stage: &mut Stage<'_, W>, host: Host) -> Vec<Key<Thread>> {
    let mut keys: Vec<Option<Key<Thread>>> = vec![None; QUEUE];
    for index in (0..QUEUE).rev() {
        let children = [2 * index + 2, 2 * index + 3]
            .into_iter()
            .filter_map(|child| keys.get(child).copied().flatten());
        let work = stage.rng.within(300..2_500);
        let then = [Step::Run(work)]
            .into_iter()
            .chain(children.flat_map(wake))
            .collect();
        let (key, _) = stage.add_freed(host, PRIORITY, WaitReason::WrAlertByThreadId, then);
        if let Some(place) = keys.get_mut(index) {
            *place = Some(key);
        }
    }
    keys.into_iter().take(2).flatten().collect()
}

/// Adds the thread that holds the lock and wakes `next`, and the one that asks it for the work. Answers the truth about
/// the former.
fn hold<W: Write + Seek>(stage: &mut Stage<'_, W>, next: Vec<Key<Thread>>) -> Option<LinkTruth> {
    let host = stage.host(HOLDER)?;
    let mut steps = vec![
        Step::Run(2_000),
        Step::Wait(WaitReason::WrLpcReceive),
        Step::RunUntil(story::TAKEN),
        Step::RunUntil(story::RELEASED),
    ];
    steps.extend(next.into_iter().flat_map(wake));
    steps.push(Step::Run(4_000));
    let (holder, tid) = stage.add_thread(host, PRIORITY, Script::new(steps), Some(SECOND));
    let asked = story::TAKEN - story::ASKED_BEFORE;
    let asker = [
        Step::SleepUntil(WaitReason::UserRequest, asked - 3_000),
        Step::RunUntil(asked),
    ]
    .into_iter()
    .chain(wake(holder));
    let asker_host = stage.host(ASKER)?;
    stage.add_thread(asker_host, PRIORITY, Script::new(asker), Some(SECOND));
    Some(truth_of(host, tid, false))
}

fn truth_of(host: Host, tid: u32, waits_for_disk: bool) -> LinkTruth {
    LinkTruth {
        tid,
        pid: host.pid,
        process: host.image.to_owned(),
        service: host.service.map(str::to_owned),
        waits_for_disk,
    }
}
