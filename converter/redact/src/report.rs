//! What was met and what became of it, for the user.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::choices::Choices;
use crate::kind::Kind;
use crate::pseudonym::Key;

/// Different texts that are told apart for each kind: bounds memory.
const DISTINCT_MAX: usize = 1 << 20;
/// Examples of each kind.
const EXAMPLES_MAX: usize = 5;
/// Characters of an example; longer ones are cut.
const EXAMPLE_CHARS_MAX: usize = 120;

/// What was found in a trace and what became of it, kind by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report(pub Vec<KindReport>);

/// The same for one kind. Counts are of texts and numbers that were met, each as often as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KindReport {
    /// The kind, as the user writes it.
    pub kind: &'static str,
    /// What was done with it.
    pub action: &'static str,
    /// How many were met.
    pub found: u64,
    /// How many different ones; not told apart beyond a million.
    pub distinct: u64,
    /// How many were known to be harmless, and stayed.
    pub harmless: u64,
    /// How many stand under a pseudonym, whole or in part.
    pub pseudonymised: u64,
    /// How many were left out.
    pub removed: u64,
    /// How many stayed because the user wants it.
    pub kept: u64,
    /// Some of those that are not known to be harmless, as they are in the trace, in the order of letters: the same
    /// ones in each run.
    pub examples: Vec<String>,
}

/// What became of one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Harmless,
    Pseudonymised,
    Removed,
    Kept,
}

/// Counts of one kind.
#[derive(Debug, Default)]
pub struct Tally {
    report: KindReport,
    seen: FxHashSet<u64>,
    /// The texts with the least hashes under [`Key::FIXED`], and their hashes under the key of the output. Threads count
    /// in any order: which text came first differs from run to run.
    examples: BTreeMap<u64, (u64, String)>,
}

impl Tally {
    /// Counts a text by its hash under the key of the output.
    pub fn count(&mut self, fate: Fate, hash: u64, text: &str) {
        let report = &mut self.report;
        report.found += 1;
        match fate {
            Fate::Harmless => report.harmless += 1,
            Fate::Pseudonymised => report.pseudonymised += 1,
            Fate::Removed => report.removed += 1,
            Fate::Kept => report.kept += 1,
        }
        let is_new = self.seen.len() < DISTINCT_MAX && self.seen.insert(hash);
        if is_new {
            report.distinct += 1;
            if fate != Fate::Harmless {
                self.keep_example(hash, text);
            }
        } else {
            self.keep_case(hash, text);
        }
    }

    fn keep_example(&mut self, hash: u64, text: &str) {
        self.examples
            .insert(Key::FIXED.hash(text), (hash, cut(text)));
        if self.examples.len() > EXAMPLES_MAX {
            self.examples.pop_last();
        }
    }

    /// Of texts that differ in case alone, the least is the example.
    fn keep_case(&mut self, hash: u64, text: &str) {
        let mut examples = self.examples.values_mut();
        if let Some((_, example)) = examples.find(|(of, _)| *of == hash) {
            let other = cut(text);
            if other < *example {
                *example = other;
            }
        }
    }

    /// The counts of a kind.
    pub fn report(&self, (kind, name): (Kind, &'static str), choices: &Choices) -> KindReport {
        let mut examples: Vec<String> = self
            .examples
            .values()
            .map(|(_, text)| text.clone())
            .collect();
        examples.sort_unstable();
        KindReport {
            kind: name,
            action: choices.of(kind).name(),
            examples,
            ..self.report.clone()
        }
    }
}

/// One line, not too long.
fn cut(text: &str) -> String {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    let mut shown: String = text
        .chars()
        .take(EXAMPLE_CHARS_MAX)
        .map(printable)
        .collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_do_not_depend_on_the_order_of_counting() {
        let key = Key::FIXED;
        let texts: Vec<String> = (0..20)
            .flat_map(|number| [format!("{number}.exe"), format!("{number}.EXE")])
            .collect();
        let examples = |texts: &mut dyn Iterator<Item = &String>| {
            let mut tally = Tally::default();
            for text in texts {
                tally.count(Fate::Removed, key.hash(text), text);
            }
            let choices = "all".parse().unwrap();
            tally.report((Kind::Names, "names"), &choices).examples
        };
        let forward = examples(&mut texts.iter());
        assert_eq!(forward.len(), EXAMPLES_MAX);
        assert_eq!(forward, examples(&mut texts.iter().rev()));
    }
}
