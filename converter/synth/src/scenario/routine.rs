//! `routine`: a small machine whose processes do the same all the time, with a change put in: two of them can be compared.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{Seek, Write};
use std::ops::Range;
use std::rc::Rc;

use clap::ValueEnum;

use super::Options;
use super::population::{add_idle_and_system, begin_trace, end_trace};
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

const CPUS: u32 = 4;
const BUFFER_BYTES: u32 = 0x1_0000;
const WARM_UP: i64 = -2 * SECOND;

/// What is another way than it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Change {
    /// Nothing.
    None,
    /// The workers of `app.exe` have rank 2.
    Rank,
    /// There is a `scanner.exe` too, which runs half of the time.
    Process,
    /// `broker.exe` waits twice as long for a disk before it answers.
    Lock,
    /// The workers of `app.exe` need a fifth more CPU time for the same.
    Slower,
    /// A processor is missing.
    Processor,
}

/// How long the routine goes on, and what is changed in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Routine {
    /// Length of the recording, in seconds.
    pub seconds: u32,
    /// The change.
    pub change: Change,
    /// How much of the change there is, in percent; a processor is missing or not.
    pub size_percent: u32,
    /// Runs and sleeps last nearly as long each time, so that a small change can be told.
    pub is_steady: bool,
    /// The process ids begin so much later, as after another boot; a multiple of 4.
    pub first_id: u32,
}

impl Routine {
    /// A length that is so long without the change and with all of it.
    fn part(&self, changed: Change, without: i64, with: i64) -> i64 {
        if self.change == changed {
            without + (with - without) * i64::from(self.size_percent) / 100
        } else {
            without
        }
    }

    /// The lengths that something takes: of a steady machine the middle tenth of them.
    fn lengths(&self, lengths: Range<i64>) -> Range<i64> {
        if !self.is_steady {
            return lengths;
        }
        let middle = i64::midpoint(lengths.start, lengths.end);
        let far = (lengths.end - lengths.start) / 20;
        middle - far..middle + far
    }
}

/// Writes the trace.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    routine: Routine,
) -> Result<(W, Truth), WriteError> {
    let cpus = CPUS - u32::from(routine.change == Change::Processor);
    let writer = options.writer(sink, cpus, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let mut machine = Machine::new(writer, options.seed, WARM_UP);
    add_idle_and_system(&mut machine, cpus);
    set(&mut machine, options.seed, &routine);
    begin_trace(&mut machine)?;
    machine.run_until(i64::from(routine.seconds) * SECOND)?;
    let end = end_trace(&mut machine)?;
    let (sink, written) = machine.finish(end)?;
    let end_ticks = session.start_ticks + end;
    Ok((
        sink,
        Truth::new("routine", options.seed, &session, end_ticks, &written),
    ))
}

/// Threads that wait for an answer, oldest first.
type Requests = Rc<RefCell<VecDeque<Key<Thread>>>>;

fn set<W: Write + Seek>(machine: &mut Machine<W>, seed: u64, routine: &Routine) {
    let Routine {
        change, first_id, ..
    } = *routine;
    let mut rng = Rng::new(seed);
    let mut next_id = 1000 + first_id;
    let mut process = |machine: &mut Machine<W>, image: &str, parent: u32| {
        next_id += 100;
        let info = ProcessInfo {
            session_id: 1,
            command_line: format!("\"C:\\Programs\\{image}\" --log C:\\Temp\\{next_id}.log"),
            ..ProcessInfo::new(next_id, parent, image)
        };
        (machine.add_process(Process::new(info)), next_id)
    };
    let mut thread = |machine: &mut Machine<W>,
                      (process, pid): (Key<Process>, u32),
                      (number, name, priority, rank): (u32, &str, u8, u8),
                      behaviour: Box<dyn Behaviour>| {
        let info = ThreadInfo {
            name: Some(name.to_owned()),
            ..ThreadInfo::new(pid, pid + 4 + 4 * number, priority)
        };
        let first = rng.within(WARM_UP..WARM_UP + SECOND);
        let mut thread = Thread::new(process, info, behaviour);
        thread.rank = rank;
        machine.add_thread(thread, Some(first))
    };
    let shell = process(machine, "shell.exe", 4);
    let broker = process(machine, "broker.exe", shell.1);
    let app = process(machine, "app.exe", shell.1);
    let indexer = process(machine, "indexer.exe", shell.1);
    let compiler = process(machine, "compiler.exe", shell.1);

    let requests = Requests::default();
    let disk = routine.part(Change::Lock, 4 * MS, 8 * MS);
    let answers = Box::new(broker_thread(
        requests.clone(),
        routine.lengths(disk / 2..disk),
    ));
    let server = thread(machine, broker, (0, "Broker", 9, 0), answers);
    let asks = Box::new(client(server, requests, routine));
    thread(machine, app, (0, "Interface", 10, 0), asks);
    let slower = |length| routine.part(Change::Slower, length, length * 6 / 5);
    let work = slower(5 * MS)..slower(30 * MS);
    let rank = if change == Change::Rank { 2 } else { 0 };
    for number in 1..4 {
        let works = periodic(routine, work.clone(), 10 * MS..60 * MS);
        let works: Box<dyn Behaviour> = if rank > 0 && routine.size_percent < 100 {
            Box::new(ranked(works, rank, routine.size_percent))
        } else {
            Box::new(works)
        };
        thread(machine, app, (number, "Worker", 8, rank), works);
    }
    for number in 0..2 {
        let indexes = Box::new(periodic(routine, 4 * MS..40 * MS, 10 * MS..80 * MS));
        thread(machine, indexer, (number, "Index", 9, 0), indexes);
    }
    for number in 0..3 {
        let compiles = Box::new(periodic(routine, 10 * MS..50 * MS, 5 * MS..50 * MS));
        thread(machine, compiler, (number, "Compile", 7, 0), compiles);
    }
    if change == Change::Process {
        let scanner = process(machine, "scanner.exe", shell.1);
        // Of all runs and sleeps together the runs have this part of a half.
        let runs = |length: i64| length * i64::from(routine.size_percent) / 100;
        let sleeps = |length: i64| 2 * length - runs(length);
        let scans = Box::new(periodic(
            routine,
            runs(5 * MS)..runs(20 * MS),
            sleeps(5 * MS)..sleeps(20 * MS),
        ));
        thread(machine, scanner, (0, "Scan", 8, 0), scans);
    }
}

/// Runs and sleeps, again and again, for any time of these ranges.
fn periodic(routine: &Routine, run: Range<i64>, sleep: Range<i64>) -> impl Behaviour + use<> {
    let (run, sleep) = (routine.lengths(run), routine.lengths(sleep));
    let mut awake = false;
    move |Turn { rng, .. }: Turn<'_>| {
        awake = !awake;
        if awake {
            Step::Run(rng.within(run.clone()))
        } else {
            Step::Sleep(WaitReason::UserRequest, rng.within(sleep.clone()))
        }
    }
}

/// The same, but before each of so many sleeps of a hundred the thread has this rank until the next.
fn ranked(mut of: impl Behaviour, rank: u8, percent: u32) -> impl Behaviour {
    let mut next: Option<Step> = None;
    move |Turn { now, me, rng }: Turn<'_>| {
        if let Some(step) = next.take() {
            return step;
        }
        let step = of.next(Turn { now, me, rng });
        if !matches!(step, Step::Sleep(..)) {
            return step;
        }
        next = Some(step);
        Step::Rank(if rng.below(100) < percent { rank } else { 0 })
    }
}

/// Waits for requests; answers each after a short run and a wait for a disk of such a length.
fn broker_thread(requests: Requests, disk: Range<i64>) -> impl Behaviour {
    let mut served: Option<Key<Thread>> = None;
    let mut has_read = false;
    move |Turn { rng, .. }: Turn<'_>| {
        if has_read {
            has_read = false;
            if let Some(thread) = served.take() {
                return Step::Wake {
                    thread,
                    increment: 1,
                };
            }
        }
        if served.is_some() {
            has_read = true;
            return Step::Sleep(WaitReason::Executive, rng.within(disk.clone()));
        }
        served = requests.borrow_mut().pop_front();
        match served {
            Some(_) => Step::Run(rng.within(1_000..4_000)),
            None => Step::Wait(WaitReason::WrLpcReceive),
        }
    }
}

/// Works, asks a server and waits for its answer, works again and sleeps.
fn client(server: Key<Thread>, requests: Requests, routine: &Routine) -> impl Behaviour + use<> {
    let (work, sleep) = (
        routine.lengths(500..10_000),
        routine.lengths(5 * MS..30 * MS),
    );
    let mut stage = 0;
    move |Turn { me, rng, .. }: Turn<'_>| {
        stage = (stage + 1) % 5;
        match stage {
            1 | 4 => Step::Run(rng.within(work.clone())),
            2 => {
                requests.borrow_mut().push_back(me);
                Step::Wake {
                    thread: server,
                    increment: 1,
                }
            }
            3 => Step::Wait(WaitReason::WrLpcReply),
            _ => Step::Sleep(WaitReason::UserRequest, rng.within(sleep.clone())),
        }
    }
}
