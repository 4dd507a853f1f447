//! Texts that events tell again and again, such as the paths of images, each in memory once.

use std::sync::Arc;

use etw::Wide;
use rustc_hash::FxHashMap;

/// Texts remembered at most: more differ only in a forged trace, or in a very long one.
const TEXTS_MAX: usize = 1 << 14;

/// Texts that were met before.
#[derive(Debug, Default)]
pub struct Texts(FxHashMap<Box<[u8]>, Arc<str>>);

impl Texts {
    /// A string that is not empty, the same one in memory as before where it was met before.
    pub fn shared(&mut self, string: Wide<'_>) -> Option<Arc<str>> {
        if string.is_empty() {
            return None;
        }
        if let Some(known) = self.0.get(string.as_bytes()) {
            return Some(Arc::clone(known));
        }
        if self.0.len() >= TEXTS_MAX {
            self.0.clear();
        }
        let text: Arc<str> = string.to_text().into();
        self.0.insert(string.as_bytes().into(), Arc::clone(&text));
        Some(text)
    }
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
        let mut shared = |bytes: &[u8]| texts.shared(Wide::new(bytes));
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
            assert_eq!(texts.shared(Wide::new(&utf16(&text))), Some(text.into()));
            assert!(texts.0.len() <= TEXTS_MAX);
        }
    }
}
