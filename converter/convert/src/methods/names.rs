//! Texts that many methods have in common, each kept once.

use std::borrow::Cow;
use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

/// A text of [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(u32);

/// Bytes of text that are kept at most: with 2 million texts, 48 MB and as much again for finding them.
const TEXT_MAX_BYTES: usize = 48 << 20;

/// Texts by number.
#[derive(Debug, Default)]
pub struct Names {
    text: String,
    /// Where each text ends.
    ends: Vec<u32>,
    /// The number of a text by its hash; where another text has that hash, by the next free number after it.
    by_hash: FxHashMap<u64, u32>,
}

impl Names {
    /// The number of a text; `None` if it is new and there is no room for it.
    pub fn id(&mut self, text: &str) -> Option<NameId> {
        let mut hash = FxBuildHasher.hash_one(text);
        while let Some(&known) = self.by_hash.get(&hash) {
            if self.text(NameId(known)) == text {
                return Some(NameId(known));
            }
            hash = hash.wrapping_add(1);
        }
        if self.text.len() + text.len() > TEXT_MAX_BYTES {
            return None;
        }
        let id = u32::try_from(self.ends.len()).ok()?;
        self.text.push_str(text);
        self.ends.push(u32::try_from(self.text.len()).ok()?);
        self.by_hash.insert(hash, id);
        Some(NameId(id))
    }

    /// A text by its number.
    pub fn text(&self, NameId(id): NameId) -> &str {
        let end = |index: usize| self.ends.get(index).map(|end| *end as usize);
        let index = id as usize;
        let start = index.checked_sub(1).and_then(end).unwrap_or(0);
        let end = end(index).unwrap_or(start);
        self.text.get(start..end).unwrap_or_default()
    }

    /// Gives up the means to add texts, and their memory.
    pub fn freeze(&mut self) {
        self.by_hash = FxHashMap::default();
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// All texts by number, with others in their places.
    pub fn replaced<'t>(&'t self, by: impl Fn(NameId, &'t str) -> Cow<'t, str>) -> Self {
        let mut replaced = Self::default();
        for id in (0..).map(NameId).take(self.ends.len()) {
            replaced.text.push_str(&by(id, self.text(id)));
            let end = u32::try_from(replaced.text.len()).unwrap_or(u32::MAX);
            replaced.ends.push(end);
        }
        replaced
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_once() {
        let mut names = Names::default();
        let ids = ["Add", "", "Remove", "Add", ""].map(|text| names.id(text).unwrap());
        assert_eq!(ids, [0, 1, 2, 0, 1].map(NameId));
        assert_eq!(
            ids.map(|id| names.text(id).to_owned()),
            ["Add", "", "Remove", "Add", ""]
        );
    }

    #[test]
    fn there_is_a_limit() {
        let mut names = Names::default();
        let long = "n".repeat(TEXT_MAX_BYTES - 3);
        let first = names.id(&long).unwrap();
        assert_eq!(names.id("more"), None);
        assert_eq!(names.id("yes").map(|id| names.text(id).len()), Some(3));
        assert_eq!(names.id(&long), Some(first));
    }
}
