//! Which method had which addresses of one process from when to when: code is thrown away and its memory used again.

use std::collections::BTreeMap;

use etw::ClrSign;

use super::method::{Method, MethodName};
use super::names::NameId;
use super::record::MethodRecord;

/// A method at its addresses. Times are raw timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodLife {
    /// The method.
    pub method: Method,
    /// From when on the addresses are its own: since what had them before. The event of a load comes when the code may
    /// already run, or not at all.
    pub from_raw: i64,
    /// Until when: when it was unloaded, or another method was found there; `i64::MAX` if neither.
    pub until_raw: i64,
}

/// Builds lives from the records of one process in time order.
#[derive(Debug, Default)]
pub struct MethodLives {
    all: Vec<MethodLife>,
    /// The last method at each address that was ever used, by its start: none overlaps another.
    latest: BTreeMap<u64, usize>,
}

impl MethodLives {
    /// Takes in the next event; `module` is the path of its file.
    pub fn add(&mut self, record: &MethodRecord, module: NameId) {
        let method = Method {
            start: record.start,
            size_bytes: record.size_bytes,
            name: MethodName {
                namespace: record.namespace,
                name: record.name,
                module,
            },
        };
        let is_unload = record.sign == ClrSign::Unload;
        let same = self.latest.get(&method.start).copied();
        if let Some(life) = same.and_then(|index| self.all.get_mut(index))
            && life.method.is_same_code(&method)
        {
            // Loaded again where it was: then nothing else was there meanwhile.
            life.until_raw = if is_unload { record.raw } else { i64::MAX };
            return;
        }
        let mut from_raw = i64::MIN;
        while let Some((start, index)) = self.overlapped(&method) {
            self.latest.remove(&start);
            if let Some(life) = self.all.get_mut(index) {
                life.until_raw = life.until_raw.min(record.raw);
                from_raw = from_raw.max(life.until_raw);
            }
        }
        self.latest.insert(method.start, self.all.len());
        self.all.push(MethodLife {
            method,
            from_raw,
            until_raw: if is_unload { record.raw } else { i64::MAX },
        });
    }

    /// A method that had some of the addresses.
    fn overlapped(&self, method: &Method) -> Option<(u64, usize)> {
        let (&start, &index) = self.latest.range(..method.end()).next_back()?;
        let life = self.all.get(index)?;
        (life.method.end() > method.start).then_some((start, index))
    }

    /// All lives; those of one address in time order.
    pub fn into_vec(self) -> Vec<MethodLife> {
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::super::names::Names;
    use super::*;

    const BEFORE: i64 = i64::MIN;
    const OPEN: i64 = i64::MAX;

    /// Name, start and size, from and until.
    fn lives(events: &[(i64, ClrSign, &str, u64, u32)]) -> Vec<(String, u64, i64, i64)> {
        let mut names = Names::default();
        let mut built = MethodLives::default();
        for &(raw, sign, name, start, size_bytes) in events {
            let name = names.id(name).unwrap();
            let record = MethodRecord {
                raw,
                start,
                size_bytes,
                module: 0,
                namespace: name,
                name,
                sign,
            };
            built.add(&record, name);
        }
        let row = |life: MethodLife| {
            let name = names.text(life.method.name.name).to_owned();
            (name, life.method.start, life.from_raw, life.until_raw)
        };
        built.into_vec().into_iter().map(row).collect()
    }

    #[test]
    fn a_method_that_only_the_end_tells_of_was_always_there() {
        let end = (90, ClrSign::Present, "A", 0x100, 0x40);
        assert_eq!(lives(&[end]), [("A".to_owned(), 0x100, BEFORE, OPEN)]);
        let unload = (90, ClrSign::Unload, "A", 0x100, 0x40);
        assert_eq!(lives(&[unload]), [("A".to_owned(), 0x100, BEFORE, 90)]);
    }

    #[test]
    fn an_address_that_was_given_up_is_used_again() {
        let events = [
            (10, ClrSign::Load, "A", 0x100, 0x40),
            (20, ClrSign::Unload, "A", 0x100, 0x40),
            (30, ClrSign::Load, "B", 0x120, 0x80),
            (90, ClrSign::Present, "B", 0x120, 0x80),
        ];
        let expected = [
            ("A".to_owned(), 0x100, BEFORE, 20),
            ("B".to_owned(), 0x120, 20, OPEN),
        ];
        assert_eq!(lives(&events), expected);
    }

    #[test]
    fn what_lies_over_others_ends_them_all() {
        let events = [
            (10, ClrSign::Load, "A", 0x100, 0x40),
            (10, ClrSign::Load, "B", 0x140, 0x40),
            (10, ClrSign::Load, "C", 0x180, 0x40),
            (30, ClrSign::Load, "D", 0x120, 0x40),
        ];
        let expected = [
            ("A".to_owned(), 0x100, BEFORE, 30),
            ("B".to_owned(), 0x140, BEFORE, 30),
            ("C".to_owned(), 0x180, BEFORE, OPEN),
            ("D".to_owned(), 0x120, 30, OPEN),
        ];
        assert_eq!(lives(&events), expected);
    }

    #[test]
    fn a_method_loaded_again_where_it_was_is_one() {
        let events = [
            (10, ClrSign::Load, "A", 0x100, 0x40),
            (20, ClrSign::Unload, "A", 0x100, 0x40),
            (30, ClrSign::Load, "A", 0x100, 0x40),
        ];
        assert_eq!(lives(&events), [("A".to_owned(), 0x100, BEFORE, OPEN)]);
    }
}
