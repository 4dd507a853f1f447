//! What the threads of the lock screen's machine do.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

use super::story::{APPLICATIONS_PAUSE, SATURATED_FROM, due};
use crate::events::scheduler::WaitReason;
use crate::sim::arena::Key;
use crate::sim::machine::MS;
use crate::sim::thread::{Behaviour, Step, Thread, Turn};

/// Runs shortly and sleeps, again and again: timers, pollers, user interfaces.
pub fn periodic(run: Range<i64>, sleep: Range<i64>, reason: WaitReason) -> impl Behaviour {
    let mut awake = false;
    move |Turn { now, rng, .. }: Turn<'_>| {
        awake = !awake;
        if awake {
            Step::Run(rng.log_within(&run))
        } else {
            Step::SleepUntil(reason, due(now + rng.log_within(&sleep), rng))
        }
    }
}

/// An application at work: long runs, short waits, and one pause.
pub fn application() -> impl Behaviour {
    let mut awake = false;
    move |Turn { now, rng, .. }: Turn<'_>| {
        awake = !awake;
        if awake {
            return Step::Run(rng.log_within(&(5 * MS..70 * MS)));
        }
        let wake = now + rng.log_within(&(4 * MS..90 * MS));
        let wake = if APPLICATIONS_PAUSE.contains(&wake) {
            APPLICATIONS_PAUSE.end + rng.within(5 * MS..400 * MS)
        } else {
            wake
        };
        Step::SleepUntil(WaitReason::UserRequest, wake)
    }
}

/// Background work: in bouts at first, without a break from `from` to `until`, then in bouts again.
pub fn background(from: i64, until: i64) -> impl Behaviour {
    let mut awake = false;
    move |Turn { now, rng, .. }: Turn<'_>| {
        awake = !awake;
        match (awake, now) {
            (true, now) if (from..until).contains(&now) => Step::RunUntil(until),
            (true, _) => Step::Run(rng.log_within(&(5 * MS..60 * MS))),
            (false, now) => {
                let wake = now + rng.log_within(&(8 * MS..70 * MS));
                let wake = if now < from {
                    wake.min(from)
                } else {
                    due(wake, rng)
                };
                Step::SleepUntil(WaitReason::Executive, wake)
            }
        }
    }
}

/// When the `index`-th background thread starts to work without a break.
pub const fn background_from(index: i64) -> i64 {
    SATURATED_FROM + index * 140 * MS
}

/// Clients that wait for a server's answer, oldest first.
#[derive(Clone, Default)]
pub struct Requests(Rc<RefCell<VecDeque<Key<Thread>>>>);

/// Waits for requests; answers each after some work.
pub fn server(requests: Requests) -> impl Behaviour {
    let mut served: Option<Key<Thread>> = None;
    move |Turn { rng, .. }: Turn<'_>| {
        if let Some(client) = served.take() {
            return Step::Wake {
                thread: client,
                increment: 1,
            };
        }
        served = requests.0.borrow_mut().pop_front();
        match served {
            Some(_) => Step::Run(rng.log_within(&(200..8_000))),
            None => Step::Wait(WaitReason::WrLpcReceive),
        }
    }
}

/// Works, asks a server and waits for its answer, works again and sleeps.
pub fn client(server: Key<Thread>, requests: Requests) -> impl Behaviour {
    let mut stage = 0;
    move |Turn { now, me, rng }: Turn<'_>| {
        stage = (stage + 1) % 5;
        match stage {
            1 => Step::Run(rng.log_within(&(300..6_000))),
            2 => {
                requests.0.borrow_mut().push_back(me);
                Step::Wake {
                    thread: server,
                    increment: 1,
                }
            }
            3 => Step::Wait(WaitReason::WrLpcReply),
            4 => Step::Run(rng.log_within(&(200..15_000))),
            _ => Step::SleepUntil(
                WaitReason::UserRequest,
                due(now + rng.log_within(&(3 * MS..250 * MS)), rng),
            ),
        }
    }
}
