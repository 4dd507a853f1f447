//! What is to be written at times that are known before pass 2.

use super::lives::LastBreath;
use crate::images::ImageLife;
use crate::lifetime::Lifetimes;
use crate::methods::Methods;

/// Something to be written at a time that is known before pass 2. Of one time, ends come last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// The selected range begins.
    BeginRange,
    /// A process begins; index in [`Lifetimes::processes`].
    OpenProcess(usize),
    /// A thread begins; index in [`Lifetimes::threads`].
    OpenThread(usize),
    /// An image is loaded; index in the pass's list.
    LoadImage(usize),
    /// An image is unloaded.
    UnloadImage(usize),
    /// A method of a .NET program has its addresses from now on; index in [`Methods::passing`](crate::methods::Methods).
    LoadMethod(usize),
    /// It has them no longer.
    UnloadMethod(usize),
    /// A loss; index in the pass's list.
    Loss(usize),
    /// A thread's end event.
    EndThread(usize),
    /// A process's end event.
    EndProcess(usize),
}

impl Action {
    /// Whether a thread or a process ends.
    pub fn is_end(&self) -> bool {
        matches!(self, Self::EndThread(_) | Self::EndProcess(_))
    }
}

/// All beginnings and ends of processes and threads within the trace.
pub fn of_lives(lifetimes: &Lifetimes, last_breath: LastBreath) -> Vec<(i64, Action)> {
    let mut actions = Vec::new();
    for (index, process) in lifetimes.processes.iter().enumerate() {
        if process.from_raw != i64::MIN {
            actions.push((process.from_raw, Action::OpenProcess(index)));
        }
        actions.extend(process.exit_raw.map(|raw| (raw, Action::EndProcess(index))));
    }
    for (index, thread) in lifetimes.threads.iter().enumerate() {
        if thread.life.from_raw != i64::MIN {
            actions.push((thread.life.from_raw, Action::OpenThread(index)));
        }
        actions.extend(
            thread
                .life
                .exit_raw
                .map(|raw| (last_breath.of(raw), Action::EndThread(index))),
        );
    }
    actions
}

/// All loads and unloads within the trace.
pub fn of_images(images: &[ImageLife]) -> impl Iterator<Item = (i64, Action)> + '_ {
    images.iter().enumerate().flat_map(|(index, image)| {
        let (from_raw, until_raw) = (image.life.from_raw, image.life.until_raw);
        of_stay(
            (from_raw, Action::LoadImage(index)),
            (until_raw, Action::UnloadImage(index)),
        )
    })
}

/// All methods that come or go while their process lives.
pub fn of_methods(methods: &Methods) -> impl Iterator<Item = (i64, Action)> + '_ {
    methods
        .passing
        .iter()
        .enumerate()
        .flat_map(|(index, life)| {
            of_stay(
                (life.from_raw, Action::LoadMethod(index)),
                (life.until_raw, Action::UnloadMethod(index)),
            )
        })
}

/// The beginning and the end of a stay in memory, as far as they are within the trace.
fn of_stay(load: (i64, Action), unload: (i64, Action)) -> impl Iterator<Item = (i64, Action)> {
    let load = (load.0 != i64::MIN).then_some(load);
    let unload = (unload.0 != i64::MAX).then_some(unload);
    load.into_iter().chain(unload)
}
