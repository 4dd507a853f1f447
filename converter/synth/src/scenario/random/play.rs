//! What happens next on the machine, and who gets a processor.

use std::io::{Seek, Write};

use super::groups::{Affinity, mask_of};
use super::truth::SpanTruth;
use super::world::{Cpu, Leave, Process, State, Thread, Waker, World};
use crate::events::interrupt::InterruptKind;
use crate::events::process::{ProcessChange, ProcessInfo};
use crate::events::scheduler::WaitReason;
use crate::events::thread::{ThreadChange, ThreadInfo};
use crate::file::event::Origin;
use crate::file::writer::WriteError;
use crate::sim::arena::Key;
use crate::sim::rng::Rng;

const SECOND: i64 = 10_000_000;
const SESSION: u32 = 1;
const MAX_BOOSTED_PRIORITY: u8 = 15;
const BLOCKS: [WaitReason; 6] = [
    WaitReason::Executive,
    WaitReason::DelayExecution,
    WaitReason::UserRequest,
    WaitReason::WrQueue,
    WaitReason::WrLpcReply,
    WaitReason::WrAlertByThreadId,
];
const IMAGES: [&str; 6] = [
    "a.exe",
    "b.exe",
    "service host.exe",
    "c'd.exe",
    "e%_f.exe",
    "a.exe",
];

/// Names of threads and command lines, in scripts that go either way.
const NAMES: [&str; 5] = [
    "",
    "后台工作线程",
    "עובד ראשי (שלום)",
    "🧵🔥 <b>worker</b> & \"co\"",
    "a\u{202e}b\tc\u{0301}",
];
/// Of each group, as bits.
const FIRST_CPUS: u64 = 3;
const LONG_NAME_CHARS: usize = 1_500;

/// What kind of machine it is.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Now and then something runs that should not.
    pub breaks: bool,
    /// The highest rank.
    pub max_rank: u8,
    /// Buffers get lost.
    pub loses_buffers: bool,
    /// Nothing describes some of the threads that are there before the trace.
    pub hides_threads: bool,
    /// Several events may have the same time.
    pub shares_ticks: bool,
    /// Threads may run in all processor groups until they are bound to one, as since Windows 11; before, they are in one from the start.
    pub spans_groups: bool,
}

/// Plays on a world.
#[derive(Debug)]
pub struct Player<W> {
    pub world: World<W>,
    pub rng: Rng,
    pub rules: Rules,
    pub lost_buffers: u32,
}

impl<W: Write + Seek> Player<W> {
    /// Lets things happen until so many events are logged.
    pub fn play(&mut self, events: u64) -> Result<(), WriteError> {
        while self.world.events < events {
            self.settle()?;
            let ticks = if self.chance(3) {
                self.rng.log_within(&(1..SECOND / 4))
            } else {
                self.rng.log_within(&(1..20_000))
            };
            self.pass(ticks);
            self.something()?;
        }
        Ok(())
    }

    /// Lets time pass; none at all now and then, on machines where events share ticks.
    fn pass(&mut self, ticks: i64) {
        let passes = !self.rules.shares_ticks || !self.chance(40);
        self.world.pass(if passes { ticks } else { 0 });
    }

    /// Ends all that is under way; all processors are idle then.
    pub fn wind_down(&mut self) -> Result<(), WriteError> {
        for cpu in self.cpus() {
            while !self.world.cpus[cpu].interrupts.is_empty() {
                self.pass(3);
                self.world.end_interrupt(cpu)?;
            }
            if self.world.cpus[cpu].running.is_some() {
                self.pass(2);
                let leave = Leave::Block(WaitReason::Executive);
                self.world.switch(cpu, None, leave)?;
            }
        }
        self.world.pass(100);
        Ok(())
    }

    fn something(&mut self) -> Result<(), WriteError> {
        if self.has_groups() && self.chance(12) {
            return self.bind();
        }
        match self.rng.below(1000) {
            0..300 => self.wake(),
            300..500 => self.block(),
            500..580 => self.put_aside(),
            580..650 => {
                self.begin_interrupt();
                Ok(())
            }
            650..755 => self.end_interrupt(),
            755..770 => self.set_priority(),
            770..795 => self.freeze_or_thaw(),
            795..830 => self.create_thread(),
            830..845 => self.create_process(),
            845..885 => self.exit(),
            885..905 => self.bind(),
            905..930 => self.ready_again(),
            930..950 => self.overtake(),
            950..970 => {
                self.change_rank();
                Ok(())
            }
            970..975 => {
                self.change_ideal_cpu();
                Ok(())
            }
            975..990 => {
                self.read_in();
                Ok(())
            }
            990..993 => self.sleep(),
            _ => {
                self.lose_buffer();
                Ok(())
            }
        }
    }

    /// Gives processors to those that go first, as the rules want it.
    fn settle(&mut self) -> Result<(), WriteError> {
        loop {
            if self.breaks_rules_now(250) {
                return Ok(());
            }
            let next = self
                .runnable()
                .into_iter()
                .find_map(|thread| Some((thread, self.processor_for(thread)?)));
            let Some((thread, cpu)) = next else {
                return Ok(());
            };
            let ticks = self.rng.within(1..20);
            self.pass(ticks);
            let reason = WaitReason::WrPreempted;
            self.world
                .switch(cpu, Some(thread), Leave::PutAside(reason))?;
        }
    }

    /// Idle, or running what has to yield: the last in line of these.
    fn processor_for(&self, thread: Key<Thread>) -> Option<Key<Cpu>> {
        let thread = &self.world.threads[thread];
        let claim = thread.claim();
        let running = |cpu: &Cpu| cpu.running.map(|key| self.world.threads[key].claim());
        self.world
            .cpus
            .iter()
            .filter(|(_, cpu)| cpu.interrupts.is_empty() && thread.affinity.allows(cpu.place))
            .filter(|(_, cpu)| running(cpu).is_none_or(|other| other > claim))
            .max_by_key(|(_, cpu)| running(cpu).map_or((u8::MAX, u8::MAX), |claim| claim))
            .map(|(key, _)| key)
    }

    /// The threads that could run now, those that go first first.
    fn runnable(&self) -> Vec<Key<Thread>> {
        let mut ready: Vec<_> = self
            .world
            .threads
            .iter()
            .filter(|(_, thread)| {
                thread.state == State::Ready
                    && !thread.swapped_out
                    && self.world.processes[thread.process].frozen_since.is_none()
            })
            .map(|(key, thread)| (thread.claim(), thread.wait, key))
            .collect();
        ready.sort();
        ready.into_iter().map(|(_, _, key)| key).collect()
    }

    /// Who runs next on a processor whose thread leaves.
    fn next_for(&mut self, cpu: Key<Cpu>) -> Option<Key<Thread>> {
        let place = self.world.cpus[cpu].place;
        let mut usable = self.runnable();
        usable.retain(|thread| self.world.threads[*thread].affinity.allows(place));
        if self.breaks_rules_now(150) {
            return self.pick(&usable);
        }
        usable.first().copied()
    }

    fn wake(&mut self) -> Result<(), WriteError> {
        // Of two ready events of a thread in one tick nothing tells which one came first.
        let now = self.world.now;
        let blocked: Vec<_> = self
            .world
            .threads
            .iter()
            .filter(|(_, thread)| {
                let readied_now = |wait| self.world.waits[wait].ready == now;
                thread.state == State::Blocked && !thread.wait.is_some_and(readied_now)
            })
            .map(|(key, _)| key)
            .collect();
        let Some(thread) = self.pick(&blocked) else {
            return Ok(());
        };
        let Some(waker) = self.waker(None) else {
            return Ok(());
        };
        let base = self.world.threads[thread].info.base_priority;
        if base < MAX_BOOSTED_PRIORITY && self.chance(30) {
            let boosted = base + u8::try_from(self.rng.below(4)).unwrap_or(0);
            self.world.threads[thread].priority = boosted.min(MAX_BOOSTED_PRIORITY);
        }
        let swapped_out = self.chance(4);
        self.world.ready(thread, waker, swapped_out)
    }

    /// Whoever could ready a thread just now, but not on one processor.
    fn waker(&mut self, not: Option<Key<Cpu>>) -> Option<Waker> {
        let idle_too = self.chance(3);
        let wakers: Vec<Waker> = self
            .world
            .cpus
            .iter()
            .filter(|(key, _)| Some(*key) != not)
            .filter_map(|(key, cpu)| match cpu.interrupts.last() {
                Some((InterruptKind::Dpc | InterruptKind::TimerDpc, _)) => Some(Waker::Dpc(key)),
                None if cpu.running.is_some() || idle_too => Some(Waker::Running(key)),
                _ => None,
            })
            .collect();
        self.pick(&wakers)
    }

    fn ready_again(&mut self) -> Result<(), WriteError> {
        // Of two ready events in one tick on two processors nothing tells which one came first.
        let woken = |player: &Self, thread: &Thread| {
            let waits = &player.world.waits;
            let is_earlier =
                |wait| waits[wait].readier.is_some() && waits[wait].ready < player.world.now;
            thread.state == State::Ready && thread.wait.is_some_and(is_earlier)
        };
        let threads: Vec<_> = self
            .world
            .threads
            .iter()
            .filter(|(_, thread)| woken(self, thread))
            .map(|(key, _)| key)
            .collect();
        let Some(thread) = self.pick(&threads) else {
            return Ok(());
        };
        let Some(waker) = self.waker(None) else {
            return Ok(());
        };
        self.world.ready_again(thread, waker)?;
        // In the tick of its thread's next run it could as well be a wake after that.
        self.world.pass(1);
        Ok(())
    }

    /// A thread is read in, and no event tells.
    fn read_in(&mut self) {
        if let Some(thread) = self.pick_thread(|thread| thread.swapped_out) {
            self.world.threads[thread].swapped_out = false;
        }
    }

    fn block(&mut self) -> Result<(), WriteError> {
        let Some(cpu) = self.busy_cpu() else {
            return Ok(());
        };
        let next = self.next_for(cpu);
        let reason = self.reason();
        self.world.switch(cpu, next, Leave::Block(reason))
    }

    /// A thread is readied before it has left its processor.
    fn overtake(&mut self) -> Result<(), WriteError> {
        let Some(cpu) = self.busy_cpu() else {
            return Ok(());
        };
        let Some(thread) = self.world.cpus[cpu].running else {
            return Ok(());
        };
        // A ready event in the tick of its thread's own switch-in could as well be what led to that.
        let came = self.world.cpus[cpu]
            .run
            .map(|run| self.world.runs[run].start);
        if came == Some(self.world.now) {
            return Ok(());
        }
        let Some(waker) = self.waker(Some(cpu)) else {
            return Ok(());
        };
        let next = self.next_for(cpu);
        let reason = self.reason();
        let ticks = self.rng.within(1..50);
        self.world
            .overtake(thread, waker, ticks, (cpu, next), reason)
    }

    /// A quantum ends, or a thread yields: another one that is as good gets its turn.
    fn put_aside(&mut self) -> Result<(), WriteError> {
        let Some(cpu) = self.busy_cpu() else {
            return Ok(());
        };
        let Some(old) = self.world.cpus[cpu].running else {
            return Ok(());
        };
        let base = self.world.threads[old].info.base_priority;
        self.world.threads[old].priority = base;
        let claim = self.world.threads[old].claim();
        let Some(next) = self.next_for(cpu) else {
            return Ok(());
        };
        if self.world.threads[next].claim() > claim && !self.rules.breaks {
            return Ok(());
        }
        let reason = if self.chance(50) {
            WaitReason::WrQuantumEnd
        } else {
            WaitReason::WrYieldExecution
        };
        self.world.switch(cpu, Some(next), Leave::PutAside(reason))
    }

    fn begin_interrupt(&mut self) {
        let cpus = self.cpus();
        let Some(cpu) = self.pick(&cpus) else {
            return;
        };
        let kind = match self.world.cpus[cpu].interrupts.last() {
            None => match self.rng.below(5) {
                0 => InterruptKind::TimerDpc,
                1 => InterruptKind::ThreadedDpc,
                2 => isr(),
                _ => InterruptKind::Dpc,
            },
            Some((InterruptKind::Isr { .. } | InterruptKind::IsrMsi { .. }, _)) => return,
            Some(_) => isr(),
        };
        self.world.begin_interrupt(cpu, kind);
    }

    fn end_interrupt(&mut self) -> Result<(), WriteError> {
        let mut cpus = self.cpus();
        cpus.retain(|cpu| !self.world.cpus[*cpu].interrupts.is_empty());
        match self.pick(&cpus) {
            Some(cpu) => self.world.end_interrupt(cpu),
            None => Ok(()),
        }
    }

    fn freeze_or_thaw(&mut self) -> Result<(), WriteError> {
        let processes: Vec<_> = self
            .world
            .processes
            .iter()
            .filter(|(_, process)| process.life.end_ns.is_none() && process.info.pid > 4)
            .map(|(key, _)| key)
            .filter(|process| self.is_all_described(*process))
            .collect();
        match (self.pick(&processes), self.any_cpu()) {
            (Some(process), Some(cpu)) => self.world.freeze_or_thaw(cpu, process),
            _ => Ok(()),
        }
    }

    /// Whether it is known of each of its threads that it is one: others are not seen to be frozen with it.
    fn is_all_described(&self, process: Key<Process>) -> bool {
        let mut threads = self.world.threads.iter();
        threads.all(|(_, thread)| thread.process != process || thread.is_described)
    }

    /// A thread is confined to some processors, or set free again.
    fn bind(&mut self) -> Result<(), WriteError> {
        let free = |thread: &Thread| {
            thread.is_described && matches!(thread.state, State::Blocked | State::Ready)
        };
        let group = self.any_group();
        let mask = self.mask_within(group);
        match (self.pick_thread(free), self.any_cpu()) {
            (Some(thread), Some(cpu)) => self.world.set_affinity(cpu, thread, (group, mask)),
            _ => Ok(()),
        }
    }

    /// No event tells; not even while it runs.
    fn change_rank(&mut self) {
        let rank = self.rng.below(u32::from(self.rules.max_rank) + 1);
        if let Some(thread) = self.pick_thread(|thread| thread.state != State::Ended) {
            self.world.threads[thread].rank = u8::try_from(rank).unwrap_or(0);
        }
    }

    /// Its switch-outs tell.
    fn change_ideal_cpu(&mut self) {
        if let Some(thread) = self.pick_thread(|thread| thread.state != State::Ended) {
            let group = self.world.threads[thread].affinity.group;
            self.world.threads[thread].ideal_cpu = self.number_within(group.unwrap_or(0));
        }
    }

    fn set_priority(&mut self) -> Result<(), WriteError> {
        let priority = u8::try_from(self.rng.within(1..32)).unwrap_or(8);
        let lives = |thread: &Thread| thread.state != State::Ended;
        match (self.pick_thread(lives), self.any_cpu()) {
            (Some(thread), Some(cpu)) => self.world.set_priority(cpu, thread, priority),
            _ => Ok(()),
        }
    }

    fn sleep(&mut self) -> Result<(), WriteError> {
        let ticks = self.rng.within(SECOND / 10..20 * SECOND);
        match self.any_cpu() {
            Some(cpu) => self.world.sleep(cpu, ticks),
            None => Ok(()),
        }
    }

    fn lose_buffer(&mut self) {
        if self.rules.loses_buffers
            && let Some(cpu) = self.any_cpu()
        {
            let index = self.world.cpus[cpu].index;
            self.lost_buffers += u32::from(self.world.writer.lose(index));
        }
    }

    /// Adds a process with no thread.
    pub fn add_process(&mut self, pid: u32, start: Option<i64>) -> Key<Process> {
        let image = self.pick(&IMAGES).unwrap_or("a.exe");
        let count = u64::try_from(self.world.processes.iter().count()).unwrap_or(0);
        let info = ProcessInfo {
            session_id: SESSION,
            command_line: self.name(),
            unique_key: 0xFFFF_AB00_0000_0080 + (count << 12),
            ..ProcessInfo::new(pid, 4, image)
        };
        self.world.processes.add(Process {
            info,
            life: life(start.map(|start| self.world.ns(start))),
            frozen_since: None,
            freezes: Vec::new(),
        })
    }

    /// Adds a blocked thread.
    pub fn add_thread(&mut self, process: Key<Process>, start: Option<i64>) -> Key<Thread> {
        let priority = u8::try_from(self.rng.within(1..16)).unwrap_or(8);
        let tid = self.free_id();
        let group = self.any_group();
        // What nothing tells is as it mostly is.
        let is_described = start.is_some() || !self.rules.hides_threads || !self.chance(15);
        let is_bound = is_described && self.chance(20);
        let mask = if is_bound {
            self.mask_within(group)
        } else {
            self.all_within(group)
        };
        let affinity = Affinity {
            group: (is_bound || !self.rules.spans_groups).then_some(group),
            mask,
            is_group_recorded: false,
        };
        let info = ThreadInfo {
            affinity: mask,
            name: Some(self.name()),
            ..ThreadInfo::new(self.world.processes[process].info.pid, tid, priority)
        };
        let rank = self.rng.below(u32::from(self.rules.max_rank) + 1);
        let ideal_cpu = self.number_within(group);
        self.world.threads.add(Thread {
            info,
            process,
            is_described,
            life: life(start.map(|start| self.world.ns(start))),
            affinity,
            priority,
            rank: u8::try_from(rank).unwrap_or(0),
            ideal_cpu,
            recorded_ideal_cpu: None,
            recorded: None,
            state: State::Blocked,
            last_out: None,
            wait: None,
            swapped_out: false,
        })
    }

    /// An id that is not in use, and was not just now. Often it was in use before.
    pub fn free_id(&mut self) -> u32 {
        let now = self.world.now;
        let now_ns = self.world.ns(now);
        let threads = self.world.threads.iter();
        let taken: Vec<u32> = threads
            .filter(|(_, thread)| thread.state != State::Ended || thread.last_out == Some(now))
            .map(|(_, thread)| thread.info.tid)
            .chain(
                self.world
                    .processes
                    .iter()
                    .filter(|(_, process)| process.life.end_ns.is_none_or(|end| end == now_ns))
                    .map(|(_, process)| process.info.pid),
            )
            .collect();
        // Always twice as many as are taken.
        let ids = u32::try_from(2 * taken.len()).unwrap_or(u32::MAX).max(100);
        loop {
            let id = 8 + 4 * self.rng.below(ids);
            if !taken.contains(&id) {
                return id;
            }
        }
    }

    fn create_thread(&mut self) -> Result<(), WriteError> {
        let Some(cpu) = self.busy_cpu() else {
            return Ok(());
        };
        let Some(process) = self.process_on(cpu) else {
            return Ok(());
        };
        self.start_thread(cpu, process)
    }

    fn start_thread(&mut self, cpu: Key<Cpu>, process: Key<Process>) -> Result<(), WriteError> {
        if self.world.threads.iter().count() > 70 {
            return Ok(());
        }
        let by = self.world.origin(cpu);
        let thread = self.add_thread(process, Some(self.world.now));
        self.world
            .log_thread(cpu, by, ThreadChange::Start, thread)?;
        self.pass(2);
        self.world.ready(thread, Waker::Running(cpu), false)
    }

    fn create_process(&mut self) -> Result<(), WriteError> {
        let Some(cpu) = self.busy_cpu() else {
            return Ok(());
        };
        let by = self.world.origin(cpu);
        let pid = self.free_id();
        let process = self.add_process(pid, Some(self.world.now));
        self.world.processes[process].info.parent_pid = by.pid;
        self.world
            .log_process(cpu, by, ProcessChange::Start, process)?;
        self.pass(1);
        self.start_thread(cpu, process)
    }

    /// A running thread ends, and with the last one its process.
    fn exit(&mut self) -> Result<(), WriteError> {
        let Some(cpu) = self.busy_cpu() else {
            return Ok(());
        };
        let (Some(thread), Some(process)) = (self.world.cpus[cpu].running, self.process_on(cpu))
        else {
            return Ok(());
        };
        if self.world.processes[process].info.pid == 4 || !self.world.threads[thread].is_described {
            return Ok(());
        }
        let by = self.world.origin(cpu);
        self.world.log_thread(cpu, by, ThreadChange::End, thread)?;
        self.world.threads[thread].life.end_ns = Some(self.world.ns(self.world.now));
        self.pass(1);
        let others = self.world.threads.iter().filter(|(key, other)| {
            *key != thread && other.process == process && other.state != State::Ended
        });
        if others.count() == 0 {
            self.world.processes[process].info.exit_status = 0;
            self.world
                .log_process(cpu, by, ProcessChange::End, process)?;
            let end_ns = Some(self.world.ns(self.world.now));
            let frozen_since = self.world.processes[process].frozen_since.take();
            let start_ns = frozen_since.map(|start| self.world.ns(start));
            let ending = &mut self.world.processes[process];
            ending.life.end_ns = end_ns;
            if start_ns.is_some() {
                ending.freezes.push(SpanTruth { start_ns, end_ns });
            }
            self.pass(1);
        }
        let next = self.next_for(cpu);
        self.world.switch(cpu, next, Leave::End)
    }

    fn process_on(&self, cpu: Key<Cpu>) -> Option<Key<Process>> {
        let thread = self.world.cpus[cpu].running?;
        Some(self.world.threads[thread].process)
    }

    /// A processor that runs a thread, and nothing else.
    fn busy_cpu(&mut self) -> Option<Key<Cpu>> {
        let mut cpus = self.cpus();
        cpus.retain(|key| {
            let cpu = &self.world.cpus[*key];
            cpu.running.is_some() && cpu.interrupts.is_empty()
        });
        self.pick(&cpus)
    }

    fn any_cpu(&mut self) -> Option<Key<Cpu>> {
        let cpus = self.cpus();
        self.pick(&cpus)
    }

    fn cpus(&self) -> Vec<Key<Cpu>> {
        self.world.cpus.iter().map(|(key, _)| key).collect()
    }

    fn pick_thread(&mut self, fits: impl Fn(&Thread) -> bool) -> Option<Key<Thread>> {
        let threads = self.world.threads.iter();
        let fitting: Vec<_> = threads
            .filter(|(_, thread)| fits(thread))
            .map(|(key, _)| key)
            .collect();
        self.pick(&fitting)
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let index = usize::try_from(self.rng.below(count)).unwrap_or(0);
        items.get(index).copied()
    }

    /// Mostly none, now and then a strange or a long one.
    fn name(&mut self) -> String {
        match self.rng.below(100) {
            0..70 => String::new(),
            70..99 => self.pick(&NAMES).unwrap_or("").to_owned(),
            _ => "很长的名字".repeat(LONG_NAME_CHARS / 5),
        }
    }

    fn reason(&mut self) -> WaitReason {
        self.pick(&BLOCKS).unwrap_or(WaitReason::Executive)
    }

    fn any_group(&mut self) -> u16 {
        let places: Vec<_> = self.world.cpus.iter().map(|(_, cpu)| cpu.place).collect();
        self.pick(&places).map_or(0, |place| place.group)
    }

    /// The number of one of a group's processors.
    fn number_within(&mut self, group: u16) -> u8 {
        let cpus = self.world.cpus.iter().map(|(_, cpu)| cpu.place);
        let numbers: Vec<u8> = cpus
            .filter(|place| place.group == group)
            .map(|place| place.number)
            .collect();
        self.pick(&numbers).unwrap_or(0)
    }

    fn all_within(&self, group: u16) -> u64 {
        let places = self.world.cpus.iter().map(|(_, cpu)| cpu.place);
        mask_of(places.filter(|place| place.group == group))
    }

    fn has_groups(&self) -> bool {
        self.world.cpus.iter().any(|(_, cpu)| cpu.place.group > 0)
    }

    /// Some of a group's processors, at least one. With several groups mostly of the same few, for which threads then have to wait.
    fn mask_within(&mut self, group: u16) -> u64 {
        let all = self.all_within(group);
        if self.has_groups() && self.chance(70) {
            return all & FIRST_CPUS;
        }
        let halvings = self.rng.below(4) + 1;
        let some = (0..halvings).fold(all, |some, _| some & self.rng.bits());
        if some == 0 || self.chance(20) {
            all
        } else {
            some
        }
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.below(100) < percent
    }

    fn breaks_rules_now(&mut self, permille: u32) -> bool {
        self.rules.breaks && self.rng.below(1000) < permille
    }
}

const fn isr() -> InterruptKind {
    InterruptKind::Isr {
        vector: 0x51,
        handled: true,
    }
}

/// From a start on.
pub fn life(start_ns: Option<i64>) -> SpanTruth {
    SpanTruth {
        start_ns,
        end_ns: None,
    }
}

/// Who writes rundowns.
pub const SESSION_THREAD: Origin = Origin {
    tid: 4156,
    pid: 9120,
};
