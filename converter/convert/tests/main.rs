//! All tests of the converter from outside, as one program: it is linked once.

mod support;

#[cfg(test)]
mod command_line;
#[cfg(test)]
mod compact;
#[cfg(test)]
mod counters;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod decoded_kinds;
#[cfg(test)]
mod disorder;
#[cfg(test)]
mod ends;
#[cfg(test)]
mod event_stacks;
#[cfg(test)]
mod every_kind;
#[cfg(test)]
mod facts;
#[cfg(test)]
mod generic;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod interrupts;
#[cfg(test)]
mod kinds;
#[cfg(test)]
mod lifetimes;
#[cfg(test)]
mod methods;
#[cfg(test)]
mod priorities;
#[cfg(test)]
mod ranks;
#[cfg(test)]
mod real_counts;
#[cfg(test)]
mod real_files;
#[cfg(test)]
mod real_methods;
#[cfg(test)]
mod real_redaction;
#[cfg(test)]
mod real_samples;
#[cfg(test)]
mod real_sweep;
#[cfg(test)]
mod recorded_payloads;
#[cfg(test)]
mod redaction;
#[cfg(test)]
mod redaction_of_scenarios;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod scheduling;
#[cfg(test)]
mod selection;
#[cfg(test)]
mod several_files;
#[cfg(test)]
mod sweep;
#[cfg(test)]
mod whose_buffer;
