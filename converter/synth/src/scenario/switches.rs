//! `switches`: the benchmark's load. On 16 processors, 3000 threads of 200 processes make about 90 000 context switches
//! a second with 0.62 ready events a switch; 32 % of the switches are to the idle thread. More threads share the same work.

use std::io::{Seek, Write};
use std::rc::Rc;

use super::population::{add_idle_and_system, begin_trace, end_trace};
use super::{Load, Options};
use crate::events::process::ProcessInfo;
use crate::events::scheduler::WaitReason;
use crate::events::thread::ThreadInfo;
use crate::file::writer::WriteError;
use crate::sim::arena::Key;
use crate::sim::machine::{MS, Machine, SECOND};
use crate::sim::process::Process;
use crate::sim::rng::Rng;
use crate::sim::thread::{Behaviour, Step, Thread, Turn};
use crate::truth::Truth;

const PROCESSES: u32 = 200;
/// Threads of the load, where no other number is asked for.
pub const THREADS: u32 = 3000;
/// One in so many threads is a server; the others are clients.
const SERVERS_ONE_IN: u32 = 3;
const WARM_UP: i64 = -2 * SECOND;
/// Mean sleep of a client of [`CLIENTS_OF_SLEEP`] on a machine with one processor.
const SLEEP_ON_ONE_CPU: i64 = 1_115 * MS;
const CLIENTS_OF_SLEEP: i64 = 2000;
/// One in so many clients changes its rank, each time after so many turns: 0, 1, 2 and 0 again.
const RANKED_ONE_IN: u32 = 50;
const TURNS_AT_A_RANK: u32 = 16;
/// Share of threads with a priority above normal, which preempt the others.
const RAISED_PERCENT: i64 = 22;
const MEAN_RUN: i64 = 1_960;

/// Writes the trace, of [`THREADS`] threads.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    load: Load,
) -> Result<(W, Truth), WriteError> {
    write_of_threads(sink, options, load, THREADS)
}

/// Writes the trace with so many threads, 3 at least; memory does not grow with the number of switches.
///
/// # Errors
/// Fails if the sink fails.
pub fn write_of_threads<W: Write + Seek>(
    sink: W,
    options: Options,
    load: Load,
    threads: u32,
) -> Result<(W, Truth), WriteError> {
    let writer = options.writer(sink, load.cpu_count, 0x1_0000)?;
    let session = writer.session().clone();
    let mut machine = Machine::new(writer, options.seed, WARM_UP);
    populate(&mut machine, load.cpu_count, threads, options.seed);
    machine.limit_switches(load.count);
    begin_trace(&mut machine)?;
    machine.run_until(i64::MAX)?;
    let end = end_trace(&mut machine)?;
    let (sink, written) = machine.finish(end)?;
    Ok((
        sink,
        Truth::new(
            "switches",
            options.seed,
            &session,
            session.start_ticks + end,
            &written,
        ),
    ))
}

fn populate<W: Write + Seek>(machine: &mut Machine<W>, cpu_count: u32, threads: u32, seed: u64) {
    let mut rng = Rng::new(seed ^ 0x5EED);
    add_idle_and_system(machine, cpu_count);
    let processes: Vec<_> = (0..PROCESSES)
        .map(|index| {
            let pid = 400 + index * 64;
            let image = format!("worker{index:03}.exe");
            let command_line = format!("\"C:\\Bench\\{image}\" --slot {index}");
            let info = ProcessInfo {
                command_line,
                session_id: 1,
                ..ProcessInfo::new(pid, 4, &image)
            };
            (machine.add_process(Process::new(info)), pid)
        })
        .collect();
    let mut owners = processes.iter().cycle();
    let mut next_tid = 20_000;
    let mut thread_of = |rng: &mut Rng| {
        next_tid += 4;
        let (process, pid) = owners.next()?;
        let priority = if rng.within(0..100) < RAISED_PERCENT {
            9
        } else {
            8
        };
        Some((*process, ThreadInfo::new(*pid, next_tid, priority)))
    };
    let mut servers = Vec::new();
    let server_count = threads / SERVERS_ONE_IN;
    for _ in 0..server_count {
        let Some((process, info)) = thread_of(&mut rng) else {
            continue;
        };
        servers.push(machine.add_thread(Thread::new(process, info, Box::new(server())), None));
    }
    let servers = Rc::new(servers);
    let client_count = threads - server_count;
    let sleep = SLEEP_ON_ONE_CPU * i64::from(client_count)
        / CLIENTS_OF_SLEEP
        / i64::from(load_divisor(cpu_count));
    for index in 0..client_count {
        let Some((process, info)) = thread_of(&mut rng) else {
            continue;
        };
        let first = WARM_UP + rng.within(0..sleep);
        let behaviour = Box::new(client(
            Rc::clone(&servers),
            sleep,
            index % RANKED_ONE_IN == 0,
        ));
        machine.add_thread(Thread::new(process, info, behaviour), Some(first));
    }
}

const fn load_divisor(cpu_count: u32) -> u32 {
    if cpu_count == 0 { 1 } else { cpu_count }
}

/// Serves one request each time it is woken.
fn server() -> impl Behaviour {
    let mut served = true;
    move |Turn { rng, .. }: Turn<'_>| {
        served = !served;
        if served {
            Step::Wait(WaitReason::WrQueue)
        } else {
            Step::Run(rng.exponential(MEAN_RUN))
        }
    }
}

/// Works, wakes a server, works again and sleeps.
fn client(servers: Rc<Vec<Key<Thread>>>, sleep: i64, is_ranked: bool) -> impl Behaviour {
    let mut turn = 0;
    let mut rank = 0;
    move |Turn { rng, .. }: Turn<'_>| {
        if is_ranked && turn == 4 * TURNS_AT_A_RANK {
            turn = 0;
            rank = (rank + 1) % 3;
            return Step::Rank(rank);
        }
        turn += 1;
        let server_count = servers.len().max(1) as u64;
        let server = servers.get(usize::try_from(rng.bits() % server_count).unwrap_or(0));
        match (turn % 4, server) {
            (1, _) => Step::Run(rng.exponential(MEAN_RUN)),
            (2, Some(server)) => Step::Wake {
                thread: *server,
                increment: 0,
            },
            (3, _) => Step::Run(rng.exponential(MEAN_RUN / 4)),
            _ => Step::Sleep(WaitReason::DelayExecution, rng.exponential(sleep)),
        }
    }
}
