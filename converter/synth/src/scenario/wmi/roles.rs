//! What the threads of the WMI story's machine do.

use std::ops::Range;

use super::story::{ALL_BLOCKED, END, RELEASED};
use crate::events::scheduler::WaitReason;
use crate::scenario::script::Script;
use crate::sim::machine::{MS, SECOND};
use crate::sim::rng::Rng;
use crate::sim::thread::{Behaviour, Step, Turn};

/// Runs and sleeps, again and again.
pub fn periodic(run: Range<i64>, sleep: Range<i64>, reason: WaitReason) -> impl Behaviour {
    let mut awake = false;
    move |Turn { rng, .. }: Turn<'_>| {
        awake = !awake;
        if awake {
            Step::Run(rng.log_within(&run))
        } else {
            Step::Sleep(reason, rng.log_within(&sleep))
        }
    }
}

/// Short naps.
fn naps(rng: &mut Rng, between: Range<i64>) -> impl Iterator<Item = Step> {
    let mut time = between.start;
    std::iter::from_fn(move || {
        time += rng.log_within(&(200 * MS..4 * SECOND));
        between.contains(&time).then(|| {
            let nap = Step::SleepUntil(WaitReason::UserRequest, time);
            [nap, Step::Run(rng.log_within(&(300..6_000)))]
        })
    })
    .flatten()
}

/// Naps until some time before the release, then is blocked until it comes, and naps on.
pub fn waiter(rng: &mut Rng, reason: WaitReason, then: impl IntoIterator<Item = Step>) -> Script {
    let blocked = rng.within(3 * SECOND..ALL_BLOCKED);
    let mut steps: Vec<Step> = naps(rng, 0..blocked).collect();
    steps.push(Step::Wait(reason));
    Script::new(steps.into_iter().chain(woken(rng, then)))
}

/// Has been blocked since before the trace when the release comes.
pub fn waiter_since_before(rng: &mut Rng, then: impl IntoIterator<Item = Step>) -> Script {
    Script::new(woken(rng, then))
}

fn woken(rng: &mut Rng, then: impl IntoIterator<Item = Step>) -> Vec<Step> {
    then.into_iter()
        .chain(naps(rng, RELEASED + 100 * MS..END))
        .collect()
}
