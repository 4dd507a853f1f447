//! A DPC holds up its processor, and nothing else.

use std::io::Cursor;

use synth::events::interrupt::InterruptKind;
use synth::events::process::ProcessInfo;
use synth::events::scheduler::WaitReason;
use synth::events::thread::ThreadInfo;
use synth::file::session::Session;
use synth::file::writer::TraceWriter;
use synth::sim::machine::{Interrupt, MS, Machine};
use synth::sim::process::Process;
use synth::sim::thread::{Step, Thread, Turn};

use crate::scheduling::switch;
use crate::walk;

#[test]
fn a_thread_in_its_way_runs_and_is_made_ready_later() {
    let session = Session {
        cpu_count: 1,
        ..Session::default()
    };
    let writer = TraceWriter::new(Cursor::new(Vec::new()), session).unwrap();
    let start = writer.session().start_ticks;
    let mut machine = Machine::new(writer, 1, 0);
    machine.log().set_on(true);
    let process = machine.add_process(Process::new(ProcessInfo::new(8, 4, "app.exe")));
    let mut steps = vec![
        Step::Wait(WaitReason::UserRequest),
        Step::Run(10 * MS),
        Step::Sleep(WaitReason::DelayExecution, 10 * MS),
        Step::Run(10 * MS),
    ];
    let behaviour = move |_: Turn<'_>| steps.pop().unwrap();
    machine.add_thread(
        Thread::new(process, ThreadInfo::new(8, 12, 8), Box::new(behaviour)),
        Some(10 * MS),
    );
    // The first takes 5 ms of its first run, the second begins before it is woken for its second.
    for (time, ticks) in [(12 * MS, 5 * MS), (34 * MS, 8 * MS)] {
        machine.add_interrupt(Interrupt {
            cpu: 0,
            time,
            ticks,
            kind: InterruptKind::Dpc,
            routine: 0x1000,
        });
    }
    machine.run_until(100 * MS).unwrap();
    let file = machine.finish(100 * MS).unwrap().0.into_inner();
    let told: Vec<String> = walk::by_time(&walk::buffers(&file))
        .iter()
        .filter_map(|event| {
            let ms = (event.ticks - start) / MS;
            match event.hook? {
                0x0532 => Some(format!("{ms}: ready")),
                0x0F44 => {
                    let began = walk::i64_at(&event.payload, 0) - start;
                    Some(format!("{ms}: DPC from {}", began / MS))
                }
                _ => switch(event).map(|switch| format!("{ms}: runs {}", switch.new_tid)),
            }
        })
        .collect();
    assert_eq!(
        told,
        [
            "10: ready",
            "10: runs 12",
            "17: DPC from 12",
            "25: runs 0",
            "35: ready",
            "42: DPC from 34",
            "42: runs 12",
            "52: runs 0",
        ]
    );
}
