//! Pseudonyms: keyed hashes under a random key that stays secret.

use std::hash::Hasher;

use siphasher::sip::SipHasher24;

/// Marks what was a name. Windows allows it in names, but programs rarely begin theirs with it.
pub const MARK: char = '~';

/// The key of one output. It is drawn at random, kept in memory only, and ends with the conversion: whoever has the
/// output cannot test guesses against it.
#[derive(Clone)]
pub struct Key([u8; 16]);

impl Key {
    /// For an order that must be the same in each run; never for pseudonyms.
    pub const FIXED: Self = Self([0; 16]);

    /// A new one, from the system's source of randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut key = [0; 16];
        getrandom::fill(&mut key)?;
        Ok(Self(key))
    }

    /// 64 bits for a text, the same whatever its case: Windows compares names so.
    pub fn hash(&self, text: &str) -> u64 {
        let mut hasher = SipHasher24::new_with_key(&self.0);
        for lower in text.chars().flat_map(char::to_lowercase) {
            hasher.write_u32(lower.into());
        }
        hasher.finish()
    }

    /// `~` and 48 bits of the hash in hex.
    pub fn pseudonym(&self, text: &str) -> String {
        format!("{MARK}{:012x}", self.hash(text) >> 16)
    }

    /// A GUID as text: it begins with `7e7e7e7e`, the mark four times.
    pub fn guid(&self, text: &str) -> String {
        let hash = self.hash(text);
        let groups = (hash >> 48, hash >> 32 & 0xFFFF, hash >> 16 & 0xFFFF);
        format!(
            "7e7e7e7e-{:04x}-{:04x}-{:04x}-{:012x}",
            groups.0,
            groups.1,
            groups.2,
            hash & 0xFFFF
        )
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_pseudonym_under_a_key_and_another_under_the_next() {
        let (one, other) = (Key::random().unwrap(), Key::random().unwrap());
        assert_eq!(one.pseudonym("Secret.EXE"), one.pseudonym("secret.exe"));
        assert_ne!(one.pseudonym("secret.exe"), one.pseudonym("secret.ex"));
        assert_ne!(one.pseudonym("secret.exe"), other.pseudonym("secret.exe"));
        assert_eq!(one.pseudonym("secret.exe").len(), 13);
        assert_eq!(format!("{one:?}"), "Key");
    }
}
