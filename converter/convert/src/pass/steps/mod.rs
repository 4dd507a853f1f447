//! What each kind of event does to the state of pass 2, and what is told of it.

mod event_stacks;
mod generic;
mod images;
mod interrupts;
mod io;
mod kept;
mod lives;
mod range;
mod readying;
mod samples;
mod switches;
