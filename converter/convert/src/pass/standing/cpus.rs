//! Where the CPUs are, and which ones a mask of a group means.

use std::collections::BTreeMap;

use facts::Cpu;

use super::note::Place;

/// So many CPUs a group has at most.
const GROUP_CPUS_MAX: u32 = 64;

/// The CPUs of a machine with `cpu_count` of them. Those that are not recorded are in the one group of a machine that needs no
/// other.
pub fn cpus(cpu_count: u32, told: &[Place], unknown_ts_ns: &BTreeMap<u16, u64>) -> Vec<Cpu> {
    let is_one_group = cpu_count <= GROUP_CPUS_MAX;
    let numbers = (0..cpu_count).map_while(|cpu| u16::try_from(cpu).ok());
    numbers
        .map(|cpu| {
            let untold = || {
                let number = u8::try_from(cpu).ok().filter(|_| is_one_group);
                (is_one_group.then_some(0), number)
            };
            let (group, number) = told.get(usize::from(cpu)).copied().unwrap_or_else(untold);
            Cpu {
                cpu,
                group,
                number,
                unknown_ts_ns: unknown_ts_ns.get(&cpu).copied(),
            }
        })
        .collect()
}

/// The CPUs of each group, as bits.
#[derive(Clone, Debug)]
pub struct Groups<'c> {
    cpus: &'c [Cpu],
    masks: BTreeMap<u16, u64>,
    /// All CPUs are in one group.
    only: Option<u16>,
}

impl<'c> Groups<'c> {
    /// Of a machine.
    pub fn of(cpus: &'c [Cpu]) -> Self {
        let mut masks = BTreeMap::new();
        for cpu in cpus {
            if let Some(group) = cpu.group {
                *masks.entry(group).or_default() |= bit(cpu);
            }
        }
        let first = cpus.first().and_then(|cpu| cpu.group);
        let only = first.filter(|_| cpus.iter().all(|cpu| cpu.group == first));
        Self { cpus, masks, only }
    }

    /// The CPUs that a mask of a group means, as a JSON list; `None` where these are all CPUs or none, or where there are several
    /// groups and it is not known which one it is of.
    pub fn meant(&self, group: Option<u16>, mask: u64) -> Option<Box<str>> {
        let group = self.only.or(group)?;
        let all = self.masks.get(&group).copied()?;
        let meant = mask & all;
        if meant == 0 || (self.only.is_some() && meant == all) {
            return None;
        }
        let is_meant = |cpu: &&Cpu| cpu.group == Some(group) && meant & bit(cpu) != 0;
        let numbers: Vec<_> = self.cpus.iter().filter(is_meant).collect();
        let texts: Vec<_> = numbers.iter().map(|cpu| cpu.cpu.to_string()).collect();
        Some(format!("[{}]", texts.join(",")).into())
    }
}

fn bit(cpu: &Cpu) -> u64 {
    let bit = cpu
        .number
        .and_then(|number| 1_u64.checked_shl(number.into()));
    bit.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(cpus: &[Cpu]) -> Vec<Place> {
        cpus.iter().map(|cpu| (cpu.group, cpu.number)).collect()
    }

    #[test]
    fn a_machine_with_one_group_needs_no_record() {
        let found = cpus(2, &[], &BTreeMap::from([(1, 7)]));
        assert_eq!(places(&found), [(Some(0), Some(0)), (Some(0), Some(1))]);
        let unknown: Vec<_> = found.iter().map(|cpu| cpu.unknown_ts_ns).collect();
        assert_eq!(unknown, [None, Some(7)]);
        assert_eq!(places(&cpus(65, &[], &BTreeMap::new())), [(None, None); 65]);
    }

    #[test]
    fn what_is_recorded_counts() {
        let told = [(Some(0), Some(0)), (Some(1), Some(0)), (Some(0), Some(1))];
        assert_eq!(places(&cpus(3, &told, &BTreeMap::new())), told);
    }

    #[test]
    fn a_mask_of_all_cpus_or_of_none_binds_to_none() {
        let machine = cpus(4, &[], &BTreeMap::new());
        let groups = Groups::of(&machine);
        let meant = |mask| groups.meant(None, mask);
        assert_eq!(meant(0b1010).as_deref(), Some("[1,3]"));
        assert_eq!([0xFF, 0xF, 0xF0, 0].map(meant), [const { None }; 4]);
    }

    #[test]
    fn of_several_groups_the_mask_is_of_one() {
        let told = [(Some(0), Some(0)), (Some(1), Some(0)), (Some(1), Some(63))];
        let machine = cpus(3, &told, &BTreeMap::new());
        let groups = Groups::of(&machine);
        let meant = |group, mask| groups.meant(group, mask);
        assert_eq!(meant(Some(1), u64::MAX).as_deref(), Some("[1,2]"));
        assert_eq!(meant(Some(1), 1 << 63).as_deref(), Some("[2]"));
        assert_eq!([meant(None, 1), meant(Some(2), 1)], [None, None]);
    }
}
