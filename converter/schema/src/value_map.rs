//! Names of values: enumerations and flags.

/// The names of an enumeration's values, or of the bits of a set of flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueMap {
    /// Whether the values are bits that combine.
    pub(crate) is_bitmap: bool,
    /// Sorted by value, one name a value.
    entries: Box<[(u32, Box<str>)]>,
}

impl ValueMap {
    /// A map of these entries; of two names for one value the first counts.
    pub(crate) fn new(is_bitmap: bool, mut entries: Vec<(u32, Box<str>)>) -> Self {
        entries.sort_by_key(|(value, _)| *value);
        entries.dedup_by_key(|(value, _)| *value);
        Self {
            is_bitmap,
            entries: entries.into(),
        }
    }

    /// Whether the values are bits that combine.
    pub fn is_bitmap(&self) -> bool {
        self.is_bitmap
    }

    /// The name of a whole value.
    pub fn name(&self, value: u32) -> Option<&str> {
        let index = self
            .entries
            .binary_search_by_key(&value, |(value, _)| *value)
            .ok()?;
        self.entries.get(index).map(|(_, name)| name.as_ref())
    }

    /// The names of the flags that `value` holds whole, lowest first.
    pub(crate) fn flags(&self, value: u32) -> impl Iterator<Item = (u32, &str)> {
        let held = move |(flag, _): &&(u32, Box<str>)| *flag != 0 && value & flag == *flag;
        self.entries
            .iter()
            .filter(held)
            .map(|(flag, name)| (*flag, name.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_flags_have_names() {
        let entries = vec![
            (4, "four".into()),
            (1, "one".into()),
            (1, "uno".into()),
            (0, "none".into()),
        ];
        let map = ValueMap::new(true, entries);
        assert_eq!(map.name(1), Some("one"));
        assert_eq!(map.name(0), Some("none"));
        assert_eq!(map.name(5), None);
        assert_eq!(map.flags(7).collect::<Vec<_>>(), [(1, "one"), (4, "four")]);
    }
}
