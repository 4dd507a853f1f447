//! A behaviour that is a list of steps.

use std::collections::VecDeque;

use crate::events::scheduler::WaitReason;
use crate::sim::thread::{Behaviour, Step, Turn};

/// Does each step once, then waits for ever.
pub struct Script(VecDeque<Step>);

impl Script {
    /// From its steps.
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self(steps.into_iter().collect())
    }
}

impl Behaviour for Script {
    fn next(&mut self, _: Turn<'_>) -> Step {
        self.0
            .pop_front()
            .unwrap_or(Step::Wait(WaitReason::WrQueue))
    }
}
