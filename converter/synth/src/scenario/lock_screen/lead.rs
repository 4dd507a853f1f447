//! The threads with a script of their own.

use super::story::{LAST_SWITCH_OUT, LOW_RANK, RANK_DROP, READY};
use crate::events::process::ProcessInfo;
use crate::events::scheduler::WaitReason;
use crate::events::thread::ThreadInfo;
use crate::file::bytes::Sid;
use crate::scenario::script::Script;
use crate::sim::arena::Key;
use crate::sim::machine::{MS, SECOND};
use crate::sim::process::NewProcess;
use crate::sim::thread::{Step, Thread};

/// The process id that is used twice, and the thread id that goes with it.
pub const REUSED_PID: u32 = 21_344;
const REUSED_TID: u32 = 21_352;

/// The lock screen's thread: naps while its rank is 0, naps with its low rank, then waits for the System thread. Once it has
/// run, its rank is 0 again.
pub fn lock_app(logon_ui: Key<Thread>) -> Script {
    let nap = |time: i64| {
        [
            Step::SleepUntil(WaitReason::UserRequest, time),
            Step::Run(6_000),
        ]
    };
    let mut steps = vec![Step::Run(25 * MS)];
    steps.extend(
        [8, 19, 27, 41, 55]
            .into_iter()
            .flat_map(|tenth| nap(tenth * SECOND / 10)),
    );
    steps.extend(nap(RANK_DROP));
    steps.push(Step::Rank(LOW_RANK));
    steps.extend(
        [82, 93, 104]
            .into_iter()
            .flat_map(|tenth| nap(tenth * SECOND / 10)),
    );
    steps.push(Step::SleepUntil(
        WaitReason::UserRequest,
        LAST_SWITCH_OUT - 5 * MS,
    ));
    steps.push(Step::RunUntil(LAST_SWITCH_OUT));
    steps.push(Step::Wait(WaitReason::WrQueue));
    steps.extend([
        Step::Run(3_000),
        Step::Rank(0),
        Step::Wake {
            thread: logon_ui,
            increment: 1,
        },
    ]);
    steps.extend(
        [510, 523, 541, 568]
            .into_iter()
            .flat_map(|tenth| nap(tenth * SECOND / 10)),
    );
    Script::new(steps)
}

/// The System thread that sets the lock screen's event; real-time priority keeps it to the tick.
pub fn waker(lock_app: Key<Thread>) -> Script {
    let mut steps = Vec::new();
    for second in [3, 9, 14, 20, 26] {
        steps.extend([
            Step::SleepUntil(WaitReason::Executive, second * SECOND),
            Step::Run(900),
        ]);
    }
    steps.extend([
        Step::SleepUntil(WaitReason::Executive, READY - 1_500),
        Step::RunUntil(READY),
        Step::Wake {
            thread: lock_app,
            increment: 1,
        },
        Step::Run(500),
    ]);
    Script::new(steps)
}

/// A suspended-to-be application whose rank gets worse from run to run.
pub fn photos() -> Script {
    let mut steps = Vec::new();
    for (rank, second) in (2..=19).zip((1..).map(|index| index * 13 / 10)) {
        steps.extend([
            Step::Rank(rank),
            Step::Run(4 * MS),
            Step::SleepUntil(WaitReason::UserRequest, second * SECOND),
        ]);
    }
    steps.push(Step::SleepUntil(WaitReason::UserRequest, 53 * SECOND));
    steps.push(Step::Run(20 * MS));
    Script::new(steps)
}

/// A thread that creates two processes; the second gets the process and a thread id of the first, which has ended.
pub fn creator() -> Script {
    Script::new([
        Step::SleepUntil(WaitReason::WrQueue, 12 * SECOND),
        Step::Run(8_000),
        Step::Create(Box::new(visitor(
            "backgroundTaskHost.exe",
            REUSED_TID - 4,
            REUSED_TID,
            3 * SECOND,
        ))),
        Step::Run(2_000),
        Step::SleepUntil(WaitReason::WrQueue, 21 * SECOND),
        Step::Run(8_000),
        Step::Create(Box::new(visitor(
            "SearchProtocolHost.exe",
            REUSED_TID,
            REUSED_TID + 8,
            33 * SECOND,
        ))),
        Step::Run(2_000),
    ])
}

/// A process of two threads that ends some time after it started.
fn visitor(image: &str, main_tid: u32, worker_tid: u32, life: i64) -> NewProcess {
    let info = ProcessInfo {
        session_id: 1,
        sid: Some(Sid::user()),
        command_line: format!("\"C:\\WINDOWS\\system32\\{image}\""),
        ..ProcessInfo::new(REUSED_PID, 0, image)
    };
    let thread = |tid, run, sleep| {
        let steps = [
            Step::Run(run),
            Step::Sleep(WaitReason::UserRequest, sleep),
            Step::Run(run),
            Step::Exit,
        ];
        let behaviour: Box<dyn crate::sim::thread::Behaviour> = Box::new(Script::new(steps));
        (ThreadInfo::new(REUSED_PID, tid, 8), behaviour)
    };
    NewProcess {
        info,
        threads: vec![
            thread(main_tid, 30 * MS, life),
            thread(worker_tid, 5 * MS, life / 2),
        ],
    }
}
