//! Texts that events tell again and again, such as the paths of images, each in memory once.

use std::sync::Arc;

use etw::{Ansi, Wide};
use rustc_hash::FxHashMap;

/// Texts remembered at most: more differ only in a forged trace, or in a very long one.
const TEXTS_MAX: usize = 1 << 14;

/// Texts that were met before.
#[derive(Debug, Default)]
pub struct Texts {
    wide: Known,
    ansi: Known,
}

/// Texts by their bytes in the trace.
type Known = FxHashMap<Box<[u8]>, Arc<str>>;

impl Texts {
    /// A string that is not empty, the same one in memory as before where it was met before.
    pub fn wide(&mut self, string: Wide<'_>) -> Option<Arc<str>> {
        let text = || string.to_text().into();
        (!string.is_empty()).then(|| shared(&mut self.wide, string.as_bytes(), text))
    }

    /// The same, empty or not.
    pub fn ansi(&mut self, string: Ansi<'_>) -> Arc<str> {
        shared(&mut self.ansi, string.as_bytes(), || {
            string.to_text().into()
        })
    }
}

fn shared(known: &mut Known, bytes: &[u8], text: impl FnOnce() -> Arc<str>) -> Arc<str> {
    if let Some(text) = known.get(bytes) {
        return Arc::clone(text);
    }
    if known.len() >= TEXTS_MAX {
        known.clear();
    }
    let text = text();
    known.insert(bytes.into(), Arc::clone(&text));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A string as a payload has it.
    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn a_text_is_in_memory_once() {
        let mut texts = Texts::default();
        let [ntdll, other] = ["\\Windows\\ntdll.dll", "\\Ärger.dll"].map(utf16);
        let mut shared = |bytes: &[u8]| texts.wide(Wide::new(bytes));
        let (first, second) = (shared(&ntdll).unwrap(), shared(&ntdll).unwrap());
        assert_eq!(&*first, "\\Windows\\ntdll.dll");
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(shared(&other).as_deref(), Some("\\Ärger.dll"));
        assert_eq!(shared(&[]), None);
    }

    #[test]
    fn no_more_are_remembered_than_may_be() {
        let mut texts = Texts::default();
        for number in 0..=TEXTS_MAX {
            let text = number.to_string();
            assert_eq!(texts.wide(Wide::new(&utf16(&text))), Some(text.into()));
            assert!(texts.wide.len() <= TEXTS_MAX);
        }
    }
}
