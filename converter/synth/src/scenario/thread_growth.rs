//! `thread-growth`: a server makes threads, and for each csrss walks the list of all that there are. After the
//! investigation "Scalability issues in CSRSS": each creation takes longer than the one before, all together O(n²).

use std::cell::Cell;
use std::io::{Seek, Write};
use std::rc::Rc;

use super::Options;
use super::population::{add_idle_and_system, begin_trace, end_trace};
use crate::events::process::ProcessInfo;
use crate::events::scheduler::WaitReason;
use crate::events::thread::ThreadInfo;
use crate::file::writer::WriteError;
use crate::sim::arena::Key;
use crate::sim::machine::{MS, Machine, SECOND};
use crate::sim::process::Process;
use crate::sim::thread::{Behaviour, Step, Thread, Turn};
use crate::truth::{ThreadGrowthTruth, Truth};

const CPUS: u32 = 4;
const BUFFER_BYTES: u32 = 0x1_0000;
const WARM_UP: i64 = -SECOND / 10;
const NS_PER_TICK: i64 = 100;
const CSRSS_PID: u32 = 620;
const SERVER_PID: u32 = 4000;
const FIRST_TID: u32 = 10_000;
/// What a creation takes in the server, and in csrss without the walk.
const IN_SERVER: i64 = 300;
const IN_CSRSS: i64 = 100;
/// What a new thread does before it waits for work.
const FIRST_RUN: i64 = 50;

/// How many threads are made, and what each costs more than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    /// Threads to make.
    pub threads: u32,
    /// What csrss takes for each thread that there is, in ns.
    pub slope_ns: u32,
}

/// Writes the trace.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    growth: Growth,
) -> Result<(W, Truth), WriteError> {
    let writer = options.writer(sink, CPUS, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let mut machine = Machine::new(writer, options.seed, WARM_UP);
    let made = populate(&mut machine, growth);
    begin_trace(&mut machine)?;
    while made.get() < growth.threads {
        let next = machine.now() + 10 * MS;
        machine.run_until(next)?;
    }
    let end = end_trace(&mut machine)?;
    let (sink, written) = machine.finish(end)?;
    let end_ticks = session.start_ticks + end;
    let mut truth = Truth::new("thread-growth", options.seed, &session, end_ticks, &written);
    truth.thread_growth = Some(ThreadGrowthTruth {
        pid: SERVER_PID,
        threads: growth.threads,
        base_ns: (IN_SERVER + IN_CSRSS) * NS_PER_TICK,
        slope_ns: i64::from(growth.slope_ns),
    });
    Ok((sink, truth))
}

/// Puts the server and csrss on the machine; gives the number of threads made.
fn populate<W: Write + Seek>(machine: &mut Machine<W>, growth: Growth) -> Rc<Cell<u32>> {
    add_idle_and_system(machine, CPUS);
    let made = Rc::new(Cell::new(0));
    let waiting = Rc::new(Cell::new(None));
    let mut add = |pid, image: &str, behaviour, first| {
        let info = ProcessInfo {
            command_line: image.to_owned(),
            session_id: 1,
            ..ProcessInfo::new(pid, 4, image)
        };
        let process = machine.add_process(Process::new(info));
        let info = ThreadInfo::new(pid, pid + 4, 8);
        machine.add_thread(Thread::new(process, info, behaviour), first)
    };
    let walker = walker(Rc::clone(&made), Rc::clone(&waiting), growth.slope_ns);
    let csrss = add(CSRSS_PID, "csrss.exe", Box::new(walker), None);
    let maker = maker(Rc::clone(&made), waiting, csrss, growth.threads);
    add(SERVER_PID, "server.exe", Box::new(maker), Some(10 * MS));
    made
}

/// Who waits for the answer of csrss.
type Waiting = Rc<Cell<Option<Key<Thread>>>>;

/// Makes threads, and asks csrss about each.
fn maker(
    made: Rc<Cell<u32>>,
    waiting: Waiting,
    csrss: Key<Thread>,
    threads: u32,
) -> impl Behaviour {
    let mut phase = 0;
    move |Turn { me, .. }: Turn<'_>| {
        if made.get() >= threads {
            return Step::Wait(WaitReason::UserRequest);
        }
        phase = phase % 4 + 1;
        match phase {
            1 => Step::Run(IN_SERVER),
            2 => {
                waiting.set(Some(me));
                Step::Wake {
                    thread: csrss,
                    increment: 0,
                }
            }
            3 => Step::Wait(WaitReason::WrLpcReply),
            _ => {
                let index = made.replace(made.get() + 1);
                let info = ThreadInfo::new(SERVER_PID, FIRST_TID + 4 * index, 8);
                Step::CreateThread(Box::new((info, Box::new(worker()))))
            }
        }
    }
}

/// Walks the list of threads for each that asks.
fn walker(made: Rc<Cell<u32>>, waiting: Waiting, slope_ns: u32) -> impl Behaviour {
    let mut walked = false;
    move |_: Turn<'_>| {
        if walked {
            walked = false;
            if let Some(thread) = waiting.take() {
                return Step::Wake {
                    thread,
                    increment: 0,
                };
            }
        }
        if waiting.get().is_none() {
            return Step::Wait(WaitReason::WrLpcReceive);
        }
        walked = true;
        Step::Run(IN_CSRSS + i64::from(made.get()) * i64::from(slope_ns) / NS_PER_TICK)
    }
}

/// Starts, and waits for work that never comes.
fn worker() -> impl Behaviour {
    let mut started = false;
    move |_: Turn<'_>| {
        if std::mem::replace(&mut started, true) {
            Step::Wait(WaitReason::WrQueue)
        } else {
            Step::Run(FIRST_RUN)
        }
    }
}
