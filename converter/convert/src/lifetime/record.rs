//! Lifetime events as pass 1 keeps them.

use etl::{Event, EventId};
use etw::{Process, Thread, ThreadName, hook};

use super::facts::{ProcessFacts, ThreadFacts};
use super::incarnation::Sign;
use crate::fate::pointer_width;

/// One lifetime event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Raw timestamp.
    pub raw: i64,
    /// What it says.
    pub sign: Sign,
    /// Of whom.
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

/// The lifetime record of an event; `None` if it is none, or cannot be decoded.
pub fn record(event: &Event<'_>) -> Option<Record> {
    let EventId::Kernel(hook) = event.id else {
        return None;
    };
    let process = || {
        let process = Process::decode(event.version, pointer_width(event), event.payload).ok()?;
        Some(Subject::Process(Box::new((&process).into())))
    };
    let thread = || {
        let thread = Thread::decode(event.version, pointer_width(event), event.payload).ok()?;
        let mut facts = ThreadFacts::from(&thread);
        if matches!(hook, hook::THREAD_END | hook::THREAD_RUNDOWN_END) {
            facts.end_affinity = facts.affinity.take();
        }
        Some(Subject::Thread(Box::new(facts)))
    };
    let (sign, subject) = match hook {
        hook::PROCESS_START => (Sign::Start, process()?),
        hook::PROCESS_END => (Sign::End, process()?),
        hook::PROCESS_RUNDOWN_START | hook::PROCESS_RUNDOWN_END => (Sign::Alive, process()?),
        hook::THREAD_START => (Sign::Start, thread()?),
        hook::THREAD_END => (Sign::End, thread()?),
        hook::THREAD_RUNDOWN_START | hook::THREAD_RUNDOWN_END => (Sign::Alive, thread()?),
        hook::THREAD_NAME => {
            let named = ThreadName::decode(event.payload).ok()?;
            (Sign::Alive, Subject::Thread(Box::new((&named).into())))
        }
        _ => return None,
    };
    Some(Record {
        raw: event.timestamp,
        sign,
        subject,
    })
}
