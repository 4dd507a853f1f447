//! What holds over spans of time, whatever the scheduler does: where threads may run, who is frozen and has the focus, when the machine
//! sleeps; and which
//! process created which one, and hosts which services. Whose
//! events are is known when all lives are: spans are made where the recording ends. Memory grows with threads, processes and
//! these events, up to a limit.

mod affinities;
mod cpus;
mod focus;
mod freezes;
mod lives;
mod note;
mod processes;
mod services;
mod sleeps;

use std::collections::BTreeMap;

use facts::{ProcessLife, Recording, Sink, ThreadLife};

pub use note::Note;

use affinities::{AffinityChange, FirstAffinity, affinities};
use cpus::{Groups, cpus};
use focus::{FocusChange, focus};
use freezes::{FreezeChange, freezes};
use lives::Lives;
use note::{Place, SleepSign};
use processes::processes;
use services::{Listed, services};
use sleeps::suspends;

/// Changes of a sort that are kept; only a forged trace has more.
const CHANGES_MAX: usize = 1 << 20;

/// What is known of all that.
#[derive(Debug, Default)]
pub struct Standing {
    cpu_count: u32,
    span_ns: (u64, u64),
    threads: Lives,
    processes: Lives,
    told_processes: Vec<ProcessLife>,
    first_affinities: Vec<FirstAffinity>,
    affinity_changes: Vec<AffinityChange>,
    focus_changes: Vec<(u64, FocusChange)>,
    freeze_changes: Vec<FreezeChange>,
    /// When each service was listed first with these values.
    services: BTreeMap<Listed, u64>,
    sleep_signs: Vec<(u64, SleepSign)>,
    /// As they were told last: CPUs may come meanwhile.
    places: Vec<Place>,
    /// By CPU: when it is not known for the first time what it runs.
    unknown_ts_ns: BTreeMap<u16, u64>,
}

impl Standing {
    /// Of a recording.
    pub fn of(recording: &Recording) -> Self {
        Self {
            cpu_count: recording.cpu_count,
            span_ns: (recording.start_ts_ns, recording.end_ts_ns),
            ..Self::default()
        }
    }

    /// Takes in a process.
    pub fn process(&mut self, life: &ProcessLife) {
        self.processes.add_process(life);
        self.told_processes.push(life.clone());
    }

    /// Takes in a thread.
    pub fn thread(&mut self, life: &ThreadLife) {
        self.threads.add_thread(life);
        self.first_affinities.extend(FirstAffinity::of(life));
    }

    /// It is not known what a CPU runs from here on.
    pub fn run_unknown(&mut self, ts_ns: u64, cpu: u16) {
        self.unknown_ts_ns.entry(cpu).or_insert(ts_ns);
    }

    /// Takes in what an event says that a thread wrote.
    pub fn note(&mut self, ts_ns: u64, note: &Note, by_utid: Option<u32>) {
        match *note {
            Note::Affinity { tid, group, mask } => {
                let change = AffinityChange {
                    ts_ns,
                    tid,
                    group,
                    mask,
                    by_utid,
                };
                push(&mut self.affinity_changes, change);
            }
            Note::Cpus(ref places) => self.places.clone_from(places),
            Note::Freeze { pid, begins } => {
                let change = FreezeChange {
                    ts_ns,
                    pid,
                    begins,
                    by_utid,
                };
                push(&mut self.freeze_changes, change);
            }
            Note::Focus(change) => push(&mut self.focus_changes, (ts_ns, change)),
            // Told at once.
            Note::Input(_) => {}
            Note::Service(ref listed) => {
                if self.services.len() < CHANGES_MAX {
                    self.services.entry(listed.clone()).or_insert(ts_ns);
                }
            }
            Note::Sleep(sign) => push(&mut self.sleep_signs, (ts_ns, sign)),
        }
    }

    /// Tells all of it.
    pub fn tell(&self, sink: &mut impl Sink) {
        let machine = cpus(self.cpu_count, &self.places, &self.unknown_ts_ns);
        for cpu in &machine {
            sink.cpu(cpu);
        }
        let spans = affinities(
            &self.affinity_changes,
            &self.first_affinities,
            &self.threads,
            &Groups::of(&machine),
            self.span_ns,
        );
        for affinity in &spans {
            sink.affinity(affinity);
        }
        for freeze in &freezes(&self.freeze_changes, &self.processes, self.span_ns) {
            sink.freeze(freeze);
        }
        for span in &focus(&self.focus_changes, &self.processes, self.span_ns) {
            sink.focus(span);
        }
        let services = services(&self.services);
        for service in &services {
            sink.service(service);
        }
        for process in &processes(&self.told_processes, &services) {
            sink.process(process);
        }
        for suspend in &suspends(&self.sleep_signs, self.span_ns.1) {
            sink.suspend(suspend);
        }
    }
}

fn push<T>(changes: &mut Vec<T>, change: T) {
    if changes.len() < CHANGES_MAX {
        changes.push(change);
    }
}
