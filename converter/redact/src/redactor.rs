//! The one who decides.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use crate::choices::{Action, Choices};
use crate::kind::Kind;
use crate::known::{is_known, is_known_provider, is_known_sid};
use crate::path;
use crate::pseudonym::{Key, MARK};
use crate::report::{Fate, Report, Tally};
use crate::users::hide_users;

/// The system gave no random key.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random key for pseudonyms: {0}")]
pub struct NoRandomness(getrandom::Error);

/// Decides what is written for each text of one output, and counts. Usable from several threads.
#[derive(Debug)]
pub struct Redactor {
    choices: Choices,
    key: Key,
    tallies: Mutex<[Tally; Kind::ALL.len()]>,
}

impl Redactor {
    /// With a key of its own.
    ///
    /// # Errors
    /// If the system has no randomness to give.
    pub fn new(choices: Choices) -> Result<Self, NoRandomness> {
        Ok(Self {
            choices,
            key: Key::random().map_err(NoRandomness)?,
            tallies: Mutex::default(),
        })
    }

    /// What is done with each kind.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// What to write for a text that is counted where it is written first; `None`: nothing.
    pub fn text_again<'t>(&self, kind: Kind, text: &'t str) -> Option<Cow<'t, str>> {
        if is_empty(text) {
            return Some(text.into());
        }
        self.decide(kind, text).1
    }

    /// What to write for a text; `None`: nothing.
    pub fn text<'t>(&self, kind: Kind, text: &'t str) -> Option<Cow<'t, str>> {
        if is_empty(text) {
            return Some(text.into());
        }
        let (fate, shown) = self.decide(kind, text);
        self.count(kind, fate, text);
        shown
    }

    fn decide<'t>(&self, kind: Kind, text: &'t str) -> (Fate, Option<Cow<'t, str>>) {
        if is_harmless(kind, text) {
            return (Fate::Harmless, Some(text.into()));
        }
        match self.choices.of(kind) {
            Action::Keep => match self.without_users(kind, text) {
                Some(hidden) => (Fate::Pseudonymised, Some(hidden.into())),
                None => (Fate::Kept, Some(text.into())),
            },
            Action::Remove => (Fate::Removed, None),
            Action::Pseudonym => {
                let pseudonym = match kind {
                    Kind::Paths => path::path(&self.key, text),
                    Kind::Names => path::name(&self.key, text),
                    Kind::Users if is_sid(text) => format!("S-{}", self.key.pseudonym(text)),
                    _ => self.key.pseudonym(text),
                };
                if pseudonym == text {
                    (Fate::Harmless, Some(text.into()))
                } else {
                    (Fate::Pseudonymised, Some(pseudonym.into()))
                }
            }
        }
    }

    /// User names do not stay in what is kept where users are redacted.
    fn without_users(&self, kind: Kind, text: &str) -> Option<String> {
        match self.choices.of(Kind::Users) {
            _ if kind == Kind::Users => None,
            Action::Keep => None,
            Action::Pseudonym | Action::Remove => hide_users(&self.key, text),
        }
    }

    /// Whether a number of a kind is written, or a text that has no pseudonym.
    pub fn keeps(&self, kind: Kind, shown: impl FnOnce() -> String) -> bool {
        let keeps = self.choices.of(kind) == Action::Keep;
        let fate = if keeps { Fate::Kept } else { Fate::Removed };
        self.count(kind, fate, &shown());
        keeps
    }

    /// What to write for a GUID of a kind, given as text; `None`: the GUID itself.
    pub fn guid(&self, kind: Kind, text: &str) -> Option<String> {
        let is_zero = !text.chars().any(|c| c.is_ascii_alphanumeric() && c != '0');
        if is_zero {
            return None;
        }
        let keeps = self.choices.of(kind) == Action::Keep;
        let fate = if keeps {
            Fate::Kept
        } else {
            Fate::Pseudonymised
        };
        self.count(kind, fate, text);
        (!keeps).then(|| self.key.guid(text))
    }

    /// Whether a provider comes with Windows; then the names of its events and fields stay.
    pub fn knows_provider(&self, provider: &str) -> bool {
        self.choices.of(Kind::Providers) == Action::Keep || is_known_provider(provider)
    }

    /// What a provider, or an event or a field of a provider that is not known, is called: never nothing, since what is
    /// counted needs a name.
    pub fn provider<'t>(&self, name: &'t str) -> Cow<'t, str> {
        let removed = || MARK.to_string().into();
        self.text(Kind::Providers, name).unwrap_or_else(removed)
    }

    /// What was met so far.
    pub fn report(&self) -> Report {
        let tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        let kinds = Kind::ALL.into_iter().zip(tallies.iter());
        Report(
            kinds
                .map(|(kind, tally)| tally.report(kind, &self.choices))
                .collect(),
        )
    }

    fn count(&self, kind: Kind, fate: Fate, text: &str) {
        let hash = self.key.hash(text);
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tally) = tallies.get_mut(kind.index()) {
            tally.count(fate, hash, text);
        }
    }
}

fn is_empty(text: &str) -> bool {
    text.trim_matches('\0').is_empty()
}

fn is_harmless(kind: Kind, text: &str) -> bool {
    match kind {
        Kind::Names | Kind::Paths => is_known(text),
        Kind::Users => is_known_sid(text),
        Kind::Providers => is_known_provider(text),
        _ => false,
    }
}

fn is_sid(text: &str) -> bool {
    text.starts_with("S-1-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor(list: &str) -> Redactor {
        Redactor::new(list.parse().unwrap()).unwrap()
    }

    #[test]
    fn all_that_is_not_known_is_redacted_and_counted() {
        let redactor = redactor("all");
        assert_eq!(
            redactor.text(Kind::Names, "svchost.exe").as_deref(),
            Some("svchost.exe")
        );
        let secret = redactor.text(Kind::Names, "secret.exe").unwrap();
        assert!(
            secret.starts_with('~') && secret.ends_with(".exe"),
            "{secret}"
        );
        let path = redactor
            .text(Kind::Paths, r"C:\Windows\secret.exe")
            .unwrap();
        assert_eq!(path, format!(r"C:\Windows\{secret}"));
        assert_eq!(redactor.text(Kind::CommandLines, "secret.exe /x"), None);
        assert_eq!(
            redactor.text(Kind::Users, "S-1-5-18").as_deref(),
            Some("S-1-5-18")
        );
        assert!(
            redactor
                .text(Kind::Users, "S-1-5-21-1-2-3")
                .unwrap()
                .starts_with("S-~")
        );
        assert!(!redactor.keeps(Kind::Keys, || "65".to_owned()));
        let Report(kinds) = redactor.report();
        assert_eq!(
            kinds[0],
            KindReport {
                kind: "names",
                action: "pseudonym",
                found: 2,
                distinct: 2,
                harmless: 1,
                pseudonymised: 1,
                removed: 0,
                kept: 0,
                examples: vec!["secret.exe".to_owned()],
            }
        );
    }

    #[test]
    fn a_user_name_does_not_stay_in_a_path_that_does() {
        let redactor = redactor("users");
        let path = redactor
            .text(Kind::Paths, r"C:\Users\joe\plan.txt")
            .unwrap();
        let joe = redactor.text(Kind::Users, "joe").unwrap();
        assert_eq!(path, format!(r"C:\Users\{joe}\plan.txt"));
    }

    use crate::report::KindReport;
}
