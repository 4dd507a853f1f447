//! Tests of the written files by a small reader of their own.

#[cfg(test)]
mod compression;
#[cfg(test)]
mod exit_storm;
mod hot_loop;
#[cfg(test)]
mod interrupts;
#[cfg(test)]
mod layout;
mod loads;
#[cfg(test)]
mod lock_screen;
#[cfg(test)]
mod random;
#[cfg(test)]
mod scheduling;
#[cfg(test)]
mod structure;
#[cfg(test)]
mod switch_storm;
#[cfg(test)]
mod thread_growth;
#[cfg(test)]
mod walk;
#[cfg(test)]
mod wmi;
#[cfg(test)]
mod xpress;
