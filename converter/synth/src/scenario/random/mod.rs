//! `random`: a machine that does random things, with the truth of all of them.

mod groups;
mod judge;
mod play;
pub mod truth;
mod world;

use std::io::{Seek, Write};

use super::Options;
use crate::events::process::{ProcessChange, ProcessInfo};
use crate::events::system::{
    CpuConfig, Extension, ProcessorGroups, ProcessorNumbers, SCHEDULER_MASKS,
};
use crate::events::thread::{ThreadChange, ThreadEvent, ThreadInfo};
use crate::file::bytes::Pointer;
use crate::file::event::{At, Header, KernelEvent};
use crate::file::session::{Clock, Session};
use crate::file::writer::{TraceWriter, WriteError};
use crate::sim::arena::Key;
use crate::sim::rng::Rng;
use crate::truth::Truth;
use groups::{mask_of, places};
use play::{Player, Rules, SESSION_THREAD, life};
use world::{Process, State, World};

const BUFFER_BYTES: u32 = 0x1000;
/// Processors that a mask of 32 bits has room for.
const MAX_CPUS_OF_32_BITS: u32 = 32;
const KERNEL_EVENT_VERSION: u32 = 0x50;

/// What can be asked of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chaos {
    /// Events, about; those of the rundowns come on top.
    pub events: u64,
    /// Lose some buffers: then the trace tells less than its truth.
    pub lose_buffers: bool,
    /// Put buffers and events at their edges out of order, which takes nothing from what the trace tells.
    pub disorder: bool,
    /// Record stacks with context switches and ready events.
    pub stacks: bool,
}

/// Writes the trace.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    chaos: Chaos,
) -> Result<(W, Truth), WriteError> {
    let mut rng = Rng::new(options.seed);
    let cpu_count = cpu_count(&mut rng, options.pointer);
    let rules = Rules {
        breaks: rng.below(2) == 0,
        max_rank: u8::try_from(rng.below(4)).unwrap_or(0),
        loses_buffers: chaos.lose_buffers,
        hides_threads: rng.below(3) == 0,
        shares_ticks: rng.below(3) == 0,
        spans_groups: rng.below(2) == 0,
    };
    let places = places(&mut rng, cpu_count);
    let tells_places = rng.below(4) > 0;
    let clock = clock(&mut rng);
    let mut session = Session {
        clock,
        ..options.session(cpu_count, BUFFER_BYTES)
    };
    if clock == Clock::SystemTime {
        session.start_ticks = session.start_filetime.cast_signed();
    }
    let mut writer = TraceWriter::new(sink, session.clone())?;
    if chaos.disorder {
        writer.disorder(options.seed);
    }
    let mut player = Player {
        world: World::new(writer, &places, tells_places),
        rng,
        rules,
        lost_buffers: 0,
    };
    player.world.counts = options.seed % 4 == 3;
    // Drawn apart, so that the machine does the same with stacks and without.
    player.world.stacks = chaos.stacks.then(|| Rng::new(options.seed));
    player.populate();
    player.describe_machine()?;
    player.rundown(ProcessChange::RundownStart, ThreadChange::RundownStart)?;
    player.play(chaos.events)?;
    player.wind_down()?;
    player.rundown(ProcessChange::RundownEnd, ThreadChange::RundownEnd)?;
    let known = player.world.truth(rules, player.lost_buffers);
    let end_ticks = session.start_ticks + player.world.now;
    let (sink, written) = player.world.writer.finish(end_ticks)?;
    let truth = Truth::new("random", options.seed, &session, end_ticks, &written);
    let random = Some(known);
    Ok((sink, Truth { random, ..truth }))
}

/// Mostly the one of today; of older machines that of the power management timer, or the system time.
fn clock(rng: &mut Rng) -> Clock {
    match rng.below(10) {
        0..6 => Clock::Qpc { hz: 10_000_000 },
        6..9 => Clock::Qpc { hz: 3_579_545 },
        _ => Clock::SystemTime,
    }
}

/// Mostly few, now and then so many that there are two to four groups.
fn cpu_count(rng: &mut Rng, pointer: Pointer) -> u32 {
    let count = match rng.below(100) {
        0..60 => 1 + rng.below(4),
        60..85 => 5 + rng.below(12),
        85..92 => 17 + rng.below(48),
        _ => 65 + rng.below(136),
    };
    match pointer {
        Pointer::Four => count.min(MAX_CPUS_OF_32_BITS),
        Pointer::Eight => count,
    }
}

impl<W: Write + Seek> Player<W> {
    /// The processes and threads that are there before the trace. Some of the threads run.
    fn populate(&mut self) {
        for (pid, image) in [(0, "Idle"), (4, "System")] {
            let info = ProcessInfo {
                session_id: u32::MAX,
                sid: None,
                ..ProcessInfo::new(pid, 0, image)
            };
            let process = self.world.processes.add(Process {
                info,
                life: life(None),
                frozen_since: None,
                freezes: Vec::new(),
            });
            if pid == 4 {
                self.add_thread(process, None);
            }
        }
        for _ in 0..=self.rng.below(6) {
            let pid = self.free_id();
            let process = self.add_process(pid, None);
            for _ in 0..=self.rng.below(5) {
                self.add_thread(process, None);
            }
        }
        let threads: Vec<_> = self.world.threads.iter().map(|(key, _)| key).collect();
        for thread in threads {
            let idle = self.world.cpus.iter().find(|(_, cpu)| {
                cpu.running.is_none() && self.world.threads[thread].affinity.allows(cpu.place)
            });
            let Some((cpu, _)) = idle else {
                continue;
            };
            if self.rng.below(3) == 0 {
                self.world.cpus[cpu].running = Some(thread);
                self.world.threads[thread].state = State::Running(cpu);
            }
        }
    }

    fn describe_machine(&mut self) -> Result<(), WriteError> {
        let extension = Extension {
            end: false,
            masks: SCHEDULER_MASKS,
            kernel_event_version: KERNEL_EVENT_VERSION,
        };
        self.put_first(&extension)?;
        let session = self.world.writer.session();
        let cpu = CpuConfig {
            mhz: session.cpu_mhz,
            cpu_count: session.cpu_count,
            memory_mib: 16_384,
            computer: "RANDOM".to_owned(),
        };
        self.put_first(&cpu)?;
        if self.world.tells_places {
            let places: Vec<_> = self.world.cpus.iter().map(|(_, cpu)| cpu.place).collect();
            let last = places.iter().map(|place| place.group).max().unwrap_or(0);
            let masks = (0..=last).map(|group| {
                let own = places.iter().filter(|place| place.group == group);
                mask_of(own.copied())
            });
            self.put_first(&ProcessorGroups(masks.collect()))?;
            let numbers = places.iter().map(|place| (place.group, place.number));
            self.put_first(&ProcessorNumbers(numbers.collect()))?;
        }
        for _ in 0..cpu.cpu_count {
            let idle = ThreadEvent {
                change: ThreadChange::RundownStart,
                version: 3,
                thread: &ThreadInfo::new(0, 0, 0),
            };
            self.put_first(&idle)?;
        }
        Ok(())
    }

    fn put_first(&mut self, event: &impl KernelEvent) -> Result<(), WriteError> {
        self.world.pass(1);
        let ticks = self.world.writer.session().start_ticks + self.world.now;
        let header = Header::System(SESSION_THREAD);
        self.world.writer.kernel(At::new(0, ticks), header, event)
    }

    /// Each process that is there, followed by its threads.
    fn rundown(
        &mut self,
        process_change: ProcessChange,
        thread_change: ThreadChange,
    ) -> Result<(), WriteError> {
        let Some((cpu, _)) = self.world.cpus.iter().next() else {
            return Ok(());
        };
        let processes: Vec<Key<Process>> = self
            .world
            .processes
            .iter()
            .filter(|(_, process)| process.life.end_ns.is_none())
            .map(|(key, _)| key)
            .collect();
        for process in processes {
            self.world.pass(1);
            self.world
                .log_process(cpu, SESSION_THREAD, process_change, process)?;
            let threads: Vec<_> = self
                .world
                .threads
                .iter()
                .filter(|(_, thread)| thread.process == process && thread.state != State::Ended)
                .filter(|(_, thread)| thread.is_described)
                .map(|(key, _)| key)
                .collect();
            for thread in threads {
                self.world.pass(1);
                self.world
                    .log_thread(cpu, SESSION_THREAD, thread_change, thread)?;
            }
        }
        Ok(())
    }
}
