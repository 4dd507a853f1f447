//! `exit-storm`: a test suite runs 1000 processes and kills them all at once. Their exits queue behind the lock of the
//! window manager, and so does the thread that moves the mouse pointer. After the investigation "Uncalled function slows
//! down the program 5 times": with few processes that need the lock, the suite takes a fifth of the time.

use std::cell::RefCell;
use std::collections::VecDeque;
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
use crate::sim::process::{NewProcess, Process};
use crate::sim::thread::{Behaviour, Step, Thread, Turn};
use crate::truth::{ExitStormTruth, ExitTruth, HandedTruth, Truth};

const CPUS: u32 = 8;
const BUFFER_BYTES: u32 = 0x1_0000;
const WARM_UP: i64 = -SECOND / 10;
const PROCESSES: u32 = 1000;
const NS_PER_TICK: i64 = 100;

const CSRSS_PID: u32 = 620;
const EXPLORER_PID: u32 = 2100;
const RUNNER_PID: u32 = 5000;
const FIRST_PID: u32 = 10_000;
/// What it takes to create a process, to start in it, and to kill it.
const CREATE: i64 = 4_000;
const START_UP: i64 = 20_000;
const KILL: i64 = 30;
/// What a killed process does before its exit begins.
const BEFORE_EXIT: i64 = 40;
/// How long it holds the lock.
const LOCK_HELD: std::ops::Range<i64> = 15_000..21_000;
/// What a process cleans up before it needs the lock, and after.
const BEFORE_LOCK: i64 = 1_500;
const AFTER_LOCK: i64 = 400;
/// How often the pointer moves, and how long the lock is held for it.
const POINTER_EVERY: i64 = 16 * MS;
const POINTER_HOLDS: i64 = 300;

/// A lock that goes to whoever has waited longest.
#[derive(Default)]
struct Lock {
    holder: Option<Holder>,
    queue: VecDeque<Key<Thread>>,
    handed: Option<HandedTruth>,
}

#[derive(Clone, Copy)]
struct Holder {
    pid: u32,
}

/// What the threads of the suite share.
#[derive(Default)]
struct Suite {
    lock: Lock,
    runner: Option<Key<Thread>>,
    children: Vec<Key<Thread>>,
    exits: Vec<ExitTruth>,
    began: i64,
    done: Option<i64>,
    input_waited: i64,
}

type Shared = Rc<RefCell<Suite>>;

/// Writes the trace. The first `locked` processes need the lock to exit.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    locked: u32,
) -> Result<(W, Truth), WriteError> {
    let writer = options.writer(sink, CPUS, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let mut machine = Machine::new(writer, options.seed, WARM_UP);
    let suite = Shared::default();
    populate(&mut machine, &suite, locked);
    begin_trace(&mut machine)?;
    while suite.borrow().done.is_none() {
        let next = machine.now() + 10 * MS;
        machine.run_until(next)?;
    }
    let rest = machine.now() + 200 * MS;
    machine.run_until(rest)?;
    let end = end_trace(&mut machine)?;
    let (sink, written) = machine.finish(end)?;
    let end_ticks = session.start_ticks + end;
    let mut truth = Truth::new("exit-storm", options.seed, &session, end_ticks, &written);
    let suite = suite.take();
    truth.exit_storm = Some(ExitStormTruth {
        suite_ns: (suite.done.unwrap_or(suite.began) - suite.began) * NS_PER_TICK,
        exits: suite.exits,
        input_tid: EXPLORER_PID + 4,
        input_waited_ns: suite.input_waited * NS_PER_TICK,
    });
    Ok((sink, truth))
}

fn populate<W: Write + Seek>(machine: &mut Machine<W>, suite: &Shared, locked: u32) {
    add_idle_and_system(machine, CPUS);
    let mut add = |pid, image: &str, arguments: &str, behaviour, first| {
        let info = ProcessInfo {
            command_line: format!("{image}{arguments}"),
            session_id: 1,
            ..ProcessInfo::new(pid, 4, image)
        };
        let process = machine.add_process(Process::new(info));
        let info = ThreadInfo::new(pid, pid + 4, 8);
        machine.add_thread(Thread::new(process, info, behaviour), Some(first))
    };
    add(CSRSS_PID, "csrss.exe", "", Box::new(idle()), 5 * MS);
    let pointer = Box::new(pointer(Rc::clone(suite)));
    add(EXPLORER_PID, "explorer.exe", "", pointer, 7 * MS);
    let runner = Box::new(runner(Rc::clone(suite), locked));
    let arguments = " --jobs 1000 --suite process_create";
    let key = add(RUNNER_PID, "test_runner.exe", arguments, runner, 50 * MS);
    suite.borrow_mut().runner = Some(key);
}

fn idle() -> impl Behaviour {
    |_: Turn<'_>| Step::Wait(WaitReason::WrLpcReceive)
}

/// Creates the processes, gives them time to start, kills them all, and waits until the last has ended.
fn runner(suite: Shared, locked: u32) -> impl Behaviour {
    let mut steps: Box<dyn Iterator<Item = Step>> = Box::new(std::iter::empty());
    let mut phase = 0;
    move |Turn { now, .. }: Turn<'_>| {
        loop {
            if let Some(step) = steps.next() {
                return step;
            }
            phase += 1;
            let suite = Rc::clone(&suite);
            match phase {
                1 => {
                    suite.borrow_mut().began = now;
                    let create = move |index| {
                        let child = Box::new(child(index, index < locked, Rc::clone(&suite)));
                        [
                            Step::Run(CREATE),
                            Step::Create(Box::new(child_process(index, child))),
                        ]
                    };
                    steps = Box::new((0..PROCESSES).flat_map(create));
                }
                2 => return Step::Sleep(WaitReason::DelayExecution, 50 * MS),
                3 => {
                    let children = suite.borrow().children.clone();
                    let kill = |thread| {
                        [
                            Step::Run(KILL),
                            Step::Wake {
                                thread,
                                increment: 0,
                            },
                        ]
                    };
                    steps = Box::new(children.into_iter().flat_map(kill));
                }
                4 => return Step::Wait(WaitReason::UserRequest),
                _ => {
                    suite.borrow_mut().done.get_or_insert(now);
                    return Step::Wait(WaitReason::UserRequest);
                }
            }
        }
    }
}

fn child_process(index: u32, behaviour: Box<dyn Behaviour>) -> NewProcess {
    let pid = FIRST_PID + 8 * index;
    NewProcess {
        info: ProcessInfo {
            command_line: format!("test_child.exe --test-id {index}"),
            session_id: 1,
            ..ProcessInfo::new(pid, RUNNER_PID, "test_child.exe")
        },
        threads: vec![(ThreadInfo::new(pid, pid + 4, 8), behaviour)],
    }
}

/// Starts, waits to be killed, and cleans up: if `locked`, most of it while it holds the lock.
fn child(index: u32, locked: bool, suite: Shared) -> impl Behaviour {
    let pid = FIRST_PID + 8 * index;
    let mut phase = if locked { 0 } else { 100 };
    let mut began = 0;
    let mut handed = None;
    move |Turn { now, me, rng }: Turn<'_>| {
        let mut shared = suite.borrow_mut();
        phase += 1;
        match phase {
            1 | 101 => Step::Run(rng.within(START_UP / 2..START_UP)),
            2 | 102 => {
                shared.children.push(me);
                Step::Wait(WaitReason::UserRequest)
            }
            3 | 103 => Step::Run(BEFORE_EXIT),
            4 | 104 => {
                began = now;
                Step::BeginExit
            }
            5 | 105 => Step::Run(rng.within(BEFORE_LOCK / 2..BEFORE_LOCK)),
            6 => shared.lock.take(me, pid),
            7 => {
                handed = shared.lock.taken(pid);
                Step::Run(rng.within(LOCK_HELD))
            }
            8 => shared.lock.release(now),
            9 | 106 => Step::Run(rng.within(AFTER_LOCK / 2..AFTER_LOCK)),
            10 | 107 => {
                shared.exits.push(ExitTruth {
                    pid,
                    begin_ns: began * NS_PER_TICK,
                    end_ns: now * NS_PER_TICK,
                    handed,
                });
                match shared.runner {
                    Some(thread) if shared.exits.len() == PROCESSES as usize => Step::Wake {
                        thread,
                        increment: 1,
                    },
                    _ => Step::Exit,
                }
            }
            _ => Step::Exit,
        }
    }
}

/// Moves the pointer, for which it needs the lock too.
fn pointer(suite: Shared) -> impl Behaviour {
    let mut phase = 0;
    let mut asked = 0;
    move |Turn { now, me, .. }: Turn<'_>| {
        let mut shared = suite.borrow_mut();
        phase += 1;
        match phase {
            1 => {
                asked = now;
                shared.lock.take(me, EXPLORER_PID)
            }
            2 => {
                shared.lock.taken(EXPLORER_PID);
                shared.input_waited = shared.input_waited.max(now - asked);
                Step::Run(POINTER_HOLDS)
            }
            3 => shared.lock.release(now),
            _ => {
                phase = 0;
                Step::Sleep(WaitReason::UserRequest, POINTER_EVERY)
            }
        }
    }
}

impl Lock {
    /// Takes the lock, or waits until it is handed over.
    fn take(&mut self, me: Key<Thread>, pid: u32) -> Step {
        if self.holder.is_none() {
            self.holder = Some(Holder { pid });
            return Step::Run(0);
        }
        self.queue.push_back(me);
        Step::Wait(WaitReason::WrResource)
    }

    /// What is known of how the lock came to the thread of `pid`, which has it now.
    fn taken(&mut self, pid: u32) -> Option<HandedTruth> {
        self.holder = Some(Holder { pid });
        self.handed.take()
    }

    /// Hands the lock to who has waited longest.
    fn release(&mut self, now: i64) -> Step {
        let by = self.holder.take();
        let Some(thread) = self.queue.pop_front() else {
            return Step::Run(0);
        };
        self.handed = by.map(|Holder { pid }| HandedTruth {
            ns: now * NS_PER_TICK,
            by_pid: pid,
        });
        // It is the next one's from now on, though that does not run yet.
        self.holder = by;
        Step::Wake {
            thread,
            increment: 0,
        }
    }
}
