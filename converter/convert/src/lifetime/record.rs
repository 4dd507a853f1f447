//! Lifetime events as pass 1 keeps them.

use etl::{Event, EventId};
use etw::{KERNEL_PROCESS_PROVIDER, ProviderProcess, decode_provider_thread, hook};

use super::facts::{ProcessFacts, ThreadFacts};
use super::incarnation::Sign;
use crate::told::{Told, pointer_width};

/// One lifetime event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Raw timestamp.
    pub raw: i64,
    /// What it says.
    pub sign: Sign,
    /// The process or thread that the event is about.
    pub subject: Subject,
}

/// Whom a lifetime event is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A process.
    Process(Box<ProcessFacts>),
    /// A thread.
    Thread(Box<ThreadFacts>),
}

impl Record {
    /// Time order; at equal times processes start before their threads and end after them.
    pub fn order(&self) -> (i64, u8) {
        let phase = match (&self.subject, self.sign) {
            (Subject::Process(_), Sign::Start) => 0,
            (Subject::Thread(_), Sign::Start) => 1,
            (_, Sign::Alive) => 2,
            (Subject::Thread(_), Sign::End) => 3,
            (Subject::Process(_), Sign::End) => 4,
        };
        (self.raw, phase)
    }
}

/// What lifetime events say: the kernel's own, or where a recording has none of these, those of
/// `Microsoft-Windows-Kernel-Process`. Both describe the same processes and threads, at slightly different times.
#[derive(Debug, Default)]
pub struct Records {
    kernel: Vec<Record>,
    provider: Vec<Record>,
    has_processes: bool,
    has_threads: bool,
}

impl Records {
    /// Adds what one of the kernel's events tells.
    pub fn add_kernel(&mut self, event: &Event<'_>, told: &Told<'_>) {
        let Some(record) = record(event, told) else {
            return;
        };
        match record.subject {
            Subject::Process(_) => self.has_processes = true,
            Subject::Thread(_) => self.has_threads = true,
        }
        self.kernel.push(record);
    }

    /// Adds what an event of a provider tells, unless the kernel tells the like already.
    pub fn add_provider(&mut self, event: &Event<'_>) {
        self.provider
            .extend(provider_record(event).filter(|record| self.lacks(record)));
    }

    /// Adds those of other buffers.
    pub fn merge(&mut self, other: Self) {
        self.kernel.extend(other.kernel);
        self.provider.extend(other.provider);
        self.has_processes |= other.has_processes;
        self.has_threads |= other.has_threads;
    }

    /// Those that count.
    pub fn into_vec(mut self) -> Vec<Record> {
        let provider = std::mem::take(&mut self.provider).into_iter();
        let of_provider: Vec<_> = provider.filter(|record| self.lacks(record)).collect();
        self.kernel.extend(of_provider);
        self.kernel
    }

    /// Whether no kernel event describes a subject of this kind.
    fn lacks(&self, record: &Record) -> bool {
        match record.subject {
            Subject::Process(_) => !self.has_processes,
            Subject::Thread(_) => !self.has_threads,
        }
    }
}

/// The lifetime record of an event; `None` if it is none.
fn record(event: &Event<'_>, told: &Told<'_>) -> Option<Record> {
    let EventId::Kernel(hook) = event.id else {
        return None;
    };
    let subject = match told {
        Told::Process(process) => Subject::Process(Box::new((&**process).into())),
        Told::Thread(thread) => {
            let mut facts = ThreadFacts::from(&**thread);
            if matches!(hook, hook::THREAD_END | hook::THREAD_RUNDOWN_END) {
                facts.end_affinity = facts.affinity.take();
            }
            Subject::Thread(Box::new(facts))
        }
        Told::ThreadName(named) => Subject::Thread(Box::new(named.into())),
        _ => return None,
    };
    let sign = match hook {
        hook::PROCESS_START | hook::THREAD_START => Sign::Start,
        hook::PROCESS_END | hook::THREAD_END => Sign::End,
        _ => Sign::Alive,
    };
    Some(Record {
        raw: event.timestamp,
        sign,
        subject,
    })
}

/// The same of an event of `Microsoft-Windows-Kernel-Process`.
fn provider_record(event: &Event<'_>) -> Option<Record> {
    let EventId::Manifest(descriptor) = event.id else {
        return None;
    };
    if descriptor.provider != KERNEL_PROCESS_PROVIDER {
        return None;
    }
    let (version, payload) = (event.version, event.payload);
    let started = || ProviderProcess::decode_start(version, payload).ok();
    let stopped = || ProviderProcess::decode_stop(version, payload).ok();
    let process = |process: ProviderProcess<'_>| Subject::Process(Box::new((&process).into()));
    let thread = || {
        let thread = decode_provider_thread(version, pointer_width(event), payload).ok()?;
        Some(Subject::Thread(Box::new((&thread).into())))
    };
    let (sign, subject) = match descriptor.id {
        1 => (Sign::Start, process(started()?)),
        2 => (Sign::End, process(stopped()?)),
        15 => (Sign::Alive, process(started()?)),
        3 => (Sign::Start, thread()?),
        4 => (Sign::End, thread()?),
        _ => return None,
    };
    Some(Record {
        raw: event.timestamp,
        sign,
        subject,
    })
}
