//! What events cost their reader, by kind.

use std::str::FromStr;

use super::kinds::KindName;

/// What the reader of the converted trace can take, in units of its own (such as bytes of its memory).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The most that all events may cost together; `None`: there is no limit.
    pub most: Option<u64>,
    /// What one event of a kind costs; those of kinds that are not named cost nothing.
    pub costs: Vec<Cost>,
}

/// What one event of a kind costs: `KIND=NUMBER`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    kind: KindName,
    each: u64,
}

impl Budget {
    /// What so many events of each kind cost; saturates.
    pub fn cost_of(&self, counts: &[(KindName, u64)]) -> u64 {
        let of_kind = |&(kind, count): &(KindName, u64)| {
            let costs = self.costs.iter().filter(move |cost| cost.kind == kind);
            costs.map(move |cost| cost.each.saturating_mul(count))
        };
        let all = counts.iter().flat_map(of_kind);
        all.fold(0, u64::saturating_add)
    }
}

impl FromStr for Cost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("expected a kind of event and a number, such as generic=250, not \"{text}\"")
        };
        let (name, number) = text.split_once('=').ok_or_else(wrong)?;
        let kind = KindName::named(name).ok_or_else(wrong)?;
        let each = number.parse().map_err(|_| wrong())?;
        Ok(Self { kind, each })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_cost_by_their_count() {
        let costs = ["generic=250", "scheduling=200"].map(|text| text.parse());
        let budget = Budget {
            most: None,
            costs: costs.into_iter().collect::<Result<_, _>>().unwrap(),
        };
        let counts = [
            (KindName::Generic, 10),
            (KindName::Scheduling, 5),
            (KindName::Images, 1000),
        ];
        assert_eq!(budget.cost_of(&counts), 3500);
        assert_eq!(budget.cost_of(&[(KindName::Generic, u64::MAX)]), u64::MAX);
    }

    #[test]
    fn a_cost_has_a_kind_and_a_number() {
        for text in ["generic", "lunch=1", "generic=-1", "generic=", "=5"] {
            assert!(text.parse::<Cost>().is_err(), "{text}");
        }
    }
}
