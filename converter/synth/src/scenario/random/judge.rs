//! Why threads waited, and all else that is known, from the states that the world was in.

use std::collections::BTreeMap;
use std::io::{Seek, Write};

use super::play::Rules;
use super::truth::{
    ProcessTruth, RandomTruth, ReadyTruth, Reason, RunTruth, SpanTruth, StretchTruth, ThreadTruth,
};
use super::world::{Part, Run, Wait, World};
use crate::events::scheduler::ThreadState;
use crate::events::thread::ThreadInfo;
use crate::sim::arena::Key;

/// Longer than this an idle processor takes for no reason that is known.
const IDLE_WAKE_UP_MAX_NS: i64 = 1_000_000;
/// Longer than this it takes for no such reason to put a thread aside.
const PREEMPTION_MAX_NS: i64 = 100_000;

/// How a processor stands to a thread that waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Its first switch is yet to come.
    NotRecorded,
    Idle,
    /// What it runs has to yield.
    Behind,
    BetterRank,
    BetterPriority,
    /// A rank is not known, and it matters.
    Unknown,
}

impl Standing {
    const fn is_free(self) -> bool {
        matches!(self, Self::Idle | Self::Behind)
    }
}

/// With what a thread waits.
#[derive(Clone, Copy)]
struct Claim {
    rank: Option<u8>,
    priority: Option<u8>,
}

/// What is known of a processor while a thread waits.
struct Seen {
    standing: Standing,
    interrupted: bool,
    usable: bool,
    takes_it: bool,
}

impl<W: Write + Seek> World<W> {
    /// What is known in the end.
    pub fn truth(&self, rules: Rules, lost_buffers: u32) -> RandomTruth {
        RandomTruth {
            breaks_rules: rules.breaks,
            shares_ticks: rules.shares_ticks,
            end_ns: self.ns(self.now),
            lost_buffers,
            runs: self
                .runs
                .iter()
                .map(|(_, run)| self.run_truth(run))
                .collect(),
            runs_before: self.runs_before.clone(),
            waits: self
                .waits
                .iter()
                .map(|(_, wait)| self.wait_truth(wait))
                .collect(),
            processes: self
                .processes
                .iter()
                .filter(|(_, process)| process.info.pid != 0)
                .map(|(_, process)| {
                    let open = process.frozen_since.map(|start| SpanTruth {
                        start_ns: Some(self.ns(start)),
                        end_ns: None,
                    });
                    ProcessTruth {
                        pid: process.info.pid,
                        image: process.info.image.clone(),
                        life: process.life.clone(),
                        freezes: process.freezes.iter().cloned().chain(open).collect(),
                    }
                })
                .collect(),
            threads: self
                .threads
                .iter()
                .map(|(_, thread)| ThreadTruth {
                    tid: thread.info.tid,
                    pid: thread.info.pid,
                    is_described: thread.is_described,
                    life: thread.life.clone(),
                })
                .collect(),
            interrupts: self.interrupts.clone(),
            sleeps: self.sleeps.clone(),
            places: self.cpus.iter().map(|(_, cpu)| cpu.place).collect(),
            tells_places: self.tells_places,
            ideal_cpus: self.ideal_cpus.clone(),
        }
    }

    fn run_truth(&self, run: &Run) -> RunTruth {
        let (tid, pid) = run.thread.map_or((0, 0), |key| {
            let ThreadInfo { tid, pid, .. } = self.threads[key].info;
            (tid, pid)
        });
        RunTruth {
            cpu: run.cpu,
            tid,
            pid,
            start_ns: self.ns(run.start),
            end_ns: run.end.map(|end| self.ns(end)),
            priority: run.priority,
            rank: run.rank,
            counted: run.counted,
            old_state: run.thread.and(run.old_state).map(|state| match state {
                ThreadState::Ready => "Ready",
                ThreadState::Running => "Running",
                ThreadState::Terminated => "Terminated",
                ThreadState::Waiting => "Waiting",
            }),
        }
    }

    fn wait_truth(&self, wait: &Wait) -> ReadyTruth {
        let info = &self.threads[wait.thread].info;
        let run = wait.run.map(|key| &self.runs[key]);
        let claim = self.claim(wait);
        let Claim { rank, priority } = claim;
        let stretches = self.stretches(wait, claim);
        ReadyTruth {
            tid: info.tid,
            pid: info.pid,
            ready_ns: self.ns(wait.ready),
            switch_in_ns: run.map(|run| self.ns(run.start)),
            cpu: run.map(|run| run.cpu),
            run: wait.run.map(Key::index),
            preempted: wait.readier.is_none(),
            waker_tid: wait
                .readier
                .and_then(|by| by.thread)
                .map(|key| self.threads[key].info.tid),
            waker_run: wait.readier.and_then(|by| by.run).map(Key::index),
            in_dpc: wait.readier.is_some_and(|by| by.in_dpc),
            last_out_ns: wait.last_out.map(|out| self.ns(out)),
            priority,
            rank,
            shares_ns: shares(&stretches),
            stretches,
        }
    }

    /// With which it counts: the priority of the run that followed, else what was recorded before; the rank that both have, or
    /// the one of them that what ran meanwhile speaks for.
    fn claim(&self, wait: &Wait) -> Claim {
        let run = wait.run.map(|key| &self.runs[key]);
        let before = wait.recorded.map(|(rank, _)| rank);
        let after = run.and_then(|run| run.rank);
        let priority = run
            .map(|run| run.priority)
            .or(wait.recorded.map(|(_, priority)| priority));
        let rank = match (before, after) {
            (Some(before), Some(after)) if before != after => {
                Some(self.judge_rank(wait, priority, before, after))
            }
            _ => after.or(before),
        };
        Claim { rank, priority }
    }

    /// The worse rank explains all that the better one does. That from before stands, unless the other one explains much more, or
    /// nothing less and who was put aside speaks for it.
    fn judge_rank(&self, wait: &Wait, priority: Option<u8>, before: u8, after: u8) -> u8 {
        let (better, worse) = (before.min(after), before.max(after));
        let explained_ns = |rank| {
            let claim = Claim {
                rank: Some(rank),
                priority,
            };
            let parts = wait.parts.iter();
            let explained = parts.filter(|part| self.is_explained(wait, claim, part));
            explained.map(|part| self.part_ns(part)).sum::<i64>()
        };
        let more_ns = explained_ns(worse) - explained_ns(better);
        let dur_ns: i64 = wait.parts.iter().map(|part| self.part_ns(part)).sum();
        let is_refuted = if before == better {
            more_ns > 0 && more_ns * 2 >= dur_ns
        } else {
            more_ns <= PREEMPTION_MAX_NS && self.put_aside_before(wait, worse, priority)
        };
        if is_refuted { after } else { before }
    }

    fn part_ns(&self, part: &Part) -> i64 {
        self.ns(part.start + part.moment.ticks) - self.ns(part.start)
    }

    /// Whether each processor that the thread may use ran what goes first.
    fn is_explained(&self, wait: &Wait, claim: Claim, part: &Part) -> bool {
        let goes_first = |cpu: &Seen| {
            matches!(
                cpu.standing,
                Standing::BetterRank | Standing::BetterPriority
            )
        };
        self.held(wait, part).is_none()
            && self
                .seen(wait, claim, part)
                .iter()
                .all(|cpu| !cpu.usable || cpu.interrupted || goes_first(cpu))
    }

    /// Whether it took the processor of a thread that stayed ready and goes before one of this rank and priority.
    fn put_aside_before(&self, wait: &Wait, rank: u8, priority: Option<u8>) -> bool {
        let before = wait.run.and_then(|key| self.runs[key].before);
        let Some(run) = before.map(|key| &self.runs[key]) else {
            return false;
        };
        run.thread.is_some()
            && matches!(run.old_state, Some(ThreadState::Ready))
            && run
                .rank
                .is_some_and(|other| other < rank || (other == rank && run.old_priority > priority))
    }

    /// What the wait divides into, in the order of time.
    fn stretches(&self, wait: &Wait, claim: Claim) -> Vec<StretchTruth> {
        let whys: Vec<(Option<Reason>, i64, i64)> = wait
            .parts
            .iter()
            .filter(|part| part.moment.ticks > 0)
            .map(|part| {
                let start_ns = self.ns(part.start);
                (
                    self.why(wait, claim, part),
                    start_ns,
                    start_ns + self.part_ns(part),
                )
            })
            .collect();
        let last = whys.iter().rev().take_while(|(why, ..)| why.is_none());
        let last_free: i64 = last.clone().map(|(_, start, end)| end - start).sum();
        let delay_from = whys.len() - last.count();
        let (delay, longest) = if self.took_idle(wait) {
            (Reason::IdleWakeUp, IDLE_WAKE_UP_MAX_NS)
        } else {
            (Reason::PreemptionDelay, PREEMPTION_MAX_NS)
        };
        let has_delay = wait.run.is_some() && last_free <= longest;
        let is_swapped_out = wait.swapped_out && wait.readied_again.is_none();
        let free = |at: usize| {
            if is_swapped_out {
                Reason::SwappedOut
            } else if has_delay && at >= delay_from {
                delay
            } else {
                Reason::NotExplained
            }
        };
        let mut stretches: Vec<StretchTruth> = Vec::new();
        for (at, &(why, start_ns, end_ns)) in whys.iter().enumerate() {
            let why = why.unwrap_or_else(|| free(at));
            match stretches.last_mut() {
                Some(before) if before.why == why => before.end_ns = end_ns,
                _ => stretches.push(StretchTruth {
                    why,
                    start_ns,
                    end_ns,
                }),
            }
        }
        stretches
    }

    /// Whether the processor that took the thread was idle until then.
    fn took_idle(&self, wait: &Wait) -> bool {
        let Some(run) = wait.run.map(|key| &self.runs[key]) else {
            return false;
        };
        run.before
            .is_some_and(|before| self.runs[before].thread.is_none())
    }

    /// What kept it from running whatever the processors did.
    fn held(&self, wait: &Wait, part: &Part) -> Option<Reason> {
        if part.moment.asleep {
            Some(Reason::Asleep)
        } else if part.frozen {
            Some(Reason::Frozen)
        } else if wait.swapped_out && wait.readied_again.is_some_and(|again| part.start < again) {
            Some(Reason::SwappedOut)
        } else {
            None
        }
    }

    /// Why it did not run for a while; `None` where a processor was free.
    fn why(&self, wait: &Wait, claim: Claim, part: &Part) -> Option<Reason> {
        if let Some(held) = self.held(wait, part) {
            return Some(held);
        }
        let cpus = self.seen(wait, claim, part);
        let any = |holds: &dyn Fn(&Seen) -> bool| cpus.iter().any(holds);
        let free = |cpu: &Seen| cpu.standing.is_free();
        let stands = |standing: Standing| any(&|cpu| cpu.usable && cpu.standing == standing);
        if any(&|cpu| cpu.usable && cpu.takes_it && cpu.interrupted && free(cpu)) {
            Some(Reason::Interrupt)
        } else if any(&|cpu| cpu.usable && !cpu.interrupted && free(cpu)) {
            None
        } else if stands(Standing::NotRecorded) || stands(Standing::Unknown) {
            Some(Reason::NotRecorded)
        } else if any(&|cpu| cpu.usable && cpu.interrupted && free(cpu)) {
            Some(Reason::Interrupt)
        } else if any(&|cpu| !cpu.usable && !cpu.interrupted && free(cpu)) {
            Some(Reason::Affinity)
        } else if stands(Standing::BetterRank) {
            Some(Reason::Rank)
        } else {
            Some(Reason::Priority)
        }
    }

    fn seen(&self, wait: &Wait, claim: Claim, part: &Part) -> Vec<Seen> {
        // Only a change of an affinity says what group it belongs to. Where there is one group, all belong to that.
        let has_groups = self.cpus.iter().any(|(_, cpu)| cpu.place.group > 0);
        let is_known = !has_groups || self.tells_places && part.affinity.is_group_recorded;
        let cpus = self.cpus.iter().zip(&part.moment.cpus);
        cpus.map(|((_, cpu), moment)| Seen {
            standing: moment
                .run
                .map_or(Standing::NotRecorded, |run| self.standing(claim, run)),
            interrupted: moment.interrupted,
            usable: !is_known || part.affinity.allows(cpu.place),
            takes_it: wait.run.is_some_and(|run| self.runs[run].cpu == cpu.index),
        })
        .collect()
    }

    fn standing(&self, Claim { rank, priority }: Claim, run: Key<Run>) -> Standing {
        let run = &self.runs[run];
        if run.thread.is_none() {
            return Standing::Idle;
        }
        let goes_first = priority.is_some_and(|priority| run.priority >= priority);
        match (run.rank, rank) {
            (Some(run), Some(rank)) if run > rank => Standing::Behind,
            _ if goes_first => Standing::BetterPriority,
            (Some(run), Some(rank)) if run < rank => Standing::BetterRank,
            (Some(_), Some(_)) => Standing::Behind,
            _ => Standing::Unknown,
        }
    }
}

/// How long a wait was for each reason.
fn shares(stretches: &[StretchTruth]) -> BTreeMap<Reason, i64> {
    let mut shares = BTreeMap::new();
    for StretchTruth {
        why,
        start_ns,
        end_ns,
    } in stretches
    {
        *shares.entry(*why).or_default() += end_ns - start_ns;
    }
    shares
}
