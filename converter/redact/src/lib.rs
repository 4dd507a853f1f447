//! Decides for every text of a trace whether it is written as it is, under a pseudonym, or not at all.

mod choices;
mod kind;
mod known;
mod path;
mod pseudonym;
mod redactor;
mod report;
mod users;

pub use choices::{Action, Choices, UnknownChoice};
pub use kind::{Kind, number_kind, text_kind};
pub use path::is_known_file;
pub use redactor::{NoRandomness, Redactor};
pub use report::{KindReport, Report};
