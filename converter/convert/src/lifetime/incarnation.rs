//! Incarnations: who had a pid or tid from when to when. Ids are reused, and events may be missing.

use rustc_hash::FxHashMap;

use super::facts::Facts;

/// What a lifetime event says about its subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// It starts here.
    Start,
    /// It ends here.
    End,
    /// It is alive here (a rundown, or a change of name).
    Alive,
}

/// One stay of a process or thread under its id. Times are raw timestamps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incarnation<F> {
    /// What is known of it.
    pub facts: F,
    /// Its start, if recorded.
    pub create_raw: Option<i64>,
    /// Its end, if recorded.
    pub exit_raw: Option<i64>,
    /// From when the id is its own; `i64::MIN` where that is since before the trace.
    pub from_raw: i64,
    /// Until when the id is its own; `i64::MAX` where nothing ends it.
    pub until_raw: i64,
    /// Time of the first event about it.
    pub seen_raw: i64,
}

/// Builds incarnations from lifetime events in time order.
#[derive(Debug)]
pub struct Incarnations<F: Facts> {
    all: Vec<Incarnation<F>>,
    /// For each of them the one before of the same id.
    earlier: Vec<Option<u32>>,
    latest: FxHashMap<F::Id, u32>,
}

impl<F: Facts> Incarnations<F> {
    /// No incarnations, and room for those of so many events.
    pub fn with_capacity(events: usize) -> Self {
        Self {
            all: Vec::with_capacity(events),
            earlier: Vec::with_capacity(events),
            latest: FxHashMap::default(),
        }
    }

    /// Takes in the next event.
    pub fn add(&mut self, raw: i64, sign: Sign, facts: F) {
        let id = facts.id();
        let earlier = self.latest.get(&id).copied();
        let latest = earlier.and_then(|index| self.all.get_mut(index as usize));
        let from_raw = match latest {
            None => i64::MIN,
            Some(known) => {
                let open = known.until_raw == i64::MAX;
                if open && sign != Sign::Start && known.facts.may_be_same(&facts) {
                    known.facts.add(facts);
                    if sign == Sign::End {
                        known.exit_raw = Some(raw);
                        known.until_raw = raw;
                    }
                    return;
                }
                if open {
                    known.until_raw = raw;
                }
                known.until_raw
            }
        };
        self.latest.insert(id, self.all.len() as u32);
        self.earlier.push(earlier);
        let end = (sign == Sign::End).then_some(raw);
        self.all.push(Incarnation {
            facts,
            create_raw: (sign == Sign::Start).then_some(raw),
            exit_raw: end,
            from_raw: if sign == Sign::Start { raw } else { from_raw },
            until_raw: end.unwrap_or(i64::MAX),
            seen_raw: raw,
        });
    }

    /// The incarnation that had an id at a time, or had it last.
    pub fn at(&mut self, id: F::Id, raw: i64) -> Option<&mut Incarnation<F>> {
        let mut latest = self.latest.get(&id).copied();
        while let Some(index) = latest.map(|index| index as usize) {
            if self.all.get(index)?.from_raw <= raw {
                return self.all.get_mut(index);
            }
            latest = self.earlier.get(index).copied().flatten();
        }
        None
    }

    /// All incarnations; those of one id in time order.
    pub fn into_vec(self) -> Vec<Incarnation<F>> {
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::ThreadFacts;
    use super::*;

    type Span = (u32, u32, Option<i64>, Option<i64>, i64, i64);

    fn incarnations(events: &[(i64, Sign, u32, u32)]) -> Vec<Span> {
        let mut built = Incarnations::with_capacity(events.len());
        for &(raw, sign, pid, tid) in events {
            built.add(
                raw,
                sign,
                ThreadFacts {
                    pid,
                    tid,
                    ..ThreadFacts::default()
                },
            );
        }
        built
            .into_vec()
            .into_iter()
            .map(|i| {
                (
                    i.facts.pid,
                    i.facts.tid,
                    i.create_raw,
                    i.exit_raw,
                    i.from_raw,
                    i.until_raw,
                )
            })
            .collect()
    }

    const BEFORE: i64 = i64::MIN;
    const OPEN: i64 = i64::MAX;

    #[test]
    fn a_reused_id_has_several_incarnations() {
        assert_eq!(
            incarnations(&[
                (10, Sign::Alive, 4, 8),
                (20, Sign::End, 4, 8),
                (30, Sign::Start, 100, 8),
                (40, Sign::Alive, 100, 8),
            ]),
            [
                (4, 8, None, Some(20), BEFORE, 20),
                (100, 8, Some(30), None, 30, OPEN)
            ]
        );
    }

    #[test]
    fn what_is_known_only_from_the_end_was_there_from_the_start() {
        assert_eq!(
            incarnations(&[(90, Sign::Alive, 4, 8)]),
            [(4, 8, None, None, BEFORE, OPEN)]
        );
        assert_eq!(
            incarnations(&[(90, Sign::End, 4, 8)]),
            [(4, 8, None, Some(90), BEFORE, 90)]
        );
    }

    #[test]
    fn missing_ends_are_closed_by_the_next_start_or_by_another_owner() {
        assert_eq!(
            incarnations(&[(10, Sign::Start, 4, 8), (20, Sign::Start, 4, 8)]),
            [
                (4, 8, Some(10), None, 10, 20),
                (4, 8, Some(20), None, 20, OPEN)
            ]
        );
        assert_eq!(
            incarnations(&[(10, Sign::Start, 4, 8), (20, Sign::Alive, 100, 8)]),
            [
                (4, 8, Some(10), None, 10, 20),
                (100, 8, None, None, 20, OPEN)
            ]
        );
    }

    #[test]
    fn an_id_is_at_each_time_its_last_owners() {
        let mut built = Incarnations::with_capacity(3);
        for (raw, pid) in [(10, 4), (20, 100), (30, 200)] {
            let facts = ThreadFacts {
                pid,
                tid: 8,
                ..ThreadFacts::default()
            };
            built.add(raw, Sign::Start, facts);
        }
        let mut owner = |raw| built.at(8, raw).map(|life| life.facts.pid);
        let owners = [9, 10, 19, 20, 30, 90].map(&mut owner);
        let expected = [None, Some(4), Some(4), Some(100), Some(200), Some(200)];
        assert_eq!(owners, expected);
    }

    #[test]
    fn an_end_after_an_end_is_another_one_that_nobody_saw_start() {
        assert_eq!(
            incarnations(&[(10, Sign::End, 4, 8), (20, Sign::End, 4, 8)]),
            [
                (4, 8, None, Some(10), BEFORE, 10),
                (4, 8, None, Some(20), 10, 20)
            ]
        );
    }
}
