//! `verdicts`: on two processors, a ready wait for each reason that there is, one each 100 ms, and the truth of all. The
//! process tells the reason: `priority.exe` waits because of priority.

use std::io::{Seek, Write};
use std::ops::Range;

use super::Options;
use super::population::{add_idle_and_system, begin_trace, end_trace};
use super::script::Script;
use crate::events::desktop::{focus, freeze, thaw};
use crate::events::interrupt::InterruptKind;
use crate::events::manifest::ManifestEvent;
use crate::events::power::{PostSleep, PreSleep};
use crate::events::process::ProcessInfo;
use crate::events::scheduler::WaitReason::{self, UserRequest};
use crate::events::thread::ThreadInfo;
use crate::file::event::{At, Header, KernelEvent, Origin};
use crate::file::writer::WriteError;
use crate::sim::arena::Key;
use crate::sim::machine::{Interrupt, MS, Machine};
use crate::sim::process::{NewProcess, Process};
use crate::sim::thread::{Behaviour, Step, Thread};
use crate::sim::watch::Why;
use crate::truth::{Truth, WaitTruth};

const CPUS: u32 = 2;
const BUFFER_BYTES: u32 = 0x1_0000;
const END: i64 = 1_600 * MS;
const COUNTER_HZ: i64 = 10_000_000;
const SESSION: u32 = 1;
const DRIVER_ROUTINE: u64 = 0xFFFF_F800_1000_0000;
/// Of the thread that keeps processors busy, and of what freezes processes and moves the focus.
const BUSY: Origin = Origin {
    tid: 1_004,
    pid: 1_000,
};
/// How long each of the waiting threads runs.
const RUN: Step = Step::Run(MS);

/// Process id and image of those that wait; the thread's id is the next one, four higher.
const RANK: (u32, &str) = (2_000, "rank.exe");
const PRIORITY: (u32, &str) = (2_100, "priority.exe");
const AFFINITY: (u32, &str) = (2_200, "affinity.exe");
const DPC: (u32, &str) = (2_300, "dpc.exe");
const FROZEN: (u32, &str) = (2_400, "frozen.exe");
const SWAPPED: (u32, &str) = (2_500, "swapped.exe");
const IDLE_WAKE: (u32, &str) = (2_600, "idle-wake.exe");
const UNEXPLAINED: (u32, &str) = (2_700, "unexplained.exe");
const PREEMPTING: (u32, &str) = (2_800, "preempting.exe");
const OVERTAKEN: (u32, &str) = (2_900, "overtaken.exe");
const REUSED: (u32, &str) = (3_000, "reused.exe");
const MIXED: (u32, &str) = (3_100, "mixed.exe");
const REUSER: (u32, &str) = (3_008, "reuser.exe");
const WAITERS: [(u32, &str); 13] = [
    RANK,
    PRIORITY,
    AFFINITY,
    DPC,
    FROZEN,
    SWAPPED,
    IDLE_WAKE,
    UNEXPLAINED,
    PREEMPTING,
    OVERTAKEN,
    REUSED,
    REUSER,
    MIXED,
];

/// Writes the trace.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(sink: W, options: Options) -> Result<(W, Truth), WriteError> {
    let writer = options.writer(sink, CPUS, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let mut machine = Machine::new(writer, options.seed, -MS);
    add_idle_and_system(&mut machine, CPUS);
    let mut stage = Stage::new(machine);
    stage.set();
    begin_trace(&mut stage.machine)?;
    stage.play()?;
    stage.machine.run_until(END)?;
    let end = end_trace(&mut stage.machine)?;
    let waits = stage.machine.watched().waits().iter();
    let waits = waits
        .filter_map(|wait| {
            let (_, image) = WAITERS.iter().find(|(pid, _)| *pid == wait.thread.1)?;
            WaitTruth::new(&session, image, wait)
        })
        .collect();
    let (sink, written) = stage.machine.finish(end)?;
    let end_ticks = session.start_ticks + end;
    let truth = Truth::new("verdicts", options.seed, &session, end_ticks, &written);
    Ok((sink, Truth { waits, ..truth }))
}

struct Stage<W> {
    machine: Machine<W>,
    busy: Key<Process>,
    busy_threads: u32,
    held: Vec<(Key<Thread>, Held)>,
}

/// When and why a thread is kept from all processors.
struct Held {
    from: i64,
    until: i64,
    why: Why,
    /// The process that is frozen meanwhile, and said to be.
    frozen: Option<u32>,
}

impl<W: Write + Seek> Stage<W> {
    fn new(mut machine: Machine<W>) -> Self {
        let busy = machine.add_process(Process::new(process(BUSY.pid, "busy.exe")));
        Self {
            machine,
            busy,
            busy_threads: 0,
            held: Vec::new(),
        }
    }

    fn set(&mut self) {
        let rank_steps = [
            RUN,
            sleep_until(50),
            Step::Rank(2),
            RUN,
            sleep_until(110),
            RUN,
            sleep_until(1_300),
            Step::Rank(0),
            RUN,
        ];
        self.waiter(RANK, (14, None), 20, rank_steps);
        self.keep_busy(4, 100..160);

        self.waiter(PRIORITY, (8, None), 210, [RUN]);
        self.keep_busy(12, 200..250);

        self.waiter(AFFINITY, (8, Some(0)), 310, [RUN]);
        self.keep_cpu_busy(0, 12, 300..350);

        self.waiter(DPC, (8, None), 410, [RUN]);
        self.machine.add_interrupt(Interrupt {
            cpu: 0,
            time: 409 * MS,
            ticks: 8 * MS,
            kind: InterruptKind::Dpc,
            routine: DRIVER_ROUTINE,
        });

        let frozen = self.waiter(FROZEN, (8, None), 510, [RUN]);
        self.hold(frozen, 505..530, Why::Frozen, Some(FROZEN.0));

        let swapped = self.waiter(SWAPPED, (8, None), 610, [RUN]);
        self.hold(swapped, 605..615, Why::SwappedOut, None);

        self.waiter(IDLE_WAKE, (8, None), 710, [RUN]);

        let unexplained = self.waiter(UNEXPLAINED, (8, None), 810, [RUN]);
        self.hold(unexplained, 805..840, Why::NotExplained, None);

        self.waiter(PREEMPTING, (8, None), 910, [RUN]);
        self.keep_busy(4, 900..930);

        let steps = [RUN, Step::WaitOvertaken(UserRequest), RUN];
        self.waiter(OVERTAKEN, (8, None), 1_010, steps);

        self.waiter(REUSED, (8, None), 1_102, [RUN, Step::Exit]);
        self.keep_busy(12, 1_115..1_160);
        let create = Step::Create(Box::new(NewProcess {
            info: process(REUSER.0, REUSER.1),
            threads: vec![(
                ThreadInfo::new(REUSER.0, REUSED.0 + 4, 8),
                Box::new(Script::new([RUN])) as Box<dyn Behaviour>,
            )],
        }));
        self.busy_thread((13, None), 1_120, [RUN, create]);

        let mixed = self.waiter(MIXED, (8, None), 1_210, [RUN]);
        self.keep_busy(12, 1_200..1_250);
        self.hold(mixed, 1_205..1_220, Why::Frozen, Some(MIXED.0));
    }

    /// A thread that is woken by a timer; its priority, and the processor that it is bound to.
    fn waiter(
        &mut self,
        (pid, image): (u32, &str),
        (priority, bound_to): (u8, Option<u16>),
        wake_ms: i64,
        steps: impl IntoIterator<Item = Step>,
    ) -> Key<Thread> {
        self.machine.watch(pid + 4);
        let process = self.machine.add_process(Process::new(process(pid, image)));
        let info = ThreadInfo::new(pid, pid + 4, priority);
        self.thread(process, info, bound_to, wake_ms, steps)
    }

    fn thread(
        &mut self,
        process: Key<Process>,
        info: ThreadInfo,
        bound_to: Option<u16>,
        wake_ms: i64,
        steps: impl IntoIterator<Item = Step>,
    ) -> Key<Thread> {
        let mut thread = Thread::new(process, info, Box::new(Script::new(steps)));
        thread.ideal_cpu = 0;
        thread.allowed = bound_to.map(|cpu| 1 << cpu);
        self.machine.add_thread(thread, Some(wake_ms * MS))
    }

    /// Keeps both processors busy for so many ms.
    fn keep_busy(&mut self, priority: u8, ms: Range<i64>) {
        self.keep_cpu_busy(0, priority, ms.clone());
        self.keep_cpu_busy(1, priority, ms);
    }

    fn keep_cpu_busy(&mut self, cpu: u16, priority: u8, ms: Range<i64>) {
        let steps = [Step::RunUntil(ms.end * MS)];
        self.busy_thread((priority, Some(cpu)), ms.start, steps);
    }

    fn busy_thread(
        &mut self,
        (priority, bound_to): (u8, Option<u16>),
        wake_ms: i64,
        steps: impl IntoIterator<Item = Step>,
    ) {
        let tid = BUSY.tid + 4 * self.busy_threads;
        self.busy_threads += 1;
        let info = ThreadInfo::new(BUSY.pid, tid, priority);
        self.thread(self.busy, info, bound_to, wake_ms, steps);
    }

    fn hold(&mut self, thread: Key<Thread>, ms: Range<i64>, why: Why, frozen: Option<u32>) {
        let held = Held {
            from: ms.start * MS,
            until: ms.end * MS,
            why,
            frozen,
        };
        self.held.push((thread, held));
    }

    /// Lets time pass, and does what the machine does not do by itself.
    fn play(&mut self) -> Result<(), WriteError> {
        self.provider_event(30, &focus(SESSION, 0, BUSY.pid))?;
        self.provider_event(40, &focus(SESSION, BUSY.pid, RANK.0))?;
        self.provider_event(70, &focus(SESSION, RANK.0, BUSY.pid))?;
        for (thread, held) in std::mem::take(&mut self.held) {
            self.machine.run_until(held.from)?;
            self.machine.hold(thread, held.why);
            if let Some(pid) = held.frozen {
                self.provider_event(held.from / MS, &freeze(pid))?;
            }
            self.machine.run_until(held.until)?;
            if let Some(pid) = held.frozen {
                self.provider_event(held.until / MS, &thaw(pid))?;
            }
            self.machine.release(thread)?;
        }
        self.provider_event(1_260, &freeze(RANK.0))?;
        self.provider_event(1_280, &thaw(RANK.0))?;
        let (counter, hz) = (1_400 * MS, COUNTER_HZ);
        self.kernel_event(1_400, &PreSleep { counter, hz })?;
        let counter = 1_450 * MS;
        self.kernel_event(1_450, &PostSleep { counter })
    }

    fn provider_event(&mut self, ms: i64, event: &ManifestEvent) -> Result<(), WriteError> {
        self.machine.run_until(ms * MS)?;
        let now = self.machine.now();
        let writer = self.machine.log().writer();
        let at = At::new(1, writer.session().start_ticks + now);
        writer.provider(at, BUSY, &event.event())
    }

    fn kernel_event(&mut self, ms: i64, event: &impl KernelEvent) -> Result<(), WriteError> {
        self.machine.run_until(ms * MS)?;
        let now = self.machine.now();
        self.machine
            .log()
            .put_always(0, now, Header::PerfInfo, event)
    }
}

fn process(pid: u32, image: &str) -> ProcessInfo {
    ProcessInfo {
        session_id: SESSION,
        ..ProcessInfo::new(pid, 4, image)
    }
}

const fn sleep_until(ms: i64) -> Step {
    Step::SleepUntil(WaitReason::UserRequest, ms * MS)
}
