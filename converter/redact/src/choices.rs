//! What is done with each kind of text, as the user writes it.

use std::fmt;
use std::str::FromStr;

use crate::kind::Kind;

/// What is done with a text that is not known to be harmless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// It is written as it is.
    #[default]
    Keep,
    /// A pseudonym is written: the same for the same text within one output, and no way back.
    Pseudonym,
    /// Nothing is written.
    Remove,
}

impl Action {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Keep, "keep"),
        (Self::Pseudonym, "pseudonym"),
        (Self::Remove, "remove"),
    ];

    /// The name that the user gives it.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(action, _)| *action == self);
        found.map_or("", |(_, name)| name)
    }
}

/// An action for each kind of text. Its text form is a list, taken from left to right, which begins with everything
/// kept: `all`, `none`, a kind with its usual action, or `kind=action`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices([Action; Kind::ALL.len()]);

impl Choices {
    /// Every kind is redacted in its usual way: the safe side.
    pub fn all() -> Self {
        Self(Kind::ALL.map(|(kind, _)| kind.usual_action()))
    }

    /// Nothing is redacted.
    pub fn none() -> Self {
        Self(Kind::ALL.map(|_| Action::Keep))
    }

    /// What is done with a kind.
    pub fn of(&self, kind: Kind) -> Action {
        self.0.get(kind.index()).copied().unwrap_or_default()
    }

    fn set(&mut self, kind: Kind, action: Action) {
        if let Some(chosen) = self.0.get_mut(kind.index()) {
            *chosen = action;
        }
    }
}

impl Default for Choices {
    fn default() -> Self {
        Self::all()
    }
}

/// An element of a list that is no choice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not all, none, or one of names, command-lines, users, paths, titles, keys, hosts, providers, fields, with \
     =remove, =pseudonym or =keep if wanted"
)]
pub struct UnknownChoice(String);

impl FromStr for Choices {
    type Err = UnknownChoice;

    fn from_str(list: &str) -> Result<Self, UnknownChoice> {
        let mut choices = Self::none();
        for element in list.split(',').map(str::trim) {
            let unknown = || UnknownChoice(element.to_owned());
            match element {
                "all" => choices = Self::all(),
                "none" => choices = Self::none(),
                _ => {
                    let (kind, action) = match element.split_once('=') {
                        Some((kind, action)) => (kind, Some(action)),
                        None => (element, None),
                    };
                    let kind = named(&Kind::ALL, kind).ok_or_else(unknown)?;
                    let action = match action {
                        Some(action) => named(&Action::ALL, action).ok_or_else(unknown)?,
                        None => kind.usual_action(),
                    };
                    choices.set(kind, action);
                }
            }
        }
        Ok(choices)
    }
}

fn named<T: Copy>(all: &[(T, &str)], name: &str) -> Option<T> {
    let found = all.iter().find(|(_, own)| *own == name);
    found.map(|(value, _)| *value)
}

impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let redacted = Kind::ALL
            .iter()
            .filter(|(kind, _)| self.of(*kind) != Action::Keep);
        for (at, (kind, name)) in redacted.enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma}{name}={}", self.of(*kind).name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &str) -> String {
        match list.parse::<Choices>() {
            Ok(choices) => choices.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_list_is_taken_from_left_to_right() {
        assert_eq!(read("users, paths"), "users=pseudonym,paths=pseudonym");
        assert_eq!(read("none"), "");
        assert_eq!(
            read("all,paths=keep,names=remove"),
            "names=remove,command-lines=remove,users=pseudonym,titles=remove,keys=remove,hosts=pseudonym,\
             providers=pseudonym,fields=remove"
        );
        assert!(read("paths=hide").starts_with("\"paths=hide\" is not all, none, or one of names"));
        assert!(read("").starts_with("\"\" is not"));
    }
}
